#!/usr/bin/env bash
# mediatoken query: the verdicts of a real daemon, and always exit 3 for a false, silent or absent one.
source "$(dirname "$0")/../lib/scenario.sh"
needs python3
cd "$work"

"$MEDIATOKEND" --dev --socket daemon.sock >dev.txt 2>dev.log &
daemon=$!
stop() { kill -CONT "$daemon" 2>/dev/null; kill "$daemon" 2>/dev/null; wait "$daemon"; }
awaits 60 grep -q '^Stop with' dev.txt

# However busy the machine is.
patient=(query --timeout 60000)
ask=("${patient[@]}" --socket daemon.sock --requestor REF30 --resource TNT)
key=mediatokend-dev.private.pem
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
check "query: a fresh token is valid" answers 0 VALID_TOKEN "${ask[@]}" "$(cat token)"
check "query shows no GUID" grep -q '^sessionGUID: present, not shown$' out
check "query: the same token again is refused" answers 1 TOKEN_REPLAYED "${ask[@]}" "$(cat token)"
check "query: what is no token is refused" answers 1 INVALID_TOKEN_FORMAT "${ask[@]}" nonsense
check "query without a token is a usage error" exits 2 "$MEDIATOKEN" "${ask[@]}"
health=("${patient[@]}" --socket daemon.sock)
check "query --ready says ready" answers 0 ready "${health[@]}" --ready
check "query --ready of a ready daemon prints one line" equals "$(wc -l <out)" 1
check "query --live says live" answers 0 live "${health[@]}" --live
check "query --ready --json has the status and nothing else" equals "$("$MEDIATOKEN" "${health[@]}" --ready --json)" '{"status":"ready"}'
check "query --ready and --live exclude each other" exits 2 "$MEDIATOKEN" "${health[@]}" --ready --live
for option in --requestor=REF30 --resource=TNT --resource-document=TNT --resource-channel=TNT --show-session-guid; do
  check "query --ready takes no option of a token's question: $option" exits 2 "$MEDIATOKEN" "${health[@]}" --ready ${option/=/ }
done
check "query --live takes no token" exits 2 "$MEDIATOKEN" "${health[@]}" --live nonsense
check "a question that the daemon does not take ends with 3" answers 3 "" "${patient[@]}" --socket daemon.sock --requestor REF30 nonsense
check "query repeats why the daemon does not take a question" says "resource is missing"
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
check "query ignores proxies in the environment" \
  env http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 "$MEDIATOKEN" "${ask[@]}" "$(cat token)"
check "query where no daemon is ends with 3" answers 3 "" query --socket nowhere.sock nonsense
check "query --ready where no daemon is ends with 3" answers 3 "" query --socket nowhere.sock --ready
kill -STOP "$daemon"
check "query to a daemon that does not answer in time ends with 3" answers 3 "" "${ask[@]/60000/300}" nonsense
check "query --ready to a daemon that does not answer in time ends with 3" answers 3 "" "${health[@]/60000/300}" --ready
check "query --live to a daemon that does not answer in time ends with 3" answers 3 "" "${health[@]/60000/300}" --live
kill -CONT "$daemon"
grep '^curl .*/v1/verify' dev.txt >pasted.sh
if command -v curl >/dev/null; then
  check "the curl line that mediatokend --dev prints works as pasted" grep -q '"verdict":"VALID_TOKEN"' <(bash pasted.sh 2>/dev/null)
fi
status=0
stop || status=$?
check "SIGTERM ends mediatokend --dev with 0" test "$status" -eq 0
check "mediatokend --dev takes its socket away when it ends" test ! -e daemon.sock
check "neither token nor GUID is in the log of mediatokend --dev" exits 1 grep -qF "$(head -c 200 token | tail -c 100)" dev.log

