#!/usr/bin/env bash
# How a fleet begins on the command line: nodes that are uninitialised, warming and voting, and what `replay nodes` tells a script.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/nodes.sh"

three_nodes prod
nodes() { "$MEDIATOKEN" replay nodes "${at_leisure[@]}" --replay "${1:-$fleet}" --json "${@:2}" >"$work/nodes" 2>"$work/err" || true; }
# of_nodes EXPRESSION: of the last `nodes`, an expression for each node `s`.
of_nodes() { member "$work/nodes" "' '.join(str($1) for s in j['nodes'])"; }
nodes
check "nodes that no host asked are uninitialised" equals "$(of_nodes 's["state"]')" "uninitialised uninitialised uninitialised"
check "replay nodes of uninitialised nodes ends with 3" answers 3 "node 1: uninitialised" replay nodes "${at_leisure[@]}" --replay "$fleet"
ends 3
needs_all() {
  answers 3 "node 1: $work/1.sock, uninitialised" replay init "${at_leisure[@]}" --replay "$fleet" --fresh &&
    shows "note: 3 of 3 nodes are not ready; repair them and run this again"
}
check "init --fresh needs every node, and is to be run again" needs_all
check "init --fresh makes nothing if one node is away" equals "$(at 1 dbsize)" 0
rm -f "$work/3.sock"
node 3
short=$(config_of short "\"address\": \"$fleet\", \"fleet\": {$patient}" '"futureToleranceMilliseconds": 2000')
initialises() { "$MEDIATOKEN" replay init "${at_leisure[@]}" --config "$short" "$@" >"$work/out" 2>"$work/err"; }
# What is asked of warming nodes counts if they are warming after it. Otherwise they forget all, and it is done again.
for _ in {1..5}; do
  for n in 1 2 3; do at "$n" flushall >/dev/null; done
  before=$(date +%s) found=yes are_a_fleet=yes
  initialises || found=no
  after=$(date +%s)
  cp "$work/out" "$work/initialised"
  # Each node's own: a second may begin between two of them.
  floors=$(sed -n 's/^node [0-9]: .*from: \([0-9]*\) .*/\1/p' "$work/initialised" | paste -sd ' ')
  floor=$(tr ' ' '\n' <<<"$floors" | sort -n | tail -n 1)
  answers 0 "node 1: warming" replay nodes "${at_leisure[@]}" --config "$short" >"$work/answer" || are_a_fleet=no
  nodes "$fleet" --config "$short"
  warming=$(fresh_token 1 --ttl 3600000)
  [[ $(date +%s) -ge $floor ]] || break
done
check "replay init of three nodes succeeds" equals "$found" yes
check "replay init prints the address of node 1, and its floor" \
  eval '[[ $(head -n 1 "$work/initialised") == "node 1: $work/1.sock, from: "* ]]'
check "the floor of a new node is the tolerance and twelve seconds ahead" \
  test "$floor" -ge $((before + 14)) -a "$floor" -le $((after + 15))
check "nodes that were just initialised are warming" equals "$(of_nodes 's["state"]')" "warming warming warming"
check "warming nodes are a fleet, and say when they start to vote" equals "$are_a_fleet $(of_nodes 's["from"]')" "yes $floors"
shortly=(--requestor REF30 --resource TNT --config "$short" --spend)
check "a token from before the floor is refused" decides answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$warming" "${shortly[@]}"
check "replay init of a fleet that was initialised succeeds" initialises
check "init --fresh of a fleet that was initialised is refused" exits 3 initialises --fresh
nodes "$fleet" --config "$short"
check "initialisation a fleet again leaves its floor" equals "$(of_nodes 's["from"]')" "$floors"
nodes "$fleet"
check "with other times the nodes are refused as those of another fleet" equals "$(of_nodes 's["state"]')" "refused refused refused"
check "a node that is refused with other times has a reason and a cure" \
  eval '[[ $(of_nodes "s[\"reason\"]") == *"another fleet"*"maxTTL"* ]]'
check "verify with other times has no verdict, and names the node" has_no_answer "node 1 ($work/1.sock)" \
  verify "$warming" "${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet"
while [[ $(date +%s) -le $floor ]]; do sleep 0.2; done
check "when the floor has passed tokens are valid" decides plays "${shortly[@]}"
check "when the floor has passed an old token stays refused" \
  decides answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$warming" "${shortly[@]}"

# --- what scripts read
fleet=redis:test@$work/1.sock,$work/2.sock,$work/3.sock
"$MEDIATOKEN" replay init "${at_leisure[@]}" --replay "$fleet" --fresh >"$work/out"
check "a fresh fleet takes all tokens" equals "$(head -n 1 "$work/out")" "node 1: $work/1.sock, from: all tokens"
check "init --fresh ends with the address to type next" equals "$(tail -n 1 "$work/out")" "next: --replay $fleet"
nodes
check "replay nodes --json has its members" equals "$(member "$work/nodes" 'list(j)')" "['fleet', 'digest', 'votes', 'nodes']"
check "each node of replay nodes --json has its members" equals "$(member "$work/nodes" 'list(j["nodes"][0])')" \
  "['node', 'address', 'state', 'reason', 'from', 'high', 'seen', 'clockOffsetMilliseconds', 'roundTripMicroseconds', 'usedMemoryBytes', 'version', 'cluster', 'database', 'syncStandbys', 'warnings']"
check "replay nodes --json has the fleet's name, and how many votes decide" \
  equals "$(member "$work/nodes" '[j["fleet"], j["votes"]]')" "['test', 2]"
check "replay nodes --json has number, state, floor and reason of each node" \
  equals "$(of_nodes '(s["node"], s["state"], s["from"], s["reason"])')" \
  "(1, 'voting', 0, None) (2, 'voting', 0, None) (3, 'voting', 0, None)"
digest=$(printf '%s\n' mt2 test 3600000 60000 0 "$work"/{1,2,3}.sock | sha256sum | cut -c 1-16)
check "the digest of replay nodes --json is that of name, times and nodes" equals "$(member "$work/nodes" 'j["digest"]')" "$digest"
finish
