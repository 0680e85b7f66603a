#!/usr/bin/env bash
# `examples/fleet/run`, a fleet to try: what it prints, nodes that end, and its own end. With a PostgreSQL it is docs/documents.py's.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/nodes.sh"

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
kill -9 "${dev_nodes[1]}"
check "the example says that a node has ended" told "$work/dev.err" "node 2 has ended; 2 are left"
check "replay nodes says that two of three nodes vote" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says which node is missing" shows "verdict: usable: 2 of 3 nodes vote, 1 is missing"
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
