# Sourced first by every scenario in bash: checks that are counted, and a folder of its own.
#
# A scenario takes the programs from $MEDIATOKEN and $MEDIATOKEND and works in $work. At its end that folder is removed, and
# its jobs are killed. It fails if a check does not hold, if there was none, or if it ends before `finish`.
# Exit status 77: it cannot run here, and its last line says why.
set -euo pipefail
export LC_ALL=C TZ=UTC

: "${MEDIATOKEN:?expected the program to test in MEDIATOKEN}" "${MEDIATOKEND:?expected the daemon to test in MEDIATOKEND}"
# Uses up tokens by their identities: Tests/Proofs/Sources/spend.
spend=${MEDIATOKEN_SPEND:-$(dirname "$MEDIATOKEN")/spend}
here=$(cd "$(dirname "$0")" && pwd)
scenarios=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
repository=$(cd "$scenarios/../.." && pwd)
scenario=${here#"$scenarios/"}/$(basename "$0")
work=$(mktemp -d)
held=0 broken=0 finished=no

clean_up() {
  local status=$? running
  running=$(jobs -pr)
  # shellcheck disable=SC2086
  [[ -z $running ]] || { kill -9 $running && wait $running; } 2>/dev/null || true
  rm -rf "$work"
  [[ $finished == yes ]] || { echo "$scenario: ended early"; exit 1; }
  exit "$status"
}
trap clean_up EXIT

# check TEXT COMMAND...: the command succeeds.
check() {
  local text=$1
  shift
  if "$@"; then
    held=$((held + 1))
    echo "ok: $text"
  else
    broken=$((broken + 1))
    echo "FAILED: $text"
  fi
}

# Ends the scenario. One that checked nothing failed.
finish() {
  echo "$scenario: $held checks hold, $broken do not"
  finished=yes
  [[ $broken -eq 0 && $held -gt 0 ]]
  exit
}

# needs PROGRAM...: skips the scenario if one is missing.
needs() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || skip "$program is missing"
  done
}

# skip WHY: ends the scenario, which cannot run here.
skip() {
  echo "skipped: $scenario: $1"
  finished=yes
  exit 77
}

# awaits SECONDS COMMAND...: waits until the command succeeds, and says whether it did.
awaits() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [[ $SECONDS -lt $end ]] || return 1
    sleep 0.05
  done
}

# listens SOCKET: whether a connection is taken there. It has its name before its program listens.
listens() { python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' "$1" 2>/dev/null; }

# --- what a check can be

# yields STATUS FIRST_LINE COMMAND...: the command's exit status and first line ("" for no output at all); of an explanation, whose
# first line is a sentence, the verdict in its report. Leaves what it said in $work/out and $work/err.
yields() {
  local status=$1 first=$2 actual=0 line
  shift 2
  "$@" >"$work/out" 2>"$work/err" || actual=$?
  line=$(sed -n 's/^  Verdict: none$/NO_VERDICT/p; s/^  Verdict: \([A-Z_]*\) (.*/\1/p' "$work/out")
  [[ -n $line ]] || line=$(head -n 1 "$work/out")
  [[ $actual -eq $status && $line == "$first" ]] && return 0
  echo "  expected exit $status and '$first', found exit $actual and '$line': $(head -c 400 "$work/err")"
  return 1
}

# answers STATUS FIRST_LINE ARGUMENT...: the same of mediatoken.
answers() { yields "$1" "$2" "$MEDIATOKEN" "${@:3}"; }

# decides COMMAND...: one with `answers` in it, again while it finds a fault: nodes may be too slow on a busy machine.
decides() {
  local _
  for _ in {1..20}; do
    "$@" >"$work/decides" && return
    grep -q ', found exit 3 ' "$work/decides" || break
  done
  cat "$work/decides"
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

# quietly COMMAND...: without what it prints. A redirection after `check` would hide what the check says.
quietly() { "$@" >/dev/null; }

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

# lacks TEXT FILE: the file does not have the text.
lacks() { ! grep -qF -- "$1" "$2"; }

# equals FOUND EXPECTED: both texts are the same.
equals() {
  [[ $1 == "$2" ]] && return 0
  echo "  expected '$2', found '$1'"
  return 1
}

# config_of NAME REPLAY [MEMBERS]: the path of a new configuration, that no daemon runs with: with the members of its replay memory, and
# what its tenant has besides a name. After tokens.sh there is all that a verdict needs.
config_of() {
  cat >"$work/$1.json" <<JSON
{"socket": {"path": "$work/none.sock"}, "keys": ["$work/keys/development.pem"], "replay": {$2}, "requestIDHeader": "X-Request-ID",
 "tenants": [{"requestor": "REF30"${3:+, $3}}]}
JSON
  echo "$work/$1.json"
}

# member FILE EXPRESSION: prints an expression over `j`, the JSON of the file.
member() { python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }
