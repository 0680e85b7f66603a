#!/usr/bin/env bash
# Standard output that is full, closed or gone, standard input that cannot be read: exit 3 and a message, never silence.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
verify=("$MEDIATOKEN" verify "$token" "${trust[@]}" "${ours[@]}")
batch=("$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}")
printf '%s\n' "$token" >"$work/token"

to_full() { exits 3 "$@" >/dev/full && says "cannot write to standard output"; }
to_closed() { exits 3 "$@" >&- && says "cannot write to standard output"; }
check "verify into a full device" to_full "${verify[@]}"
check "verify into a closed descriptor" to_closed "${verify[@]}"
check "a refusal into a full device" to_full "$MEDIATOKEN" verify x "${trust[@]}" "${ours[@]}"
check "inspect into a full device" to_full "$MEDIATOKEN" inspect "$token"
check "explain into a full device" to_full "$MEDIATOKEN" explain "$token" "${trust[@]}" "${ours[@]}"
check "issue into a full device" to_full "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT
check "keys list into a full device" to_full "$MEDIATOKEN" keys list "${trust[@]}"
check "help into a full device" to_full "$MEDIATOKEN" --help
check "help of a command into a closed descriptor" to_closed "$MEDIATOKEN" verify --help
check "version into a full device" to_full "$MEDIATOKEN" --version
check "a batch into a full device" to_full "${batch[@]}" <"$work/token"
check "a batch into a closed descriptor" to_closed "${batch[@]}" <"$work/token"

check "keys generate with a closed standard output fails" to_closed "$MEDIATOKEN" keys generate --out "$work/closed"
check "keys generate leaves no key that it could not report" test ! -e "$work/closed"
check "replay create with a closed standard output fails" to_closed "$MEDIATOKEN" replay create --table "$work/table" --capacity 10
check "replay create with a closed standard output says that it made the table" says "the table $work/table was made"
info() { exits 0 "$MEDIATOKEN" replay info --table "$work/table" >/dev/null; }
check "replay info reads the table that was made with a closed standard output" info
check "the table that was made with a closed standard output has no report in it" lacks vouchesFrom "$work/table"

# The reader goes away: the status of the program, not of the pipeline.
gone() {
  local status=0
  { "$@" 2>"$work/err" || status=$?; echo "$status" >"$work/status"; } | exec true
  [[ $(cat "$work/status") == 3 ]] && says "cannot write to standard output"
}
for _ in {1..3000}; do cat "$work/token"; done >"$work/many"
gone_batch() { gone "${batch[@]}" <"$work/many"; }
check "a batch whose reader went away" gone_batch
gone_issue() { gone "$MEDIATOKEN" issue --key "$work/weak/development.private.pem" --requestor REF30 --resource TNT --count 100000; }
check "issue whose reader went away" gone_issue

closed_input() { answers 3 "" verify - "${trust[@]}" "${ours[@]}" <&-; }
check "verify from a closed standard input fails" closed_input
check "verify says that it cannot read standard input" says "cannot read standard input"
folder_input() { answers 3 "" verify - "${trust[@]}" "${ours[@]}" <"$work"; }
check "a token from a folder" folder_input
closed_batch() { answers 3 "" verify --batch - "${trust[@]}" "${ours[@]}" <&-; }
check "a batch from a closed standard input" closed_batch
check "a batch from a folder" answers 3 "" verify --batch "$work" "${trust[@]}" "${ours[@]}"
check "a batch from a missing file" answers 3 "" verify --batch "$work/missing" "${trust[@]}" "${ours[@]}"
no_stderr() { "${verify[@]}" >"$work/out" 2>&-; }
check "a closed standard error changes no verdict" no_stderr
check "a closed standard error changes no answer" equals "$(head -n 1 "$work/out")" VALID_TOKEN

# A pipe that was made non-blocking.
cat >"$work/nonblocking.py" <<'PY'
import os, subprocess, sys, threading, time
read, write = os.pipe()
os.set_blocking(write, False)
source, sink = os.pipe()
os.set_blocking(source, False)
program = subprocess.Popen(sys.argv[2:], stdin=source, stdout=write, stderr=subprocess.DEVNULL)
os.close(write)
os.close(source)
token = open(sys.argv[1], "rb").read()
def feed():
    time.sleep(0.2)
    for _ in range(3000):
        os.write(sink, token)
    os.close(sink)
threading.Thread(target=feed).start()
time.sleep(0.6)
answers = b""
while block := os.read(read, 65536):
    answers += block
sys.exit(0 if program.wait() == 0 and answers.count(b'"verdict":"VALID_TOKEN"') == 3000 else 1)
PY
check "non-blocking descriptors lose nothing" python3 "$work/nonblocking.py" "$work/token" "${batch[@]}"
finish
