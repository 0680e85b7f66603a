# Sourced by Tests/run: parts with names, which run next to one another. Needs `logs`, `jobs` and `names`, and counts into
# `passed`, `failed` and `skipped`.
#
# At most `jobs` run at a time. Those that keep a processor busy for minutes run one after the other, next to parts that mostly
# wait; those that measure run when nothing else does.

# In job control each part is a process group of its own, and heeds SIGINT as it would alone.
set -m
passed=0 failed=0 skipped=0
failures=()
# Parts that wait for their turn, as commands that bash can read.
waiting=() busy=() alone=()
# By process id.
declare -A running=() started=()
busy_one=

trap 'end_all; exit 130' INT TERM HUP

# Whether a part of this name is asked for.
is_wanted() {
  local name
  [[ ${#names[@]} -eq 0 ]] && return
  for name in "${names[@]}"; do [[ $1 == *"$name"* ]] && return; done
  return 1
}

# part, busy_part, lone_part NAME COMMAND...: lists a part that is asked for, or has it run when it is its turn.
part() { await_turn waiting "$@"; }
busy_part() { await_turn busy "$@"; }
lone_part() { await_turn alone "$@"; }

await_turn() {
  local -n queue=$1
  shift
  is_wanted "$1" || return 0
  if [[ $is_listing == yes ]]; then echo "$1"; else queue+=("$(printf '%q ' "$@")"); fi
}

# first NAME COMMAND...: runs what others need, next to what waits, and says whether it passed.
first() {
  local failures_before=$failed
  start "$@"
  local pid=$!
  while [[ -n ${running[$pid]:-} ]]; do
    start_waiting
    report_one
  done
  [[ $failed -eq $failures_before || ! " ${failures[*]} " == *" $(log_of "$1") "* ]]
}

# Runs all that waits.
run_all() {
  while [[ ${#waiting[@]} -gt 0 || ${#busy[@]} -gt 0 || ${#running[@]} -gt 0 ]]; do
    start_waiting
    report_one
  done
  for next in "${alone[@]}"; do
    eval "start $next"
    report_one
  done
  alone=()
}

start_waiting() {
  local next
  if [[ -z $busy_one && ${#busy[@]} -gt 0 && ${#running[@]} -lt $jobs ]]; then
    next=${busy[0]}
    busy=("${busy[@]:1}")
    eval "start $next"
    busy_one=$!
  fi
  while [[ ${#waiting[@]} -gt 0 && ${#running[@]} -lt $jobs ]]; do
    next=${waiting[0]}
    waiting=("${waiting[@]:1}")
    eval "start $next"
  done
}

start() {
  local name=$1
  shift
  "$@" >"$(log_of "$name")" 2>&1 </dev/null &
  running[$!]=$name
  started[$!]=$SECONDS
}

log_of() { echo "$logs/${1//[^A-Za-z0-9.-]/-}.log"; }

# Waits for one part and says what came of it. Exit status 77 means that it cannot run here, and its last line says why.
report_one() {
  local pid status=0 name log seconds
  wait -n -p pid "${!running[@]}" || status=$?
  name=${running[$pid]} seconds=$((SECONDS - started[$pid]))
  unset "running[$pid]" "started[$pid]"
  [[ $pid != "$busy_one" ]] || busy_one=
  log=$(log_of "$name")
  if [[ $status -eq 0 ]]; then
    passed=$((passed + 1))
    echo "passed: $name ($seconds s): $(tail -n 1 "$log")"
  elif [[ $status -eq 77 && ${CI:-} != true ]]; then
    skipped=$((skipped + 1))
    echo "skipped: $name: $(tail -n 1 "$log")"
  else
    failed=$((failed + 1))
    failures+=("$log")
    echo "FAILED: $name ($seconds s, exit $status); the end of $log:"
    grep -aE '^FAILED|error:|recorded an issue|^✘|^SUMMARY: ' "$log" | head -n 40
    tail -n 30 "$log"
  fi
}

end_all() {
  local pid
  trap '' INT TERM HUP
  for pid in "${!running[@]}"; do kill -TERM -- "-$pid" 2>/dev/null; done
  wait
}

# Says how many parts passed, and repeats what failed, as the reader of a long log sees its end. Its status is that of the run.
finish() {
  local log
  end_all
  [[ $((passed + failed + skipped)) -gt 0 ]] || echo "found no part named like ${names[*]}; Tests/run --list has their names"
  for log in "${failures[@]}"; do
    echo "FAILED, see $log:"
    grep -aE '^FAILED|error:|recorded an issue|^✘' "$log" | cut -c 1-300 | head -n 8
    tail -n 1 "$log"
  done
  echo "$passed passed, $failed failed, $skipped skipped, in $SECONDS s"
  [[ $failed -eq 0 && $passed -gt 0 ]]
  exit
}
