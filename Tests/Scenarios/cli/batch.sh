#!/usr/bin/env bash
# `verify --batch`: one answer per line, in order, promptly, with bounded memory.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
question=(verify --batch - "${trust[@]}" "${ours[@]}")

# batch STATUS INPUT_FILE ARGUMENT...: runs a batch; answers in $work/out.
batch() {
  local status=$1 input=$2
  shift 2
  exits "$status" "$MEDIATOKEN" verify --batch "$input" "$@" >"$work/out"
}

# every PYTHON_EXPRESSION: holds for the list `j` of all answers.
every() {
  python3 - "$work/out" "$1" <<'PY'
import json, sys
j = [json.loads(line) for line in open(sys.argv[1], newline="\n")]
if not eval(sys.argv[2]):
    print("  not so:", sys.argv[2], j[:3])
    sys.exit(1)
PY
}

python3 - "$token" "$work" <<'PY'
import base64, json, sys
token, work = sys.argv[1:]
def write(name, lines, end="\n"):
    with open(f"{work}/{name}", "w", newline="") as file:
        file.write(end.join(lines) + end)
write("kinds", [
    token, "hello", "", token.replace("TNT", "TNU"), "  \t",
    json.dumps({"token": token, "id": "six"}),
    json.dumps({"tokenBase64": base64.b64encode(token.encode()).decode(), "id": "sev\u00e9n"}),
    json.dumps({"token": token, "resource": "other", "id": "8"}),
    json.dumps({"token": token, "requestor": "other", "id": "9"}),
    json.dumps({"token": token, "at": "2026-11-20T12:05:00Z", "id": "10"}),
    json.dumps({"token": token, "extra": "x", "id": "11"}),
    '{"token": "x", "token": "y"}', '{"token": 5}', '{"id": "14"}', '{"token": "x"', "{}",
    json.dumps({"tokenBase64": "//8=", "id": "17"}), json.dumps({"token": token, "id": "18", "requestor": ""}),
])
write("ids", [f'{{"token": "x", "id": {id}}}' for id in (7, -1, 2**63 - 1, '"7"', 7.5, 2**63)])
write("marked", ["\ufeff" + token, "\ufeff" + json.dumps({"token": token}), token])
write("hidden", [json.dumps({"token": "x", "id": "a\u202eb\u2028c\u0085"}, ensure_ascii=False)])
write("good", [token] * 5)
write("crlf", [token, "", json.dumps({"token": token}), "hello"], "\r\n")
write("mixed", [token if n % 3 else f"bad {n}" if n % 2 else json.dumps({"token": token, "id": str(n)})
                for n in range(1, 20001)])
write("long", [token, "x" * 262144, token, "x" * 262145, token, "y" * 5_000_000, "", token,
               json.dumps({"token": "z" * 300_000}), token])
PY
check "a batch with refused and malformed lines ends with 1" batch 1 "$work/kinds" "${trust[@]}" "${ours[@]}"
check "a batch answers every line but blank ones, by number" every '[a["line"] for a in j] == [n for n in range(1, 19) if n not in (3, 5)]'
check "a batch has its verdicts in the order of its lines" every '[a.get("verdict", "-") for a in j] == ["VALID_TOKEN", "INVALID_TOKEN_FORMAT", "INVALID_SIGNATURE", "VALID_TOKEN", "VALID_TOKEN", "INVALID_RESOURCE_ID", "INVALID_REQUESTOR_ID", "TOKEN_EXPIRED"] + ["-"] * 6 + ["INVALID_TOKEN_FORMAT", "-"]'
check "a batch gives back the ids of its lines" every '[a.get("id") for a in j][3:9] == ["six", "sevén", "8", "9", "10", None] and j[-2]["id"] == "17"'
check "malformed lines of a batch have an error and nothing else" every 'all(set(a) <= {"line", "id", "error"} and a["error"] for a in j if "verdict" not in a)'
check "the error of a batch's line names an unknown member" every '"extra" in [a for a in j if a["line"] == 11][0]["error"]'
check "the error of a batch's line names a repeated member" every '"token" in [a for a in j if a["line"] == 12][0]["error"]'
check "the error of a batch's line names a member of another type" every '"token" in [a for a in j if a["line"] == 13][0]["error"]'
check "a malformed line of a batch keeps its id where it can be read" every '[a["id"] for a in j if a["line"] in (14, 18)] == ["14", "18"]'
check "a refusal in a batch has a reason and a detail" every 'all(a["reason"] and a["detail"] for a in j if a.get("verdict", "VALID_TOKEN") != "VALID_TOKEN")'
check "a batch has its counts on standard error" says "18 lines: 3 valid, 6 refused, 7 malformed, 0 undecided, 2 blank"
check "a batch has no GUID in its answers" lacks "$guid" "$work/out"
check "a batch has no GUID on standard error" lacks "$guid" "$work/err"