# A real token, so that an answer can be about another one: text that is not a token has no identity to answer about.
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
identity=$("$MEDIATOKEN" inspect "$(cat token)" | sed -n 's/^unverified identity: //p')
python3 "$here/false-daemon.py" false.sock "$identity" >count 2>/dev/null &
false=$!
awaits 60 test -s count
lie=("${patient[@]}" --socket false.sock --requestor REF30 --resource TNT)
# Whether a file has characters that a terminal obeys: C0 except the line feed, DEL, C1, changes of direction, line separators, tags.
is_plain() { python3 -c '
import sys, unicodedata
text = open(sys.argv[1], encoding="utf-8", newline="").read()
sys.exit(any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n" for c in text))' "$1"; }
for number in $(seq $(($(cat count) - 3))); do
  check "false answer $number is no verdict" answers 3 "" "${lie[@]}" "$(cat token)"
done
check "an answer that is whole is a verdict" answers 0 VALID_TOKEN "${lie[@]}" "$(cat token)"
check "an answer with characters that a terminal obeys is a verdict" answers 0 VALID_TOKEN "${lie[@]}" "$(cat token)"
check "query prints no character that a terminal obeys" is_plain out
check "query escapes every character that a terminal obeys" shows '\u{1b}]0;x\u{7}\u{85}\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e0041}'
"$MEDIATOKEN" "${lie[@]}" --json "$(cat token)" >out
check "query --json prints no character that a terminal obeys" is_plain out
check "query --json keeps the value of what it escapes" equals "$(member out 'list(j)[-1] == "\x1b]0;x\x07\x85\x7f\x9b31m\u202e\u2028\U000e0041"')" True
wait "$false"

# A daemon that is not ready says why; whatever else answers is no health.
python3 "$here/false-daemon.py" unwell.sock >answers 2>/dev/null &
false=$!
awaits 60 test -s answers
unwell=("${patient[@]}" --socket unwell.sock)
check "query --ready to a daemon that is not ready ends with 1" answers 1 not-ready "${unwell[@]}" --ready
check "query --ready prints the reason" grep -q '^reason: replay-memory-full$' out
check "query --ready prints what to do" grep -q '^cure: grow it$' out
check "query --ready --json has reason, detail and cure" answers 1 '{"status":"not-ready","reason":"replay-memory-full","detail":"full","cure":"grow it"}' \
  "${unwell[@]}" --ready --json
for number in $(seq $(($(cat answers) - 3))); do
  check "false health $number is no state" answers 3 "" "${unwell[@]}" --ready
done
check "query --live does not take an answer about readiness" answers 3 "" "${unwell[@]}" --live
wait "$false"

# A user who may not ask. Root may always ask, and can be another user.
as_other=()
if [[ $(id -u) -eq 0 ]]; then
  as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 "$work"
fi
install -m 755 "$MEDIATOKEN" program
"$MEDIATOKEND" --dev --socket closed.sock >closed.txt 2>closed.log &
daemon=$!
awaits 60 grep -q '^Stop with' closed.txt
[[ $(id -u) -ne 0 ]] || chgrp users closed.sock
group=$(stat -c %G closed.sock)
asks() { exits 3 "${as_other[@]}" ./program query --socket closed.sock nonsense; }
asks_health() { exits 3 "${as_other[@]}" ./program query --socket closed.sock --ready; }
check "a socket of its owner alone turns another user away" asks
[[ $(id -u) -ne 0 ]] || check "query says that only the owner of the socket may ask" says "may not be asked by this user: only its owner may, by its mode 0600"
check "a socket of its owner alone turns questions of health away" asks_health
[[ $(id -u) -ne 0 ]] || check "query --ready says that this user may not ask" says "it is not known whether it is ready: the daemon at closed.sock may not be asked by this user"
chmod 060 closed.sock
[[ $(id -u) -eq 0 ]] && check "a socket for a group turns a user out of it away" asks &&
  check "query names the group of the socket, and the command that adds a user" says "members of the group $group may; add the user with usermod -aG $group USER"
[[ $(id -u) -eq 0 ]] && chgrp root closed.sock && check "a socket for root's group turns a user out of it away" asks &&
  check "query advises a group of its own, and not membership in root's" says 'give the socket a group of its own: "socket.group"'
mkdir locked
mv closed.sock locked
chmod 600 locked
[[ $(id -u) -eq 0 ]] && check "a socket in a folder that is closed turns another user away" exits 3 "${as_other[@]}" ./program query --socket locked/closed.sock nonsense &&
  check "query says that a folder on the way is closed" says "a folder on the way to it is closed to this user"
kill "$daemon"
wait "$daemon"

# What answers is believed: so no one but root, the user and the daemon may put a socket there.
mkdir open && chmod 777 open
python3 "$here/false-daemon.py" open/s "$identity" >planted 2>/dev/null &
false=$!
awaits 60 test -s planted
for question in "query --socket open/s --resource TNT" "explain --daemon open/s --resource TNT"; do
  check "a socket that others may exchange is not asked: ${question%% *}" answers 3 "" $question "$(cat token)"
  check "query says why a socket that others may exchange is not asked" says \
    "no verdict: the daemon at open/s is not asked, because its socket may be exchanged: the folder $work/open may be changed by users other than"
  check "query says how to close the folder of the socket" says "its mode is 0777; run: chmod go-w $work/open"
done
check "a socket that others may exchange is not asked for its health" answers 3 "" query --socket open/s --ready
if [[ $(id -u) -eq 0 ]]; then
  chown 4242 open/s
  folder() { chown "$1" open && chmod "$2" open; }
  asks_planted() { exits 3 "$MEDIATOKEN" "${patient[@]}" --socket open/s --resource TNT "$(cat token)" && says "$1"; }
  folder 4242 755
  check "a daemon of another user in that user's own folder is asked" asks_planted "does not answer: "
  folder 4243 755
  check "a daemon of another user in a third user's folder is not asked" asks_planted "its socket may be exchanged: the folder $work/open may be changed by users other than root and 4242: user 4243 owns it"
  folder 0 1777
  check "a socket where anyone could have made it is not asked" asks_planted "the socket $work/open/s may be changed by users other than root: user 4242 owns it, in a sticky folder, where anyone could have made it; move the socket to a folder that only its service may write"
fi
kill "$false"
wait "$false" 2>/dev/null || true

# A daemon whose configuration lists others, and whose socket is open to all.
"$MEDIATOKEN" keys generate --out keys >/dev/null
cat >peers.json <<'JSON'
{"socket": {"path": "peers.sock", "mode": "0666"}, "keys": ["keys/development.pem"], "replay": {"address": "none:"},
 "tenants": [{"requestor": "REF30"}], "peers": {"allowUIDs": [4242]}}
JSON
"$MEDIATOKEND" --config peers.json 2>peers.log &
daemon=$!
awaits 60 listens peers.sock
turned_away=0
for _ in $(seq 20); do
  exits 3 "$MEDIATOKEN" "${patient[@]}" --socket peers.sock --resource TNT nonsense &&
    says "has no answers for this user: peers of its configuration lists others, and its socket is the group $(id -gn)'s" &&
    turned_away=$((turned_away + 1))
done
exits 3 "$MEDIATOKEN" "${patient[@]}" --socket peers.sock --ready
check "query --ready says that the daemon has no answers for this user" says "it is not known whether it is ready: the daemon at peers.sock has no answers for this user"
check "a daemon that lists others is told from a broken one, however fast it closes" equals "$turned_away" 20
kill "$daemon"
wait "$daemon"
finish
