#!/usr/bin/env bash
# The daemon from the clients that people have: curl and h2load. Each gets a fresh token: valid once, then not. Programs in other languages
# are those of the articles (docs/daemon-articles.py) and of the kits (clients/).
source "$(dirname "$0")/../lib/scenario.sh"
needs curl python3 h2load
cd "$work"

"$MEDIATOKEND" --dev --socket daemon.sock >dev.txt 2>dev.log &
daemon=$!
awaits 60 grep -q '^Stop with' dev.txt
fresh() {
  "$MEDIATOKEN" issue --key mediatokend-dev.private.pem --requestor REF30 --resource TNT --form base64 | tr -d '\n' >token
}
# asks TARGET OPTION...: status and verdict for the token in the file `token`.
asks() {
  curl -sS --unix-socket daemon.sock -o body -w '%{http_code} ' "${@:2}" "http://localhost/v1/verify$1"
  member body 'j["verdict"]'
}
with_curl() { asks '?requestor=REF30&resource=TNT' -H 'Content-Type: text/plain' --data-binary @token; }
with_curl_form() { asks '' --data-urlencode token@token -d requestor=REF30 -d resource=TNT; }
for client in with_curl with_curl_form; do
  fresh
  check "$client: a fresh token is valid" equals "$($client)" "200 VALID_TOKEN"
  check "$client: a token that was valid is a replay when it comes again" equals "$($client)" "403 TOKEN_REPLAYED"
done

# h2load speaks HTTP/1.1 on keep-alive connections, several at once. The same token each time: one answer of 2xx.
fresh
h2load --h1 -B "unix:$work/daemon.sock" -n 2000 -c 16 -t 2 -d token -H 'Content-Type: text/plain' \
  'http://localhost/v1/verify?requestor=REF30&resource=TNT' >h2load.txt 2>&1
check "h2load: every question is answered" grep -q '2000 total, 2000 started, 2000 done' h2load.txt
check "h2load: one token, 2000 askers, one valid answer" grep -qE 'status codes: 1 2xx, 0 3xx, 1999 4xx, 0 5xx' h2load.txt

curl -sS --unix-socket daemon.sock http://localhost/metrics >metrics.txt
counted() { sed -n "s/^mediatoken_verdicts_total{verdict=\"$1\",reason=\"$2\"} //p" metrics.txt; }
check "valid tokens and replays of all clients are counted" \
  equals "$(counted VALID_TOKEN none) $(counted TOKEN_REPLAYED already-used)" "3 2001"
status=0
kill "$daemon"
wait "$daemon" || status=$?
check "SIGTERM ends the daemon with 0" equals "$status" 0
finish
