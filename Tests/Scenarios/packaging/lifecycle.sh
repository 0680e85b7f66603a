#!/usr/bin/env bash
# The packages' life under a real systemd: installed, upgraded while the daemon runs and while it cannot start, removed,
# installed again, purged.
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
if ! is_inside; then
  for version in 1000.1 1000.2 1000.3; do later $version; done
  boot
fi

cd "$work"
source "$scenarios/packaging/service.sh"
units="mediatokend.service mediatokend.socket mediatokend-metrics.socket"

install_from() { dpkg -i "/put/$1"/mediatoken{,d}_*.deb >dpkg.txt 2>&1 </dev/null || { tail -n 20 dpkg.txt; return 1; }; }
all_are() { equals "$(dpkg-query -W -f '${Version} ${db:Status-Status}\n' mediatoken mediatokend | sort -u)" "$1"; }
no_process() { ! pgrep -x mediatokend >/dev/null; }
# Files, and what they are; not what dpkg itself writes, nor the lists of users, nor the cache that Podman makes on the machine below
# when another scenario uses it for the first time.
files() {
  find /usr /etc /var /run /lib/systemd \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache -o -path /var/lib/containers \
    -o -path '/run/systemd' -o -path /run/user -o -path /run/log -o -path /var/lib/systemd/timers \) -prune -o -printf '%p %y %m %U %G %l\n' |
    grep -vE '^/etc/(ld.so.cache|\.pwd\.lock|(passwd|group|g?shadow)-?) |^/(var|run) |/run/(lock|utmp|initctl)' | sort
}

# --- installation ---

rm -f /var/lib/man-db/auto-update  # Each installation would index all manual pages again.
files >before.txt
check "the packages install" install_from packages
version=$(dpkg-query -W -f '${Version}' mediatokend)
check "which is what dpkg says" all_are "$version installed"
for unit in $units; do
  check "$unit is not enabled" equals "$(systemctl is-enabled "$unit")" disabled
  check "and not started" exits 3 systemctl --quiet is-active "$unit"
done
check "nothing has failed" equals "$(systemctl --failed --no-legend --plain | grep mediatoken || true)" ""
check "the user cannot log in" equals "$(getent passwd mediatokend | cut -d: -f7)" /usr/sbin/nologin
check "the table's folder is the daemon's alone" equals "$(stat -c '%U %G %a' /var/lib/mediatoken)" "mediatokend mediatokend 700"
check "the socket's can be entered by all" equals "$(stat -c '%U %G %a' /run/mediatokend)" "mediatokend mediatokend 755"
check "configuration and keys are root's" equals \
  "$(stat -c '%U %G %a' /etc/mediatoken /etc/mediatoken/keys $configuration | sort -u)" $'root root 644\nroot root 755'

# --- an upgrade while it runs ---

install -m 644 /put/ours.pem /etc/mediatoken/keys/
runuser -u mediatokend -- mediatoken replay create --table $table --capacity 1000000 --fresh >/dev/null
sed -i 's/"linesPerSecond": 20/"linesPerSecond": 30/' $configuration
cp $configuration edited.json
check "it is enabled and started" systemctl enable --quiet --now mediatokend.socket mediatokend.service
mediatoken issue --key /put/ours.private.pem --requestor REF30 --resource TNT --form base64 --ttl 3000000 >token
check "a token is valid" query 0 VALID_TOKEN
first=$(pid)
asks_meanwhile
check "an upgrade while it runs" install_from 1000.1
stops_asking
check "is done" all_are "1000.1 installed"
check "it refuses none of $asked questions" equals "$failed" 0
check "which were some" test "$asked" -ge 3
check "another process runs" test "$(pid)" != "$first" -a "$(pid)" -gt 0
check "of the program that is installed now" test "/proc/$(pid)/exe" -ef /usr/sbin/mediatokend
check "what was used stays used" query 1 TOKEN_REPLAYED
check "the configuration is the operator's" cmp edited.json $configuration
check "both units are still enabled" equals "$(systemctl is-enabled mediatokend.service mediatokend.socket | sort -u)" enabled

# --- an upgrade while it cannot start ---

sed -i 's/"tenants"/"tenant"/' $configuration
check "an upgrade while the configuration is broken succeeds" install_from 1000.2
check "and is done" all_are "1000.2 installed"
check "nothing is left half-installed" equals "$(dpkg --audit)" ""
check "the daemon has failed, which systemd knows" is ActiveState failed
check "with the status of a broken configuration" is ExecMainStatus 3
check "and the journal says key and line" journal_has "$configuration: line [0-9]+: tenant: "
cp edited.json $configuration
check "with the configuration in order it starts" systemctl restart mediatokend
check "and what was used is still used" query 1 TOKEN_REPLAYED

# --- an upgrade of what its operator stopped ---

systemctl --quiet disable --now mediatokend.socket mediatokend.service
check "what is stopped and disabled stays so in an upgrade" install_from 1000.3
check "it does not run" is ActiveState inactive
check "nor is it enabled" equals "$(systemctl is-enabled mediatokend.service mediatokend.socket | sort -u)" disabled

# --- removal ---

systemctl --quiet enable --now mediatokend.socket mediatokend.service
check "it runs" equals "$(get /readyz)" '{"status":"ready"}'
check "removal while it runs" dpkg --remove mediatokend >remove.txt 2>&1
check "leaves no process" no_process
check "and no socket" test ! -e $socket
check "nor anything failed" equals "$(systemctl --failed --no-legend --plain | grep mediatoken || true)" ""
check "the configuration stays" cmp edited.json $configuration
check "the key stays" cmp /put/ours.pem /etc/mediatoken/keys/ours.pem
check "the table stays" test -s $table
check "installed again it is as it was" install_from 1000.3
check "with systemd's socket" systemctl --quiet is-active mediatokend.socket
check "it runs again" equals "$(get /readyz)" '{"status":"ready"}'
check "and what was used is used" query 1 TOKEN_REPLAYED

# --- purge ---

check "purge while it runs" dpkg --purge mediatokend mediatoken >purge.txt 2>&1
check "leaves no process of it" no_process
check "no configuration" test ! -e $configuration
check "no table" test ! -e $table
check "the key is the operator's, and stays" cmp /put/ours.pem /etc/mediatoken/keys/ours.pem
check "dpkg says so" grep -q '/etc/mediatoken/keys' purge.txt
check "the user stays" getent passwd mediatokend >/dev/null
rm -r /etc/mediatoken
files >after.txt
# The table's folder is a mount point here, and stays.
check "nothing else is left" diff <(grep -v '^/var/lib/mediatoken ' before.txt) <(grep -v '^/var/lib/mediatoken ' after.txt)
check "and dpkg knows none of it" equals "$(dpkg-query -W -f '${Package}\n' 'mediatoken*' 2>/dev/null)" ""
finish
