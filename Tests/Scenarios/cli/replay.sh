#!/usr/bin/env bash
# The replay table on the command line: one use through many processes, kills and restarts, and every table that cannot
# be used.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
table=$work/replay.table
question=("${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$table")

info() { "$MEDIATOKEN" replay info --table "${2:-$table}" --json >"$work/info" && member "$work/info" "j$1"; }
identity() { printf '%064x' "$1"; }
# After this scenario has ended, however busy the machine is.
later=$(($(date +%s) + 500))

# table_word FILE FIELD [VALUE]: reads or writes a number of the header; the names are those of TableFormat.Field.
table_word() {
  python3 - "$@" <<'PY'
import struct, sys
offsets = dict(version=8, highest=16, bootFirst=96, clean=112, lease=120, vouchesFrom=136)
path, field = sys.argv[1:3]
with open(path, "r+b") as file:
    file.seek(offsets[field])
    if len(sys.argv) > 3:
        file.write(struct.pack("<Q", int(sys.argv[3])))
    else:
        print(struct.unpack("<Q", file.read(8))[0])
PY
}

# spends ANSWER LINE [ARGUMENT...]: what `replay spend` says to one line.
spends() {
  local wanted=$1 line=$2 found
  shift 2
  found=$(printf '%s\n' "$line" | "$MEDIATOKEN" replay spend --table "$table" "$@" 2>"$work/err") || true
  [[ $found == "$wanted"* ]] || { echo "  expected '$wanted', found '$found': $(cat "$work/err")"; return 1; }
}

# --- making a table
check "a table that is not there is no verdict" answers 3 "" verify "$token" "${question[@]}"
check "and the message says how to make one" says "mediatoken replay create"
begun=$(date +%s)
check "create" answers 0 "table: $table" replay create --table "$table" --capacity 1000
ended=$(date +%s)
check "it says when the table begins to vouch" shows "vouchesFrom: 20"
check "and that older tokens are refused" shows "tokens issued before vouchesFrom are refused"
check "with the mode 0600" equals "$(stat -c %a "$table")" 600
check "and blocks for all of its bytes" test $(($(stat -c %b "$table") * 512)) -ge "$(stat -c %s "$table")"
cp "$table" "$work/before"
check "never over an existing one" answers 3 "" replay create --table "$table" --capacity 1000
check "which it says" says "never overwritten"
check "nor with --fresh" answers 3 "" replay create --table "$table" --capacity 1000 --fresh
check "the table is as it was" cmp "$table" "$work/before"
check "and no file is left behind" equals "$(find "$work" -name '*.new')" ""
# In whole seconds, which create began and ended in.
is_ahead() { [[ $1 -ge $((begun + 66)) && $1 -le $((ended + 66)) ]]; }
check "it vouches from the tolerance and six seconds on" is_ahead $(($(table_word "$table" vouchesFrom) / 1000))
check "a token from before that is refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$(fresh_token)" "${question[@]}"
umask 077
rm "$table"
check "a table of a group, vouching for all tokens" answers 0 "table: $table" \
  replay create --table "$table" --capacity 1000 --mode 0660 --fresh
umask 022
check "says so" shows "vouchesFrom: all tokens"
check "has its mode whatever the umask" equals "$(stat -c %a "$table")" 660

# --- one use
one=$(fresh_token)
check "the first use" answers 0 VALID_TOKEN verify "$one" "${question[@]}"
check "says so" shows "use: first"
check "the second, in another process" answers 1 TOKEN_REPLAYED verify "$one" "${question[@]}"
check "another spelling of the token is the same token" answers 1 TOKEN_REPLAYED verify "$one"$'\n' "${question[@]}"
"$MEDIATOKEN" verify "$(fresh_token)" "${question[@]}" --json >"$work/out"
check "in JSON too" equals "$(member "$work/out" 'j["verdict"], j["use"]')" "('VALID_TOKEN', 'first')"
wrong=$(fresh_token)
check "a token that is refused is not used up" answers 1 INVALID_RESOURCE_ID \
  verify "$wrong" "${trust[@]}" --requestor REF30 --resource TBS --replay "shared:$table"
check "and may be used afterwards" answers 0 VALID_TOKEN verify "$wrong" "${question[@]}"
check "none: enforces nothing" answers 0 VALID_TOKEN verify "$wrong" "${question[@]:0:6}" --replay none:
check "and says so" shows "use: not-enforced"

retry=$(fresh_token)
again=(verify "$retry" "${question[@]}" --retry-window 300000 --request-id)
check "a request with an id" answers 0 VALID_TOKEN "${again[@]}" playback-1
check "repeated" answers 0 VALID_TOKEN "${again[@]}" playback-1
check "gets its first answer" shows "use: retry"
check "another request does not" answers 1 TOKEN_REPLAYED "${again[@]}" playback-2
check "nor one without" answers 1 TOKEN_REPLAYED verify "$retry" "${question[@]}"

