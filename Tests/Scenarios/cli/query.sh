#!/usr/bin/env bash
# mediatoken query: the verdicts of a real daemon, and always exit 3 for a false, silent or absent one. Whom query does not ask, and who
# may not ask, is in doors/others.txt.
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
valid() { answers 0 VALID_TOKEN "${ask[@]}" "$(cat token)" && shows "sessionGUID: present, not shown"; }
check "query: a fresh token is valid, and its GUID is not shown" valid
check "query: the same token again is refused" answers 1 TOKEN_REPLAYED "${ask[@]}" "$(cat token)"
check "query: what is no token is refused" answers 1 INVALID_TOKEN_FORMAT "${ask[@]}" nonsense
health=("${patient[@]}" --socket daemon.sock)
ready() { answers 0 ready "${health[@]}" --ready && equals "$(wc -l <out)" 1; }
check "query --ready says ready, in one line" ready
check "query --live says live" answers 0 live "${health[@]}" --live
check "query --ready --json has the status and nothing else" equals "$("$MEDIATOKEN" "${health[@]}" --ready --json)" '{"status":"ready"}'
untaken() { answers 3 "" "${patient[@]}" --socket daemon.sock --requestor REF30 nonsense && says "resource is missing"; }
check "a question that the daemon does not take ends with 3, and query says why" untaken
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
check "query ignores proxies in the environment" \
  env http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 "$MEDIATOKEN" "${ask[@]}" "$(cat token)"
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
document="<rss version='2.0'><channel><title>TNT</title><item><title>$(printf '%02000d' 0)</title></item></channel></rss>"
check "query asks with a document that no request line has room for" \
  answers 1 INVALID_RESOURCE_ID "${patient[@]}" --socket daemon.sock --requestor REF30 --resource-document "$document" "$(cat token)"
check "query sends a token that is no text as it is" answers 1 INVALID_TOKEN_FORMAT "${ask[@]}" $'\xff\x00\x01'
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
escaped() {
  answers 0 VALID_TOKEN "${lie[@]}" "$(cat token)" && is_plain out && shows '\u{1b}]0;x\u{7}\u{85}\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e0041}'
}
check "query escapes every character of an answer that a terminal obeys" escaped
"$MEDIATOKEN" "${lie[@]}" --json "$(cat token)" >out
check "query --json prints no character that a terminal obeys" is_plain out
check "query --json keeps the value of what it escapes" equals "$(member out 'list(j)[-1] == "\x1b]0;x\x07\x85\x7f\x9b31m\u202e\u2028\U000e0041"')" True
wait "$false"

# A daemon that is not ready says why; whatever else answers is no health.
python3 "$here/false-daemon.py" unwell.sock >answers 2>/dev/null &
false=$!
awaits 60 test -s answers
unwell=("${patient[@]}" --socket unwell.sock)
unready() { answers 1 not-ready "${unwell[@]}" --ready && shows "reason: replay-memory-full" && shows "cure: grow it"; }
check "query --ready to a daemon that is not ready ends with 1, with the reason and what to do" unready
check "query --ready --json has reason, detail and cure" answers 1 '{"status":"not-ready","reason":"replay-memory-full","detail":"full","cure":"grow it"}' \
  "${unwell[@]}" --ready --json
for number in $(seq $(($(cat answers) - 3))); do
  check "false health $number is no state" answers 3 "" "${unwell[@]}" --ready
done
check "query --live does not take an answer about readiness" answers 3 "" "${unwell[@]}" --live
wait "$false"

python3 -B "$here/slow-daemon.py" dribbling.sock crowded.sock >crowded 2>/dev/null &
slow=$!
awaits 60 test -s crowded
check "query waits while a daemon has too many callers" answers 0 live "${patient[@]}" --socket crowded.sock --live
slowly() { answers 3 "" query --socket dribbling.sock --timeout 300 --live && says "did not answer within 300 ms"; }
check "an answer that comes in bytes is waited for no longer than --timeout" slowly
kill "$slow"
finish
