# Sourced by the scenarios: claims that are checked one by one, and a count at the end.
#
# A scenario takes the program from $MEDIATOKEN and works in $scratch, a folder of its own that is removed. Exit status:
# 0 if every claim holds and there was one, 1 if not, 77 if the scenario cannot run here.
set -u -o pipefail
export LC_ALL=C

: "${MEDIATOKEN:?expected the program to test in MEDIATOKEN}"
scenario=$(basename "$0")
vectors=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Vectors" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
held=0
broken=0

source "$(dirname "${BASH_SOURCE[0]}")/claim.sh"

# answers STATUS FIRST_LINE COMMAND...: the program's exit status and first line ("" for no output at all).
# Leaves what it said in $scratch/out and $scratch/err.
answers() {
  local status=$1 first=$2 actual line
  shift 2
  "$@" >"$scratch/out" 2>"$scratch/err"
  actual=$?
  line=$(head -n 1 "$scratch/out")
  [[ $actual -eq $status && $line == "$first" ]] && return 0
  echo "  expected exit $status and '$first', found exit $actual and '$line': $(head -c 400 "$scratch/err")"
  return 1
}

# body FILE: the token of a vector, byte for byte.
body() { python3 -c 'import sys; sys.stdout.buffer.write(open(sys.argv[1], "rb").read().split(b"\n\n", 1)[1])' "$1"; }

# header NAME FILE: a header of a vector, empty if it has none.
header() { sed -n "/^\$/q; s/^$1: *//p" "$2"; }

# needs COMMAND...: leaves the scenario by name if one is missing.
needs() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null || skip "$command is missing"
  done
}

skip() {
  echo "skipped: $scenario: $1"
  exit 77
}

# Ends the scenario. One that proved nothing failed.
finish() {
  echo "$scenario: $held claims hold, $broken do not"
  [[ $broken -eq 0 && $held -gt 0 ]]
  exit
}
