#!/usr/bin/env bash
# What was verified is what is read, even while another thread of the program writes to the token.
source "$(dirname "$0")/installed.sh"
needs gcc pkg-config openssl
makes_tokens

token >"$work/token"
check "the test of changing memory compiles" \
  compiles "$work/changing-memory" gcc -std=c11 -pthread "$here/changing-memory.c"
check "a valid result is about the token that was signed" \
  "$work/changing-memory" "$work/key.pem" "$work/token"
finish
