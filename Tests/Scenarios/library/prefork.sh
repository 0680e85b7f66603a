#!/usr/bin/env bash
# A server that forks four workers after it opened the verifier: one token, one playback, also when workers are killed.
source "$(dirname "$0")/installed.sh"
needs gcc pkg-config openssl python3
makes_tokens
check "prefork.c compiles as C99 without a warning" \
  compiles "$work/prefork" gcc -std=c99 "$repository/examples/prefork.c"
address=shared:$(table replay.table 100000)
"$MEDIATOKEN" issue --key "$work/private.pem" --requestor REF30 --resource TNT --ttl 3600000 --count 6000 >"$work/tokens"
[[ $(sort -u "$work/tokens" | wc -l) -eq 6000 ]] || skip "the tokens are not distinct"
for part in calm killed; do
  check "four workers, $part: one use of each token" python3 -B "$here/prefork.py" "$part" "$work/prefork" "$work/socket" \
    "$work/key.pem" "$address" "$work/tokens"
done
check "the pre-fork server leaves the table as after an ordinary end" \
  grep -q '^state: closed' <("$MEDIATOKEN" replay info --table "${address#shared:}" | tee "$work/info")
finish