twice=$(fresh_token)
{ echo "$twice"; fresh_token 50; echo "$twice"; echo '{"token": "x", "at": "2026-11-20T12:00:00Z", "id": "a"}'; } >"$work/lines"
check "a batch with a line twice" exits 1 "$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >/dev/null
check "is used up by then" says "53 lines: 51 valid, 1 refused, 1 malformed"
twice=$(fresh_token)
for _ in {1..200}; do echo "$twice"; done >"$work/lines"
"$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/out" 2>"$work/err" || true
check "of 200 equal lines exactly one is valid" equals "$(grep -c '"verdict":"VALID_TOKEN".*"use":"first"' "$work/out")" 1
check "and all others were used" equals "$(grep -c TOKEN_REPLAYED "$work/out")" 199
echo '{"token": "x", "at": "2026-11-20T12:00:00Z", "id": "a"}' >"$work/lines"
"$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/out" 2>/dev/null || true
check "a line of a batch cannot choose the time" shows '"error":"at is not allowed'

raced=$(fresh_token)
for n in {1..40}; do
  { "$MEDIATOKEN" verify "$raced" "${question[@]}" >/dev/null 2>&1 && echo won || echo "lost $?"; } >"$work/race.$n" &
done
wait
check "of 40 processes at once exactly one wins" equals "$(cat "$work"/race.* | grep -c won)" 1
check "and 39 are refused, none undecided" equals "$(cat "$work"/race.* | grep -c 'lost 1')" 39

racing=$work/racing.table
for n in {1..8}; do
  "$MEDIATOKEN" verify "$raced" "${trust[@]}" --requestor REF30 --resource TNT \
    --replay "shared:$racing?capacity=1000" >"$work/create.$n" 2>&1 || true &
done
wait
check "of eight that make a table at once all end on one" \
  equals "$(cat "$work"/create.* | grep -c TOKEN_PREDATES_REPLAY_MEMORY)" 8
check "and leave nothing else" equals "$(find "$work" -name 'racing*')" "$racing"

# --- spend
a=$(identity 1)
check "spend: the first use" spends first "$a $later"
check "the second" spends used "$a $later"
check "a capital letter is the same digit" spends first "$(identity 10) $later"
check "really" spends used "$(identity 10 | tr a A) $later"
check "a life that is over" spends expired "$(identity 2) 1000000000"
check "a life that is longer than the table remembers" spends "error EXPIRY is more than" "$(identity 3) $((later + 9000))"
check "is cut if the issue time is known" spends first "$(identity 3) $((later + 9000)) - $((later - 500))"
check "an issue time ahead of the clock" spends "error ISSUED is more than 60000 ms ahead" \
  "$(identity 4) $((later + 300)) - $((later + 100))"
check "an issue time after the end" spends "error ISSUED is later than EXPIRY" "$(identity 4) 1000000000 - 1000000001"
check "a line may end in CR LF" spends first "$(identity 11) $later -"$'\r' --retry-window 300000
check "and has no request id then either" spends used "$(identity 11) $later -"$'\r' --retry-window 300000
check "a request" spends first "$(identity 5) $later r1" --retry-window 300000
check "repeated" spends retry "$(identity 5) $later r1" --retry-window 300000
check "another one" spends used "$(identity 5) $later r2" --retry-window 300000
check "no request" spends used "$(identity 5) $later -" --retry-window 300000
# wrong SENTENCE LINE...: lines that are malformed, and why.
wrong() {
  local line sentence=$1
  for line in "${@:2}"; do check "not a line: '${line:0:20}…'" spends "error $sentence" "$line"; done
}
wrong "not IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]] with one space between" "" "$a" "$a $later - 5 6"
wrong "IDENTITY is not 64 hexadecimal digits" "${a%?} $later" "${a}0 $later" "g${a%?} $later" "$one"
wrong "EXPIRY is not seconds since 1970" "$a  $later" "$a -5" "$a 1e3" "$a " "$a 9999999999999"
wrong "REQUEST_ID is neither UTF-8 text nor -" "$a $later "
wrong "ISSUED is not seconds since 1970" "$a $later - x"
check "lines are not repeated in messages" lacks "$guid" "$work/err"
printf '%s %s\nx\n%s %s\n' "$(identity 6)" "$later" "$(identity 6)" "$later" >"$work/lines"
check "one answer for each line" equals "$("$MEDIATOKEN" replay spend --table "$table" <"$work/lines" 2>/dev/null | cut -c 1-5 | tr '\n' ' ')" \
  "first error used "
