#!/usr/bin/env bash
# The examples in C, C++ and Python are compiled as their first lines say, and gate a playback.
source "$(dirname "$0")/common.sh"
needs gcc g++ pkg-config openssl python3
makes_tokens

claim "gate.c compiles as C99 without a warning" compiles "$scratch/gate-c" gcc -std=c99 "$root/examples/gate.c"
claim "gate.c compiles as C11 without a warning" compiles "$scratch/gate-c" gcc -std=c11 "$root/examples/gate.c"
claim "gate.cpp compiles as C++17 without a warning" \
  compiles "$scratch/gate-cpp" g++ -std=c++17 "$root/examples/gate.cpp"
printf '#!/bin/sh\nexec python3 -B %s/examples/mediatoken.py "$@"\n' "$root" >"$scratch/gate-python"
chmod +x "$scratch/gate-python"

for language in c cpp python; do
  gate=$scratch/gate-$language
  address=shared:$(table "$language.table")
  token >"$scratch/token"
  first() { answers "$@" "$gate" "$scratch/key.pem" "$address" REF30 TNT dev <"$scratch/token"; }
  claim "$language: a fresh token starts the playback" first 0 VALID_TOKEN
  claim "$language: the answer names the provider" grep -q '^mvpd: Sample_MVPD' "$scratch/out"
  again() {
    "$gate" "$scratch/key.pem" "$address" REF30 TNT dev <"$scratch/token" >"$scratch/out" 2>"$scratch/err"
    [[ $? -eq 1 && $(head -n 1 "$scratch/out") == TOKEN_REPLAYED* ]]
  }
  claim "$language: nobody plays with it again" again
  claim "$language: not even with the command line" answers 1 TOKEN_REPLAYED \
    "$MEDIATOKEN" verify - --dev --keys "$scratch/key.pem" --replay "$address" --requestor REF30 --resource TNT \
    <"$scratch/token"
  token >"$scratch/token"
  refused() {
    local name=$1
    shift
    "$gate" "$@" <"$scratch/token" >"$scratch/out" 2>"$scratch/err"
    [[ $? -eq 1 && $(head -n 1 "$scratch/out") == "$name"* ]]
  }
  claim "$language: another resource is refused" refused INVALID_RESOURCE_ID "$scratch/key.pem" "$address" REF30 TBS dev
  claim "$language: another requestor is refused" refused INVALID_REQUESTOR_ID "$scratch/key.pem" "$address" REF31 TNT dev
  claim "$language: a stranger's signature is refused" refused INVALID_SIGNATURE "$scratch/other.pem" "$address" REF30 TNT
  claim "$language: and the refusals used nothing up" first 0 VALID_TOKEN
  broken() {
    "$gate" "$@" <"$scratch/token" >"$scratch/out" 2>"$scratch/err"
    [[ $? -eq 3 ]] && ! grep -q VALID_TOKEN "$scratch/out"
  }
  claim "$language: the development key needs consent" broken "$scratch/key.pem" "$address" REF30 TNT
  claim "$language: a missing table is no verdict" broken "$scratch/key.pem" "shared:$scratch/none" REF30 TNT dev
  claim "$language: an address that is none is no verdict" broken "$scratch/key.pem" "memory:" REF30 TNT dev
  claim "$language: missing keys are no verdict" broken "$scratch/no.pem" "$address" REF30 TNT dev
  claim "$language: the message names the file" grep -q "no.pem" "$scratch/out" "$scratch/err"
done
finish
