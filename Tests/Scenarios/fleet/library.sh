#!/usr/bin/env bash
# A fleet through the C library, with real nodes: wrong use, programs that fork, credentials, a local table, and a node that is killed.
source "$(dirname "$0")/../library/installed.sh"
needs gcc pkg-config openssl python3 redis-server redis-cli
makes_tokens

# A fleet that ends with this scenario.
setpriv --pdeathsig TERM "$repository/examples/fleet/run" redis "$work/dev" >"$work/dev.out" 2>"$work/dev.err" &
awaits 60 grep -q 'Stop with' "$work/dev.out" || true
fleet=$(sed -n 's/^address: //p' "$work/dev.out")
node_at() { redis-cli -s "$work/dev/$1.sock" "${@:2}"; }
check "the example prints the address of its fleet" [ -n "$fleet" ]

posix=(-std=c99 -D_POSIX_C_SOURCE=200809L)
check "the test of wrong use compiles" compiles "$work/misuse" gcc "${posix[@]}" "$scenarios"/library/misuse*.c
token --ttl 3600000 >"$work/token"
check "wrong use is refused, and a forked child is, until it opened the fleet for itself" \
  "$work/misuse" "$work/key.pem" "$fleet" "$work/token"

check "prefork.c compiles" compiles "$work/prefork" gcc -std=c99 "$repository/examples/prefork.c"
"$MEDIATOKEN" issue --key "$work/private.pem" --requestor REF30 --resource TNT --ttl 3600000 --count 2000 >"$work/tokens"
for part in calm killed; do
  check "four workers, $part: one use of each token" \
    python3 -B "$scenarios/library/prefork.py" "$part" "$work/prefork" "$work/socket" \
    "$work/key.pem" "$fleet" "$work/tokens"
done

# opens EXPECTED PYTHON: what comes of a verifier for $fleet whose policy has these settings, and of a fresh token where a first
# use is expected. Nodes that this machine let answer too late are asked again.
opens() {
  local wanted=$1 found
  shift
  for _ in {1..20}; do
    [[ $wanted != first ]] || token --ttl 3600000 >"$work/token"
    found=$(verified "$@")
    [[ $found != *"$wanted"* ]] || return 0
    [[ $found == REPLAY_MEMORY_UNAVAILABLE* ]] || break
  done
  echo "  expected '$wanted', found '$found'"
  return 1
}
verified() {
  python3 -B - "$repository/clients/python" "$work/key.pem" "$fleet" "$work/token" "$@" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from mediatoken import Refused, Unavailable, inprocess
settings = dict(fleet_deadline=1, allow_development_key=True) | eval(f"dict({sys.argv[5]})")
try:
    verifier = inprocess.Verifier([sys.argv[2]], replay=sys.argv[3], **settings)
    print(verifier.verify(open(sys.argv[4], "rb").read(), requestor="REF30", resource="TNT").use)
except inprocess.SetupError as error:
    print(f"{error.code}: {error}")
except Unavailable as fault:
    print(f"{fault.name}: {fault.detail}")
except Refused as refused:
    print(refused)
PY
}
token >"$work/token"
check "with other times a verifier says that node 1 belongs to another fleet" \
  opens "REPLAY_MEMORY_UNAVAILABLE: node 1 ($work/dev/1.sock): it belongs to another fleet" \
  max_ttl=420
