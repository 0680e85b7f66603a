#!/usr/bin/env bash
# The article Deployment, typed on a machine with a real systemd: three seats under the shipped unit, and stunnel in front.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"
needs redis-server redis-cli stunnel4 openssl
is_inside || boot

dpkg -i /put/packages/mediatoken{,d}_*.deb >"$work/install.txt" 2>&1
cd /usr/share/doc/mediatokend/examples/redis
article=/usr/share/doc/mediatokend/Deployment.md

# block SECTION LANGUAGE NUMBER: a code block of a section of the article, as it is written.
block() {
  awk -v heading="## $1" -v fence="\`\`\`$2" -v wanted="$3" '
    /^## / { here = $0 == heading }
    inside && /^```/ { inside = 0 }
    inside && count == wanted
    here && $0 == fence { inside = 1; count++ }' "$article" >"$work/block"
  [[ -s $work/block ]] && cat "$work/block"
}
# types SECTION NUMBER [SED_SCRIPT]: a block is typed as it is written, except for what is this machine's.
types() {
  block "$1" sh "$2" | sed "${3:-}" >"$work/typed" && bash -euo pipefail "$work/typed" >"$work/out" 2>"$work/err" </dev/null ||
    { cat "$work/typed" "$work/out" "$work/err"; return 1; }
}
unit() { systemctl show --value -p "$1" mediatoken-seat@6379; }
is() { equals "$(unit "$1")" "$2"; }
host() { REDISCLI_AUTH=$(awk -v seat="$1" '$1 == seat { print $3 }' "$work/credentials") redis-cli -p $((6378 + $1)) --user mediatoken "${@:2}" 2>&1; }
is_serving() { [[ $(host 1 ping) == PONG ]]; }
owner() { host 1 info replication | tr -d '\r' | sed -n 's/^master_replid://p'; }

# --- three seats ---

check "the first commands of the section Install a seat end well" types "Install a seat" 1
for seat in 1 2 3; do
  check "seat $seat is installed" types "Install a seat" 2 "s/seat=1 port=6379/seat=$seat port=$((6378 + seat))/"
  cat "$work/out" >>"$work/credentials"
done
check "each installation of a seat prints its line of the credentials" \
  equals "$(sed 's/ [0-9a-f]\{64\}$/ PASSWORD/' "$work/credentials" | tr '\n' ' ')" \
  "1 mediatoken PASSWORD 2 mediatoken PASSWORD 3 mediatoken PASSWORD "
check "each seat has a password of its own" equals "$(cut -d ' ' -f 3 "$work/credentials" | sort -u | wc -l)" 3
check "the account file of a seat is root's alone" equals "$(stat -c '%U %a' /etc/mediatoken/seat-6379.acl)" "root 600"
check "the account file of a seat has no password in it" \
  lacks "$(sed -n 's/^1 mediatoken //p' "$work/credentials")" /etc/mediatoken/seat-6379.acl
for seat in 1 2 3; do check "seat $seat knows its host" equals "$(host "$seat" ping)" PONG; done
check "one seat's password is not another's" equals \
  "$(REDISCLI_AUTH=$(sed -n 's/^2 mediatoken //p' "$work/credentials") redis-cli -p 6379 --user mediatoken ping 2>&1 | head -n 1 | cut -c 1-22)" "AUTH failed: WRONGPASS"
check "systemd has nothing to say about the unit of a seat" \
  equals "$(systemd-analyze verify --man=no mediatoken-seat@6379.service 2>&1)" ""
check "the exposure of the unit of a seat is what the article says" \
  grep -qF "\`systemd-analyze security\` says $(systemd-analyze security --no-pager mediatoken-seat@6379 |
  sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')." <(tr '\n' ' ' <$article)

# --- the sandbox ---

pid=$(unit MainPID)
check "the unit of a seat runs Redis" equals "$(readlink "/proc/$pid/exe")" /usr/bin/redis-check-rdb
check "a seat runs as a user that no list has" exits 2 getent -s files passwd "$(stat -c %u "/proc/$pid")"
check "a seat does not run as root" test "$(stat -c %u "/proc/$pid")" -gt 1000
check "a seat has no capability" equals "$(sed -n 's/^Cap[PEB].*:\t//p' "/proc/$pid/status" | sort -u)" 0000000000000000
check "the system calls of a seat are filtered" equals "$(sed -n 's/^Seccomp:\t//p' "/proc/$pid/status")" 2
check "a seat may use a gigabyte of memory" is MemoryMax 1073741824
check "the folder of a seat is in memory" equals "$(stat -f -c %T "$(readlink "/proc/$pid/cwd")")" tmpfs
check "the folder of a seat is its own" equals "$(readlink "/proc/$pid/cwd")" /run/mediatoken-seat-6379
host 1 hset '{mt1:prod}' owner us >/dev/null
host 1 hset '{mt1:prod}:1792000000' '' us >/dev/null
check "a seat keeps a bucket" equals "$(host 1 hmget '{mt1:prod}:1792000000' '')" us
check "a seat writes what it keeps to no file" \
  equals "$(find /run/mediatoken-seat-6379 /var/lib/redis -newer "$work/credentials" -type f)" ""

# --- ends and begins ---

before=$(owner)
check "a seat has an owner" equals "${#before}" 40
kill -KILL "$pid"
check "a killed seat is started again" awaits 60 is_serving
check "a seat that was killed and started again has forgotten all" equals "$(host 1 exists '{mt1:prod}')" 0
check "a seat that was killed and started again is another owner" eval '[[ -n $(owner) && $(owner) != "$before" ]]'
check "a seat does not start with an account file that cannot be read" exits 1 bash -c \
  'echo nonsense >/etc/mediatoken/seat-6379.acl; systemctl restart mediatoken-seat@6379'
has_said_why() { grep -q 'startup because of ACL errors' <(journalctl --no-pager -o cat -u mediatoken-seat@6379 -n 20); }
check "the journal says that the account file stops the seat" awaits 60 has_said_why
systemctl stop mediatoken-seat@6379
check "when one seat is stopped the others go on" equals "$(host 2 ping) $(host 3 ping)" "PONG PONG"
sed -i '/^1 /d' "$work/credentials"
# It tried to start so often that the unit may be told to stay down.
systemctl reset-failed mediatoken-seat@6379 || true
check "a seat that was stopped is installed again" types "Install a seat" 2
cat "$work/out" >>"$work/credentials"
check "a seat that was installed again answers with its new password" awaits 60 is_serving
systemctl stop mediatoken-seat@6380
check "nothing is left of a seat that was stopped" awaits 60 test ! -e /run/mediatoken-seat-6380
systemctl start mediatoken-seat@6380

# --- Valkey's program ---

# Redis under that name: this is about the unit's places. Its name without `-server` is a link.
cp -L /usr/bin/redis-server /usr/bin/valkey-server
mkdir -p /run/systemd/system/mediatoken-seat@.service.d
block "Install a seat" ini 2 >/run/systemd/system/mediatoken-seat@.service.d/valkey.conf
check "the article has a drop-in for Valkey" grep -q valkey-server /run/systemd/system/mediatoken-seat@.service.d/valkey.conf
chmod 000 /usr/bin/redis-check-rdb
systemctl daemon-reload
check "with the drop-in for Valkey a seat starts without Redis" systemctl restart mediatoken-seat@6379
check "with the drop-in for Valkey a seat runs Valkey's program" \
  equals "$(readlink "/proc/$(unit MainPID)/exe")" /usr/bin/valkey-server
check "with the drop-in for Valkey a seat answers" awaits 60 is_serving
chmod 755 /usr/bin/redis-check-rdb
rm -r /run/systemd/system/mediatoken-seat@.service.d /usr/bin/valkey-server
systemctl daemon-reload
systemctl restart mediatoken-seat@6379
check "without the drop-in for Valkey a seat answers again" awaits 60 is_serving

# --- credentials and the daemon's drop-in ---

cp "$work/credentials" .
check "the credentials are installed as the article says" types "Give the seats to hosts" 1
check "the installed credentials are for the daemon alone" \
  equals "$(stat -c '%U %G %a' /etc/mediatoken/seats)" "root mediatokend 640"
check "the drop-in that lets the daemon out to the network is installed" types "Give the seats to hosts" 2
check "systemd has nothing to say about the daemon's drop-in for the network" \
  equals "$(systemd-analyze verify --man=no mediatokend.service 2>&1)" ""
check "systemd has read the daemon's drop-in for the network" equals "$(systemctl show --value -p PrivateNetwork mediatokend)" no

# --- the fleet, as the article founds it ---

on_this_machine='s/redis1.example:6379/127.0.0.1:6379/; s/redis2.example:6379/127.0.0.1:6380/; s/redis3.example:6379/127.0.0.1:6381/'
address=redis:prod@127.0.0.1:6379,127.0.0.1:6380,127.0.0.1:6381
fleet() { "$MEDIATOKEN" replay "$1" --timeout 60000 --replay $address --fleet-credentials /etc/mediatoken/seats "${@:2}" 2>&1; }
states() { fleet seats --json >"$work/seats.json" || true; member "$work/seats.json" '" ".join(seat["state"] for seat in j["seats"])'; }
check "before the fleet is founded no seat has an epoch" equals "$(states)" "unborn unborn unborn"
check "the fleet is founded" awaits 60 types "Found it" 1 "$on_this_machine"
check "a fleet that was just founded vouches for nothing yet" equals "$(states)" "young young young"
check "the digest is what FleetProtocol computes" equals "$(member "$work/seats.json" 'j["digest"]')" \
  "$(printf '%s\n' mt1 prod 3600000 60000 0 127.0.0.1:6379 127.0.0.1:6380 127.0.0.1:6381 | sha256sum | cut -c 1-16)"
for seat in 1 2 3; do host "$seat" del '{mt1:prod}' >/dev/null; done
check "with found --fresh the fleet vouches at once" awaits 60 quietly fleet found --fresh
check "after found --fresh each seat votes" equals "$(states)" "voting voting voting"

mkdir -p /etc/mediatoken/keys
install -m 644 /put/ours.pem /etc/mediatoken/keys/
python3 - <<PYTHON >"$work/configuration.json"
import json
whole = json.load(open("/etc/mediatoken/mediatokend.json"))
whole.update(json.loads("{" + """$(block "Give the seats to hosts" json 1 | sed "$on_this_machine")""" + "}"))
# Three seats share this machine with others, and the first claim makes the buckets of an hour.
whole["replay"]["fleet"]["deadlineMilliseconds"] = 1000
print(json.dumps(whole))
PYTHON
cp "$work/configuration.json" /etc/mediatoken/mediatokend.json
token() { "$MEDIATOKEN" issue --key /put/ours.private.pem --requestor REF30 --resource TNT --form base64 >"$work/$1"; }
query() { answers "$1" "$2" query --socket /run/mediatokend/mediatokend.sock --timeout 60000 --requestor REF30 --resource TNT - <"$work/$3"; }
check "the daemon starts with the article's configuration" systemctl start mediatokend
is_ready() { [[ $(curl -sS --unix-socket /run/mediatokend/mediatokend.sock http://localhost/readyz) == '{"status":"ready"}' ]]; }
ready() { awaits 60 is_ready; }
check "the daemon is ready with the article's configuration" ready
token one
check "a token plays on the new fleet" decides query 0 VALID_TOKEN one
check "the token that played on the new fleet is refused the second time" decides query 1 TOKEN_REPLAYED one
# Two of three votes decide. By this the third seat has heard of it, too: otherwise two seats could disagree about it for good.
is_used() {
  answers 1 TOKEN_REPLAYED verify - --keys /etc/mediatoken/keys --requestor REF30 --resource TNT --replay $address \
    --fleet-credentials /etc/mediatoken/seats --fleet-deadline 1000 <"$work/one"
}
check "a host without a table knows too that the token was used" decides is_used
systemctl stop mediatokend

# --- TLS ---

check "a key for the tunnel is made" types TLS 1
block TLS ini 1 >/etc/stunnel/seat1.conf
block TLS ini 2 | sed 's/redis1.example/127.0.0.1/' >/etc/stunnel/seats.conf
mkdir -p /etc/systemd/system/stunnel@seats.service.d
block TLS ini 3 >/etc/systemd/system/stunnel@seats.service.d/seats.conf
check "the tunnel's side at the seat starts" systemctl start stunnel@seat1
check "the tunnel's side at the host starts" types TLS 2
tunnel() { REDISCLI_AUTH=$(sed -n 's/^1 mediatoken //p' "$work/credentials") timeout 60 runuser -u mediatokend -- redis-cli -s /run/stunnel-seats/1.sock --user mediatoken "$@" 2>&1; }
through_tunnel() { [[ $(tunnel ping) == PONG ]]; }
awaits 60 through_tunnel || true
check "the seat answers through the tunnel" equals "$(tunnel ping)" PONG
check "what answers through the tunnel is that seat" \
  equals "$(tunnel info replication | tr -d '\r' | sed -n 's/^master_replid://p')" "$(owner)"
sed 's/:.*/:00112233445566778899aabbccddeeff/' -i /etc/stunnel/seat1.psk
systemctl restart stunnel@seats
is_turned_away() { tunnel ping >/dev/null || true; grep -q 'SSL_accept: ' <(journalctl --no-pager -o cat -u stunnel@seat1); }
check "the tunnel's side at the seat turns another key away" awaits 60 is_turned_away
check "with another key no answer comes through the tunnel" exits 1 grep -q PONG <(tunnel ping)
finish
