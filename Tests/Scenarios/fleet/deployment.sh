#!/usr/bin/env bash
# The article Deployment, typed on a machine with a real systemd: three nodes under the shipped unit, and stunnel in front.
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
unit() { systemctl show --value -p "$1" mediatoken-node@6379; }
is() { equals "$(unit "$1")" "$2"; }
host() { REDISCLI_AUTH=$(awk -v node="$1" '$1 == node { print $3 }' "$work/credentials") redis-cli -p $((6378 + $1)) --user mediatoken "${@:2}" 2>&1; }
is_serving() { [[ $(host 1 ping) == PONG ]]; }
owner() { host 1 info replication | tr -d '\r' | sed -n 's/^master_replid://p'; }

# --- three nodes ---

check "the first commands of the section Install a node end well" types "Install a node" 1
for node in 1 2 3; do
  check "node $node is installed" types "Install a node" 2 "s/node=1 port=6379/node=$node port=$((6378 + node))/"
  cat "$work/out" >>"$work/credentials"
done
check "each installation of a node prints its line of the credentials" \
  equals "$(sed 's/ [0-9a-f]\{64\}$/ PASSWORD/' "$work/credentials" | tr '\n' ' ')" \
  "1 mediatoken PASSWORD 2 mediatoken PASSWORD 3 mediatoken PASSWORD "
check "each node has a password of its own" equals "$(cut -d ' ' -f 3 "$work/credentials" | sort -u | wc -l)" 3
check "the account file of a node is root's alone" equals "$(stat -c '%U %a' /etc/mediatoken/node-6379.acl)" "root 600"
check "the account file of a node has no password in it" \
  lacks "$(sed -n 's/^1 mediatoken //p' "$work/credentials")" /etc/mediatoken/node-6379.acl
for node in 1 2 3; do check "node $node knows its host" equals "$(host "$node" ping)" PONG; done
check "one node's password is not another's" equals \
  "$(REDISCLI_AUTH=$(sed -n 's/^2 mediatoken //p' "$work/credentials") redis-cli -p 6379 --user mediatoken ping 2>&1 | head -n 1 | cut -c 1-22)" "AUTH failed: WRONGPASS"
check "systemd has nothing to say about the unit of a node" \
  equals "$(systemd-analyze verify --man=no mediatoken-node@6379.service 2>&1)" ""
check "the exposure of the unit of a node is what the article says" \
  grep -qF "\`systemd-analyze security\` says $(systemd-analyze security --no-pager mediatoken-node@6379 |
  sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')." <(tr '\n' ' ' <$article)

# --- the sandbox ---

pid=$(unit MainPID)
check "the unit of a node runs Redis" equals "$(readlink "/proc/$pid/exe")" /usr/bin/redis-check-rdb
check "a node runs as a user that no list has" exits 2 getent -s files passwd "$(stat -c %u "/proc/$pid")"
check "a node does not run as root" test "$(stat -c %u "/proc/$pid")" -gt 1000
check "a node has no capability" equals "$(sed -n 's/^Cap[PEB].*:\t//p' "/proc/$pid/status" | sort -u)" 0000000000000000
check "the system calls of a node are filtered" equals "$(sed -n 's/^Seccomp:\t//p' "/proc/$pid/status")" 2
check "a node may use a gigabyte of memory" is MemoryMax 1073741824
check "the folder of a node is in memory" equals "$(stat -f -c %T "$(readlink "/proc/$pid/cwd")")" tmpfs
check "the folder of a node is its own" equals "$(readlink "/proc/$pid/cwd")" /run/mediatoken-node-6379
host 1 hset '{mt2:prod}' owner us >/dev/null

# --- ends and begins ---

before=$(owner)
check "a node has an owner" equals "${#before}" 40
kill -KILL "$pid"
check "a killed node is started again" awaits 60 is_serving
check "a node that was killed and started again has forgotten all" equals "$(host 1 exists '{mt2:prod}')" 0
check "a node that was killed and started again is another owner" eval '[[ -n $(owner) && $(owner) != "$before" ]]'
check "a node does not start with an account file that cannot be read" exits 1 bash -c \
  'echo nonsense >/etc/mediatoken/node-6379.acl; systemctl restart mediatoken-node@6379'
