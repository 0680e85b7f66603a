#!/usr/bin/env bash
# `verify` and `explain` on a fleet: many tokens at once, a table of this host as a second lock, users and passwords, and that
# nothing of a token but 16 bytes leaves.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/nodes.sh"

three_nodes batch
"$MEDIATOKEN" replay init "${at_leisure[@]}" --replay "$fleet" --fresh >/dev/null

# --- many tokens at once
commands() { at 1 info commandstats | sed -n 's/^cmdstat_evalsha:calls=\([0-9]*\),.*/\1/p'; }
# One with a fault is asked again, with other tokens.
for _ in {1..10}; do
  { fresh_token 150; echo '{"token": "x", "id": 7}'; echo; echo '{"tok'; } >"$work/lines"
  head -n 150 "$work/lines" | shuf --random-source=<(yes) >>"$work/lines"
  calls=$(commands)
  status=0
  "$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/batch" 2>"$work/err" || status=$?
  [[ $status -eq 3 ]] || break
done
check "a batch on a fleet with every token twice ends with 1" equals "$status" 1
check "a batch on a fleet uses each token once" says "303 lines: 150 valid, 151 refused, 1 malformed, 0 undecided, 1 blank"
check "a batch on a fleet has its answers in the order of its lines" equals "$(sed 's/^{"line":\([0-9]*\).*/\1/' "$work/batch" | tr '\n' ' ')" "$(seq -s ' ' 303 | sed 's/ 152 / /') "
check "150 lines of a batch on a fleet are first uses" equals "$(grep -c '"verdict":"VALID_TOKEN".*"use":"first"' "$work/batch")" 150
check "a malformed line of a batch on a fleet keeps its id" grep -q '^{"line":151,"id":7,"verdict":"INVALID_TOKEN_FORMAT"' "$work/batch"
check "a batch of 303 lines asks the nodes at most 20 times" test $(($(commands) - calls)) -le 20
check "a line of a batch on a fleet cannot choose the time" eval '
  echo "{\"token\": \"x\", \"at\": \"2026-11-20T12:00:00Z\"}" | "$MEDIATOKEN" verify --batch - "${question[@]}" 2>/dev/null >"$work/out"; shows "\"error\":\"at is not allowed"'
raced=$(fresh_token)
# races: prints the exit status about the token, which is asked about again after a fault.
races() {
  local status
  for _ in {1..20}; do
    status=0
    "$MEDIATOKEN" verify "$raced" "${question[@]}" >/dev/null 2>&1 || status=$?
    [[ $status -eq 3 ]] || break
  done
  echo "$status"
}
for n in {1..20}; do
  races >"$work/race.$n" &
  racers[n]=$!
done
wait "${racers[@]}"
check "of 20 processes that claim one token of a fleet at once at most one wins" test "$(cat "$work"/race.* | grep -c '^0$')" -le 1
check "of 20 processes that claim one token of a fleet at once at least 19 are refused" test "$(cat "$work"/race.* | grep -c '^1$')" -ge 19

# --- a table of this host as a second lock
local=$work/local.table
locked=("${question[@]:0:4}" --spend --config "$(config_of locked "\"address\": \"$fleet\", \"fleet\": {$patient, \"localTable\": \"shared:$local\"}")")
check "verify with a local table that is not there ends with 3" answers 3 "" verify "$raced" "${locked[@]}"
check "verify names the local table that is not there, and how to make one" eval 'says "$local" && says "mediatoken replay create"'
"$MEDIATOKEN" replay create --table "$local" --capacity 1000 --fresh >/dev/null
check "with a local table a fresh token is valid" decides plays "${locked[@]}"
both=$played
calls=$(commands)
check "with a local table a used token is refused" answers 1 TOKEN_REPLAYED verify "$both" "${locked[@]}"
check "with a local table a used token asks a node for no more than its handshake" test $(($(commands) - calls)) -le 2
check "the local table alone knows the used token" answers 1 TOKEN_REPLAYED verify "$both" "${trust[@]}" "${question[@]:0:4}" --replay "shared:$local"

