#!/usr/bin/env bash
# The packages' life under a real systemd: installed, all four, and enough for the examples in C and C++, whose use is
# library/examples.sh's; the daemon's upgraded while it runs and while it cannot start, removed, installed again; purged.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"

# later VERSION: the packages once more, as a later version.
later() {
  local file tree
  mkdir "$put/$1"
  for file in "$put"/packages/mediatoken{,d}_*.deb; do
    tree=$work/$1-$(basename "$file" .deb)
    dpkg-deb -R "$file" "$tree"
    sed -i -E "s/^Version: .*/Version: $1/; s/^(Depends: .*mediatoken \(= )[^)]*/\1$1/" "$tree/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone -b "$tree" "$put/$1" >/dev/null
  done
}
needs gcc g++ pkg-config
if ! is_inside; then
  for version in 1000.1 1000.2 1000.3; do later $version; done
  boot
fi

cd "$work"
source "$scenarios/packaging/service.sh"
units="mediatokend.service mediatokend.socket mediatokend-metrics.socket"

install_from() { dpkg -i "/put/$1"/*.deb >dpkg.txt 2>&1 </dev/null || { tail -n 20 dpkg.txt; return 1; }; }
all_are() { equals "$(dpkg-query -W -f '${Version} ${db:Status-Status}\n' "${@:2}" | sort -u)" "$1"; }
linked() { grep -q "libmediatoken\.so\.0 " <(ldconfig -p); }
no_process() { ! pgrep -x mediatokend >/dev/null; }
# Files, and what they are; not what dpkg itself writes, nor the lists of users, nor the cache that Podman makes on the machine below
# when another scenario uses it for the first time.
files() {
  find /usr /etc /opt /var /run /lib/systemd \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path /var/lib/containers \
    -o -path '/run/systemd' -o -path /run/user -o -path /run/log -o -path /var/lib/systemd/timers \) -prune -o -printf '%p %y %m %U %G %l\n' |
    grep -vE '^/etc/(ld.so.cache|\.pwd\.lock|(passwd|group|g?shadow)-?) |^/(var|run) |/run/(lock|utmp|initctl)' | sort
}

# --- installation ---

rm -f /var/lib/man-db/auto-update  # Each installation would index all manual pages again.
files >before.txt
check "the packages install" install_from packages
version=$(dpkg-query -W -f '${Version}' mediatokend)
check "dpkg says that all four packages are installed" \
  all_are "$version installed" libmediatoken-dev libmediatoken0 mediatoken mediatokend
check "dpkg finds no file of the packages changed" equals "$(dpkg --verify libmediatoken-dev libmediatoken0 mediatoken mediatokend)" ""
check "the linker knows the library" linked
check "no file of Swift's runtime is needed" \
  equals "$(ldd /usr/bin/mediatoken /usr/lib/*/libmediatoken.so.0 2>&1 | grep -iE "swift|not found|not a dynamic|no such")" ""
examples=/usr/share/doc/libmediatoken-dev/examples
for example in "gcc -std=c99|gate.c" "g++ -std=c++17|gate.cpp" "gcc -std=c99|prefork.c"; do
  check "${example#*|} compiles as it says" \
    sh -c "${example%|*} -Wall -Wextra -pedantic -Werror -o example $examples/${example#*|} \$(pkg-config --cflags --libs mediatoken)"
  # Without arguments it says how it is used, or that a key is missing: it was loaded.
  check "${example#*|} finds the installed library" sh -c './example </dev/null >said 2>&1; test $? -lt 126'
done
for unit in $units; do
  check "$unit is not enabled" equals "$(systemctl is-enabled "$unit")" disabled
  check "a unit that was installed is not started" exits 3 systemctl --quiet is-active "$unit"
done
check "after the installation no unit has failed" equals "$(systemctl --failed --no-legend --plain | grep mediatoken || true)" ""
check "the daemon's user cannot log in" equals "$(getent passwd mediatokend | cut -d: -f7)" /usr/sbin/nologin
check "the table's folder is the daemon's alone" equals "$(stat -c '%U %G %a' /var/lib/mediatoken)" "mediatokend mediatokend 700"
check "the socket's folder can be entered by all" equals "$(stat -c '%U %G %a' /run/mediatokend)" "mediatokend mediatokend 755"
check "configuration and keys are root's" equals \
  "$(stat -c '%U %G %a' /etc/mediatoken /etc/mediatoken/keys $configuration | sort -u)" $'root root 644\nroot root 755'

# --- an upgrade while it runs ---

