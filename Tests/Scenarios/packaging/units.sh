#!/usr/bin/env bash
# The units under a real systemd, with their whole sandbox, as the Debian packages install them.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"
is_inside || boot

cd "$work"
source "$scenarios/packaging/service.sh"

was_restarted() { [[ $(systemctl show --value -p NRestarts mediatokend) -ge 1 && $(systemctl is-active mediatokend) == active ]]; }

dpkg -i /put/packages/mediatoken{,d}_*.deb >install.txt 2>&1
check "without keys the service does not start" exits 1 systemctl start mediatokend
sleep 2.5  # More than RestartSec.
check "a service that did not start is not tried again" is "NRestarts" 0
check "the journal says why a service without keys does not start" journal_has '/etc/mediatoken/keys'
systemctl reset-failed mediatokend
install -m 644 /put/ours.pem /etc/mediatoken/keys/
# For so long its table is new: longer than a busy machine takes to ask about it.
sed -i 's/"futureToleranceMilliseconds": 60000/"futureToleranceMilliseconds": 600000/' $configuration
check "with a key the service starts" systemctl start mediatokend
check "the daemon says that its new table vouches for nothing yet" grep -q '"reason":"replay-memory-new"' <(get /readyz)
check "systemd knows that the new table vouches for nothing yet" \
  grep -q '^not ready: replay-memory-new: ' <(systemctl show --value -p StatusText mediatokend)
check "the journal has, as a warning, that the daemon is not ready" journal_has '^\{.*"event":"not-ready"' -p warning..warning
check "what is less than a warning has less priority in the journal" journal_has '"event":"started"' -p notice..info
check "why the service did not start is an error in the journal" journal_has '^mediatokend: .*/etc/mediatoken/keys' -p err..err
check "the daemon has no capability" equals "$(sed -n 's/^Cap[PEB].*:\t//p' "/proc/$(pid)/status" | sort -u)" 0000000000000000
check "the daemon's system calls are filtered" equals "$(sed -n 's/^Seccomp:\t//p' "/proc/$(pid)/status")" 2
check "the daemon runs as a user of its own" equals "$(stat -c %U "/proc/$(pid)")" mediatokend
check "the table is the daemon's own" equals "$(stat -c '%U %a' $table)" "mediatokend 600"
check "what the daemon tells of itself can be read in the sandbox" \
  equals "$(get /metrics | grep -cE '^process_(open_fds|max_fds|start_time_seconds|cpu_seconds_total|resident_memory_bytes) ')" 5

systemctl stop mediatokend
check "a stop removes the socket" test ! -e $socket
check "a stop keeps the table" test -s $table
# A new table vouches for what is issued later; this one vouches at once.
rm $table
sed -i 's/"futureToleranceMilliseconds": 600000/"futureToleranceMilliseconds": 60000/' $configuration
runuser -u mediatokend -- "$MEDIATOKEN" replay create --table $table --capacity 1000000 --fresh >/dev/null
systemctl start mediatokend
check "with a table that vouches for all the daemon is ready" equals "$(get /readyz)" '{"status":"ready"}'
check "systemd knows that the daemon is ready" is StatusText "answering requests"
"$MEDIATOKEN" issue --key /put/ours.private.pem --requestor REF30 --resource TNT --form base64 --ttl 3000000 >token
check "a fresh token is valid" query 0 VALID_TOKEN
systemctl restart mediatokend
check "after a restart the token is used" query 1 TOKEN_REPLAYED
kill -KILL "$(pid)"
check "a killed daemon is started again" awaits 60 was_restarted
check "after a kill the token is still used" query 1 TOKEN_REPLAYED

useradd caller
usermod -aG mediatokend caller
check "a user of no group gets no answer" exits 7 runuser -u nobody -- curl -sS --unix-socket $socket http://localhost/readyz
check "a member of the group gets an answer" runuser -u caller -- curl -sS -o answer.txt --output-dir /tmp --unix-socket $socket \
  -d 'token=x&requestor=REF30&resource=TNT' http://localhost/v1/verify
check "the journal knows which user asked" journal_has "\"peerUID\":$(id -u caller),"

check "a reload succeeds" systemctl reload mediatokend
check "the journal has the reload" journal_has '"event":"reloaded"'
cp $configuration good.json
sed -i 's/"tenants"/"tenant"/' $configuration
check "a reload of a broken file fails" exits 1 systemctl reload mediatokend
check "a reload of a broken file says the file and the key" journal_has "$configuration: tenant: "
check "after a reload of a broken file the daemon serves on" query 1 TOKEN_REPLAYED
cp good.json $configuration

