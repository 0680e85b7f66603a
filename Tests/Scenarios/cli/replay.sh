#!/usr/bin/env bash
# The replay table on the command line: one use through many processes, kills and restarts, and tables that cannot be used. What is
# in a table, its floors and leases, and every table that is refused are for the unit tests.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
table=$work/replay.table
question=("${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$table")

info() { "$MEDIATOKEN" replay info --table "${2:-$table}" --json >"$work/info" && member "$work/info" "j$1"; }
identity() { printf '%064x' "$1"; }
# After this scenario has ended, however busy the machine is.
later=$(($(date +%s) + 3000))

# table_word FILE FIELD [VALUE]: reads or writes a number of the header; the names are those of TableFormat.Field.
table_word() {
  python3 - "$@" <<'PY'
import struct, sys
offsets = dict(version=8, highest=16, bootFirst=96, lease=120, vouchesFrom=136)
path, field = sys.argv[1:3]
with open(path, "r+b") as file:
    file.seek(offsets[field])
    if len(sys.argv) > 3:
        file.write(struct.pack("<Q", int(sys.argv[3])))
    else:
        print(struct.unpack("<Q", file.read(8))[0])
PY
}

# spends ANSWER LINE: what `spend` says to one line.
spends() {
  local wanted=$1 line=$2 found
  found=$(printf '%s\n' "$line" | "$spend" "shared:$table" 2>"$work/err") || true
  [[ $found == "$wanted"* ]] || { echo "  expected '$wanted', found '$found': $(cat "$work/err")"; return 1; }
}

# --- making a table
missing() { answers 3 "" verify "$token" "${question[@]}" && says "mediatoken replay create"; }
check "verify with a table that is not there has no verdict, and says how to make one" missing
begun=$(date +%s)
creates() {
  answers 0 "table: $table" replay create --table "$table" --capacity 1000 && shows "vouchesFrom: 20" &&
    shows "tokens issued before vouchesFrom are refused" && equals "$(stat -c %a "$table")" 600
}
check "replay create makes a table of mode 0600, and says when it begins to vouch" creates
ended=$(date +%s)
check "replay create takes disk blocks for all of the table's bytes" test $(($(stat -c %b "$table") * 512)) -ge "$(stat -c %s "$table")"
cp "$table" "$work/before"
kept() {
  answers 3 "" replay create --table "$table" --capacity 1000 "$@" && says "never overwritten" && cmp "$table" "$work/before" &&
    equals "$(find "$work" -name '*.new')" ""
}
check "replay create refuses to replace a table, and leaves it as it was" kept
check "replay create --fresh refuses to replace a table, and leaves it as it was" kept --fresh
# In whole seconds, which create began and ended in.
is_ahead() { [[ $1 -ge $((begun + 66)) && $1 -le $((ended + 66)) ]]; }
check "a new table vouches from the future tolerance and six seconds on" is_ahead $(($(table_word "$table" vouchesFrom) / 1000))
check "a new table refuses a token from before it vouches" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$(fresh_token)" "${question[@]}"
umask 077
rm "$table"
shared() {
  answers 0 "table: $table" replay create --table "$table" --capacity 1000 --mode 0660 --fresh && shows "vouchesFrom: all tokens" &&
    equals "$(stat -c %a "$table")" 660
}
check "replay create makes a table of a group that vouches for all tokens, whatever the umask is" shared
umask 022

# --- one use
# used USE STATUS NAME ARGUMENT...: an answer of verify, and what it says about the use.
used() { answers "$2" "$3" verify "${@:4}" && { [[ -z $1 ]] || shows "use: $1"; }; }
one=$(fresh_token)
check "the first use of a token is valid, and called the first" used first 0 VALID_TOKEN "$one" "${question[@]}"
check "the second use of a token, in another process, is refused" used "" 1 TOKEN_REPLAYED "$one" "${question[@]}"
check "another spelling of a used token is refused" used "" 1 TOKEN_REPLAYED "$one"$'\n' "${question[@]}"
wrong=$(fresh_token)
check "a token for another resource is refused by a table" used "" 1 INVALID_RESOURCE_ID \
  "$wrong" "${trust[@]}" --requestor REF30 --resource TBS --replay "shared:$table"
check "a token that was refused for its resource is not used up, and is valid afterwards" used first 0 VALID_TOKEN "$wrong" "${question[@]}"
check "with none: a used token is valid, and one use is not enforced" used not-enforced 0 VALID_TOKEN "$wrong" "${question[@]:0:6}" --replay none:

