#!/usr/bin/env bash
# A server that forks four workers after it opened the verifier: one token, one playback, also when workers are killed.
source "$(dirname "$0")/common.sh"
needs gcc pkg-config openssl python3
makes_tokens
claim "prefork.c compiles as C99 without a warning" \
  compiles "$scratch/prefork" gcc -std=c99 "$root/examples/prefork.c"
address=shared:$(table replay.table 100000)
"$MEDIATOKEN" issue --key "$scratch/private.pem" --requestor REF30 --resource TNT --count 6000 >"$scratch/tokens"
[[ $(sort -u "$scratch/tokens" | wc -l) -eq 6000 ]] || skip "the tokens are not distinct"
for part in calm killed; do
  claim "$part: one use" python3 -B "$here/prefork.py" "$part" "$scratch/prefork" "$scratch/socket" \
    "$scratch/key.pem" "$address" "$scratch/tokens"
done
claim "the table is left as after an ordinary end" \
  grep -q '^state: closed' <("$MEDIATOKEN" replay info --table "${address#shared:}" | tee "$scratch/info")
finish
