#!/usr/bin/env bash
# deploy/: the hardening of the units and whether the daemon works with it, and a daemon that is installed, answers, and is uninstalled
# without a trace. Accounts, folders, and what a daemon does in its sandbox, are units.sh's and lifecycle.sh's, whose packages are what
# deploy/install puts in place.
source "$(dirname "$0")/../lib/scenario.sh"
needs systemd-analyze strace python3
programs=$work/programs
mkdir "$programs"
ln -s "$MEDIATOKEN" "$MEDIATOKEND" "$programs"
cd "$work"

# --- the units ---

service=$repository/deploy/systemd/mediatokend.service
score() { systemd-analyze security --offline=yes --no-pager --threshold="$1" "$service" >score.txt 2>&1; }
check "the service's exposure is at most 1.0" score 10
check "the check of the service's exposure can fail, as that is not 0.0" exits 1 score 0
check "peers keep their names, and the boot id can be read" exits 1 grep -qE '^(PrivateUsers|ProcSubset)=' "$service"

export PREFIX=$work/staged/usr SYSCONFDIR=$work/staged/etc
unset STATEDIR RUNDIR DESTDIR
"$repository/deploy/install" --programs "$programs" >install.txt
uninstall() { "$repository/deploy/uninstall" "$@" >uninstall.txt; }
verify() { systemd-analyze verify --man=no "$PREFIX"/lib/systemd/system/mediatokend* >verify.txt 2>&1 && [[ ! -s verify.txt ]]; }
check "systemd finds nothing to say about the units" verify
sed -i 's/^WatchdogSec=.*/WatchdogSex=30/' "$PREFIX/lib/systemd/system/mediatokend.service"
check "systemd would find a misspelt directive in the units" exits 1 verify

documents=$PREFIX/share/doc/mediatoken
licences() { cmp "$repository/LICENSE" "$documents/LICENSE" && cmp "$repository/debian/copyright" "$documents/copyright"; }
check "the licences of what is linked are there" licences
check "uninstall of a staged installation succeeds" uninstall
check "uninstall leaves the configuration and nothing else" \
  equals "$(find "$work/staged" -type f -o -name '*mediatoken*')" "$SYSCONFDIR/mediatoken
$SYSCONFDIR/mediatoken/mediatokend.json"
check "uninstall --purge of a staged installation succeeds" uninstall --purge
check "uninstall --purge leaves nothing" equals "$(find "$work/staged" -type f -o -name '*mediatoken*')" ""

# --- places ---

check "a relative place is refused" exits 2 env PREFIX=here "$repository/deploy/install" --programs "$programs"
check "a place that JSON would misread is refused" exits 2 env PREFIX='/a"b' "$repository/deploy/install" --programs "$programs"

# --- a private installation that runs ---

