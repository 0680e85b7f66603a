#!/usr/bin/env bash
# A fleet through the C library, with real seats: wrong use, programs that fork, examples in three languages, credentials,
# a local table, and a seat that is killed.
source "$(dirname "$0")/common.sh"
needs gcc g++ pkg-config openssl python3 redis-server redis-cli
makes_tokens

# A fleet that ends with this scenario: its standard input is a pipe that descriptor 9 holds open.
mkfifo "$scratch/hold"
"$MEDIATOKEN" replay dev-fleet --folder "$scratch/dev" <"$scratch/hold" >"$scratch/dev.out" 2>"$scratch/dev.err" &
dev=$!
exec 9>"$scratch/hold"
for _ in {1..1000}; do grep -q 'Stop with' "$scratch/dev.out" && break; sleep 0.02; done
fleet=$(sed -n 's/^address: //p' "$scratch/dev.out")
seat_at() { redis-cli -s "$scratch/dev/$1.sock" "${@:2}"; }
trap 'exec 9>&-; wait "$dev"; rm -rf "$scratch"' EXIT
claim "there is a fleet" [ -n "$fleet" ]

posix=(-std=c99 -D_POSIX_C_SOURCE=200809L)
claim "the test of wrong use compiles" compiles "$scratch/misuse" gcc "${posix[@]}" "$here/misuse.c"
token >"$scratch/token"
claim "wrong use is refused, and a forked child is, until it opened the fleet for itself" \
  "$scratch/misuse" "$scratch/key.pem" "$fleet" "$scratch/token"

claim "prefork.c compiles" compiles "$scratch/prefork" gcc -std=c99 "$root/examples/prefork.c"
"$MEDIATOKEN" issue --key "$scratch/private.pem" --requestor REF30 --resource TNT --count 2000 >"$scratch/tokens"
for part in calm killed; do
  claim "four workers, $part: one use" python3 -B "$here/prefork.py" "$part" "$scratch/prefork" "$scratch/socket" \
    "$scratch/key.pem" "$fleet" "$scratch/tokens"
done

claim "gate.c compiles" compiles "$scratch/gate-c" gcc -std=c99 "$root/examples/gate.c"
claim "gate.cpp compiles" compiles "$scratch/gate-cpp" g++ -std=c++17 "$root/examples/gate.cpp"
printf '#!/bin/sh\nexec python3 -B %s/examples/mediatoken.py "$@"\n' "$root" >"$scratch/gate-python"
chmod +x "$scratch/gate-python"
for language in c cpp python; do
  token >"$scratch/token"
  gate() { answers "$@" "$scratch/gate-$language" "$scratch/key.pem" "$fleet" REF30 TNT dev <"$scratch/token"; }
  claim "$language: a fresh token starts the playback" gate 0 VALID_TOKEN
  again() {
    "$scratch/gate-$language" "$scratch/key.pem" "$fleet" REF30 TNT dev <"$scratch/token" >"$scratch/out" 2>"$scratch/err"
    [[ $? -eq 1 && $(head -n 1 "$scratch/out") == TOKEN_REPLAYED* ]]
  }
  claim "$language: nobody plays with it again" again
  claim "$language: not even with the command line" answers 1 TOKEN_REPLAYED \
    "$MEDIATOKEN" verify - --dev --keys "$scratch/key.pem" --replay "$fleet" --requestor REF30 --resource TNT <"$scratch/token"
done

# opens EXPECTED PYTHON: what comes of a verifier for $fleet whose policy has these settings.
opens() {
  local wanted=$1 found
  shift
  found=$(python3 -B - "$root/examples" "$scratch/key.pem" "$fleet" "$scratch/token" "$@" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from mediatoken import Keys, Policy, Refused, Text, Verifier
settings = eval(f"dict({sys.argv[5]})")
try:
    verifier = Verifier(Keys([sys.argv[2]], allow_development_key=True), sys.argv[3], Policy(**settings))
    print(verifier.verify(open(sys.argv[4], "rb").read(), "REF30", "TNT").use)
except Refused as refused:
    print(refused)
PY
  )
  [[ $found == *"$wanted"* ]] || { echo "  expected '$wanted', found '$found'"; return 1; }
}
token >"$scratch/token"
claim "other times are another fleet" opens "REPLAY_MEMORY_UNAVAILABLE: seat 1 ($scratch/dev/1.sock): it belongs to another fleet" \
  max_ttl_ms=420000
claim "a deadline that is too long" opens "BAD_ARGUMENT: fleet_deadline_ms must be 5 to 1000" fleet_deadline_ms=1001
claim "a local table that is not there" opens "REPLAY_MEMORY_UNAVAILABLE" "local_table=Text('$scratch/no.table')"
claim "credentials that are not there" opens "$scratch/no.users" "fleet_credentials=Text('$scratch/no.users')"
local=$(table local.table)
claim "a local table and a deadline" opens first "fleet_deadline_ms=1000, local_table=Text('$local')"
claim "know a used token" opens TOKEN_REPLAYED "fleet_deadline_ms=1000, local_table=Text('$local')"
for n in 1 2 3; do seat_at "$n" config set requirepass "secret-of-$n" >/dev/null; done
claim "a seat that asks for a password is named" opens "seat 1 ($scratch/dev/1.sock): it refuses the user" ""
printf '%s default secret-of-%s\n' 1 1 2 2 3 3 >"$scratch/users"
chmod 600 "$scratch/users"
token >"$scratch/token"
claim "with credentials" opens first "fleet_credentials=Text('$scratch/users')"
kill -9 "$(sed -n 's/^seat 2: process //p' "$scratch/dev.out")"
claim "with a seat less, used stays used" opens TOKEN_REPLAYED "fleet_credentials=Text('$scratch/users')"
token >"$scratch/token"
claim "and a fresh token plays" opens first "fleet_credentials=Text('$scratch/users')"
kill -9 "$(sed -n 's/^seat 3: process //p' "$scratch/dev.out")"
token >"$scratch/token"
claim "with one seat of three it is a fault" opens "REPLAY_MEMORY_UNAVAILABLE" "fleet_credentials=Text('$scratch/users')"
finish
