#!/usr/bin/env bash
# `examples/fleet/run`, a fleet to try: what it prints, nodes that end, and its own end. With a PostgreSQL it is docs/documents.py's. And on
# its nodes, what `replay init` and `replay nodes` tell a person and a script; what they do is FleetAdministrationTests'.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
needs redis-server redis-cli
# What is tested here is not how fast this machine is.
at_leisure=(--timeout 60000)

# told FILE TEXT: waits until a file has the text.
told() { awaits 60 grep -sqF -- "$2" "$1" || { echo "  expected '$2' in $1, found: $(head -c 400 "$1")"; return 1; }; }

# gone PID...: waits until the processes have ended.
gone() { awaits 60 are_gone "$@"; }
are_gone() {
  local pid
  for pid in "$@"; do
    [[ ! -e /proc/$pid/stat || $(cut -d ' ' -f 3 "/proc/$pid/stat" 2>/dev/null) == Z ]] || return 1
  done
}

run=$repository/examples/fleet/run dev=$work/dev
check "the example says which program is missing" \
  eval 'exits 2 env MEDIATOKEN=mediatoken-is-not-there "$run" redis "$dev" && says "mediatoken-is-not-there is missing"'
mkdir "$work/taken"
check "the example leaves a folder alone that is there" exits 1 "$run" redis "$work/taken"
check "the folder that was there is there" test -d "$work/taken"
[[ $EUID -ne 0 ]] || check "the example with a PostgreSQL as root says how to start it" \
  eval 'exits 2 "$run" postgres "$dev" && says "start this as another user"'

started() {
  "$run" redis "$dev" >"$work/dev.out" 2>"$work/dev.err" &
  dev_pid=$!
  told "$work/dev.out" "Stop with Ctrl-C" || { cat "$work/dev.err"; return 1; }
  mapfile -t dev_nodes < <(cat "$dev"/{1,2,3}.pid)
}
check "the example starts" started
fleet=redis:dev@$dev/1.sock,$dev/2.sock,$dev/3.sock
check "the example prints the address first" equals "$(head -n 1 "$work/dev.out")" "address: $fleet"
check "the example's folder is its owner's alone" equals "$(stat -c %a "$dev")" 700
check "the example says how to start two daemons" grep -qxF "mediatokend --config $dev/b.json" "$work/dev.out"
are_usable() {
  local host
  for host in a b; do "$MEDIATOKEND" --check-config --config "$dev/$host.json" >"$work/out" || return 1; done
}
check "the configurations of the example can be used" are_usable
pasted() {
  eval "$(grep '^mediatoken issue' "$work/dev.out" | sed "s|^mediatoken|$MEDIATOKEN|; s|>token|>$work/pasted|")"
  answers 0 VALID_TOKEN verify - --config "$dev/a.json" --spend --requestor REF30 --resource TNT <"$work/pasted"
}
check "the token of the line that the example prints plays" decides pasted
check "replay nodes ends with 0 when all nodes vote" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says that every node votes" shows "verdict: usable: every node votes"
# --- another fleet on the same nodes
other=redis:other@${fleet#*@}
initialised() { "$MEDIATOKEN" replay init "${at_leisure[@]}" --replay "$other" "$@" >"$work/out" 2>"$work/err"; }
check "replay nodes of uninitialised nodes ends with 3" answers 3 "node 1: uninitialised" replay nodes "${at_leisure[@]}" --replay "$other"
before=$(date +%s)
check "replay init of three nodes succeeds" initialised
floor=$(sed -n "s|^node 1: $dev/1.sock, from: \([0-9]*\) .*|\1|p" "$work/out")
check "replay init prints the address of node 1, and its floor, which is the tolerance and twelve seconds ahead" \
  test "$floor" -ge $((before + 72)) -a "$floor" -le $(($(date +%s) + 73))
check "warming nodes are a fleet" answers 0 "node 1: warming" replay nodes "${at_leisure[@]}" --replay "$other"
check "a token from before the floor is refused" decides answers 1 TOKEN_PREDATES_REPLAY_MEMORY \
  verify "$(fresh_token)" "${trust[@]}" --requestor REF30 --resource TNT --replay "$other"
check "init --fresh of a fleet that was initialised is refused" exits 3 initialised --fresh
other=redis:third@${fleet#*@}
check "init --fresh of a new fleet ends with the address to type next" eval 'initialised --fresh && equals "$(tail -n 1 "$work/out")" "next: --replay $other"'
"$MEDIATOKEN" replay nodes "${at_leisure[@]}" --replay "$other" --json >"$work/nodes"
check "replay nodes --json has its members" equals "$(member "$work/nodes" 'list(j)')" "['fleet', 'digest', 'votes', 'nodes']"
check "each node of replay nodes --json has its members" equals "$(member "$work/nodes" 'list(j["nodes"][0])')" \
  "['node', 'address', 'state', 'reason', 'from', 'high', 'seen', 'clockOffsetMilliseconds', 'roundTripMicroseconds', 'usedMemoryBytes', 'version', 'cluster', 'database', 'syncStandbys', 'warnings']"
check "replay nodes --json has the fleet's name, how many votes decide, and number, state, floor and reason of each node" \
  equals "$(member "$work/nodes" '[j["fleet"], j["votes"], *((s["node"], s["state"], s["from"], s["reason"]) for s in j["nodes"])]')" \
  "['third', 2, (1, 'voting', 0, None), (2, 'voting', 0, None), (3, 'voting', 0, None)]"
kill -9 "${dev_nodes[1]}"
check "the example says that a node has ended" told "$work/dev.err" "node 2 has ended; 2 are left"
check "replay nodes says that two of three nodes vote" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says which node is missing" shows "verdict: usable: 2 of 3 nodes vote, 1 is missing"
other=redis:fourth@${fleet#*@}
needs_all() { ! initialised --fresh && shows "note: 3 of 3 nodes are not ready; repair them and run this again"; }
check "init --fresh needs every node, and is to be run again" needs_all
check "init --fresh makes nothing if one node is away" equals "$(redis-cli -s "$dev/1.sock" keys '{mt2:fourth}*')" ""
kill -9 "${dev_nodes[2]}"
check "replay nodes ends with 3 when too few nodes vote" \
  answers 3 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says that two nodes are needed" shows "verdict: unusable: 1 of 3 nodes vote, and 2 are needed"
kill -TERM "$dev_pid"
ended() { local status=0; wait "$dev_pid" || status=$?; equals "$status" "$1"; }
check "SIGTERM ends the example with 0" ended 0
check "SIGTERM ends the example's servers" gone "${dev_nodes[@]}"
check "the example takes its folder away" test ! -e "$dev"
check "the example starts once more" started
kill -9 "$dev_pid"
wait "$dev_pid" 2>/dev/null || true
check "the example's servers end when it is killed" gone "${dev_nodes[@]}"
rm -rf "$dev"
finish