retry=$(fresh_token)
window=$(config_of window "\"address\": \"shared:$table\", \"retryWindowMilliseconds\": 300000")
again=("$retry" "${question[@]:2:4}" --config "$window" --spend --request-id)
check "a request with an id is valid at its first use" used first 0 VALID_TOKEN "${again[@]}" playback-1
check "a request that is repeated with its id is valid, and called a retry" used retry 0 VALID_TOKEN "${again[@]}" playback-1
check "a request with another id for the same token is refused" used "" 1 TOKEN_REPLAYED "${again[@]}" playback-2
check "a request without an id for a token used with one is refused" used "" 1 TOKEN_REPLAYED "$retry" "${question[@]}"

twice=$(fresh_token)
{ for _ in {1..100}; do echo "$twice"; done; fresh_token 50; echo '{"token": "x", "at": "2026-11-20T12:00:00Z"}'; for _ in {1..100}; do echo "$twice"; done; } >"$work/lines"
batch() { exits 1 "$MEDIATOKEN" verify --batch "$work/lines" "${question[@]}" >"$work/out" && says "251 lines: 51 valid, 199 refused, 1 malformed"; }
check "of 200 equal lines in a batch exactly one is valid" batch
check "a line of a batch cannot choose the time of a use" shows '"error":"at is not allowed'

raced=$(fresh_token)
# claims: how it ends. Again where it took a second and has no verdict: a table gives none to a claim that waits for a second in its
# look at the file, nor to one whose clock the table's own is more than two seconds ahead of. Of many on a busy machine some wait so long.
claims() {
  local begun status _
  for _ in {1..20}; do
    begun=$EPOCHSECONDS status=0
    "$MEDIATOKEN" verify "$raced" "${question[@]}" >/dev/null 2>&1 || status=$?
    [[ $status -eq 3 && $EPOCHSECONDS -gt $begun ]] || break
  done
  echo "ended $status"
}
for n in {1..40}; do claims >"$work/race.$n" & done
wait
check "of 40 processes that claim one token at once exactly one wins" equals "$(cat "$work"/race.* | grep -c 'ended 0')" 1
check "of 40 processes that claim one token at once 39 are refused, none is undecided" equals "$(cat "$work"/race.* | grep -c 'ended 1')" 39

# --- tokens by their identities
late=$(fresh_token)
check "a token is granted by its identity" spends first \
  "$("$MEDIATOKEN" inspect "$late" | sed -n 's/^unverified identity: //p') $(($(date +%s) + 300))"
check "verify refuses a token that was spent by its identity" used "" 1 TOKEN_REPLAYED "$late" "${question[@]}"

# --- kills, restarts and the clean mark
# begin TABLE NUMBER: a process that has the table open and has used an identity. It is $pid, and its answer $answer.
begin() {
  coproc SPEND { exec "$spend" "shared:$1" 2>/dev/null; }
  pid=$SPEND_PID
  echo "$(identity "$2") $later" >&"${SPEND[1]}"
  read -r answer <&"${SPEND[0]}"
}
killed() { kill -9 "$pid" && { wait "$pid" 2>/dev/null || true; }; }
check "a table that all processes have closed is clean" equals "$(info '["isClean"]')" True
begin "$table" 100
check "a co-process gets its answer at once" equals "$answer" first
check "a table in use is not clean" equals "$(info '["isClean"]')" False
cp "$table" "$work/before"
unchanged() { answers 0 "table: $table" replay info --table "$table" && cmp "$table" "$work/before"; }
check "replay info shows a table in use, and changes no byte of it" unchanged
killed
check "an identity that was used before the process was killed stays used" spends used "$(identity 100) $later"
check "the last process that closes a table after a kill makes it clean again" equals "$(info '["isClean"], j["isOfThisBoot"], j["lastCleanClose"][:2]')" "(True, True, '20')"
check "a kill without another boot raises no floor" equals "$(table_word "$table" vouchesFrom)" 0
live=$(info '["liveEntries"]')
"$spend" "shared:$table" <<<"$(identity 102) $later" >/dev/null 2>&1
check "replay info counts the living entries, and gives them in percent" equals "$(info '["liveEntries"], j["percentFull"]')" "($((live + 1)), $(((live + 1) * 100 / 1000)))"
check "replay info shows capacity, policy and state of the table" equals \
  "$(info '["capacity"], j["buckets"], j["bytes"], j["maxTTLMilliseconds"], j["futureToleranceMilliseconds"], j["expiryToleranceMilliseconds"], j["isRetired"]')" \
  "(1000, 250, 36096, 3600000, 60000, 0, False)"

# The machine goes down with the table in use: the boot in it is another one.
crashed=$work/crashed.table
strict=$(config_of strict "\"address\": \"shared:$crashed\"" '"futureToleranceMilliseconds": 0')
"$MEDIATOKEN" replay create --table "$crashed" --capacity 100 --fresh --config "$strict" >/dev/null
after=(--requestor REF30 --resource TNT --config "$strict" --spend)
check "a token is valid before the power loss" used first 0 VALID_TOKEN "$(fresh_token)" "${after[@]}"
begin "$crashed" 300
killed
table_word "$crashed" bootFirst 12345
check "replay info after a power loss says that the table is not clean and of another boot, and raises no floor" \
  equals "$(info '["isClean"], j["isOfThisBoot"]' "$crashed") $(table_word "$crashed" vouchesFrom)" "(False, False) 0"