check "a batch with ids of all kinds ends with 1" batch 1 "$work/ids" "${trust[@]}" "${ours[@]}"
check "a batch gives back strings and integers as they came" every '[a.get("id") for a in j] == [7, -1, 2**63 - 1, "7", None, None]'
check "a batch with byte order marks ends with 1" batch 1 "$work/marked" "${trust[@]}" "${ours[@]}"
check "a batch names the byte order mark of a line" every '["byte order mark" in a.get("error", "") for a in j] == [True, True, False]'
check "a batch whose id has characters that cannot be seen ends with 1" batch 1 "$work/hidden" "${trust[@]}" "${ours[@]}"
check "a batch escapes the characters of an id that cannot be seen" shows '"id":"a\u202eb\u2028c\u0085"'
check "a batch of valid tokens ends with 0" batch 0 "$work/good" "${trust[@]}" "${ours[@]}"
check "an empty batch ends with 0" batch 0 /dev/null "${trust[@]}" "${ours[@]}"
check "an empty batch counts 0 lines" says "0 lines"
check "a batch whose lines end in CR LF is read" batch 1 "$work/crlf" "${trust[@]}" "${ours[@]}"
check "a batch whose lines end in CR LF has the answers of one with LF" every '[(a["line"], a["verdict"]) for a in j] == [(1, "VALID_TOKEN"), (3, "VALID_TOKEN"), (4, "INVALID_TOKEN_FORMAT")]'
printf '%s' "$token" >"$work/unended"
check "the last line of a batch may lack its line feed" batch 0 "$work/unended" "${trust[@]}" "${ours[@]}"
check "the last line of a batch without a line feed is answered" every '[a["line"] for a in j] == [1]'
check "a batch with unusable keys ends with 3" batch 3 "$work/good" --keys "$work/none.pem" "${ours[@]}"
check "a batch with unusable keys answers no line" test ! -s "$work/out"

check "a batch of 20,000 mixed lines ends with 1" batch 1 "$work/mixed" "${trust[@]}" "${ours[@]}"
check "a batch of 20,000 lines is answered in order" every '[a["line"] for a in j] == list(range(1, 20001))'
check "each of 20,000 lines has the answer of its own token" every 'all(a["verdict"] == ("INVALID_TOKEN_FORMAT" if a["line"] % 3 == 0 and a["line"] % 2 else "VALID_TOKEN") for a in j)'
check "each of 20,000 lines has its own id" every 'all(a.get("id") == (str(a["line"]) if a["line"] % 6 == 0 else None) for a in j)'
cp "$work/out" "$work/whole"
slowly() { python3 -c '
import random, sys, time
data = open(sys.argv[1], "rb").read()
random.seed(5)
while data:
    n = random.choice((1, 7, 700, 3000, 65536, 200000))
    sys.stdout.buffer.write(data[:n]); sys.stdout.buffer.flush()
    data = data[n:]' "$1" | batch 1 - "${trust[@]}" "${ours[@]}"; }
check "a batch is read in pieces of any size" slowly "$work/mixed"
check "a batch in pieces of any size has the same answers" cmp "$work/out" "$work/whole"

check "a batch with lines that are too long ends with 1" batch 1 "$work/long" "${trust[@]}" "${ours[@]}"
check "lines that are too long are malformed, and the others are answered" every '[(a["line"], a.get("verdict", "error")) for a in j] == [(1, "VALID_TOKEN"), (2, "INVALID_TOKEN_FORMAT"), (3, "VALID_TOKEN"), (4, "error"), (5, "VALID_TOKEN"), (6, "error"), (8, "VALID_TOKEN"), (9, "error"), (10, "VALID_TOKEN")]'
check "the error of a line that is too long says how long it may be" every '"262144 bytes" in j[3]["error"]'
long_slowly() { slowly "$work/long"; }
check "a batch with lines that are too long is read in pieces of any size" long_slowly
check "a batch with lines that are too long, in pieces, answers the same lines" every '[a["line"] for a in j] == [1, 2, 3, 4, 5, 6, 8, 9, 10]'
endless() {
  head -c 400000000 /dev/zero | tr '\0' x | { ulimit -v 2000000; batch 1 - "${trust[@]}" "${ours[@]}"; }
}
check "400 MB without a line feed need little memory" endless
check "400 MB without a line feed are one malformed line" says "1 line: 0 valid, 0 refused, 1 malformed"

# A program that writes one line, waits for its answer, and only then writes the next.
cat >"$work/coprocess.py" <<'PY'
import json, subprocess, sys
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
for number in range(1, 201):
    line = sys.argv[1] if number % 2 else json.dumps({"token": sys.argv[1], "id": str(number)})
    if number % 50 == 0:
        line = "x" * 300_000
    program.stdin.write(line.encode() + b"\n")
    program.stdin.flush()
    answer = json.loads(program.stdout.readline())
    if answer["line"] != number or ("error" in answer) != (number % 50 == 0):
        sys.exit(f"  line {number}: {answer}")
program.stdin.close()
sys.exit(0 if program.wait() == 1 else f"  it ended with {program.returncode}")
PY
check "a co-process that waits for each answer gets it" timeout 600 python3 "$work/coprocess.py" "$token" \
  "$MEDIATOKEN" "${question[@]}"
# Two lines after a line that was too long, in one write: both answers must come without more input.
cat >"$work/after.py" <<'PY'
import subprocess, sys
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
program.stdin.write(b"x" * 400_000 + b"\n" + sys.argv[1].encode() + b"\n" + sys.argv[1].encode() + b"\nrest")
program.stdin.flush()
for _ in range(3):
    program.stdout.readline()
program.stdin.close()
sys.exit(0 if len(program.stdout.read().splitlines()) == 1 else 1)
PY
check "lines after one that is too long need no more input" timeout 600 python3 "$work/after.py" "$token" \
  "$MEDIATOKEN" "${question[@]}"
finish
