#!/usr/bin/env bash
# What deploy/redis ships, as it is: the settings keep every vote and write nothing to a disk, and the account may do what the
# protocol does and nothing else. The unit is deployment.sh's.
source "$(dirname "$0")/../lib/scenario.sh"
needs redis-server redis-cli openssl strace
shipped=$repository/deploy/redis
article=$repository/Sources/MediaToken/MediaToken.docc/Deployment.md
cd "$work"

# --- the article's sizes ---

per_token=$(sed -n 's/.*A token takes \*\*\([0-9]*\) bytes\*\*.*/\1/p' "$article")
check "the article says what a token takes" test "$per_token" -gt 0
check "the article's table of sizes is what its formula says" python3 - "$article" "$per_token" <<'PYTHON'
import re, sys
text, each = open(sys.argv[1]).read(), int(sys.argv[2])
assert f"+ 7) × {each}\n" in text
rows = re.findall(r"^\| ([\d,]+) \| ([\d.]+ .B) \| ([\d.]+ .B) \| ([\d.]+ .B) \|$", text, re.M)
assert len(rows) == 4, rows
for row in rows:
    for life, cell in zip((300, 420, 3600), row[1:]):
        exact = int(row[0].replace(",", "")) * (life + 7) * each
        rounded = float(f"{exact:.2g}")
        wanted = f"{rounded / 1e9:.1f} GB" if rounded >= 1e9 else f"{rounded / 1e6:.{1 if rounded < 1e7 else 0}f} MB"
        assert cell == wanted, (row[0], life, cell, wanted)
PYTHON

# --- a node ---

umask 077
password=$(openssl rand -hex 32)
digest=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
sed "s/FLEET/prod/g; s/SHA256/$digest/" "$shipped/users.acl" >node.acl
check "the account of a fleet has nothing left to fill in" exits 1 grep -E 'FLEET|SHA256' node.acl
check "the account of a fleet does not have the password itself" lacks "$password" node.acl
# The scenario's own, who may look at what the fleet's may not.
{ cat node.acl; echo "user operator on nopass ~* &* +@all"; } >scenario.acl

# node OPTION...: the shipped settings; places are chosen by options, as the unit does. Over a UNIX socket, which no other
# node of this machine can have.
node() {
  rm -rf folder && mkdir folder
  strace -f -qq -e trace=openat,open,creat,rename,renameat2,mknodat,socket -o trace.txt \
    redis-server "$shipped/node.conf" --port 0 --unixsocket "$work/node.sock" --aclfile "$work/scenario.acl" --dir "$work/folder" "$@" \
    >node.log 2>&1 &
  tracer=$!
  awaits 60 is_serving || { cat node.log; return 1; }
}
as() { REDISCLI_AUTH=$2 redis-cli -s "$work/node.sock" --user "$1" "${@:3}" 2>&1; }
operator() { as operator any "$@"; }
is_serving() { [[ $(operator ping) == PONG ]]; }
host() { as mediatoken "$password" "$@"; }
ended() {
  kill -TERM "$(operator info server | tr -d '\r' | sed -n 's/^process_id://p')"
  wait "$tracer"
}

check "a node starts with the shipped settings" node
setting() { equals "$(operator config get "$1" | tail -n 1)" "$2"; }
check "a node saves nothing" setting save ""
check "a node keeps no log of changes" setting appendonly no
check "a node evicts nothing" setting maxmemory-policy noeviction
check "a node has a limit of memory" setting maxmemory 536870912
check "ended buckets are freed by another thread" setting lazyfree-lazy-expire yes
check "a node has one database" equals "$(operator select 1)" "ERR DB index is out of range"
check "a node without a password is guarded" setting protected-mode yes
check "a node refuses the command DEBUG" equals "$(operator debug jmap | cut -c 1-33)" "ERR DEBUG command not allowed. If"

# --- the account ---

check "without a name a node does not answer" equals "$(redis-cli -s node.sock ping)" "NOAUTH Authentication required."
check "with another password a node does not answer" \
  equals "$(as mediatoken "$digest" ping | head -n 1 | cut -c 1-33)" "AUTH failed: WRONGPASS invalid us"
check "with the right password a node answers" equals "$(host ping)" PONG

# What the article FleetProtocol has a host do; Redis allows AUTH, HELLO, QUIT and RESET to all users, as they change no data.
operator command list | sort -u >commands.txt
check "redis names its commands" test "$(wc -l <commands.txt)" -gt 300
python3 -B - "$scenarios/lib" "$work/node.sock" >allowed.txt <<'PYTHON'
import sys
sys.path.insert(1, sys.argv[1])
from nodes import Link
link = Link(sys.argv[2])
assert link.ask("AUTH", "operator", "any") == b"OK"
for name in open("commands.txt", "rb").read().split():
    found = link.ask("COMMAND", "INFO", name)[0]
    if found is None or (found[9] and b"|" not in name):
        continue  # A container: its parts have names of their own.
    words = name.split(b"|") + [b"{mt2:prod}"] * (abs(found[1]) - 1 - name.count(b"|"))
    answer = link.ask("ACL", "DRYRUN", "mediatoken", *words)
    assert answer == b"OK" or b"permissions" in answer, answer
    if b"permissions to run" not in answer:
        print(name.decode())
