#!/usr/bin/env bash
# A host of a fleet: what it says to each token, nodes that it refuses, and nodes that end and come back meanwhile.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/nodes.sh"

three_nodes test
"$MEDIATOKEN" replay init "${at_leisure[@]}" --replay "$fleet" --fresh >/dev/null

issued=$(date +%s)
# After this scenario has ended, however busy the machine is.
later=$((issued + 500))
fault="error REPLAY_MEMORY_UNAVAILABLE"
# spends ANSWER LINE [FILE]: what a host says to one line. It is asked again after a fault, which may have used up what it was asked
# about: for the first use, any answer of a node will do then.
spends() {
  local wanted=$1 line=$2 found
  for _ in {1..20}; do
    found=$(printf '%s\n' "$line" | "$spend" "${3:-$file}" 2>"$work/err") || true
    [[ $found == "$fault"* ]] || break
    [[ $wanted != first ]] || wanted="@(first|used|retry)"
  done
  # shellcheck disable=SC2053 # It is a pattern.
  [[ $found == $wanted* ]] || { echo "  expected '$wanted', found '$found': $(cat "$work/err")"; return 1; }
}
a=$(identity 1)
check "a host grants the first use of an identity" spends first "$a $later - $issued"
check "a host refuses the second use of an identity" spends used "$a $later - $issued"
check "a host refuses a life that is over" spends expired "$(identity 2) $((issued - 1)) - $((issued - 100))"
check "a line that was refused has not used its identity up" spends first "$(identity 2) $later - $issued"
window=$(config_of window "\"address\": \"$fleet\", \"retryWindowMilliseconds\": 30000, \"fleet\": {$patient}")
check "a host grants a first use with a request id" spends first "$(identity 3) $later r1 $issued" "$window"
check "a host grants a repetition under the same request id, in another process" spends retry "$(identity 3) $later r1 $issued" "$window"
check "a host refuses another request id for a used identity" spends used "$(identity 3) $later r2 $issued" "$window"
check "a host refuses a used identity without a request id" spends used "$(identity 3) $later - $issued" "$window"
# refused_at_start TEXT ADDRESS|FILE: exit 3 before the first line is read, with nothing on standard output. A node that has not said
# in 2 s what it is counts as down: another one is named, or the other two decide. That is done again, with another token.
unspent=1000
refused_at_start() {
  local text=$1 status begin
  shift
  for _ in {1..10}; do
    status=0 begin=${EPOCHREALTIME/./}
    printf '%s\n' "$(identity $unspent) $later - $issued" | "$spend" "$1" >"$work/out" 2>"$work/err" || status=$?
    [[ $((${EPOCHREALTIME/./} - begin)) -ge 2000000 ]] || break
    [[ -s $work/out ]] || lacks "$text" "$work/err" || break
    unspent=$((unspent + 1))
  done
  equals "$status" 3 && equals "$(cat "$work/out")" "" && says "$text"
}
check "a host whose policy has other times is turned away" refused_at_start "node 1 ($work/1.sock)" \
  "$(config_of times "\"address\": \"$fleet\"" '"maxTTLMilliseconds": 420000')"
check "a host with other nodes is turned away" refused_at_start "node 1 ($work/2.sock)" \
  "redis:test@$work/2.sock,$work/1.sock,$work/3.sock"
# Whichever of the two answers later is refused, as the same process or as another node of this fleet.
check "one node under two names is refused" eval '
  ln -sf 1.sock "$work/also-1.sock" && refused_at_start "1.sock): it is " "redis:twice@$work/1.sock,$work/also-1.sock,$work/3.sock"'
node 4 --replicaof 127.0.0.1 1
check "a replica is refused" refused_at_start "node 3 ($work/4.sock)" "redis:replica@$work/1.sock,$work/2.sock,$work/4.sock"
check "the message about a replica has the cure" says "REPLICAOF NO ONE"
port=$(python3 -Bc 'import sys; sys.path.insert(1, sys.argv[1]); import processes; print(processes.free_port())' "$scenarios/lib")
node 5 --cluster-enabled yes --cluster-port "$port" --bind 127.0.0.1 --cluster-config-file "$work/nodes.conf"
check "a node of a cluster is refused" refused_at_start "node 3 ($work/5.sock)" "redis:cluster@$work/1.sock,$work/2.sock,$work/5.sock"
check "the message about a node of a cluster has the cure" says "cluster-enabled no"
# Its socket is seen when it listens.
python3 -c 'import os, socket, sys
server, connections = socket.socket(socket.AF_UNIX), []
server.bind(sys.argv[1] + ".new"); server.listen(); os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
  connections.append(server.accept()[0]); connections[-1].sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")' "$work/6.sock" &
awaits 60 test -S "$work/6.sock"
check "a server that is no node is refused" refused_at_start "node 3 ($work/6.sock)" "redis:web@$work/1.sock,$work/2.sock,$work/6.sock"
check "no host that was turned away has used an identity up" spends first "$(identity $unspent) $later - $issued"

# --- nodes that end and come back

coproc SPEND { exec "$spend" "$file" 2>"$work/spend.err"; }
spender=$SPEND_PID # which bash forgets as soon as it ends
in_an_hour=$((issued + 3500))
# ask NUMBER: leaves in `found` what the co-process says at once.
ask() {
  found=
  echo "$(identity "$1") $in_an_hour - $issued" >&"${SPEND[1]}"
  read -t 60 -r found <&"${SPEND[0]}" || true
}
# asks ANSWER NUMBER: what the co-process says, which is asked again after a fault that is not the answer. Its votes stay good.
asks() {
  for _ in {1..300}; do
    ask "$2"
    [[ $found == "$fault" && $1 != "$fault" ]] || break
    sleep 0.2
  done
  equals "$found" "$1"
}
# is_refused NUMBER: one of three nodes knows the token, and two have forgotten it. The answer is `used` if the node that knows
# is heard before the other two decide, and `predates` if it is not.
is_refused() { asks predates "$1" >/dev/null || equals "$found" used; }
# within_a_minute ANSWER FIRST_NUMBER: another token each time.
within_a_minute() {
  local n
  for n in {0..600}; do asks "$1" $(($2 + n)) >/dev/null && return; sleep 0.1; done
  asks "$1" "$2"
}
check "a co-process gets its answer at once" asks first 100
check "a co-process gets its answer at once after a pause of six seconds" eval 'sleep 6; asks first 101'
# Meanwhile every node has been connected to again.
check "a co-process gets 30 answers, one after another" eval 'for n in {300..330}; do asks first "$n" || break; done; equals "$n" 330'
# A first use goes to nodes that can be asked at that moment, and two decide: this gives the third its word, too. Otherwise a use
# that one of two nodes has not heard of would stay undecided.
check "an identity that a co-process used is used" asks used 100
ends 3
check "with two of three nodes a first use is granted" asks first 102
check "with two of three nodes a used identity stays used" asks used 100
ends 2
check "with one of three nodes a use is a fault" asks "$fault" 103
check "with one of three nodes the same use is a fault again" asks "$fault" 103
rm -f "$work/2.sock" "$work/3.sock"
node 2
check "a node that comes back empty gives no vote for what it may have forgotten" asks "$fault" 104
node 3
check "two nodes that came back empty refuse an identity from before for good" within_a_minute predates 200
kill -0 "$spender"
check "the co-process goes on after all of that, and refuses a used identity" is_refused 100
eval "exec ${SPEND[1]}>&-"
status=0
wait "$spender" || status=$?
check "a host ends with 3 after faults" equals "$status" 3
finish
