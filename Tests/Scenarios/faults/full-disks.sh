#!/usr/bin/env bash
# A disk that is full, a file that may not grow, an output that takes nothing: exit status 3 with the reason, and no half
# file is left.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

# limited KIB COMMAND...: no file may have more KiB, by RLIMIT_FSIZE, but what is said on stderr gets through a pipe.
limited() { { (ulimit -f "$1" && shift && exec "$@") 2>&1 >&3 3>&- | cat >&2; } 3>&1; }
# The private key has 1.7 KiB, the public one 0.5.
for kib in 0 1; do
  check "generate with at most $kib KiB a file" exits 3 limited $kib "$MEDIATOKEN" keys generate --out "$work/limited"
  check "says what stopped it" says "cannot be written: file too large; no file was made"
  check "and leaves nothing, not even the folder" test ! -e "$work/limited"
done
mkdir "$work/there" && echo mine >"$work/there/file"
check "generate into a folder that was there" exits 3 limited 1 "$MEDIATOKEN" keys generate --out "$work/there"
check "leaves what was in it" equals "$(ls -A "$work/there")" file
check "import with no room for the file" exits 3 limited 0 "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/imported"
check "says what stopped it too" says "file too large; no file was made"
check "and leaves nothing either" test ! -e "$work/imported"

to_full() { exits 3 "$@" >/dev/full; }
check "generate when the answer has no place" to_full "$MEDIATOKEN" keys generate --out "$work/unheard"
check "says so" says "cannot write to standard output: no space left on device; no file was made"
check "and leaves no key" test ! -e "$work/unheard"
check "import when the answer has no place" to_full "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/unheard"
check "leaves nothing" test ! -e "$work/unheard"
mkdir "$work/taken" && to_full "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/taken"
check "nor does it in a folder that was there" equals "$(ls -A "$work/taken")" ""
check "import to a device is refused" answers 3 "" keys import "$work/keys/development.pem" --out /dev/full

# A batch's answers into a file that may not grow.
for _ in {1..20}; do echo "{\"token\": \"$token\"}"; done >"$work/lines"
batch() { limited 1 "$MEDIATOKEN" verify --batch "$work/lines" "${trust[@]}" "${ours[@]}" >"$work/answers"; }
check "a batch whose answers do not fit" exits 3 batch
check "says so too" says "cannot write to standard output: file too large"
issued() { limited 1 "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --count 20 >"$work/issued"; }
check "issue whose tokens do not fit" exits 3 issued

# Tables.
create() { limited 1 "$MEDIATOKEN" replay create --table "$work/table" --capacity 1000; }
check "a table that does not fit" exits 3 create
check "is not killed" says "file too large"
check "and leaves nothing" equals "$(find "$work" -name 'table*')" ""
cat >"$work/config.json" <<JSON
{"socket": {"path": "$work/s"}, "keys": ["$work/keys/development.pem"],
 "replay": {"address": "shared:$work/table?capacity=1000"}, "tenants": [{"requestor": "REF30"}]}
JSON
daemon() { limited 1 timeout 60 "$MEDIATOKEND" --config "$work/config.json"; }
check "a daemon whose table does not fit" exits 3 daemon
check "says so" says "file too large"
check "and leaves nothing either" equals "$(find "$work" -name 'table*')" ""
mkdir "$work/dev"
development() { (cd "$work/dev" && limited 1 timeout 60 "$MEDIATOKEND" --dev); }
check "a daemon that can't write its own key" exits 3 development
check "says why" says "cannot write mediatokend-dev.private.pem into the working directory: file too large"
check "and leaves none" equals "$(ls -A "$work/dev")" ""

if [[ $(id -u) -eq 0 ]] && unshare -m true 2>/dev/null; then
  cat >"$work/full" <<'SH'
set -e
mkdir -p "$work/disk" && mount -t tmpfs -o size=64k tmpfs "$work/disk"
dd if=/dev/zero of="$work/disk/fill" bs=1k count=60 2>/dev/null
status=0
for command in "keys generate --out $work/disk/a" "keys generate --out $work/disk" \
  "replay create --table $work/disk/table --capacity 1000"; do
  "$MEDIATOKEN" $command >/dev/null 2>"$work/said" || status=$?
  echo "$status $(grep -cE 'no space left|disk is full' "$work/said") $(ls -A "$work/disk")"
done
SH
  export work MEDIATOKEN
  check "a full disk leaves nothing" equals "$(unshare -m bash "$work/full")" "$(printf '3 1 fill\n%.0s' 1 2 3)"
else
  echo "skipped: a full disk, because root that may mount is missing"
fi
finish