has_said_why() { grep -q 'startup because of ACL errors' <(journalctl --no-pager -o cat -u mediatoken-node@6379 -n 20); }
check "the journal says that the account file stops the node" awaits 60 has_said_why
systemctl stop mediatoken-node@6379
check "when one node is stopped the others go on" equals "$(host 2 ping) $(host 3 ping)" "PONG PONG"
sed -i '/^1 /d' "$work/credentials"
# It tried to start so often that the unit may be told to stay down.
systemctl reset-failed mediatoken-node@6379 || true
check "a node that was stopped is installed again" types "Install a node" 2
cat "$work/out" >>"$work/credentials"
check "a node that was installed again answers with its new password" awaits 60 is_serving
systemctl stop mediatoken-node@6380
check "nothing is left of a node that was stopped" awaits 60 test ! -e /run/mediatoken-node-6380
systemctl start mediatoken-node@6380

# --- Valkey's program ---

# Redis under that name: this is about the unit's places. Its name without `-server` is a link.
cp -L /usr/bin/redis-server /usr/bin/valkey-server
mkdir -p /run/systemd/system/mediatoken-node@.service.d
block "Install a node" ini 2 >/run/systemd/system/mediatoken-node@.service.d/valkey.conf
check "the article has a drop-in for Valkey" grep -q valkey-server /run/systemd/system/mediatoken-node@.service.d/valkey.conf
chmod 000 /usr/bin/redis-check-rdb
systemctl daemon-reload
check "with the drop-in for Valkey a node starts without Redis" systemctl restart mediatoken-node@6379
check "with the drop-in for Valkey a node runs Valkey's program" \
  equals "$(readlink "/proc/$(unit MainPID)/exe")" /usr/bin/valkey-server
check "with the drop-in for Valkey a node answers" awaits 60 is_serving
chmod 755 /usr/bin/redis-check-rdb
rm -r /run/systemd/system/mediatoken-node@.service.d /usr/bin/valkey-server
systemctl daemon-reload
systemctl restart mediatoken-node@6379
check "without the drop-in for Valkey a node answers again" awaits 60 is_serving

# --- credentials and the daemon's drop-in ---

cp "$work/credentials" .
check "the credentials are installed as the article says" types "Give the nodes to hosts" 1
check "the installed credentials are for the daemon alone" \
  equals "$(stat -c '%U %G %a' /etc/mediatoken/nodes)" "root mediatokend 640"
check "the drop-in that lets the daemon out to the network is installed" types "Give the nodes to hosts" 2
check "systemd has nothing to say about the daemon's drop-in for the network" \
  equals "$(systemd-analyze verify --man=no mediatokend.service 2>&1)" ""
check "systemd has read the daemon's drop-in for the network" equals "$(systemctl show --value -p PrivateNetwork mediatokend)" no

# --- the fleet, as the article initialises it ---

on_this_machine='s/redis1.example:6379/127.0.0.1:6379/; s/redis2.example:6379/127.0.0.1:6380/; s/redis3.example:6379/127.0.0.1:6381/'
mkdir -p /etc/mediatoken/keys
install -m 644 /put/ours.pem /etc/mediatoken/keys/
python3 - <<PYTHON >"$work/configuration.json"
import json
whole = json.load(open("/etc/mediatoken/mediatokend.json"))
whole.update(json.loads("{" + """$(block "Give the nodes to hosts" json 1 | sed "$on_this_machine")""" + "}"))
# Three nodes share this machine with others, and the first claim makes the buckets of an hour.
whole["replay"]["fleet"]["deadlineMilliseconds"] = 1000
print(json.dumps(whole))
del whole["replay"]["fleet"]["localTable"]
json.dump(whole, open("$work/without-table.json", "w"))
PYTHON
cp "$work/configuration.json" /etc/mediatoken/mediatokend.json
fleet() { "$MEDIATOKEN" replay "$1" --timeout 60000 --config /etc/mediatoken/mediatokend.json "${@:2}" 2>&1; }
states() { fleet nodes --json >"$work/nodes.json" || true; member "$work/nodes.json" '" ".join(node["state"] for node in j["nodes"])'; }
check "before the fleet is initialised no node has an epoch" equals "$(states)" "uninitialised uninitialised uninitialised"
check "the fleet is initialised" awaits 60 types "Initialise it" 1
check "a fleet that was just initialised vouches for nothing yet" equals "$(states)" "warming warming warming"
check "the digest is what FleetProtocol computes" equals "$(member "$work/nodes.json" 'j["digest"]')" \
  "$(printf '%s\n' mt2 prod 3600000 60000 0 127.0.0.1:6379 127.0.0.1:6380 127.0.0.1:6381 | sha256sum | cut -c 1-16)"
