# Sourced after tokens.sh by the scenarios of a fleet on the command line: real nodes over UNIX sockets.
needs redis-server redis-cli
# What is tested here is not how fast this machine is: how long votes are waited for, and how long nodes that are looked at.
patient='"deadlineMilliseconds": 1000'
at_leisure=(--timeout 60000)
declare -A node_pid

# A fleet looks at the first 16 bytes.
identity() { printf '%016x%048x' "$1" 0; }

# node NUMBER [OPTION...]: starts the server of a node, and waits until it answers.
node() {
  redis-server --port 0 --unixsocket "$work/$1.sock" --save '' --dir "$work" --logfile "$work/$1.log" "${@:2}" &
  node_pid[$1]=$!
  awaits 60 is_serving "$1"
}
# is_serving NUMBER: the server says something, if only that it asks for a password.
is_serving() { [[ -S $work/$1.sock && $(at "$1" ping) == *[A-Z]* ]]; }

# at NUMBER WORD...: what the node says to a command.
at() { redis-cli -s "$work/$1.sock" "${@:2}" 2>&1; }

# ends NUMBER: kills the server of a node.
ends() {
  kill -9 "${node_pid[$1]}"
  wait "${node_pid[$1]}" 2>/dev/null || true
}

# three_nodes NAME: starts three, and sets `fleet`, their address, `file`, a configuration with it, and `question`, what to ask about a
# token.
three_nodes() {
  local number
  for number in 1 2 3; do node "$number" || { echo "cannot start redis-server"; exit 1; }; done
  fleet=redis:$1@$work/1.sock,$work/2.sock,$work/3.sock
  file=$(config_of "$1" "\"address\": \"$fleet\", \"fleet\": {$patient}")
  question=(--requestor REF30 --resource TNT --config "$file" --spend)
}

# has_no_answer TEXT ARGUMENT...: `mediatoken` gives none, and says this of a node. One that has not said in time what it is
# counts as down, and no more is known of it: it is asked again.
has_no_answer() {
  local _
  for _ in {1..10}; do
    answers 3 "$([[ $2 != explain ]] || echo NO_VERDICT)" "${@:2}" || return
    says "$1" >"$work/unsaid" && return
  done
  cat "$work/unsaid"
  return 1
}

# plays ARGUMENT...: a token of this moment, which it leaves in `played`, is valid. To be decided: a fault may use up its token.
plays() {
  played=$(fresh_token)
  answers 0 VALID_TOKEN verify "$played" "$@"
}
