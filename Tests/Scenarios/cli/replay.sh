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
check "verify with a table that is not there has no verdict" answers 3 "" verify "$token" "${question[@]}"
check "verify with a table that is not there says how to make one" says "mediatoken replay create"
begun=$(date +%s)
check "replay create makes a table" answers 0 "table: $table" replay create --table "$table" --capacity 1000
ended=$(date +%s)
check "replay create says when the table begins to vouch" shows "vouchesFrom: 20"
check "replay create says that tokens from before that are refused" shows "tokens issued before vouchesFrom are refused"
check "replay create makes the table with mode 0600" equals "$(stat -c %a "$table")" 600
check "replay create takes disk blocks for all of the table's bytes" test $(($(stat -c %b "$table") * 512)) -ge "$(stat -c %s "$table")"
cp "$table" "$work/before"
check "replay create refuses to replace a table" answers 3 "" replay create --table "$table" --capacity 1000
check "replay create says that a table is never overwritten" says "never overwritten"
check "replay create refuses to replace a table with --fresh, too" answers 3 "" replay create --table "$table" --capacity 1000 --fresh
check "replay create leaves the table that is there as it was" cmp "$table" "$work/before"
check "replay create leaves no file of its own when it refuses" equals "$(find "$work" -name '*.new')" ""
# In whole seconds, which create began and ended in.
is_ahead() { [[ $1 -ge $((begun + 66)) && $1 -le $((ended + 66)) ]]; }
check "a new table vouches from the future tolerance and six seconds on" is_ahead $(($(table_word "$table" vouchesFrom) / 1000))
check "a new table refuses a token from before it vouches" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$(fresh_token)" "${question[@]}"
umask 077
rm "$table"
check "replay create makes a table of a group that vouches for all tokens" answers 0 "table: $table" \
  replay create --table "$table" --capacity 1000 --mode 0660 --fresh
umask 022
check "replay create says that the table vouches for all tokens" shows "vouchesFrom: all tokens"
check "replay create gives the table its mode whatever the umask is" equals "$(stat -c %a "$table")" 660

# --- one use
one=$(fresh_token)
check "the first use of a token is valid" answers 0 VALID_TOKEN verify "$one" "${question[@]}"
check "the answer to the first use says that it is the first" shows "use: first"
check "the second use of a token, in another process, is refused" answers 1 TOKEN_REPLAYED verify "$one" "${question[@]}"
check "another spelling of a used token is refused" answers 1 TOKEN_REPLAYED verify "$one"$'\n' "${question[@]}"
"$MEDIATOKEN" verify "$(fresh_token)" "${question[@]}" --json >"$work/out"
check "the JSON answer to a first use has its verdict and use" equals "$(member "$work/out" 'j["verdict"], j["use"]')" "('VALID_TOKEN', 'first')"
wrong=$(fresh_token)
check "a token for another resource is refused by a table" answers 1 INVALID_RESOURCE_ID \
  verify "$wrong" "${trust[@]}" --requestor REF30 --resource TBS --replay "shared:$table"
check "a token that was refused for its resource is not used up, and is valid afterwards" answers 0 VALID_TOKEN verify "$wrong" "${question[@]}"
check "with none: a used token is valid" answers 0 VALID_TOKEN verify "$wrong" "${question[@]:0:6}" --replay none:
check "with none: the answer says that one use is not enforced" shows "use: not-enforced"

retry=$(fresh_token)
again=(verify "$retry" "${question[@]}" --retry-window 300000 --request-id)
check "a request with an id is valid at its first use" answers 0 VALID_TOKEN "${again[@]}" playback-1
check "a request that is repeated with its id is valid" answers 0 VALID_TOKEN "${again[@]}" playback-1
check "a request that is repeated with its id is called a retry" shows "use: retry"
check "a request with another id for the same token is refused" answers 1 TOKEN_REPLAYED "${again[@]}" playback-2
check "a request without an id for a token used with one is refused" answers 1 TOKEN_REPLAYED verify "$retry" "${question[@]}"

twice=$(fresh_token)
{ echo "$twice"; fresh_token 50; echo "$twice"; echo '{"token": "x", "at": "2026-11-20T12:00:00Z", "id": "a"}'; } >"$work/lines"
check "a batch with used and broken lines ends with 1" exits 1 quietly "$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}"
check "a batch counts a token that is in two lines as one valid and one refused" says "53 lines: 51 valid, 1 refused, 1 malformed"
twice=$(fresh_token)
for _ in {1..200}; do echo "$twice"; done >"$work/lines"
"$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/out" 2>"$work/err" || true
check "of 200 equal lines in a batch exactly one is valid as first use" equals "$(grep -c '"verdict":"VALID_TOKEN".*"use":"first"' "$work/out")" 1
check "of 200 equal lines in a batch 199 are refused as used" equals "$(grep -c TOKEN_REPLAYED "$work/out")" 199
echo '{"token": "x", "at": "2026-11-20T12:00:00Z", "id": "a"}' >"$work/lines"
"$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/out" 2>/dev/null || true
check "a line of a batch cannot choose the time of a use" shows '"error":"at is not allowed'

raced=$(fresh_token)
for n in {1..40}; do
  { "$MEDIATOKEN" verify "$raced" "${question[@]}" >/dev/null 2>&1 && echo won || echo "lost $?"; } >"$work/race.$n" &
done
wait
check "of 40 processes that claim one token at once exactly one wins" equals "$(cat "$work"/race.* | grep -c won)" 1
check "of 40 processes that claim one token at once 39 are refused, none is undecided" equals "$(cat "$work"/race.* | grep -c 'lost 1')" 39

racing=$work/racing.table
for n in {1..8}; do
  "$MEDIATOKEN" verify "$raced" "${trust[@]}" --requestor REF30 --resource TNT \
    --replay "shared:$racing?capacity=1000" >"$work/create.$n" 2>&1 || true &
done
wait
check "of eight processes that create one table at once all end on one table" \
  equals "$(cat "$work"/create.* | grep -c TOKEN_PREDATES_REPLAY_MEMORY)" 8
check "eight processes that create one table at once leave one file" equals "$(find "$work" -name 'racing*')" "$racing"

# --- spend
a=$(identity 1)
check "replay spend grants the first use of an identity" spends first "$a $later"
check "replay spend refuses the second use of an identity" spends used "$a $later"
check "replay spend grants the first use of an identity with a capital letter" spends first "$(identity 10) $later"
check "replay spend knows a used identity by its capital and small letters" spends used "$(identity 10 | tr a A) $later"
check "replay spend refuses a life that is over" spends expired "$(identity 2) 1000000000"
check "replay spend refuses a life that is longer than the table remembers" spends "error EXPIRY is more than" "$(identity 3) $((later + 9000))"
check "replay spend cuts a life that is too long when the issue time is known" spends first "$(identity 3) $((later + 9000)) - $((later - 500))"
check "replay spend refuses an issue time ahead of the clock" spends "error ISSUED is more than 60000 ms ahead" \
  "$(identity 4) $((later + 300)) - $((later + 100))"
check "replay spend refuses an issue time after the end" spends "error ISSUED is later than EXPIRY" "$(identity 4) 1000000000 - 1000000001"
check "replay spend reads a line that ends in CR LF" spends first "$(identity 11) $later -"$'\r' --retry-window 300000
check "replay spend takes the CR of a line for no request id" spends used "$(identity 11) $later -"$'\r' --retry-window 300000
check "replay spend grants a first use with a request id" spends first "$(identity 5) $later r1" --retry-window 300000
check "replay spend grants a repetition under the same request id" spends retry "$(identity 5) $later r1" --retry-window 300000
check "replay spend refuses another request id for a used identity" spends used "$(identity 5) $later r2" --retry-window 300000
check "replay spend refuses a used identity without a request id" spends used "$(identity 5) $later -" --retry-window 300000
# wrong SENTENCE LINE...: lines that are malformed, and why.
wrong() {
  local line sentence=$1
  for line in "${@:2}"; do check "replay spend refuses what is no line: '${line:0:20}…'" spends "error $sentence" "$line"; done
}
wrong "not IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]] with one space between" "" "$a" "$a $later - 5 6"
wrong "IDENTITY is not 64 hexadecimal digits" "${a%?} $later" "${a}0 $later" "g${a%?} $later" "$one"
wrong "EXPIRY is not seconds since 1970" "$a  $later" "$a -5" "$a 1e3" "$a " "$a 9999999999999"
wrong "REQUEST_ID is neither UTF-8 text nor -" "$a $later "
wrong "ISSUED is not seconds since 1970" "$a $later - x"
check "replay spend repeats no line in its messages" lacks "$guid" "$work/err"
printf '%s %s\nx\n%s %s\n' "$(identity 6)" "$later" "$(identity 6)" "$later" >"$work/lines"
check "replay spend answers each of its lines with one" equals "$("$MEDIATOKEN" replay spend --table "$table" <"$work/lines" 2>/dev/null | cut -c 1-5 | tr '\n' ' ')" \
  "first error used "
late=$(fresh_token)
check "replay spend grants a token by its identity" spends first \
  "$("$MEDIATOKEN" inspect "$late" | sed -n 's/^unverified identity: //p') $(($(date +%s) + 300))"
check "verify refuses a token that was spent by its identity" answers 1 TOKEN_REPLAYED verify "$late" "${question[@]}"

