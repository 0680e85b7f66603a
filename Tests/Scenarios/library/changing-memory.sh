#!/usr/bin/env bash
# What was verified is what is read, even while another thread of the program writes to the token.
source "$(dirname "$0")/common.sh"
needs gcc pkg-config openssl
makes_tokens

token >"$scratch/token"
claim "the test of changing memory compiles" \
  compiles "$scratch/changing-memory" gcc -std=c11 -pthread "$here/changing-memory.c"
claim "a valid result is about the token that was signed" \
  "$scratch/changing-memory" "$scratch/key.pem" "$scratch/token"
finish
