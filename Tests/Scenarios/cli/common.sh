# Sourced by the scenarios of the command line: claims that are checked one by one, and a count at the end.
#
# A scenario takes the program from $MEDIATOKEN and works in $work, a folder of its own that is removed. It fails if a
# claim does not hold, or if it ends before `finish`.
set -euo pipefail
export LC_ALL=C

: "${MEDIATOKEN:?expected the program to test in MEDIATOKEN}"
scenario=cli/$(basename "$0")
work=$(mktemp -d)
held=0
broken=0
finished=no
trap 'status=$?; rm -rf "$work"; [[ $finished == yes ]] || { echo "$scenario: ended early"; exit 1; }; exit $status' EXIT

source "$(dirname "${BASH_SOURCE[0]}")/../claim.sh"

# answers STATUS FIRST_LINE ARGUMENT...: the program's exit status and first line ("" for no output at all) when it is
# called with these arguments. Leaves what it said in $work/out and $work/err.
answers() {
  local status=$1 first=$2 actual=0 line
  shift 2
  "$MEDIATOKEN" "$@" >"$work/out" 2>"$work/err" || actual=$?
  line=$(head -n 1 "$work/out")
  [[ $actual -eq $status && $line == "$first" ]] && return 0
  echo "  expected exit $status and '$first', found exit $actual and '$line': $(head -c 400 "$work/err")"
  return 1
}

# exits STATUS COMMAND...: the command's exit status, whatever it says. What it says on stderr is in $work/err.
exits() {
  local status=$1 actual=0
  shift
  "$@" 2>"$work/err" || actual=$?
  [[ $actual -eq $status ]] && return 0
  echo "  expected exit $status, found $actual: $(head -c 400 "$work/err")"
  return 1
}

# usage MESSAGE_PART ARGUMENT...: a usage error: exit 2, nothing on stdout, the message and where to look on stderr.
usage() {
  local part=$1
  shift
  answers 2 "" "$@" && says "$part" && says "--help"
}

# says TEXT: the last program said this on stderr.
says() {
  grep -qF -- "$1" "$work/err" && return 0
  echo "  expected '$1' on stderr, found: $(head -c 400 "$work/err")"
  return 1
}

# shows TEXT: the last program printed a line with this on stdout.
shows() {
  grep -qF -- "$1" "$work/out" && return 0
  echo "  expected '$1' on stdout, found: $(head -c 400 "$work/out")"
  return 1
}

lacks() { ! grep -qF -- "$1" "$2"; }

is_json() { python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$1"; }

# member FILE EXPRESSION: prints an expression over `j`, the JSON of the file.
member() { python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }

equals() {
  [[ $1 == "$2" ]] && return 0
  echo "  expected '$2', found '$1'"
  return 1
}

# Keys and tokens that most scenarios need: issued and checked at the same instant.
now=1795176000000
guid=00112233445566778899aabbccddeeff
prepare() {
  "$MEDIATOKEN" keys generate --out "$work/keys" >/dev/null
  "$MEDIATOKEN" keys generate --out "$work/weak" --weak-1024-for-tests >"$work/weak.txt"
  weak_fingerprint=$(sed -n 's/^fingerprint: //p' "$work/weak.txt")
  key=$work/keys/development.private.pem
  trust=(--keys "$work/keys/development.pem")
  ours=(--requestor REF30 --resource TNT --at "$now")
  token=$(issue --session-guid "$guid")
}

issue() { "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --issue-time "$now" "$@"; }

finish() {
  echo "$scenario: $held claims hold, $broken do not"
  finished=yes
  [[ $broken -eq 0 && $held -gt 0 ]]
  exit
}
