#!/usr/bin/env bash
# Standard output that is full, closed or gone, standard input that cannot be read: exit 3 and a message, never silence.
source "$(dirname "$0")/common.sh"
prepare
verify=("$MEDIATOKEN" verify "$token" "${trust[@]}" "${ours[@]}")
batch=("$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}")
printf '%s\n' "$token" >"$work/token"

to_full() { exits 3 "$@" >/dev/full && says "cannot write to standard output"; }
to_closed() { exits 3 "$@" >&- && says "cannot write to standard output"; }
claim "verify into a full device" to_full "${verify[@]}"
claim "verify into a closed descriptor" to_closed "${verify[@]}"
claim "a refusal into a full device" to_full "$MEDIATOKEN" verify x "${trust[@]}" "${ours[@]}"
claim "inspect into a full device" to_full "$MEDIATOKEN" inspect "$token"
claim "explain into a full device" to_full "$MEDIATOKEN" explain "$token" "${trust[@]}" "${ours[@]}"
claim "issue into a full device" to_full "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT
claim "keys list into a full device" to_full "$MEDIATOKEN" keys list "${trust[@]}"
claim "help into a full device" to_full "$MEDIATOKEN" --help
claim "help of a command into a closed descriptor" to_closed "$MEDIATOKEN" verify --help
claim "version into a full device" to_full "$MEDIATOKEN" --version
claim "a batch into a full device" to_full "${batch[@]}" <"$work/token"
claim "a batch into a closed descriptor" to_closed "${batch[@]}" <"$work/token"

claim "generate with a closed standard output" to_closed "$MEDIATOKEN" keys generate --out "$work/closed"
claim "leaves no key that nobody was told of" test ! -e "$work/closed"
claim "create with a closed standard output" to_closed "$MEDIATOKEN" replay create --table "$work/table" --capacity 10
info() { exits 0 "$MEDIATOKEN" replay info --table "$work/table" >/dev/null; }
claim "does not write its report into the table" info
claim "which holds nothing else" lacks vouchesFrom "$work/table"

# The reader goes away: the status of the program, not of the pipeline.
gone() {
  local status=0
  { "$@" 2>"$work/err" || status=$?; echo "$status" >"$work/status"; } | exec true
  [[ $(cat "$work/status") == 3 ]] && says "cannot write to standard output"
}
for _ in {1..3000}; do cat "$work/token"; done >"$work/many"
gone_batch() { gone "${batch[@]}" <"$work/many"; }
claim "a batch whose reader went away" gone_batch
gone_issue() { gone "$MEDIATOKEN" issue --key "$work/weak/development.private.pem" --requestor REF30 --resource TNT --count 100000; }
claim "issue whose reader went away" gone_issue

closed_input() { answers 3 "" verify - "${trust[@]}" "${ours[@]}" <&-; }
claim "a token from a closed standard input" closed_input
claim "says what is wrong" says "cannot read standard input"
folder_input() { answers 3 "" verify - "${trust[@]}" "${ours[@]}" <"$work"; }
claim "a token from a folder" folder_input
closed_batch() { answers 3 "" verify --batch - "${trust[@]}" "${ours[@]}" <&-; }
claim "a batch from a closed standard input" closed_batch
claim "a batch from a folder" answers 3 "" verify --batch "$work" "${trust[@]}" "${ours[@]}"
claim "a batch from a missing file" answers 3 "" verify --batch "$work/missing" "${trust[@]}" "${ours[@]}"
no_stderr() { "${verify[@]}" >"$work/out" 2>&-; }
claim "a closed standard error changes no verdict" no_stderr
claim "nor the answer" equals "$(head -n 1 "$work/out")" VALID_TOKEN

# A pipe that somebody made non-blocking.
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
sys.exit(0 if program.wait() == 0 and answers.count(b"VALID_TOKEN") == 3000 else 1)
PY
claim "non-blocking descriptors lose nothing" python3 "$work/nonblocking.py" "$work/token" "${batch[@]}"
finish
