#!/usr/bin/env bash
# Case 106: a clock that cannot be read. There is no verdict, and the token is not used up.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
needs gcc
table=$work/replay.table

check "the library that keeps the time of day to itself compiles" \
  gcc -shared -fPIC -Wall -Wextra -Werror -O1 -o "$work/clock.so" "$here/clock-failure.c"
"$MEDIATOKEN" replay create --table "$table" --capacity 100 --fresh >/dev/null
fresh_token >"$work/token"
verify() { "$MEDIATOKEN" verify - "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$table" <"$work/token"; }
# Whatever the exit status is, it is not 0, and not 1 either, which is a verdict.
has_no_verdict() {
  local status=0
  "$@" >"$work/out" 2>"$work/err" || status=$?
  [[ $status -gt 1 && ! -s $work/out ]] || { echo "  found exit $status and '$(head -n 1 "$work/out")'"; return 1; }
}
timeless() (export LD_PRELOAD=$work/clock.so; "$@")
check "without the time there is no verdict" has_no_verdict timeless verify
batch=("$MEDIATOKEN" verify --batch "$work/token" "${trust[@]}" --requestor REF30 --resource TNT)
check "with the time a line of a batch is valid" eval '"${batch[@]}" 2>/dev/null | grep -q VALID_TOKEN'
has_no_verdict_in_batch() {
  timeless "${batch[@]}" >"$work/out" 2>"$work/err" && { echo "  found exit 0"; return 1; }
  ! grep '"verdict"' "$work/out"
}
check "without the time there is no verdict on a line of a batch" has_no_verdict_in_batch
check "without the time no table is opened" has_no_verdict timeless "$spend" "shared:$table" </dev/null
check "with the time the token is valid" yields 0 VALID_TOKEN verify
check "the token that was valid with the time is refused the second time" yields 1 TOKEN_REPLAYED verify
finish