PYTHON
check "the account may run what the protocol does and no other command" equals "$(sort allowed.txt | tr '\n' ' ')" \
  "auth del evalsha exists expireat hello hmget hset info ping quit reset script|load time "

cat >every.lua <<'LUA'
local epoch, bucket = KEYS[1], KEYS[1] .. ':1792000000'
local seen = {redis.call('INFO', 'replication'):match('role:(%a+)'), redis.call('EXISTS', bucket)}
redis.call('HSET', epoch, 'owner', 'us', 'high', '0')
seen[3] = redis.call('HMGET', epoch, 'owner', 'node')[1]
redis.call('DEL', bucket)
redis.call('HSET', bucket, '', 'us')
redis.call('EXPIREAT', bucket, redis.call('TIME')[1] + 60)
seen[4] = redis.call('HSET', bucket, ARGV[1], 'word')
seen[5] = redis.call('HMGET', bucket, '', ARGV[1])[2]
return seen
LUA
loaded=$(host script load "$(cat every.lua)")
check "a script that uses all that the account may do is loaded" equals "${#loaded}" 40
check "a script that uses all that the account may do works on the fleet's keys" \
  equals "$(host evalsha "$loaded" 1 '{mt2:prod}' identity | tr '\n' ' ')" "master 0 us 1 word "
check "another fleet's keys are not touched" \
  grep -q "^NOPERM .*access one of the keys" <(host evalsha "$loaded" 1 '{mt2:production}' identity)
stranger=$(host script load "return redis.call('HMGET', 'other', 'field')")
check "keys that a script names by itself are not touched" \
  grep -q "^ERR The user executing the script can't access" <(host evalsha "$stranger" 0)
forbidden=$(host script load "return redis.call('GET', KEYS[1])")
check "a script of the account cannot run another command" \
  grep -q "^ERR The user executing the script can't run" <(host evalsha "$forbidden" 1 '{mt2:prod}')
check "a script of the operator may run what a script of the account cannot" \
  grep -q '^WRONGTYPE' <(operator evalsha "$forbidden" 1 '{mt2:prod}')
check "the node has the fleet's keys and no others" \
  equals "$(operator keys '*' | sort | tr '\n' ' ')" "{mt2:prod} {mt2:prod}:1792000000 "

# --- what it keeps, and where ---

check "nothing is replicated" equals "$(operator info replication | tr -d '\r' | sed -n 's/^connected_slaves://p')" 0
status=0
ended || status=$?
check "SIGTERM ends a node with 0" equals "$status" 0
check "a node that ended with data in it leaves nothing in its folder" equals "$(ls folder)" ""
written() { grep -E 'O_(WRONLY|RDWR|CREAT)|creat\(|rename' trace.txt | grep -vE '"/dev/(null|tty)"'; }
check "a node opens no file for writing" equals "$(written)" ""
check "the trace has what was opened for reading" grep -q 'node.conf' trace.txt
check "a node starts again" node
check "a node that starts again knows of nothing" equals "$(operator dbsize)" 0
ended
check "a node starts with a setting that saves" node --save '3600 1'
host evalsha "$(host script load "$(cat every.lua)")" 1 '{mt2:prod}' identity >/dev/null
ended
check "a node with a setting that saves leaves a file" equals "$(ls folder)" dump.rdb

# --- memory ---

# A bucket of 5,000 identities and ballots, 16 bytes each.
cat >bucket.lua <<'LUA'
for number = 1, 5000 do redis.call('HSET', KEYS[1], ('%s%08d'):format(ARGV[1], number), 'a word: 16 bytes') end
return 'done'
LUA
fill() { host evalsha "$(host script load "$(cat bucket.lua)")" 1 "{mt2:prod}:$1" "$1"; }
used() { operator info memory | tr -d '\r' | sed -n 's/^used_memory://p'; }
check "a node to be measured starts" node
fill 10000000 >/dev/null
before=$(used)
for second in $(seq 10000001 10000020); do fill "$second"; done >filled.txt
check "a node takes 100,000 tokens" equals "$(grep -c '^done$' filled.txt)" 20
each=$((($(used) - before) / 100000))
echo "a token: $each bytes"
check "a token takes what the article says, and a tenth more or less" \
  test "$each" -ge $((per_token * 9 / 10)) -a "$each" -le $((per_token * 11 / 10))
ended

check "a node with little memory starts" node --maxmemory 4mb
for second in $(seq 10000001 10000020); do fill "$second"; done >filled.txt
check "a node with little memory takes some tokens" equals "$(head -n 2 filled.txt | tr '\n' ' ')" "done done "
check "a node with little memory refuses tokens when it is full" equals "$(tail -n 2 filled.txt | cut -c 1-4 | tr -d '\n')" "OOM "
check "a node that is full evicts nothing" equals "$(operator info stats | tr -d '\r' | sed -n 's/^evicted_keys://p')" 0
check "a node that is full has what it took first" \
  equals "$(operator hget '{mt2:prod}:10000001' 1000000100000001)" "a word: 16 bytes"
ended

limit=$(sed -n 's/^MemoryMax=\(.*\)G$/\1/p' "$shipped/mediatoken-node@.service")
check "the kernel's limit is twice the node's" equals "$((limit * 1024 / 2))mb" "$(sed -n 's/^maxmemory //p' "$shipped/node.conf")"
finish