check "nodes have no grace" opens "BAD_ARGUMENT: fleet_grace_seconds is given, but replay is not postgres:" fleet_grace=45
check "a local table that is not there is named" opens "$work/no.table" "local_table='$work/no.table'"
check "credentials that are not there are named" opens "$work/no.users" "fleet_credentials='$work/no.users'"
local=$(table local.table)
check "with a local table and a deadline a fresh token plays" opens first "local_table='$local'"
check "with a local table and a deadline a used token is refused" opens TOKEN_REPLAYED "local_table='$local'"
other=redis:other@${fleet#*@}
"$MEDIATOKEN" replay init --fresh --replay "$other" >/dev/null
# with ADDRESS EXPECTED PYTHON: the same with another address.
with() {
  local fleet=$1
  opens "${@:2}"
}
both="moving:$(date +%s) $fleet $other"
check "while hosts move a fresh token plays" with "$both" first ""
check "it is used in the old fleet" opens TOKEN_REPLAYED ""
check "it is used in the new fleet" with "$other" TOKEN_REPLAYED ""
check "two fleets of one name are refused" with "moving:$(date +%s) $fleet $fleet" "both fleets have the name" ""
check "a floor of tomorrow is refused" with "moving:$(($(date +%s) + 86400)) $fleet $other" "ahead of this host's clock" ""
for text in "moving:" "moving:0 $fleet $other" "moving:$(date +%s) $fleet" "moving:$(date +%s) $fleet shared:/table" "moving:$(date +%s) $fleet $both"; do
  check "no two fleets are in ${text//"$work"/}" with "$text" "BAD_ARGUMENT: replay: " ""
done
check "a time of the old fleet that is out of its range is named" with "$both max_ttl_ms=0" "BAD_ARGUMENT: replay: from: max_ttl_ms must be 1 to" ""
check "a setting that the old fleet cannot have is named" \
  with "$both local_table=/table" "BAD_ARGUMENT: replay: from: expected NAME=VALUE after both addresses, found local_table" ""
# A fleet of other times, and a user for each, who may do nothing in the other one.
shorter=redis:shorter@${fleet#*@}
printf '{"replay": {"address": "%s"}, "tenants": [{"requestor": "REF30", "maxTTLMilliseconds": 420000}]}' "$shorter" >"$work/shorter.json"
"$MEDIATOKEN" replay init --fresh --config "$work/shorter.json" >/dev/null
name=${fleet#redis:} && name=${name%%@*}
for n in 1 2 3; do
  for user in "$name" shorter; do node_at "$n" acl setuser "of-$user" on ">secret-$user" "~{mt2:$user}*" "&*" +@all >/dev/null; done
done
for user in "$name" shorter; do
  echo "* of-$user secret-$user" >"$work/of-$user"
  chmod 600 "$work/of-$user"
done
both="moving:$(date +%s) $fleet $shorter"
check "with the new fleet's times alone the old one is another's" with "$both" "from: node 1 ($work/dev/1.sock): it belongs to another fleet" max_ttl=420
check "each fleet has its times" with "$both max_ttl_ms=3600000" first max_ttl=420
check "each fleet has its times and its credentials" \
  with "$both max_ttl_ms=3600000 fleet_credentials=$work/of-$name" first "max_ttl=420, fleet_credentials='$work/of-shorter'"
check "the old fleet's credentials are not those of the new one" \
  with "$both max_ttl_ms=3600000" "from: node 1" "max_ttl=420, fleet_credentials='$work/of-shorter'"
for n in 1 2 3; do node_at "$n" config set requirepass "secret-of-$n" >/dev/null; done
check "a node that asks for a password is named" opens "node 1 ($work/dev/1.sock): it refuses the user" ""
printf '%s default secret-of-%s\n' 1 1 2 2 3 3 >"$work/users"
chmod 600 "$work/users"
check "with credentials a fresh token plays" opens first "fleet_credentials='$work/users'"
kill -9 "$(cat "$work/dev/2.pid")"
check "with a node less, used stays used" opens TOKEN_REPLAYED "fleet_credentials='$work/users'"
check "with a node less a fresh token plays" opens first "fleet_credentials='$work/users'"
kill -9 "$(cat "$work/dev/3.pid")"
token >"$work/token"
check "with one node of three a fresh token meets a fault" opens "REPLAY_MEMORY_UNAVAILABLE" "fleet_credentials='$work/users'"
finish
