#!/usr/bin/env bash
# Case 128: a disk that fails. A table whose header can't be written grants nothing, and is retired for all who use it.
source "$(dirname "$0")/../lib/scenario.sh"
needs gcc python3
table=$work/replay.table
identity=$(printf '%064d' 0)

# spends FAILS_FROM ANSWER NUMBER: what `spend` says to one more identity while msync fails from that call on.
spends() {
  local line found
  line="${identity%?}$3 $(($(date +%s) + 60))"
  found=$(printf '%s\n' "$line" | MSYNC_FAILS_FROM=$1 LD_PRELOAD=$work/failing.so \
    "$spend" "shared:$table" 2>"$work/err") || true
  [[ $found == "$2"* ]] || { echo "  expected '$2', found '$found': $(cat "$work/err")"; return 1; }
}

# The lease lies in the past: the next spend must write a new one (offset 128, ReplayTableFormat).
end_lease() { python3 -c 'import sys; f = open(sys.argv[1], "r+b"); f.seek(128); f.write(bytes(8))' "$table"; }

check "the library that lets msync fail compiles" \
  gcc -shared -fPIC -Wall -Wextra -Werror -O1 -o "$work/failing.so" "$here/msync-failure.c"
"$MEDIATOKEN" replay create --table "$table" --capacity 100 --fresh >/dev/null
check "with a sound disk a token is spent" spends 99 first 1
check "a table that can't be marked as open is not opened" spends 1 "" 2
check "the one who opens it says that msync failed" grep -q msync "$work/err"
check "a token for a table that was not opened is not used up" spends 99 first 2
end_lease
sleep 1.1 # the lease is looked at whenever the clock reaches a new second
check "a lease that can't be written grants nothing" spends 2 error 3
check "a lease that can't be written ends the table for all" spends 99 "" 4
check "the next to open it says that the table is retired" grep -q retired "$work/err"
check "replay info says that the table is retired" grep -q "retired" <("$MEDIATOKEN" replay info --table "$table" 2>&1)
finish