late=$(fresh_token)
check "a token that is spent by its identity" spends first \
  "$("$MEDIATOKEN" inspect "$late" | sed -n 's/^unverified identity: //p') $(($(date +%s) + 300))"
check "is used for verify too" answers 1 TOKEN_REPLAYED verify "$late" "${question[@]}"

# --- kills, restarts and the clean mark
check "a table that all have closed is clean" equals "$(info '["isClean"]')" True
coproc SPEND { exec "$MEDIATOKEN" replay spend --table "$table" 2>/dev/null; }
pid=$SPEND_PID
echo "$(identity 100) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
check "a co-process gets its answer at once" equals "$answer" first
check "a table in use is not clean" equals "$(info '["isClean"]')" False
cp "$table" "$work/before"
check "info" answers 0 "table: $table" replay info --table "$table"
check "changes nothing" cmp "$table" "$work/before"
echo "$(identity 101) $later" >&"${SPEND[1]}"
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
check "what was used before a kill stays used" spends used "$(identity 100) $later"
check "and the last one out has made it clean again" equals "$(info '["isClean"], j["isOfThisBoot"]')" "(True, True)"
check "no floor was raised" equals "$(table_word "$table" vouchesFrom)" 0
check "it says when that was" equals "$(info '["lastCleanClose"][:2]')" 20
live=$(info '["liveEntries"]')
"$MEDIATOKEN" replay spend --table "$table" <<<"$(identity 102) $later" >/dev/null 2>&1
check "info counts live entries" equals "$(info '["liveEntries"]')" $((live + 1))
check "in percent too" equals "$(info '["percentFull"]')" $(((live + 1) * 100 / 1000))
check "and shows the rest" equals \
  "$(info '["capacity"], j["buckets"], j["bytes"], j["maxTTLMilliseconds"], j["futureToleranceMilliseconds"], j["expiryToleranceMilliseconds"], j["isRetired"]')" \
  "(1000, 250, 36096, 3600000, 60000, 0, False)"

# left_open TABLE: the state after the machine went down with the table in use.
left_open() {
  coproc SPEND { exec "$MEDIATOKEN" replay spend --table "$1" 2>/dev/null; }
  local pid=$SPEND_PID
  echo "$(identity "$RANDOM$RANDOM") $later" >&"${SPEND[1]}"
  read -r _ <&"${SPEND[0]}"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  table_word "$1" bootFirst 12345
}
crashed=$work/crashed.table
"$MEDIATOKEN" replay create --table "$crashed" --capacity 100 --fresh --future-tolerance 0 >/dev/null
check "a new table has a lease already" equals "$(table_word "$crashed" lease)" $(($(table_word "$crashed" highest) + 15))
sleep 1.1
after=("${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$crashed" --future-tolerance 0)
used=$(date +%s)
check "before a power loss" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
left_open "$crashed"
check "after it, info says so" equals "$(info '["isClean"], j["isOfThisBoot"]' "$crashed")" "(False, False)"
check "and raises nothing itself" equals "$(table_word "$crashed" vouchesFrom)" 0
lease=$(($(table_word "$crashed" lease)))
check "the lease is ahead of the clock of its last use" test "$lease" -gt "$used"
old=$(fresh_token)
check "a token that may have been used is refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
# On a machine so busy that the lease has ended meanwhile it is above the clock of that moment.
is_floor() { [[ $1 -eq $(((lease + 6) * 1000)) || ($1 -gt $(((lease + 6) * 1000)) && $(date +%s) -ge $lease) ]]; }
check "the floor is six seconds above the lease" is_floor "$(table_word "$crashed" vouchesFrom)"
table_word "$crashed" vouchesFrom 0
left_open "$crashed"
table_word "$crashed" lease 0
check "without a lease" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
floor=$(($(table_word "$crashed" vouchesFrom) / 1000 + 1))
check "the floor is near" test $((floor - $(date +%s))) -le 8
while [[ $(date +%s) -lt $floor ]]; do sleep 0.2; done
check "a token from after the floor is valid" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
check "one from before it stays refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
table_word "$crashed" bootFirst 12345
floor=$(table_word "$crashed" vouchesFrom)
check "another boot after a clean close" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
check "raises no floor" equals "$(table_word "$crashed" vouchesFrom)" "$floor"

# --- tables that can't be used: no verdict, and the message says why
# unusable TEXT PATH [ARGUMENT...]: exit 3, nothing on standard output, and neither token nor GUID in the message.
unusable() {
  local text=$1 path=$2
  shift 2
  answers 3 "" verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$path" "$@" &&
    says "$text" && lacks "$guid" "$work/err" && lacks signatureInfo "$work/err"
}
copy() { cp "$table" "$work/$1" && chmod "${2:-600}" "$work/$1"; }
check "more capacity than it has" unusable "expected a capacity of at least 1001, found 1000; mediatoken replay grow" \
  "$table?capacity=1001"