# --- users and passwords
password=correct-horse-battery
for n in 1 2 3; do at "$n" config set requirepass "$password$n" >/dev/null; done
printf '%s\n' "1 default ${password}1" "* default ${password}2" "3 default ${password}3" >"$work/users"
chmod 600 "$work/users"
secret=$(config_of secret "\"address\": \"$fleet\", \"fleet\": {$patient, \"credentials\": \"$work/users\"}")
secretly=("${question[@]:0:4}" --spend --config "$secret")
check "verify without a password names the node that asks for one" has_no_answer "node 1 ($work/1.sock)" verify "$raced" "${question[@]}"
check "the message about a node's password names the credentials" says "credentials"
check "with credentials a fresh token is valid" decides plays "${secretly[@]}"
check "replay nodes takes the credentials" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --config "$secret"
check "replay init takes the credentials" answers 0 "node 1: $work/1.sock, from: all tokens" replay init "${at_leisure[@]}" --config "$secret"
check "explain takes the credentials" decides answers 0 VALID_TOKEN explain "$(fresh_token)" "${question[@]:0:4}" --config "$secret"
sed -i s/horse/house/ "$work/users"
check "verify with another password names the node, and shows no password" \
  eval 'has_no_answer "node 1 ($work/1.sock)" verify "$raced" "${secretly[@]}" && lacks correct-house "$work/err"'
sed -i s/house/horse/ "$work/users"
chmod 644 "$work/users"
check "credentials that others may read are refused by name" eval 'answers 3 "" verify "$raced" "${secretly[@]}" && says "$work/users"'
chmod 640 "$work/users"
check "credentials that a group may read are taken" decides answers 1 TOKEN_REPLAYED verify "$raced" "${secretly[@]}"

# --- nothing of a token but 16 bytes leaves
python3 -B "$here/recorder.py" "$work/recorded.sock" "$work/1.sock" "$work/record" &
awaits 60 test -S "$work/recorded.sock"
watched=redis:watched@$work/recorded.sock,$work/2.sock,$work/3.sock
watching=$(config_of watching "\"address\": \"$watched\", \"retryWindowMilliseconds\": 30000, \"fleet\": {$patient, \"credentials\": \"$work/users\"}")
"$MEDIATOKEN" replay init "${at_leisure[@]}" --config "$watching" --fresh >/dev/null
options=("${question[@]:0:4}" --config "$watching")
viewer=fedcba98765432100123456789abcdef
ticket=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --session-guid "$viewer")
check "a token is valid through a recorder of what nodes are asked" decides answers 0 VALID_TOKEN verify "$ticket" "${options[@]}" --spend --request-id my-request
name=$(sed -n 's/^identity: //p' "$work/out")
sightings() {
  python3 -c 'import sys; print(open(sys.argv[1], "rb").read().count(bytes.fromhex(sys.argv[2])[:16]))' "$work/record" "$name"
}
# is_seen ARGUMENT...: what `mediatoken` asks about the token goes through the recorder, too. If that is late the other nodes
# decide without it.
is_seen() {
  local before _
  before=$(sightings)
  for _ in {1..20}; do
    echo "$ticket" | "$MEDIATOKEN" "$@" >>"$work/said" 2>&1 || true
    [[ $(sightings) -eq $before ]] || return 0
    sleep 0.2
  done
  return 1
}
check "verify's request is in what the recorder saw" is_seen verify - "${options[@]}" --spend --request-id my-request
check "explain's request is in what the recorder saw" is_seen explain - "${options[@]}"
check "a batch's request is in what the recorder saw" is_seen verify --batch - "${options[@]}" --spend
"$MEDIATOKEN" replay nodes "${at_leisure[@]}" --config "$watching" >>"$work/said" 2>&1 || true
check "the recorder saw nothing of a token but the claim" python3 - "$work/record" "$name" "$ticket" "$viewer" <<'PY'
import sys
record = open(sys.argv[1], "rb").read()
identity, token, viewer = bytes.fromhex(sys.argv[2]), sys.argv[3].encode(), sys.argv[4].encode()
assert record.count(identity[:16]) >= 3, "the witness saw no claim"
for what, secret in {"17 bytes of the identity": identity[:17], "the rest of it": identity[16:], "its digits": identity.hex()[:17].encode(),
                     "the viewer": viewer, "the token": token[40:60], "the signed bytes": b"<ttl>", "the requestor": b"REF30",
                     "the request": b"my-request"}.items():
    assert secret not in record, what
PY
check "no output of the recorded commands has the password" lacks "$password" "$work/said"

finish
