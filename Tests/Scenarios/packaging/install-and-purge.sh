#!/usr/bin/env bash
# All four Debian packages install, are enough for the examples in C and C++, and leave no file when they are purged, on a machine of their
# own. The daemon's life is lifecycle.sh's, and what the examples do is library/examples.sh's.
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
for example in "gcc -std=c99|gate.c" "g++ -std=c++17|gate.cpp" "gcc -std=c99|prefork.c"; do
  check "${example#*|} compiles as it says" \
    sh -c "${example%|*} -Wall -Wextra -pedantic -Werror -o example $examples/${example#*|} \$(pkg-config --cflags --libs mediatoken)"
  # Without arguments it says how it is used, or that a key is missing: it was loaded.
  check "${example#*|} finds the installed library" sh -c './example </dev/null >said 2>&1; test $? -lt 126'
done
rm -f /run/example /run/said
check "the packages are purged" dpkg --purge $packages
files >/run/after
check "the purged packages leave no file behind" diff /run/before /run/after
check "dpkg knows nothing of the purged packages" [ -z "$(dpkg-query -W $packages 2>/dev/null)" ]
check "the linker knows nothing of the purged library" eval '! ldconfig -p | grep libmediatoken >/dev/null'
finish
