# Sourced by Tests/run: parts with names, which run next to one another. Needs `logs`, `jobs`, `names` and `is_in_scope`, and counts
# into `passed`, `failed` and `skipped`; `left` has the names of parts that were not asked for.
#
# At most `jobs` run at a time. Those that keep a processor busy for minutes run one after the other, next to parts that mostly
# wait, and two at a time when no such part is left; those that measure run when nothing else does. A part that failed next to
# others runs once more, alone: if it passes, it is counted as unsteady and named at the end. Parts that search are not run again:
# what they find is rare by nature. Nor is one that was ended because it took `patience` seconds: it would take them again.

# In job control each part is a process group of its own, and heeds SIGINT as it would alone.
set -m
# Twice what the longest part takes on two processors that others use, too.
patience=${PATIENCE:-1200}
passed=0 failed=0 skipped=0
failures=() unsteady=() left=()
# Parts that wait for their turn, as commands that bash can read.
waiting=() busy=() alone=() again=()
# By process id: names, when they began, and the commands of those that may run again.
declare -A running=() started=() repeatable=() keeping_busy=()

trap 'end_all; exit 130' INT TERM HUP

# Whether a part of this name is asked for: by a part of its name or, if no name was given, by the scope.
is_wanted() {
  local name
  [[ ${#names[@]} -gt 0 ]] || { is_in_scope "$1"; return; }
  for name in "${names[@]}"; do [[ $1 == *"$name"* ]] && return; done
  return 1
}

# part, busy_part, lone_part, search_part waiting|busy NAME COMMAND...: lists a part that is asked for, or has it run when it is its
# turn.
part() { await_turn waiting repeat "$@"; }
busy_part() { await_turn busy repeat "$@"; }
lone_part() { await_turn alone start "$@"; }
search_part() { await_turn "$1" start "${@:2}"; }

await_turn() {
  local -n queue=$1
  local how=$2
  shift 2
  is_wanted "$1" || { left+=("$1"); return 0; }
  if [[ $is_listing == yes ]]; then echo "$1"; else queue+=("$how $(printf '%q ' "$@")"); fi
}

# first NAME COMMAND...: runs what others need, next to what waits, and says whether it passed.
first() {
  start "$@"
  local pid=$!
  while [[ -n ${running[$pid]:-} ]]; do
    start_waiting
    report_one
  done
  [[ " ${failures[*]} " != *" $(log_of "$1") "* ]]
}

# Runs all that waits.
run_all() {
  local next
  while [[ ${#waiting[@]} -gt 0 || ${#busy[@]} -gt 0 || ${#running[@]} -gt 0 ]]; do
    start_waiting
    report_one
  done
  for next in "${alone[@]}" "${again[@]}"; do
    eval "$next"
    report_one
  done
  alone=() again=()
}

start_waiting() {
  local next
  while [[ ${#busy[@]} -gt 0 && ${#running[@]} -lt $jobs && ${#keeping_busy[@]} -lt $((${#waiting[@]} > 0 ? 1 : 2)) ]]; do
    next=${busy[0]}
    busy=("${busy[@]:1}")
    eval "$next"
    keeping_busy[$!]=yes
  done
  while [[ ${#waiting[@]} -gt 0 && ${#running[@]} -lt $jobs ]]; do
    next=${waiting[0]}
    waiting=("${waiting[@]:1}")
    eval "$next"
  done
}

repeat() {
  local log
  log=$(log_of "$1")
  rm -f "${log%.log}.first.log"
  start "$@"
  repeatable[$!]=$(printf '%q ' start "$@")
}

start() {
  local name=$1
  shift
  {
    give_up_on_it &
    guard=$!
    "$@"
    status=$?
    kill $guard 2>/dev/null
    times >"$(log_of "$name").times"
    exit "$status"
  } >"$(log_of "$name")" 2>&1 </dev/null &
  running[$!]=$name
  started[$!]=$SECONDS
}

# Ends the part in whose process group this runs, when it has taken too long. `read` waits without a process of its own.
give_up_on_it() {
  read -rt "$patience" <> <(:)
  trap '' INT
  echo "FAILED: it took longer than $patience s and was ended"
  kill -INT 0
  read -rt 30 <> <(:)
  kill -KILL 0
}

log_of() { echo "$logs/${1//[^A-Za-z0-9.-]/-}.log"; }

# The seconds of processor time in a file of what `times` said: a shell's own, and those of what it waited for.
processor_seconds() { [[ ! -e $1 ]] || awk -F '[ms ]' '{ sum += 60 * ($1 + $4) + $2 + $5 } END { printf "%.0f", sum }' "$1"; }

# Waits for one part and says what came of it. Exit status 77 means that it cannot run here, and its last line says why.
report_one() {
  local pid status=0 name log seconds command
  wait -n -p pid "${!running[@]}" || status=$?
  name=${running[$pid]} seconds=$((SECONDS - started[$pid])) command=${repeatable[$pid]:-}
  seconds+=" s, $(processor_seconds "$(log_of "$name").times")"
  unset "running[$pid]" "started[$pid]" "repeatable[$pid]" "keeping_busy[$pid]"
  log=$(log_of "$name")
  if [[ $status -eq 0 ]]; then
    passed=$((passed + 1))
    [[ ! -e ${log%.log}.first.log ]] || unsteady+=("$name")
    echo "passed: $name ($seconds s of a processor): $(tail -n 1 "$log")"
  elif [[ $status -eq 77 && ${CI:-} != true ]]; then
    skipped=$((skipped + 1))
    echo "skipped: $name: $(tail -n 1 "$log")"
  else
    if [[ -n $command && $jobs -gt 1 ]] && ! grep -q '^FAILED: it took longer than' "$log"; then
      again+=("$command")
      mv "$log" "${log%.log}.first.log"
      log=${log%.log}.first.log
      echo "FAILED next to others: $name ($seconds s of a processor, exit $status); it runs once more, alone; the end of $log:"
    else
      failed=$((failed + 1))
      failures+=("$log")
      echo "FAILED: $name ($seconds s of a processor, exit $status); the end of $log:"
    fi
    grep -aE '^FAILED|error:|recorded an issue|^✘|^SUMMARY: ' "$log" | head -n 40
    tail -n 30 "$log"
  fi
}

end_all() {
  local pid
  trap '' INT TERM HUP
  # What Ctrl+C sends: scenarios clean up, and so does the build.
  for pid in "${!running[@]}"; do kill -INT -- "-$pid" 2>/dev/null; done
  wait
}

# The parts that Tests/run alone leaves out, scenarios as their folders with a count.
say_what_was_left() {
  local part count=0 said=() folder=
  mapfile -t left < <(printf '%s\n' "${left[@]}" | LC_ALL=C sort)
  for part in "${left[@]}" /; do
    [[ $count -eq 0 || ${part%/*} == "$folder" ]] || { said+=("$folder/ ($count)"); count=0; }
    if [[ $part == */?* ]]; then folder=${part%/*} count=$((count + 1)); elif [[ $part != / ]]; then said+=("$part"); fi
  done
  echo "not run here, but by Tests/run --all, or where FULL=true by it: $(printf '%s, ' "${said[@]}" | sed 's/, $//')"
}

# Says how many parts passed, and repeats what failed, as the reader of a long log sees its end. Its status is that of the run.
finish() {
  local log name
  end_all
  [[ $((passed + failed + skipped)) -gt 0 ]] || echo "found no part named like ${names[*]}; Tests/run --list has their names"
  for log in "${failures[@]}"; do
    echo "FAILED, see $log:"
    grep -aE '^FAILED|error:|recorded an issue|^✘' "$log" | cut -c 1-300 | head -n 8
    tail -n 1 "$log"
  done
  for name in "${unsteady[@]}"; do echo "unsteady: $name failed next to others, and passed alone"; done
  [[ $scope != quick ]] || say_what_was_left
  times >"$logs/times"
  echo "$(processor_seconds "$logs/times") s of processor time, on $(nproc) processors"
  echo "$passed passed, $failed failed, $skipped skipped, in $SECONDS s"
  [[ $failed -eq 0 && $passed -gt 0 ]]
  exit
}
