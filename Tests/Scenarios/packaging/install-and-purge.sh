#!/usr/bin/env bash
# The Debian packages install, run and leave no file when they are purged, on a machine of their own.
source "$(dirname "$0")/../lib/scenario.sh"
if [[ ${ON_ITS_MACHINE:-} != yes ]]; then
  : "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
  needs unshare chroot dpkg gcc g++ pkg-config python3
  compgen -G "$MEDIATOKEN_PACKAGES/*.deb" >/dev/null || skip "there are no packages in $MEDIATOKEN_PACKAGES"
  [[ $(id -u) -eq 0 ]] || skip "only root can install packages"
  status=0
  mkdir "$work/machine"
  unshare --mount --net --pid --fork --kill-child bash "$scenarios/lib/machine.sh" "$work/machine" "$MEDIATOKEN_PACKAGES" \
    "$repository" env MEDIATOKEN=mediatoken MEDIATOKEND=mediatokend bash "/srv/repository/Tests/Scenarios/$scenario" || status=$?
  [[ $status -ne 77 ]] || skip "overlayfs cannot be mounted here"
  finished=yes
  exit "$status"
fi

# No library of the build, no Swift in PATH: what is installed is all there is.
mkdir /srv/keys
cp "$repository"/keys/*.pem /srv/keys
chmod -R go-w /srv/keys
# Every file, and what it is; not what dpkg itself writes, and not the list of users, in which the daemon's stays; nor the cache
# that Podman makes on the machine below when another scenario uses it for the first time.
files() {
  find /usr /etc /var /opt -xdev \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path /var/lib/containers \) \
    -prune -o -printf '%p %y %m %U %G %l\n' | grep -vE '^/etc/(ld.so.cache|\.pwd\.lock|(passwd|group|g?shadow)-?) ' | sort
}
cd /run
packages=$(for file in /srv/packages/*.deb; do dpkg-deb -f "$file" Package; done)
if dpkg-query -W -f '${Package}\n' $packages >/dev/null 2>&1; then skip "installed here already"; fi
files >/run/before
check "the packages install, with what they need" dpkg -i /srv/packages/*.deb
check "dpkg calls each of the packages installed" \
  [ "$(dpkg-query -W -f '${db:Status-Status}\n' $packages | sort -u)" = installed ]
check "dpkg finds no file of the packages changed" [ -z "$(dpkg --verify $packages)" ]
check "the linker knows the library" eval 'ldconfig -p | grep "libmediatoken\.so\.0 " >/dev/null'
check "no file of Swift's runtime is needed" [ -z "$(ldd /usr/bin/mediatoken /usr/lib/*/libmediatoken.so.0 2>&1 | grep -iE "swift|not found|not a dynamic|no such")" ]

examples=/usr/share/doc/libmediatoken-dev/examples
check "the C example compiles as it says" \
  sh -c "gcc -std=c99 -Wall -Wextra -pedantic -Werror -o gate $examples/gate.c \$(pkg-config --cflags --libs mediatoken)"
check "the C++ example compiles as it says" \
  sh -c "g++ -std=c++17 -Wall -Wextra -pedantic -Werror -o gate++ $examples/gate.cpp \$(pkg-config --cflags --libs mediatoken)"
check "the pre-fork server compiles as it says" \
  sh -c "gcc -std=c99 -Wall -Wextra -pedantic -Werror -o prefork $examples/prefork.c \$(pkg-config --cflags --libs mediatoken)"
check "the command line makes a table" mediatoken replay create --table /run/t --capacity 1000 --fresh
for gate in ./gate ./gate++; do
  check "the command line signs a token" sh -c \
    'mediatoken issue --key /srv/keys/development.private.pem --requestor REF30 --resource TNT --session-guid $$ >token'
  check "${gate##*/} lets a fresh token in" \
    sh -c "$gate /srv/keys/development.pem shared:/run/t REF30 TNT dev <token | grep -q VALID_TOKEN"
  check "${gate##*/} refuses the token the second time" sh -c \
    "! $gate /srv/keys/development.pem shared:/run/t REF30 TNT dev <token | grep -q VALID_TOKEN"
done

check "the daemon's user and folders are there" \
  [ "$(stat -c '%U %a' /var/lib/mediatoken)" = "mediatokend 700" ]
cp /srv/keys/development.pem /etc/mediatoken/keys/ 2>/dev/null
check "the daemon runs, and reads what is configured: it refuses the development key" \
  sh -c 'mediatokend --check-config --config /etc/mediatoken/mediatokend.json 2>check; test $? -eq 3 && grep "development key" check'
echo '# ours' >>/etc/mediatoken/mediatokend.json
check "removal keeps keys, configuration and table" \
  sh -c 'dpkg --remove mediatokend && test -e /etc/mediatoken/keys/development.pem -a -e /var/lib/mediatoken'
check "the user of the daemon is not taken away under its files" getent passwd mediatokend
check "the packages are purged" dpkg --purge $packages
check "a key that the operator put there stays" rm /etc/mediatoken/keys/development.pem
rmdir -p /etc/mediatoken/keys 2>/dev/null || true
rm -f /run/gate*
files >/run/after
check "the purged packages leave no file behind" diff /run/before /run/after
check "dpkg knows nothing of the purged packages" [ -z "$(dpkg-query -W $packages 2>/dev/null)" ]
check "the linker knows nothing of the purged library" eval '! ldconfig -p | grep libmediatoken >/dev/null'
finish