lease=$(table_word "$crashed" lease)
old=$(fresh_token)
check "a token that may have been used before a power loss is refused" used "" 1 TOKEN_PREDATES_REPLAY_MEMORY "$old" "${after[@]}"
# On a machine so busy that the lease has ended meanwhile it is above the clock of that moment.
is_floor() { [[ $1 -eq $(((lease + 6) * 1000)) || ($1 -gt $(((lease + 6) * 1000)) && $(date +%s) -ge $lease) ]]; }
check "the floor after a power loss is six seconds above the lease" is_floor "$(table_word "$crashed" vouchesFrom)"

# --- tables that can't be used: no verdict, and the message says why
# unusable TEXT PATH [ARGUMENT...]: exit 3, nothing on standard output, and neither token nor GUID in the message.
unusable() {
  local text=$1 path=$2
  shift 2
  answers 3 "" verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$path" "$@" &&
    says "$text" && lacks "$guid" "$work/err" && lacks signatureInfo "$work/err"
}
copy() { cp "$table" "$work/$1" && chmod "${2:-600}" "$work/$1"; }
copy readable 644
check "a table that others may read is refused" unusable "found 0644; run: chmod 600 $work/readable" "$work/readable"
head -c 4096 /dev/zero >"$work/other" && chmod 600 "$work/other"
check "a file that is no table is refused" unusable "it is not a replay table" "$work/other"
# Shorter and longer than the token's life: a good token and one that has ended by every clock.
for lead in 200 3600 86400; do
  rm -f "$work/ahead" && copy ahead && table_word "$work/ahead" highest $(($(date +%s) + lead))
  ahead() {
    answers 3 "" verify "$(fresh_token)" "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$work/ahead" &&
      says "REPLAY_MEMORY_UNAVAILABLE" && says "this machine's clock is behind one that the replay memory has seen (by " &&
      equals "$(sed -n 's/.*(by \([0-9]*\) s).*/\1/p' "$work/err" | awk -v lead=$lead '{ print ($1 > lead - 100 && $1 <= lead) }')" 1
  }
  check "a use after the clock ran ahead by $lead s is a fault, and the message says how great that lead is" ahead
done
spent_ahead() {
  exits 3 "$spend" "shared:$work/ahead" <<<"$(identity 300) $later" >"$work/out" && shows "error REPLAY_MEMORY_UNAVAILABLE" &&
    says "this machine's clock is behind"
}
check "who spends is told that the clock is behind" spent_ahead
batch_ahead() {
  exits 3 "$MEDIATOKEN" verify --batch - "${trust[@]}" --requestor REF30 --resource TNT --replay "shared:$work/ahead" <<<"$(fresh_token)" >"$work/out" &&
    says "this machine's clock is behind"
}
check "a batch without verdicts says that the clock is behind" batch_ahead
behind() { quietly exits 0 "$MEDIATOKEN" replay info --table "$work/ahead" && "$MEDIATOKEN" replay info --table "$work/ahead" | grep -q "^next: set this machine's clock"; }
check "replay info says what to do about it" behind
check "replay info says how far ahead the clock was" test "$(info '["clockLeadMilliseconds"]' "$work/ahead")" -ge 150000
if [[ -d /dev/shm && -w /dev/shm ]]; then
  shm=$(mktemp -u /dev/shm/mediatoken-XXXXXX)
  full() { answers 3 "" replay create --table "$shm" --capacity 4294967296 && says "the disk is full" && [[ ! -e $shm ]]; }
  check "replay create with more than the disk has says that the disk is full, and leaves no file" full
fi
check "replay info about a file that is no table ends with 3" answers 3 "" replay info --table "$work/other"

begin "$table" 200
mv "$table" "$work/moved"
sleep 1.1
echo "$(identity 201) $later" >&"${SPEND[1]}"
read -r answer <&"${SPEND[0]}"
check "a use of a table that was taken away meanwhile is a fault" equals "$answer" "error REPLAY_MEMORY_UNAVAILABLE"
eval "exec ${SPEND[1]}>&-"
check "a process ends with 3 after its table was taken away" exits 3 wait "$pid"
check "a table that was taken away while it was in use is retired" equals "$(info '["isRetired"], j["liveEntries"]' "$work/moved")" "(True, 0)"
check "replay info says why a retired table plays nothing" equals "$(info '["condition"]' "$work/moved")" \
  "the replay memory was deleted, replaced or retired, or its disk failed"
finish