check "less is fine" answers 0 VALID_TOKEN verify "$(fresh_token)" "${question[@]}?capacity=5"
check "the same capacity is fine" answers 0 VALID_TOKEN verify "$(fresh_token)" "${question[@]}?capacity=1000"
check "a policy that is looser in life" unusable "policy with maxTTL of at most 3600000 ms" "$table" --max-ttl 3600001
check "in its expiry" unusable "policy with expiryTolerance of at most 0 ms" "$table" --expiry-tolerance 1
check "in the future" unusable "policy with futureTolerance of at most 60000 ms" "$table" --future-tolerance 60001
ln -s "$table" "$work/link"
check "a symbolic link" unusable "it is a symbolic link" "$work/link"
mkdir "$work/folder"
check "a folder" unusable "it is not a regular file" "$work/folder"
mkfifo -m 600 "$work/fifo"
check "a FIFO" unusable "it is not a regular file" "$work/fifo"
check "a folder that is not there" unusable "no such file" "$work/nowhere/table?capacity=5"
copy readable 644
check "a table that others may read" unusable "found 0644; run: chmod 600 $work/readable" "$work/readable"
head -c 4096 /dev/zero >"$work/other" && chmod 600 "$work/other"
check "another file" unusable "it is not a replay table" "$work/other"
: >"$work/empty" && chmod 600 "$work/empty"
check "an empty file" unusable "it is not a replay table" "$work/empty"
copy cut && truncate -s -4096 "$work/cut"
check "a table that was cut" unusable "the file was cut or extended" "$work/cut"
copy version && table_word "$work/version" version 1
check "a table of another version" unusable "expected version 2 of the format, found 1" "$work/version"
copy retired && table_word "$work/retired" highest 18446744073709551615
check "a retired table" unusable "was retired" "$work/retired"
check "which info still shows" equals "$(info '["isRetired"], j["liveEntries"]' "$work/retired")" "(True, 0)"
copy ahead && table_word "$work/ahead" highest $(($(date +%s) + 200))
check "a clock that ran ahead is a fault" answers 3 "" verify "$(fresh_token)" "${trust[@]}" --requestor REF30 \
  --resource TNT --replay "shared:$work/ahead"
check "and info says how far" test "$(info '["clockLeadMilliseconds"]' "$work/ahead")" -ge 150000
if [[ $(id -u) -eq 0 ]]; then
  copy foreign && chown 65534 "$work/foreign"
  check "another user's table" unusable "the file $work/foreign may be changed by users other than root: user 65534 owns it, and its mode is 0600" "$work/foreign"
fi
if [[ -d /dev/shm && -w /dev/shm ]]; then
  shm=$(mktemp -u /dev/shm/mediatoken-XXXXXX)
  check "more than the disk has" answers 3 "" replay create --table "$shm" --capacity 4294967296
  check "says so" says "the disk is full"
  check "and leaves nothing" equals "$(find /dev/shm -path "$shm*" 2>/dev/null)" ""
fi
check "a file system of another kind" answers 3 "" replay create --table "/proc/self/fd/replay" --capacity 5
check "spend without a table" answers 3 "" replay spend --table "$work/nowhere"
check "info without one" answers 3 "" replay info --table "$work/nowhere"
check "info about another file" answers 3 "" replay info --table "$work/other"

coproc SPEND { exec "$MEDIATOKEN" replay spend --table "$table" 2>/dev/null; }
pid=$SPEND_PID
echo "$(identity 200) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
mv "$table" "$work/moved"
sleep 1.1
echo "$(identity 201) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
check "a table that was taken away while in use faults" equals "$answer" "error REPLAY_MEMORY_UNAVAILABLE"
eval "exec ${SPEND[1]}>&-"
status=0
wait "$pid" || status=$?
check "with exit status 3" equals "$status" 3
check "and is retired" equals "$(info '["isRetired"]' "$work/moved")" True

# --- what must not leak
check "a token in the place of a table" usage "a token is in the place of" replay info --table "$token"
check "is not repeated" lacks "$guid" "$work/err"
check "nor in an address" usage "a token is in the place of PATH" \
  verify "$token" "${trust[@]}" --any-requestor --any-resource --replay "shared:$token"
check "really" lacks "$guid" "$work/err"
check "nor instead of one" usage "expected shared:PATH" verify "$token" "${trust[@]}" --any-requestor --any-resource --replay "$token"
check "really not" lacks "$guid" "$work/err"
check "nor as a capacity" usage "in capacity=N" verify "$token" "${trust[@]}" --any-requestor --any-resource \
  --replay "shared:$table?capacity=$token"
check "not at all" lacks "$guid" "$work/err"
finish
