#!/usr/bin/env bash
# The Debian packages install, run and leave nothing behind, in a copy of this system that is thrown away: an overlay in a
# mount namespace of its own. Needs root, dpkg and overlayfs.
if [[ ${INSIDE:-} != yes ]]; then
  source "$(dirname "$0")/common.sh"
  : "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
  needs unshare chroot dpkg gcc g++ pkg-config python3
  compgen -G "$MEDIATOKEN_PACKAGES/*.deb" >/dev/null || skip "there are no packages in $MEDIATOKEN_PACKAGES"
  [[ $(id -u) -eq 0 ]] || skip "only root can install packages"
  set -e
  mkdir "$scratch/m"
  cat >"$scratch/enter" <<'SH'
set -e
mount -t tmpfs none "$1"
mkdir "$1/up" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$1/root" || exit 77
mount --bind "$2" "$1/root/mnt"
mount -t proc proc "$1/root/proc"
mount --bind /dev "$1/root/dev"
mount -t tmpfs none "$1/root/run"
mkdir -p "$1/root/srv/scenario" "$1/root/srv/keys"
cp -r "$3/." "$1/root/srv/scenario"
cp "$4"/keys/*.pem "$1/root/srv/keys"
chmod -R go-w "$1/root/srv/keys"
exec env -i INSIDE=yes PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1/root" bash /srv/scenario/packages.sh
SH
  status=0
  unshare -m bash "$scratch/enter" "$scratch/m" "$MEDIATOKEN_PACKAGES" "$here" "$root" || status=$?
  [[ $status -ne 77 ]] || skip "overlayfs cannot be mounted here"
  exit "$status"
fi

# Inside. No MEDIATOKEN, no library of the build, no Swift in PATH: what is installed is all there is.
set -u -o pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
held=0 broken=0
claim() {
  local text=$1
  shift
  if "$@"; then held=$((held + 1)); echo "ok: $text"; else broken=$((broken + 1)); echo "FAILED: $text"; fi
}
# Every file, and what it is; not what dpkg itself writes, and not the list of users, in which the daemon's stays.
files() {
  find /usr /etc /var /opt -xdev \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) \
    -prune -o -printf '%p %y %m %U %G %l\n' | grep -vE '^/etc/(ld.so.cache|\.pwd\.lock|(passwd|group|g?shadow)-?) ' | sort
}
cd /run || exit 1
packages=$(for file in /mnt/*.deb; do dpkg-deb -f "$file" Package; done)
if dpkg-query -W -f '${Package}\n' $packages >/dev/null 2>&1; then echo "skipped: installed here already"; exit 77; fi
files >/run/before
claim "the packages install, with what they need" dpkg -i /mnt/*.deb
claim "dpkg calls each of them installed" \
  [ "$(dpkg-query -W -f '${db:Status-Status}\n' $packages | sort -u)" = installed ]
claim "and finds no file changed" [ -z "$(dpkg --verify $packages)" ]
claim "the linker knows the library" eval 'ldconfig -p | grep "libmediatoken\.so\.0 " >/dev/null'
claim "no file of Swift's runtime is needed" eval '! ldd /usr/bin/mediatoken /usr/lib/*/libmediatoken.so.0 | grep -iE "swift|not found"'

examples=/usr/share/doc/libmediatoken-dev/examples
claim "the C example compiles as it says" \
  sh -c "gcc -std=c99 -Wall -Wextra -pedantic -Werror -o gate $examples/gate.c \$(pkg-config --cflags --libs mediatoken)"
claim "the C++ example compiles as it says" \
  sh -c "g++ -std=c++17 -Wall -Wextra -pedantic -Werror -o gate++ $examples/gate.cpp \$(pkg-config --cflags --libs mediatoken)"
claim "the pre-fork server compiles as it says" \
  sh -c "gcc -std=c99 -Wall -Wextra -pedantic -Werror -o prefork $examples/prefork.c \$(pkg-config --cflags --libs mediatoken)"
claim "the command line makes a table" mediatoken replay create --table /run/t --capacity 1000 --fresh
for gate in ./gate ./gate++ "/usr/bin/python3 -B $examples/mediatoken.py"; do
  claim "the command line signs a token" sh -c \
    'mediatoken issue --key /srv/keys/development.private.pem --requestor REF30 --resource TNT --session-guid $$ >token'
  # shellcheck disable=SC2086
  claim "${gate##*/} lets it in" sh -c "$gate /srv/keys/development.pem shared:/run/t REF30 TNT dev <token | grep -q VALID_TOKEN"
  claim "${gate##*/} refuses it the second time" sh -c \
    "! $gate /srv/keys/development.pem shared:/run/t REF30 TNT dev <token | grep -q VALID_TOKEN"
done

claim "the daemon's user and folders are there" \
  [ "$(stat -c '%U %a' /var/lib/mediatoken)" = "mediatokend 700" ]
cp /srv/keys/development.pem /etc/mediatoken/keys/ 2>/dev/null
claim "the daemon runs, and reads what is configured: it refuses the development key" \
  sh -c 'mediatokend --check-config --config /etc/mediatoken/mediatokend.json 2>check; test $? -eq 3 && grep "development key" check'
echo '# ours' >>/etc/mediatoken/mediatokend.json
claim "removal keeps keys, configuration and table" \
  sh -c 'dpkg --remove mediatokend && test -e /etc/mediatoken/keys/development.pem -a -e /var/lib/mediatoken'
claim "the user of the daemon is not taken away under its files" getent passwd mediatokend
claim "the packages go away" dpkg --purge $packages
claim "a key that the operator put there stays" rm /etc/mediatoken/keys/development.pem
rmdir -p /etc/mediatoken/keys 2>/dev/null
rm -f /run/gate*
files >/run/after
claim "and leave no file behind" diff /run/before /run/after
claim "nothing of them is known any more" eval '! dpkg-query -W $packages 2>/dev/null | grep . >/dev/null'
claim "nor to the linker" eval '! ldconfig -p | grep libmediatoken >/dev/null'
echo "packages.sh: $held claims hold, $broken do not"
[[ $broken -eq 0 && $held -gt 0 ]]