# --- kills, restarts and the clean mark
check "a table that all processes have closed is clean" equals "$(info '["isClean"]')" True
coproc SPEND { exec "$MEDIATOKEN" replay spend --table "$table" 2>/dev/null; }
pid=$SPEND_PID
echo "$(identity 100) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
check "a co-process of replay spend gets its answer at once" equals "$answer" first
check "a table in use is not clean" equals "$(info '["isClean"]')" False
cp "$table" "$work/before"
check "replay info shows a table in use" answers 0 "table: $table" replay info --table "$table"
check "replay info changes no byte of the table" cmp "$table" "$work/before"
echo "$(identity 101) $later" >&"${SPEND[1]}"
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
check "an identity that was used before the process was killed stays used" spends used "$(identity 100) $later"
check "the last process that closes a table after a kill makes it clean again" equals "$(info '["isClean"], j["isOfThisBoot"]')" "(True, True)"
check "a kill without another boot raises no floor" equals "$(table_word "$table" vouchesFrom)" 0
check "replay info says when the table was last closed clean" equals "$(info '["lastCleanClose"][:2]')" 20
live=$(info '["liveEntries"]')
"$MEDIATOKEN" replay spend --table "$table" <<<"$(identity 102) $later" >/dev/null 2>&1
check "replay info counts the living entries" equals "$(info '["liveEntries"]')" $((live + 1))
check "replay info gives the living entries in percent" equals "$(info '["percentFull"]')" $(((live + 1) * 100 / 1000))
check "replay info shows capacity, policy and state of the table" equals \
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
check "a new table has a lease of 15 s from its first second on" equals "$(table_word "$crashed" lease)" $(($(table_word "$crashed" highest) + 15))
sleep 1.1
after=("${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$crashed" --future-tolerance 0)
used=$(date +%s)
check "a token is valid before the power loss" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
left_open "$crashed"
check "replay info after a power loss says that the table is not clean and of another boot" equals "$(info '["isClean"], j["isOfThisBoot"]' "$crashed")" "(False, False)"
check "replay info after a power loss raises no floor" equals "$(table_word "$crashed" vouchesFrom)" 0
lease=$(($(table_word "$crashed" lease)))
check "the lease after a power loss is ahead of the clock of the last use" test "$lease" -gt "$used"
old=$(fresh_token)
check "a token that may have been used before a power loss is refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
# On a machine so busy that the lease has ended meanwhile it is above the clock of that moment.
is_floor() { [[ $1 -eq $(((lease + 6) * 1000)) || ($1 -gt $(((lease + 6) * 1000)) && $(date +%s) -ge $lease) ]]; }
check "the floor after a power loss is six seconds above the lease" is_floor "$(table_word "$crashed" vouchesFrom)"
table_word "$crashed" vouchesFrom 0
left_open "$crashed"
table_word "$crashed" lease 0
check "a token from before a power loss is refused where the table has no lease" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
floor=$(($(table_word "$crashed" vouchesFrom) / 1000 + 1))
check "the floor of a table without a lease is at most eight seconds ahead" test $((floor - $(date +%s))) -le 8
while [[ $(date +%s) -lt $floor ]]; do sleep 0.2; done
check "a token from after the floor is valid" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
check "a token from before the floor stays refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$old" "${after[@]}"
table_word "$crashed" bootFirst 12345
floor=$(table_word "$crashed" vouchesFrom)
check "a token is valid in another boot after a clean close" answers 0 VALID_TOKEN verify "$(fresh_token)" "${after[@]}"
check "another boot after a clean close raises no floor" equals "$(table_word "$crashed" vouchesFrom)" "$floor"

# --- tables that can't be used: no verdict, and the message says why
# unusable TEXT PATH [ARGUMENT...]: exit 3, nothing on standard output, and neither token nor GUID in the message.
unusable() {
  local text=$1 path=$2
  shift 2
  answers 3 "" verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$path" "$@" &&
    says "$text" && lacks "$guid" "$work/err" && lacks signatureInfo "$work/err"
}
copy() { cp "$table" "$work/$1" && chmod "${2:-600}" "$work/$1"; }
check "an address that asks for more capacity than the table has is refused" unusable "expected a capacity of at least 1001, found 1000; mediatoken replay grow" \
  "$table?capacity=1001"
