#!/usr/bin/env bash
# A page of the replay table that the disk does not give is a fault, and no crash of the program; the program's own faults are its own.
source "$(dirname "$0")/installed.sh"
needs gcc pkg-config openssl
makes_tokens
token >"$work/token"
for number in {0..9}; do table "table.$number" 10000 >/dev/null; done
check "the program compiles" compiles "$work/bus-errors" gcc -std=c11 -Wno-missing-field-initializers "$here/bus-errors.c"
check "each process that meets a bus error ends as it should" "$work/bus-errors" "$work/key.pem" "$work/token" "$work/table"
finish
