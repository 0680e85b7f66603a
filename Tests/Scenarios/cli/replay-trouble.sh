#!/usr/bin/env bash
# A replay table in use, and its operator: it grows, its folder is out of reach for a while, a container with another boot id
# opens it, and an operator uses --fresh wrongly.
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
begin "$MEDIATOKEN" replay spend --table "$table"
full=no
for number in {1..40}; do
  [[ $(ask "$number") == "error REPLAY_MEMORY_FULL" ]] && full=yes && break
done
check "a small table is full" equals "$full" yes
check "it grows while it is in use" answers 0 "table: $table" replay grow --table "$table" --capacity 1000
check "which it says" shows "capacity: 1000"
check "its user has the room at once" equals "$(ask "$number")" first
forgotten=0
for ((known = 1; known <= number; known++)); do
  [[ $(ask "$known") == used ]] || forgotten=$((forgotten + 1))
done
check "and has forgotten nothing" equals "$forgotten" 0
check "nor has another" equals "$("$MEDIATOKEN" replay spend --table "$table" <<<"$(identity 1) $in_an_hour" 2>/dev/null)" used
check "info shows the parts" equals "$(info '["capacity"], j["parts"], j["liveEntries"]')" "(1000, 2, $number)"
check "it does not shrink" answers 3 "" replay grow --table "$table" --capacity 999
check "and says what it has" says "more than the table's 1000"
end=$(stat -c %s "$table")
# The first mmap of the file is that of the table as it is.
check "what cannot be mapped is not added" exits 3 strace -qq -o "$work/calls" -P "$table" -e trace=mmap \
  -e inject=mmap:error=ENOMEM:when=2 "$MEDIATOKEN" replay grow --table "$table" --capacity 2000
check "that was the new part" equals "$(grep -c INJECTED "$work/calls")" 1
check "the table is as it was" equals "$(info '["capacity"], j["parts"], j["bytes"]')" "(1000, 2, $end)"
check "its user goes on" equals "$(ask 1)" used
check "it grows again" exits 0 strace -qq -o "$work/calls" -e trace=fallocate \
  "$MEDIATOKEN" replay grow --table "$table" --capacity 2000
# If a file system cannot reserve blocks the C library writes into the range, which must not include entries in use.
check "nothing that is in use is reserved again" equals \
  "$(sed -n 's/^fallocate([0-9]*, 0, \([0-9]*\), .*/\1/p' "$work/calls")" "$end"
check "a capacity is needed" usage "--capacity N" replay grow --table "$table"
check "what is not there does not grow" answers 3 "" replay grow --table "$work/nowhere" --capacity 10

# --- --fresh used wrongly
mv "$table" "$table.old"
check "--fresh next to a table that is open" answers 3 "" replay create --table "$table" --capacity 8 --fresh
check "is refused by name" says "$table.old, is in use"
mv "$table.old" "$table"
end_user
mv "$table" "$table.old"
check "--fresh next to one that remembers living tokens" answers 3 "" replay create --table "$table" --capacity 8 --fresh
check "is refused with their number" says "remembers $number used tokens that may still be alive"
check "without the word it is made" answers 0 "table: $table" replay create --table "$table" --capacity 8
rm -r "$work/tables"
before=$(date +%s%N)
mkdir "$work/tables"
check "in a folder that has just changed" answers 0 "table: $table" replay create --table "$table" --capacity 100 --fresh
check "--fresh takes three seconds" test $((($(date +%s%N) - before) / 1000000)) -ge 2500
touch -d "+1 hour" "$work/tables"
check "a clock that is behind makes no table" answers 3 "" replay create --table "$table.new" --capacity 100
check "and says so" says "set the clock first"

# --- out of reach
if [[ $(id -u) -eq 0 ]] && command -v setpriv >/dev/null; then
  chmod 711 "$work"
  chown -R 65534 "$work/tables"
  begin setpriv --reuid 65534 --regid 65534 --clear-groups "$MEDIATOKEN" replay spend --table "$table"
  check "a user without rights of root" equals "$(ask 1)" first
  chmod 000 "$work/tables"
  check "a folder that may not be entered is a fault" becomes "error REPLAY_MEMORY_UNAVAILABLE" 1
  sleep 1.1
  check "for as long as it lasts" equals "$(ask 2)" "error REPLAY_MEMORY_UNAVAILABLE"
  chmod 755 "$work/tables"
  check "and heals" becomes used 1
  check "without a use lost" equals "$(ask 3)" first
  check "the table is not retired" equals "$(info '["isRetired"]')" False
  end_user
  chown -R 0 "$work/tables"
else
  echo "not checked: a folder that may not be entered, which takes root and setpriv"
fi

# --- another boot id
echo 01234567-89ab-cdef-0123-456789abcdef >"$work/boot_id"
if unshare -m mount --bind "$work/boot_id" /proc/sys/kernel/random/boot_id 2>/dev/null; then
  begin "$MEDIATOKEN" replay spend --table "$table"
  check "another process has the table open" equals "$(ask 10)" first
  status=0
  timeout 60 unshare -m sh -c 'mount --bind "$1" /proc/sys/kernel/random/boot_id; shift; exec "$@"' sh "$work/boot_id" \
    "$MEDIATOKEN" replay spend --table "$table" </dev/null >"$work/out" 2>"$work/err" || status=$?
  check "one who sees another boot id fails at once" equals "$status" 3
  check "and says why" says "another boot id"
  check "the other goes on" equals "$(ask 10)" used
  end_user
  table_info=$(unshare -m sh -c 'mount --bind "$1" /proc/sys/kernel/random/boot_id; shift; exec "$@"' sh "$work/boot_id" \
    "$MEDIATOKEN" replay info --table "$table")
  check "info says what another boot means" grep -qF "boot: another one: since the table was opened last the machine was" \
    <<<"$table_info"
else
  echo "not checked: another boot id, which takes mounts"
fi
finish
