#!/usr/bin/env bash
# A reader that goes away, a terminal that cuts lines, pipes that do not block, and Ctrl-C. What is full or closed is in doors/lines.txt.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
batch=("$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}")
printf '%s\n' "$token" >"$work/token"

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

# As if Ctrl-C was typed while the first file is written.
if strace -qq -o /dev/null true 2>/dev/null; then
  interrupted() { strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=INT:when=1 "$MEDIATOKEN" "$@" >/dev/null; }
  check "keys generate, interrupted while it writes its first file, ends well" \
    exits 0 interrupted keys generate --weak-1024-for-tests --out "$work/interrupted"
  check "keys generate, interrupted, leaves two whole files" \
    equals "$(ls "$work/interrupted" | tr '\n' ' ')" "development.pem development.private.pem "
else
  echo "not checked: Ctrl-C, for which strace has to trace"
fi

# A core file would have tokens and keys in it.
ulimit -c "$(ulimit -Hc)"
coproc limited { exec "${batch[@]}" 2>/dev/null; }
echo "$token" >&"${limited[1]}"
read -r _ <&"${limited[0]}"
check "no core file is written, whatever the shell allows" grep -qE '^Max core file size +0 +0 ' "/proc/$limited_PID/limits"
finish