install -m 644 /put/ours.pem /etc/mediatoken/keys/
runuser -u mediatokend -- mediatoken replay create --table $table --capacity 1000000 --fresh >/dev/null
sed -i 's/"linesPerSecond": 20/"linesPerSecond": 30/' $configuration
cp $configuration edited.json
check "the daemon is enabled and started" systemctl enable --quiet --now mediatokend.socket mediatokend.service
mediatoken issue --key /put/ours.private.pem --requestor REF30 --resource TNT --form base64 --ttl 3000000 >token
check "before the upgrade a token is valid" query 0 VALID_TOKEN
first=$(pid)
asks_meanwhile
check "an upgrade while the daemon runs succeeds" install_from 1000.1
stops_asking
check "dpkg says that the upgrade while the daemon runs is done" all_are "1000.1 installed" mediatoken mediatokend
check "an upgrade while the daemon runs refuses none of $asked questions" equals "$failed" 0
check "three questions and more were asked during the upgrade" test "$asked" -ge 3
check "after the upgrade another process runs" test "$(pid)" != "$first" -a "$(pid)" -gt 0
check "after the upgrade the process is of the program that is installed now" test "/proc/$(pid)/exe" -ef /usr/sbin/mediatokend
check "after the upgrade what was used stays used" query 1 TOKEN_REPLAYED
check "after the upgrade the configuration is the operator's" cmp edited.json $configuration
check "after the upgrade both units are still enabled" \
  equals "$(systemctl is-enabled mediatokend.service mediatokend.socket | sort -u)" enabled

# --- an upgrade while it cannot start ---

sed -i 's/"tenants"/"tenant"/' $configuration
check "an upgrade while the configuration is broken succeeds" install_from 1000.2
check "dpkg says that the upgrade with a broken configuration is done" all_are "1000.2 installed" mediatoken mediatokend
check "after the upgrade with a broken configuration nothing is half-installed" equals "$(dpkg --audit)" ""
check "systemd knows that the daemon with a broken configuration has failed" is ActiveState failed
check "systemd has the status of a broken configuration" is ExecMainStatus 3
check "the journal says file and key of the broken configuration" journal_has "$configuration: tenant: "
cp edited.json $configuration
check "with the configuration in order the daemon starts" systemctl restart mediatokend
check "with the configuration in order what was used is still used" query 1 TOKEN_REPLAYED

# --- an upgrade of what its operator stopped ---

systemctl --quiet disable --now mediatokend.socket mediatokend.service
check "what is stopped and disabled stays so in an upgrade" install_from 1000.3
check "what was stopped does not run after an upgrade" is ActiveState inactive
check "what was disabled is not enabled after an upgrade" \
  equals "$(systemctl is-enabled mediatokend.service mediatokend.socket | sort -u)" disabled

# --- removal ---

systemctl --quiet enable --now mediatokend.socket mediatokend.service
check "before the removal the daemon is ready" equals "$(get /readyz)" '{"status":"ready"}'
check "removal while the daemon runs succeeds" quietly dpkg --remove mediatokend
check "removal leaves no process" no_process
check "removal leaves no socket" test ! -e $socket
check "after the removal no unit has failed" equals "$(systemctl --failed --no-legend --plain | grep mediatoken || true)" ""
check "removal leaves the configuration" cmp edited.json $configuration
check "removal leaves the key" cmp /put/ours.pem /etc/mediatoken/keys/ours.pem
check "removal leaves the table" test -s $table
check "after the removal the packages install again" install_from 1000.3
check "installed again the daemon has systemd's socket" systemctl --quiet is-active mediatokend.socket
check "installed again the daemon is ready" equals "$(get /readyz)" '{"status":"ready"}'
check "installed again the daemon has not forgotten what was used" query 1 TOKEN_REPLAYED

# --- purge ---

check "purge while the daemon runs succeeds" eval 'dpkg --purge mediatokend mediatoken libmediatoken-dev libmediatoken0 >purge.txt 2>&1'
check "purge leaves no process" no_process
check "purge leaves no configuration" test ! -e $configuration
check "purge leaves no table" test ! -e $table
check "purge leaves the key, which is the operator's" cmp /put/ours.pem /etc/mediatoken/keys/ours.pem
check "dpkg says that it leaves the folder of the keys" grep -q '/etc/mediatoken/keys' purge.txt
check "purge leaves the daemon's user" quietly getent passwd mediatokend
rm -r /etc/mediatoken
files >after.txt
# The table's folder is a mount point here, and stays.
check "purge leaves no other file" diff <(grep -v '^/var/lib/mediatoken ' before.txt) <(grep -v '^/var/lib/mediatoken ' after.txt)
check "dpkg knows nothing of the purged packages" equals "$(dpkg-query -W -f '${Package}\n' '*mediatoken*' 2>/dev/null)" ""
check "the linker knows nothing of the purged library" exits 1 linked
finish
