#!/usr/bin/env bash
# A disk that is full, a file that may not grow, an output that takes nothing: exit status 3 with the reason, and no half
# file is left.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

# limited KIB COMMAND...: no file may have more KiB, by RLIMIT_FSIZE, but what is said on stderr gets through a pipe.
limited() { { (ulimit -f "$1" && shift && exec "$@") 2>&1 >&3 3>&- | cat >&2; } 3>&1; }
# The private key has 1.7 KiB, the public one 0.5.
for kib in 0 1; do
  check "keys generate with at most $kib KiB a file ends with 3" \
    exits 3 limited $kib "$MEDIATOKEN" keys generate --out "$work/limited"
  check "keys generate says that a file would be too large" says "cannot be written: file too large; no file was made"
  check "keys generate that was stopped leaves nothing, not even the folder" test ! -e "$work/limited"
done
mkdir "$work/there" && echo mine >"$work/there/file"
check "keys generate with too little room in a folder that was there ends with 3" \
  exits 3 limited 1 "$MEDIATOKEN" keys generate --out "$work/there"
check "keys generate that was stopped leaves what was in its folder" equals "$(ls -A "$work/there")" file
check "keys import with no room for the file ends with 3" \
  exits 3 limited 0 "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/imported"
check "keys import says that a file would be too large" says "file too large; no file was made"
check "keys import that was stopped leaves nothing" test ! -e "$work/imported"

to_full() { exits 3 "$@" >/dev/full; }
check "keys import whose answer has no place ends with 3" \
  to_full "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/unheard"
check "keys import whose answer has no place leaves nothing" test ! -e "$work/unheard"
mkdir "$work/taken" && to_full "$MEDIATOKEN" keys import "$work/keys/development.pem" --out "$work/taken"
check "keys import whose answer has no place leaves nothing in a folder that was there" equals "$(ls -A "$work/taken")" ""
check "keys import to a device is refused" answers 3 "" keys import "$work/keys/development.pem" --out /dev/full

# A batch's answers into a file that may not grow.
for _ in {1..20}; do echo "{\"token\": \"$token\"}"; done >"$work/lines"
batch() { limited 1 "$MEDIATOKEN" verify --batch "$work/lines" "${trust[@]}" "${ours[@]}" >"$work/answers"; }
check "verify --batch whose answers do not fit ends with 3" exits 3 batch
check "verify --batch says that its answers do not fit" says "cannot write to standard output: file too large"
issued() { limited 1 "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --count 20 >"$work/issued"; }
check "issue whose tokens do not fit ends with 3" exits 3 issued

# Tables.
create() { limited 1 "$MEDIATOKEN" replay create --table "$work/table" --capacity 1000; }
check "replay create of a table that does not fit ends with 3" exits 3 create
check "replay create says that the table does not fit" says "file too large"
check "replay create of what does not fit leaves nothing" equals "$(find "$work" -name 'table*')" ""
cat >"$work/config.json" <<JSON
{"socket": {"path": "$work/s"}, "keys": ["$work/keys/development.pem"],
 "replay": {"address": "shared:$work/table?capacity=1000"}, "tenants": [{"requestor": "REF30"}]}
JSON
daemon() { limited 1 timeout 60 "$MEDIATOKEND" --config "$work/config.json"; }
check "a daemon whose table does not fit ends with 3" exits 3 daemon
check "a daemon says that its table does not fit" says "file too large"
check "a daemon whose table does not fit leaves nothing" equals "$(find "$work" -name 'table*')" ""
mkdir "$work/dev"
development() { (cd "$work/dev" && limited 1 timeout 60 "$MEDIATOKEND" --dev); }
check "a daemon that can't write its own key ends with 3" exits 3 development
check "a daemon that can't write its own key says why" \
  says "cannot write mediatokend-dev.private.pem into the working directory: file too large"
check "a daemon that can't write its own key leaves none" equals "$(ls -A "$work/dev")" ""

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
