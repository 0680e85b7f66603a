#!/usr/bin/env bash
# The examples in C and C++ are compiled as their first lines say, and gate a playback.
source "$(dirname "$0")/installed.sh"
needs gcc g++ pkg-config openssl
makes_tokens

check "gate.c compiles as C99 without a warning" compiles "$work/gate-c" gcc -std=c99 "$repository/examples/gate.c"
check "gate.cpp compiles as C++17 without a warning" \
  compiles "$work/gate-cpp" g++ -std=c++17 "$repository/examples/gate.cpp"

elsewhere() { exits 1 gcc -fsyntax-only -U__linux__ -x c "$repository/Sources/CLinux/shim.h" 2>"$work/err" && equals "$(grep -c error "$work/err")" 2; }
check "on a system other than Linux one error says that the package is for Linux" elsewhere
check "on a system other than Linux the error says to build the package in a container" grep -q 'build it in a container' "$work/err"

for language in c cpp; do
  gate=$work/gate-$language
  address=shared:$(table "$language.table")
  token >"$work/token"
  first() { yields "$@" "$gate" "$work/key.pem" "$address" REF30 TNT dev <"$work/token"; }
  check "$language: a fresh token starts the playback" first 0 VALID_TOKEN
  check "$language: the answer names the provider" grep -q '^mvpd: Sample_MVPD' "$work/out"
  again() {
    "$gate" "$work/key.pem" "$address" REF30 TNT dev <"$work/token" >"$work/out" 2>"$work/err"
    [[ $? -eq 1 && $(head -n 1 "$work/out") == TOKEN_REPLAYED* ]]
  }
  check "$language: no one plays again with a token that was used" again
  check "$language: the command line refuses the used token, too" answers 1 TOKEN_REPLAYED \
    verify - --dev --keys "$work/key.pem" --replay "$address" --requestor REF30 --resource TNT \
    <"$work/token"
  token >"$work/token"
  refused() {
    local name=$1
    shift
    "$gate" "$@" <"$work/token" >"$work/out" 2>"$work/err"
    [[ $? -eq 1 && $(head -n 1 "$work/out") == "$name"* ]]
  }
  check "$language: another resource is refused" refused INVALID_RESOURCE_ID "$work/key.pem" "$address" REF30 TBS dev
  check "$language: a stranger's signature is refused" refused INVALID_SIGNATURE "$work/other.pem" "$address" REF30 TNT
  check "$language: the refusals used nothing up" first 0 VALID_TOKEN
  broken() {
    "$gate" "$@" <"$work/token" >"$work/out" 2>"$work/err"
    [[ $? -eq 3 ]] && ! grep -q VALID_TOKEN "$work/out"
  }
  check "$language: the development key needs consent" broken "$work/key.pem" "$address" REF30 TNT
  check "$language: missing keys are no verdict" broken "$work/no.pem" "$address" REF30 TNT dev
  check "$language: the message about missing keys names the file" grep -q "no.pem" "$work/out" "$work/err"
done
finish
