#!/usr/bin/env bash
# Standard output that is full, closed or gone, standard input that cannot be read: exit 3 and a message, never silence.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
verify=("$MEDIATOKEN" verify "$token" "${trust[@]}" "${ours[@]}")
batch=("$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}")
printf '%s\n' "$token" >"$work/token"

to_full() { exits 3 "$@" >/dev/full && says "cannot write to standard output"; }
to_closed() { exits 3 "$@" >&- && says "cannot write to standard output"; }
issue=("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT)
check "verify into a full device says that it cannot write" to_full "${verify[@]}"
check "a refusal into a full device says that it cannot write" to_full "$MEDIATOKEN" verify x "${trust[@]}" "${ours[@]}"
check "issue into a full device says that it cannot write" to_full "${issue[@]}"
check "a batch into a full device says that it cannot write" to_full "${batch[@]}" <"$work/token"
check "help into a full device says that it cannot write" to_full "$MEDIATOKEN" --help
check "verify into a closed descriptor says that it cannot write" to_closed "${verify[@]}"
check "a batch into a closed descriptor says that it cannot write" to_closed "${batch[@]}" <"$work/token"

generates() { to_closed "$MEDIATOKEN" keys generate --out "$work/closed" && [[ ! -e $work/closed ]]; }
check "keys generate with a closed standard output fails, and leaves no key that it could not report" generates
creates() { to_closed "$MEDIATOKEN" replay create --table "$work/table" --capacity 10 && says "the table $work/table was made"; }
check "replay create with a closed standard output fails, and says that it made the table" creates
whole() { quietly exits 0 "$MEDIATOKEN" replay info --table "$work/table" && lacks vouchesFrom "$work/table"; }
check "the table of a replay create that could not report can be read, and has no report in it" whole

# The reader goes away: the status of the program, not of the pipeline.
gone() {
  local status=0
  { "$@" 2>"$work/err" || status=$?; echo "$status" >"$work/status"; } | exec true
  [[ $(cat "$work/status") == 3 ]] && says "cannot write to standard output"
}
for _ in {1..3000}; do cat "$work/token"; done >"$work/many"
gone_batch() { gone "${batch[@]}" <"$work/many"; }
check "a batch whose reader went away ends with 3" gone_batch
gone_issue() { gone "$MEDIATOKEN" issue --key "$work/weak/development.private.pem" --requestor REF30 --resource TNT --count 100000; }
check "issue whose reader went away ends with 3" gone_issue

# A terminal cuts a line that is pasted.
cat >"$work/terminal.py" <<'PY'
import os, pty, sys, time
text, command = sys.argv[1].encode(), sys.argv[2:]
said, heard = os.pipe()
child, terminal = pty.fork()
if child == 0:
    os.dup2(heard, 2)
    os.execv(command[0], command)
os.close(heard)
# The line, then its end and that of the input; what is echoed is read, so that nothing waits.
os.write(terminal, text[:2048]), time.sleep(0.1), os.write(terminal, text[2048:] + b"\n"), time.sleep(0.1), os.write(terminal, b"\x04")
while True:
    try:
        if not os.read(terminal, 65536): break
    except OSError: break
sys.stdout.write(os.read(said, 65536).decode())
os.waitpid(child, 0)
PY
# pasted BYTES COMMAND...: what is on standard error for a token of so many bytes that is pasted.
pasted() { python3 "$work/terminal.py" "$(head -c "$1" /dev/zero | tr '\0' A)" "$MEDIATOKEN" "${@:2}" >"$work/out" 2>/dev/null; }
for words in "verify -" "explain -" "verify --batch -"; do
  read -ra words <<<"$words"
  cut_off() { pasted "$1" "${words[@]}" "${trust[@]}" "${ours[@]}"; grep -q "a terminal keeps 4095 bytes of a line" "$work/out"; }
  whole_line() { ! cut_off "$1"; }
  check "${words[*]} says that a terminal cuts a line of 5000 bytes" cut_off 5000
  check "${words[*]} says nothing of that for a line of 4094 bytes" whole_line 4094
done

closed_input() { answers 3 "" "${@:2}" - "${trust[@]}" "${ours[@]}" <&- && says "$1"; }
folder_input() { answers 3 "" "$@" - "${trust[@]}" "${ours[@]}" <"$work"; }
check "verify from a closed standard input says that it cannot read" closed_input "cannot read standard input" verify
check "verify of a token from a folder ends with 3" folder_input verify
check "a batch from a closed standard input ends with 3" closed_input "" verify --batch
check "a batch from a folder ends with 3" folder_input verify --batch
check "a batch from a missing file ends with 3" answers 3 "" verify --batch "$work/missing" "${trust[@]}" "${ours[@]}"
no_stderr() { "${verify[@]}" >"$work/out" 2>&- && equals "$(head -n 1 "$work/out")" VALID_TOKEN; }
check "a closed standard error changes no verdict and no answer" no_stderr

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

# A core file would have tokens and keys in it.
ulimit -c "$(ulimit -Hc)"
coproc limited { exec "${batch[@]}" 2>/dev/null; }
echo "$token" >&"${limited[1]}"
read -r _ <&"${limited[0]}"
check "no core file is written, whatever the shell allows" grep -qE '^Max core file size +0 +0 ' "/proc/$limited_PID/limits"
finish
