#!/usr/bin/env bash
# `replay dev-fleet`, a fleet to try: what it prints, nodes that end, and its own end.
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

dev=$work/dev
check "dev-fleet with a server that is not there ends with 3" \
  answers 3 "" replay dev-fleet --folder "$dev" --server mediatoken-has-no-such-server
check "dev-fleet says how to get a server that is missing" says "install it with apt-get install redis-server"
if [[ $EUID -eq 0 ]]; then
  check "dev-fleet with a PostgreSQL as root ends with 3" answers 3 "" replay dev-fleet --folder "$dev" --engine postgres
  check "dev-fleet with a PostgreSQL as root says how to start it" says "start this as another user"
fi
check "dev-fleet with a server that does not serve ends with 3" answers 3 "" replay dev-fleet --folder "$dev" --server false
# Any of the three may be the first.
check "dev-fleet says that a server ended at once" grep -q "node [123] ended at once" "$work/err"
check "dev-fleet with a server that does not serve leaves no folder" test ! -e "$dev"
mkdir "$work/taken"
check "dev-fleet with a folder that is there ends with 3" answers 3 "" replay dev-fleet --folder "$work/taken"
check "dev-fleet says what to do about a folder that is there" says "remove it if no fleet uses it"
check "dev-fleet with a folder whose sockets would have too long a name ends with 3" \
  answers 3 "" replay dev-fleet --folder "$work/$(printf '%0100d' 0)"
check "dev-fleet says that the path of a socket would be too long" says "whose path is longer than 100 bytes"
check "dev-fleet with a comma in its folder ends with 3" answers 3 "" replay dev-fleet --folder "$work/a,b"

mkfifo "$work/hold"
# dev_fleet: starts one, whose standard input is a pipe that descriptor 9 holds open.
dev_fleet() {
  rm -f "$work/dev.out"
  "$MEDIATOKEN" replay dev-fleet --folder "$dev" <"$work/hold" >"$work/dev.out" 2>"$work/dev.err" &
  dev_pid=$!
  exec 9>"$work/hold"
  told "$work/dev.out" "Stop with Ctrl-C" || { cat "$work/dev.err"; return 1; }
  mapfile -t dev_nodes < <(sed -n 's/^node [1-3]: process //p' "$work/dev.out")
}
check "dev-fleet starts" dev_fleet
fleet=redis:dev@$dev/1.sock,$dev/2.sock,$dev/3.sock
check "dev-fleet prints the address first" equals "$(head -n 1 "$work/dev.out")" "address: $fleet"
check "the folder of dev-fleet is its owner's alone" equals "$(stat -c %a "$dev")" 700
check "dev-fleet has three servers" equals "${#dev_nodes[@]}" 3
check "dev-fleet writes the process ids of its servers to files" \
  equals "$(cat "$dev"/{1,2,3}.pid | tr -s '\n' ' ')" "${dev_nodes[*]} "
check "dev-fleet says how to start two daemons" \
  grep -qxF "mediatokend --config $dev/b.json" "$work/dev.out"
are_usable() {
  local host
  for host in a b; do "$MEDIATOKEND" --check-config --config "$dev/$host.json" >"$work/out" || return 1; done
}
check "the configurations of dev-fleet can be used" are_usable
check "the private key of dev-fleet is its owner's alone" equals "$(stat -c %a "$dev/key.private.pem")" 600
pasted() {
  eval "$(grep '^mediatoken issue' "$work/dev.out" | sed "s|^mediatoken|$MEDIATOKEN|; s|>token|>$work/pasted|")"
  answers 0 VALID_TOKEN verify - --keys "$dev/key.pem" --requestor REF30 --resource TNT --replay "$fleet" "${patient[@]}" <"$work/pasted"
}
check "the token of the line that dev-fleet prints plays" decides pasted
check "replay nodes ends with 0 when all nodes vote" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says that every node votes" shows "verdict: usable: every node votes"
kill -9 "${dev_nodes[1]}"
check "dev-fleet says that a node has ended" told "$work/dev.err" "node 2 has ended; 2 of 3 are left, and 2 decide"
check "replay nodes says that two of three nodes vote" answers 0 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says which node is missing" shows "verdict: usable: 2 of 3 nodes vote, 1 is missing"
kill -9 "${dev_nodes[2]}"
check "replay nodes ends with 3 when too few nodes vote" \
  answers 3 "node 1: voting" replay nodes "${at_leisure[@]}" --replay "$fleet"
check "replay nodes says that two nodes are needed" shows "verdict: unusable: 1 of 3 nodes vote, and 2 are needed"
kill -TERM "$dev_pid"
ended() { local status=0; wait "$dev_pid" || status=$?; equals "$status" "$1"; }
check "SIGTERM ends dev-fleet with 0" ended 0
check "SIGTERM ends the servers of dev-fleet" gone "${dev_nodes[@]}"
check "dev-fleet takes its folder away when SIGTERM ends it" test ! -e "$dev"
exec 9>&-
check "dev-fleet starts again after SIGTERM" dev_fleet
exec 9>&-
check "dev-fleet ends with 0 when its input is closed" ended 0
check "servers and folder of dev-fleet are gone when its input is closed" eval 'gone "${dev_nodes[@]}" && test ! -e "$dev"'
check "dev-fleet starts once more" dev_fleet
kill -9 "$dev_pid"
wait "$dev_pid" 2>/dev/null || true
check "the servers of dev-fleet end when it is killed" gone "${dev_nodes[@]}"
exec 9>&-
rm -rf "$dev"
finish