export PREFIX=$work/private SYSCONFDIR=$work/private/etc STATEDIR=$work/private/var RUNDIR=$work/private/run
# Only a path this long does not fit a socket's address; TMPDIR may be anywhere.
[[ ${#RUNDIR} -lt 80 ]] || skip "TMPDIR is too long for a socket's path"
"$repository/deploy/install" --programs "$programs" >install.txt
configuration=$SYSCONFDIR/mediatoken/mediatokend.json
daemon=$PREFIX/sbin/mediatokend
# As this user, also where the service has one.
checks=("$daemon" --check-config --user "$(id -un)" --config "$configuration")
check "without keys the configuration cannot be used" exits 3 "${checks[@]}"
check "without keys the daemon names the folder of the keys" says "$SYSCONFDIR/mediatoken/keys"
"$MEDIATOKEN" keys generate --out made --name ours >/dev/null
install -m 644 made/ours.pem "$SYSCONFDIR/mediatoken/keys/"
check "with a key the sample is a configuration" "${checks[@]}"
check "the sample names the schema that was installed" equals \
  "$(sed -n 's/^  "\$schema": "\(.*\)",$/\1/p' "$configuration")" "$(find "$PREFIX" -name mediatokend.schema.json)"
echo '{"mine": true}' >mine.json
cp "$configuration" sample.json
cp mine.json "$configuration"
"$repository/deploy/install" --programs "$programs" >install.txt
check "install keeps a configuration that is there" cmp -s mine.json "$configuration"
check "install says that it kept the configuration" grep -q "^kept: $configuration" install.txt
cp sample.json "$configuration"

socket=$RUNDIR/mediatokend/mediatokend.sock
is_live() { "$MEDIATOKEN" query --socket "$socket" --timeout 60000 --live >/dev/null 2>&1; }
strace -f -qq -o trace.txt "$daemon" --config "$configuration" 2>daemon.log &
tracer=$!
check "the installed daemon answers" awaits 60 is_live
"$MEDIATOKEN" issue --key made/ours.private.pem --requestor REF30 --resource TNT >token
"$MEDIATOKEN" query --socket "$socket" --timeout 60000 --requestor REF30 --resource TNT - <token >/dev/null || true
pid=$(sed -n '1s/ .*//p' trace.txt)
kill -HUP "$pid"
check "the installed daemon reloads at SIGHUP" awaits 60 grep -q '"reloaded"' daemon.log
check "a daemon that serves is not uninstalled" exits 1 "$repository/deploy/uninstall"
kill -TERM "$pid"
status=0
wait "$tracer" || status=$?
check "the installed daemon stops with 0" equals "$status" 0
check "the table survives a stop" test -s "$STATEDIR/mediatoken/replay.table"

# --- the sandbox and what the daemon calls ---

python3 - "$service" >calls.txt <<'PYTHON'
# Every system call that the daemon made must be one that the unit's filter lets through.
import re, subprocess, sys
sets, name = {}, None
for line in subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"], capture_output=True, text=True).stdout.splitlines():
    line = line.split("#")[0].rstrip()
    if line and not line[0].isspace():
        sets[name := line] = set()
    elif line:
        sets[name].add(line.strip())
def expand(word):
    return set().union(*map(expand, sets[word])) if word.startswith("@") else {word}
allowed = set()
for line in open(sys.argv[1]):
    if line.startswith("SystemCallFilter="):
        words = line.strip().split("=", 1)[1]
        calls = set().union(*map(expand, words.lstrip("~").split()))
        allowed = allowed - calls if words.startswith("~") else allowed | calls
made = {m[1] for m in (re.match(r"\d+ +(\w+)\(", line) for line in open("trace.txt")) if m}
assert {"mmap", "accept4", "sendto", "epoll_wait"} <= made, made
assert "setuid" not in allowed and "mount" not in allowed
print(len(made), "calls made, not allowed:", " ".join(sorted(made - allowed)) or "none")
PYTHON
echo "system calls: $(cat calls.txt)"
check "the unit's filter allows every system call that was made" grep -q 'not allowed: none$' calls.txt
check "no memory is ever writable and executable" exits 1 grep -qE 'PROT_WRITE\|PROT_EXEC' trace.txt
check "the daemon makes no sockets other than local ones" exits 1 grep -qE ' socket\(AF_(INET|NETLINK|PACKET)' trace.txt

lock=$RUNDIR/mediatokend/mediatokend.sock.lock
rm -f "$lock"
mkfifo "$lock"
check "uninstall does not wait for a lock that is no file" exits 1 timeout 60 "$repository/deploy/uninstall"
check "uninstall names a lock that is no file" says "expected a regular file of the folder's owner at $lock"
rm "$lock"
touch "$lock"
opened() {
  strace -f -qq -e trace=openat -o opened.txt "$repository/deploy/uninstall" >uninstall.txt
  grep -o 'mediatokend\.sock\.lock", [A-Z_|]*' opened.txt
}
check "uninstall opens a lock where it is, and makes none" equals "$(opened)" \
  'mediatokend.sock.lock", O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC'
if [[ $(id -u) -eq 0 ]]; then
  install -d -o 65534 -g 65534 "${lock%/*}"
  chmod 711 "$work"
  install -m 600 /dev/null "$lock"
  check "uninstall by root does not open root's lock in a folder of the service's user" exits 1 "$repository/deploy/uninstall"
  check "uninstall names root's lock in a folder of the service's user" \
    says "expected a regular file of the folder's owner at $lock"
  chown 65534 "$lock"
  check "uninstall by root opens a lock of the service's user" uninstall
  check "uninstall removes the lock of the service's user, and its folder" test ! -e "${lock%/*}"
fi
check "uninstall of the private installation succeeds" uninstall
check "uninstall leaves the table" test -s "$STATEDIR/mediatoken/replay.table"
"$repository/deploy/uninstall" --purge >/dev/null
check "uninstall --purge leaves nothing of the private installation" \
  equals "$(find "$work/private" -type f -o -name '*mediatoken*')" ""
finish
