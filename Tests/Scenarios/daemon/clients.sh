#!/usr/bin/env bash
# The daemon from the clients that people have: curl, Python, Node, h2load; and its metrics as promtool reads them. Each
# client gets a fresh token: valid once, then not.
source "$(dirname "$0")/../lib/scenario.sh"
needs curl python3 node h2load promtool
clients=$here/clients
cd "$work"

"$MEDIATOKEND" --dev --socket daemon.sock >dev.txt 2>dev.log &
daemon=$!
awaits 60 grep -q '^Stop with' dev.txt
fresh() {
  "$MEDIATOKEN" issue --key mediatokend-dev.private.pem --requestor REF30 --resource TNT --form base64 | tr -d '\n' >token
}

# Each prints status and verdict for the token in the file `token`.
with_curl() {
  curl -sS --unix-socket daemon.sock -o body -w '%{http_code} ' -H 'Content-Type: text/plain' --data-binary @token \
    'http://localhost/v1/verify?requestor=REF30&resource=TNT'
  member body 'j["verdict"]'
}
with_curl_form() {
  curl -sS --unix-socket daemon.sock -o body -w '%{http_code} ' --data-urlencode token@token -d requestor=REF30 -d resource=TNT \
    http://localhost/v1/verify
  member body 'j["verdict"]'
}
with_python() { python3 "$clients/verify.py" daemon.sock token; }
with_node() { node "$clients/verify.js" daemon.sock token; }

for client in with_curl with_curl_form with_python with_node; do
  fresh
  check "$client: a fresh token is valid" equals "$($client)" "200 VALID_TOKEN"
  check "$client: a token that was valid is a replay when it comes again" equals "$($client)" "403 TOKEN_REPLAYED"
  # Within the signed bytes, so that it is the signature that is wrong.
  python3 -c 'import base64, sys; t = base64.b64decode(open("token").read()); open("token", "w").write(base64.b64encode(t.replace(b"TNT", b"TBS")).decode())'
  check "$client: a changed token is never valid" equals "$($client)" "403 INVALID_SIGNATURE"
done

# h2load speaks HTTP/1.1 on keep-alive connections, several at once. The same token each time: one answer of 2xx.
fresh
h2load --h1 -B "unix:$work/daemon.sock" -n 2000 -c 16 -t 2 -d token -H 'Content-Type: text/plain' \
  'http://localhost/v1/verify?requestor=REF30&resource=TNT' >h2load.txt 2>&1
check "h2load: every question is answered" grep -q '2000 total, 2000 started, 2000 done' h2load.txt
check "h2load: one token, 2000 askers, one valid answer" grep -qE 'status codes: 1 2xx, 0 3xx, 1999 4xx, 0 5xx' h2load.txt

curl -sS --unix-socket daemon.sock http://localhost/metrics >metrics.txt
check "promtool has nothing to say about the metrics" promtool check metrics <metrics.txt
check "promtool would find a mistake" exits 1 promtool check metrics < <(sed 's/^# TYPE mediatoken_verdicts_total counter/# TYPE mediatoken_verdicts_total gaugge/' metrics.txt)
counted() { sed -n "s/^mediatoken_verdicts_total{verdict=\"$1\",reason=\"$2\"} //p" metrics.txt; }
check "valid tokens are counted" equals "$(counted VALID_TOKEN none)" 5
check "replays are counted" equals "$(counted TOKEN_REPLAYED already-used)" $((4 + 1999))
check "forged tokens are counted" equals "$(counted INVALID_SIGNATURE signature-mismatch)" 4
check "durations of verifications are counted" grep -q '^mediatoken_verify_duration_seconds_count 2012$' metrics.txt

status=0
kill "$daemon"
wait "$daemon" || status=$?
check "SIGTERM ends the daemon with 0" equals "$status" 0
finish