check "an address that asks for less capacity than the table has is taken" answers 0 VALID_TOKEN verify "$(fresh_token)" "${question[@]}?capacity=5"
check "an address that asks for the capacity that the table has is taken" answers 0 VALID_TOKEN verify "$(fresh_token)" "${question[@]}?capacity=1000"
check "a policy with a longer life than the table's is refused" unusable "policy with maxTTL of at most 3600000 ms" "$table" --max-ttl 3600001
check "a policy with a larger expiry tolerance than the table's is refused" unusable "policy with expiryTolerance of at most 0 ms" "$table" --expiry-tolerance 1
check "a policy with a larger future tolerance than the table's is refused" unusable "policy with futureTolerance of at most 60000 ms" "$table" --future-tolerance 60001
ln -s "$table" "$work/link"
check "a table that is a symbolic link is refused" unusable "it is a symbolic link" "$work/link"
mkdir "$work/folder"
check "a table that is a folder is refused" unusable "it is not a regular file" "$work/folder"
mkfifo -m 600 "$work/fifo"
check "a table that is a FIFO is refused" unusable "it is not a regular file" "$work/fifo"
check "a table in a folder that is not there is refused" unusable "no such file" "$work/nowhere/table?capacity=5"
copy readable 644
check "a table that others may read is refused" unusable "found 0644; run: chmod 600 $work/readable" "$work/readable"
head -c 4096 /dev/zero >"$work/other" && chmod 600 "$work/other"
check "a file that is no table is refused" unusable "it is not a replay table" "$work/other"
: >"$work/empty" && chmod 600 "$work/empty"
check "an empty file is no table" unusable "it is not a replay table" "$work/empty"
copy cut && truncate -s -4096 "$work/cut"
check "a table that was cut is refused" unusable "the file was cut or extended" "$work/cut"
copy version && table_word "$work/version" version 1
check "a table of another version is refused" unusable "expected version 2 of the format, found 1" "$work/version"
copy retired && table_word "$work/retired" highest 18446744073709551615
check "a retired table is refused" unusable "was retired" "$work/retired"
check "replay info shows a retired table" equals "$(info '["isRetired"], j["liveEntries"]' "$work/retired")" "(True, 0)"
copy ahead && table_word "$work/ahead" highest $(($(date +%s) + 200))
check "a use after the clock ran ahead is a fault" answers 3 "" verify "$(fresh_token)" "${trust[@]}" --requestor REF30 \
  --resource TNT --replay "shared:$work/ahead"
check "replay info says how far ahead the clock was" test "$(info '["clockLeadMilliseconds"]' "$work/ahead")" -ge 150000
if [[ $(id -u) -eq 0 ]]; then
  copy foreign && chown 65534 "$work/foreign"
  check "a table of another user is refused" unusable "the file $work/foreign may be changed by users other than root: user 65534 owns it, and its mode is 0600" "$work/foreign"
fi
if [[ -d /dev/shm && -w /dev/shm ]]; then
  shm=$(mktemp -u /dev/shm/mediatoken-XXXXXX)
  check "replay create with more than the disk has ends with 3" answers 3 "" replay create --table "$shm" --capacity 4294967296
  check "replay create with more than the disk has says that the disk is full" says "the disk is full"
  check "replay create with more than the disk has leaves no file" equals "$(find /dev/shm -path "$shm*" 2>/dev/null)" ""
fi
check "replay create on a file system of another kind ends with 3" answers 3 "" replay create --table "/proc/self/fd/replay" --capacity 5
check "replay spend without a table ends with 3" answers 3 "" replay spend --table "$work/nowhere"
check "replay info without a table ends with 3" answers 3 "" replay info --table "$work/nowhere"
check "replay info about a file that is no table ends with 3" answers 3 "" replay info --table "$work/other"

coproc SPEND { exec "$MEDIATOKEN" replay spend --table "$table" 2>/dev/null; }
pid=$SPEND_PID
echo "$(identity 200) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
mv "$table" "$work/moved"
sleep 1.1
echo "$(identity 201) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
check "a use of a table that was taken away meanwhile is a fault" equals "$answer" "error REPLAY_MEMORY_UNAVAILABLE"
eval "exec ${SPEND[1]}>&-"
status=0
wait "$pid" || status=$?
check "replay spend ends with 3 after its table was taken away" equals "$status" 3
check "a table that was taken away while it was in use is retired" equals "$(info '["isRetired"]' "$work/moved")" True

# --- what must not leak
check "replay info with a token in the place of a table is a usage error" usage "a token is in the place of" replay info --table "$token"
check "replay info does not repeat a token in the place of a table" lacks "$guid" "$work/err"
check "a token in a replay address is a usage error" usage "a token is in the place of PATH" \
  verify "$token" "${trust[@]}" --any-requestor --any-resource --replay "shared:$token"
check "a token in a replay address is not repeated" lacks "$guid" "$work/err"
check "a token instead of a replay address is a usage error" usage "expected shared:PATH" verify "$token" "${trust[@]}" --any-requestor --any-resource --replay "$token"
check "a token instead of a replay address is not repeated" lacks "$guid" "$work/err"
check "a token as a capacity is a usage error" usage "in capacity=N" verify "$token" "${trust[@]}" --any-requestor --any-resource \
  --replay "shared:$table?capacity=$token"
check "a token as a capacity is not repeated" lacks "$guid" "$work/err"
finish
