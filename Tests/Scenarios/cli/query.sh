#!/usr/bin/env bash
# mediatoken query: the verdicts of a real daemon, and nothing but exit 3 for a false, silent or absent one.
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
: "${MEDIATOKEND:?expected the daemon to test in MEDIATOKEND}"
here=$(cd "$(dirname "$0")" && pwd)
cd "$work"

"$MEDIATOKEND" --dev --socket daemon.sock >dev.txt 2>dev.log &
daemon=$!
stop() { kill -CONT "$daemon" 2>/dev/null; kill "$daemon" 2>/dev/null; wait "$daemon"; }
for _ in $(seq 100); do grep -q '^Stop with' dev.txt && break; sleep 0.05; done

ask=(query --socket daemon.sock --requestor REF30 --resource TNT)
key=mediatokend-dev.private.pem
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
claim "a fresh token is valid" answers 0 VALID_TOKEN "${ask[@]}" "$(cat token)"
claim "its GUID is not shown" grep -q '^sessionGUID: present, not shown$' out
claim "the same token again is not" answers 1 TOKEN_REPLAYED "${ask[@]}" "$(cat token)"
claim "no token" answers 1 INVALID_TOKEN_FORMAT "${ask[@]}" nonsense
claim "a question that the daemon does not take" answers 3 "" query --socket daemon.sock --requestor REF30 nonsense
claim "it says why" says "expected resource"
"$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT >token
claim "proxies in the environment have no say" \
  env http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 "$MEDIATOKEN" "${ask[@]}" "$(cat token)"
claim "nobody there" answers 3 "" query --socket nowhere.sock nonsense
kill -STOP "$daemon"
claim "a daemon that does not answer in time" answers 3 "" "${ask[@]}" --timeout 300 nonsense
kill -CONT "$daemon"
grep '^curl .*/v1/verify' dev.txt >pasted.sh
if command -v curl >/dev/null; then
  claim "the printed curl line works as pasted" grep -q '"verdict":"VALID_TOKEN"' <(bash pasted.sh 2>/dev/null)
fi
status=0
stop || status=$?
claim "SIGTERM ends the daemon with 0" test "$status" -eq 0
claim "the socket's name is gone" test ! -e daemon.sock
claim "neither token nor GUID is in the log" exits 1 grep -qF "$(head -c 200 token | tail -c 100)" dev.log

python3 "$here/false-daemon.py" false.sock >count 2>/dev/null &
false=$!
for _ in $(seq 100); do [[ -s count ]] && break; sleep 0.05; done
for number in $(seq $(($(cat count) - 1))); do
  claim "false answer $number is no verdict" \
    answers 3 "" query --socket false.sock --requestor REF30 --resource TNT nonsense
done
claim "and a proper one is" answers 0 VALID_TOKEN query --socket false.sock --requestor REF30 --resource TNT nonsense
wait "$false"
finish