for node in 1 2 3; do host "$node" del '{mt2:prod}' >/dev/null; done
check "with init --fresh the fleet vouches at once" awaits 60 quietly fleet init --fresh
check "after init --fresh each node votes" equals "$(states)" "voting voting voting"

token() { "$MEDIATOKEN" issue --key /put/ours.private.pem --requestor REF30 --resource TNT --form base64 >"$work/$1"; }
query() { answers "$1" "$2" query --socket /run/mediatokend/mediatokend.sock --timeout 60000 --requestor REF30 --resource TNT - <"$work/$3"; }
check "the daemon starts with the article's configuration" systemctl start mediatokend
is_ready() { [[ $(curl -sS --unix-socket /run/mediatokend/mediatokend.sock http://localhost/readyz) == '{"status":"ready"}' ]]; }
ready() { awaits 60 is_ready; }
check "the daemon is ready with the article's configuration" ready
token one
check "a token plays on the new fleet" decides query 0 VALID_TOKEN one
check "the token that played on the new fleet is refused the second time" decides query 1 TOKEN_REPLAYED one
# Two of three votes decide. By this the third node has heard of it, too: otherwise two nodes could disagree about it for good.
is_used() {
  answers 1 TOKEN_REPLAYED verify - --config "$work/without-table.json" --spend --requestor REF30 --resource TNT <"$work/one"
}
check "a host without a table knows too that the token was used" decides is_used
systemctl stop mediatokend

# --- TLS ---

check "a key for the tunnel is made" types TLS 1
block TLS ini 1 >/etc/stunnel/node1.conf
block TLS ini 2 | sed 's/redis1.example/127.0.0.1/' >/etc/stunnel/nodes.conf
mkdir -p /etc/systemd/system/stunnel@nodes.service.d
block TLS ini 3 >/etc/systemd/system/stunnel@nodes.service.d/nodes.conf
check "the tunnel's side at the node starts" systemctl start stunnel@node1
check "the tunnel's side at the host starts" types TLS 2
tunnel() { REDISCLI_AUTH=$(sed -n 's/^1 mediatoken //p' "$work/credentials") timeout 60 runuser -u mediatokend -- redis-cli -s /run/stunnel-nodes/1.sock --user mediatoken "$@" 2>&1; }
through_tunnel() { [[ $(tunnel ping) == PONG ]]; }
awaits 60 through_tunnel || true
check "the node answers through the tunnel" equals "$(tunnel ping)" PONG
check "what answers through the tunnel is that node" \
  equals "$(tunnel info replication | tr -d '\r' | sed -n 's/^master_replid://p')" "$(owner)"
sed 's/:.*/:00112233445566778899aabbccddeeff/' -i /etc/stunnel/node1.psk
systemctl restart stunnel@nodes
is_turned_away() { tunnel ping >/dev/null || true; grep -q 'SSL_accept: ' <(journalctl --no-pager -o cat -u stunnel@node1); }
check "the tunnel's side at the node turns another key away" awaits 60 is_turned_away
check "with another key no answer comes through the tunnel" exits 1 grep -q PONG <(tunnel ping)
finish