mkdir -p /run/systemd/system/mediatokend.service.d
printf '[Service]\nWatchdogSec=15\n' >/run/systemd/system/mediatokend.service.d/watchdog.conf
systemctl daemon-reload
systemctl restart mediatokend
sleep 16
check "a daemon that is well is left alone by the watchdog" is NRestarts 0
kill -STOP "$(pid)"
check "a daemon that hangs is started again" awaits 60 was_restarted
check "a daemon that had hung answers again" equals "$(get /readyz)" '{"status":"ready"}'
rm -r /run/systemd/system/mediatokend.service.d
systemctl daemon-reload
systemctl stop mediatokend

# What SetUp.md says about drop-ins.
sed -i 's|^{$|{ "tcp": {"address": "127.0.0.1", "port": 9465},|; s|"mode": "0660"|"mode": "0660", "group": "users"|' $configuration
check "in the sandbox a daemon with a TCP listener does not start" exits 1 systemctl start mediatokend
check "the journal says why a daemon with a TCP listener does not start" journal_has 'mediatokend: .*(tcp|socket)'
usermod -aG users mediatokend
mkdir -p /run/systemd/system/mediatokend.service.d
cat >/run/systemd/system/mediatokend.service.d/wider.conf <<'UNIT'
[Service]
PrivateNetwork=no
RestrictAddressFamilies=AF_INET AF_INET6
IPAddressAllow=localhost
SystemCallFilter=@chown
UNIT
systemctl daemon-reload
systemctl reset-failed mediatokend
check "with the article's drop-in a daemon with a TCP listener starts" systemctl start mediatokend
check "with the article's drop-in the TCP listener answers" \
  equals "$(curl -sS --max-time 60 http://127.0.0.1:9465/readyz)" '{"status":"ready"}'
check "with the article's drop-in the socket has another group" equals "$(stat -c %G $socket)" users
systemctl stop mediatokend
rm -r /run/systemd/system/mediatokend.service.d
systemctl daemon-reload
cp good.json $configuration

# What SupportDesk.md says about a group of its own.
desk=/usr/share/doc/mediatokend/SupportDesk.md
groupadd support
sed -i "s|^{\$|{ $(sed -n 's/^"inspector": {.*}$/&,/p' $desk)|" $configuration
check "in the sandbox a daemon with a socket for a support desk does not start" exits 1 systemctl start mediatokend
mkdir -p /run/systemd/system/mediatokend.service.d
sed -n '/^```ini$/,/^```$/{/^```/!p}' $desk >/run/systemd/system/mediatokend.service.d/desk.conf
systemctl daemon-reload
systemctl reset-failed mediatokend
check "with the article's drop-in a daemon with a socket for a support desk starts" systemctl start mediatokend
check "the socket for a support desk has the group that the article has" \
  equals "$(stat -c '%G %a' /run/mediatokend/inspector.sock)" "support 660"
check "the inspector's page is at the socket for a support desk" \
  grep -q '<title>' <(curl -sS --max-time 60 --unix-socket /run/mediatokend/inspector.sock http://localhost/)
systemctl stop mediatokend
rm -r /run/systemd/system/mediatokend.service.d
systemctl daemon-reload
cp good.json $configuration

check "the sockets start alone" systemctl start mediatokend.socket mediatokend-metrics.socket
check "the sockets alone do not start the service" is ActiveState inactive
check "the first question starts the service" query 1 TOKEN_REPLAYED
check "the service, which has no network, answers at the loopback listener" \
  equals "$(curl -sS --max-time 60 http://127.0.0.1:9464/readyz)" '{"status":"ready"}'
check "the loopback listener verifies nothing" \
  equals "$(curl -sS --max-time 60 -o /dev/null -w '%{http_code}' -d x http://127.0.0.1:9464/v1/verify)" 403
asks_meanwhile
for _ in 1 2 3 4 5; do
  before=$(stat -c %s answers)
  systemctl restart mediatokend
  check "questions go on after a restart" awaits 60 has_asked $((before + 11))
done
stops_asking
check "through systemd's socket five restarts refuse none of $asked questions" equals "$failed" 0
check "more than 50 questions were asked during five restarts" test "$asked" -gt 50
finish
