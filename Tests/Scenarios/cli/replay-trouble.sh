#!/usr/bin/env bash
# A replay table in use, and its operator: it grows, its folder is out of reach for a while, a container with another boot id opens it. What
# a table that grew remembers is GrowthTests', which tables keep --fresh from making one FormerTablesTests', a table that is taken away
# TableLifeTests', many processes at once stores/'s, and what processes that are killed leave is in doors/lines.txt.
source "$(dirname "$0")/../lib/scenario.sh"
table=$work/tables/replay.table
mkdir "$work/tables"
identity() { printf '%064x' "$1"; }
in_an_hour=$(($(date +%s) + 3500))
info() { "$MEDIATOKEN" replay info --table "$table" --json >"$work/info" && member "$work/info" "j$1"; }

# begin COMMAND...: a process that uses the table all the time; ask NUMBER: what the answer to a claim is.
begin() {
  coproc USER { exec "$@" 2>"$work/user.err"; }
  user_in=${USER[1]} user_out=${USER[0]} user=$USER_PID
}
ask() {
  echo "$(identity "$1") $in_an_hour" >&"$user_in"
  read -r answer <&"$user_out"
  echo "$answer"
}
end_user() {
  eval "exec ${user_in}>&-"
  wait "$user" || true
}
# becomes WANTED NUMBER: the answer to claims of this token until it is what is wanted; a table looks at its file once a
# second.
becomes() {
  local answer
  for _ in {1..600}; do
    answer=$(ask "$2")
    [[ $answer == "$1" ]] && return 0
    sleep 0.1
  done
  echo "  expected '$1', found '$answer'"
  return 1
}

# --- growing
"$MEDIATOKEN" replay create --table "$table" --capacity 8 --fresh >/dev/null
begin "$spend" "shared:$table"
full=no
for number in {1..40}; do
  [[ $(ask "$number") == "error REPLAY_MEMORY_FULL" ]] && full=yes && break
done
check "a small table becomes full" equals "$full" yes
grows() { answers 0 "table: $table" replay grow --table "$table" --capacity 1000 && shows "capacity: 1000"; }
check "replay grow enlarges a table that is in use, and prints its capacity" grows
check "a process that has the table open has the new room at once" equals "$(ask "$number")" first
check "another process knows the uses from before the table grew" equals "$("$spend" "shared:$table" <<<"$(identity 1) $in_an_hour" 2>/dev/null)" used
check "replay info shows the two parts of a table that grew" equals "$(info '["capacity"], j["parts"], j["liveEntries"]')" "(1000, 2, $number)"
end=$(stat -c %s "$table")
# The first mmap of the file is that of the table as it is.
check "replay grow ends with 3 where the new part cannot be mapped" exits 3 strace -qq -o "$work/calls" -P "$table" -e trace=mmap \
  -e inject=mmap:error=ENOMEM:when=2 "$MEDIATOKEN" replay grow --table "$table" --capacity 2000
check "the mapping that was made to fail is that of the new part" equals "$(grep -c INJECTED "$work/calls")" 1
check "the table is as it was after a part that could not be mapped" equals "$(info '["capacity"], j["parts"], j["bytes"]')" "(1000, 2, $end)"
check "a process that has the table open goes on after a part that could not be mapped" equals "$(ask 1)" used
check "replay grow works after a part that could not be mapped" exits 0 strace -qq -o "$work/calls" -e trace=fallocate \
  "$MEDIATOKEN" replay grow --table "$table" --capacity 2000
# If a file system cannot reserve blocks the C library writes into the range, which must not include entries in use.
check "replay grow reserves blocks after the old end of the table alone" equals \
  "$(sed -n 's/^fallocate([0-9]*, 0, \([0-9]*\), .*/\1/p' "$work/calls")" "$end"
end_user
rm -r "$work/tables"
mkdir "$work/tables"
"$MEDIATOKEN" replay create --table "$table" --capacity 100 --fresh >/dev/null

# --- out of reach
if [[ $(id -u) -eq 0 ]] && command -v setpriv >/dev/null; then
  chmod 711 "$work"
  chown -R 65534 "$work/tables"
  begin setpriv --reuid 65534 --regid 65534 --clear-groups "$spend" "shared:$table"
  check "a user without rights of root spends a token" equals "$(ask 1)" first
  chmod 000 "$work/tables"
  check "a folder that may not be entered is a fault" becomes "error REPLAY_MEMORY_UNAVAILABLE" 1
  sleep 1.1
  check "the fault of a folder that may not be entered lasts as long as it" equals "$(ask 2)" "error REPLAY_MEMORY_UNAVAILABLE"
  chmod 755 "$work/tables"
  check "a folder that may be entered again is no fault" becomes used 1
  check "a token is spent after a folder may be entered again" equals "$(ask 3)" first
  check "a table whose folder may not be entered for a while is not retired" equals "$(info '["isRetired"]')" False
  end_user
  chown -R 0 "$work/tables"
else
  echo "not checked: a folder that may not be entered, which takes root and setpriv"
fi

# --- another boot id
echo 01234567-89ab-cdef-0123-456789abcdef >"$work/boot_id"
if unshare -m mount --bind "$work/boot_id" /proc/sys/kernel/random/boot_id 2>/dev/null; then
  begin "$spend" "shared:$table"
  check "a process spends a token and has the table open" equals "$(ask 10)" first
  status=0
  timeout 60 unshare -m sh -c 'mount --bind "$1" /proc/sys/kernel/random/boot_id; shift; exec "$@"' sh "$work/boot_id" \
    "$spend" "shared:$table" </dev/null >"$work/out" 2>"$work/err" || status=$?
  check "one who sees another boot id fails at once" equals "$status" 3
  check "one who sees another boot id says why it fails" says "another boot id"
  check "the process that has the table open goes on after another boot id came" equals "$(ask 10)" used
  end_user
  table_info=$(unshare -m sh -c 'mount --bind "$1" /proc/sys/kernel/random/boot_id; shift; exec "$@"' sh "$work/boot_id" \
    "$MEDIATOKEN" replay info --table "$table")
  check "replay info says what another boot id means" grep -qF "boot: another one: since the table was opened last the machine was" \
    <<<"$table_info"
else
  echo "not checked: another boot id, which takes mounts"
fi
finish
