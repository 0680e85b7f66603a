#!/usr/bin/env bash
# A fleet on the command line, with real seats: one use through many processes, seats that end and come back, addresses,
# seats and credentials that are wrong, what scripts read, and that no secret leaves.
source "$(dirname "$0")/common.sh"
for program in redis-server redis-cli python3; do
  command -v "$program" >/dev/null || { finished=yes; echo "$program is missing"; exit 77; }
done
prepare
started=()
trap 'status=$?; kill -9 "${started[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"
  [[ $finished == yes ]] || { echo "$scenario: ended early"; exit 1; }; exit $status' EXIT

# fresh_token [COUNT]: tokens that are issued now, and like no other.
fresh_token() { "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --count "${1:-1}" "${@:2}"; }
# A fleet looks at the first 16 bytes.
identity() { printf '%016x%048x' "$1" 0; }
# What is tested here is not how fast this machine is.
patient=(--fleet-deadline 1000)

# seat NUMBER [OPTION...]: starts the server of a seat, and waits until it answers.
seat() {
  redis-server --port 0 --unixsocket "$work/$1.sock" --save '' --dir "$work" --logfile "$work/$1.log" "${@:2}" &
  started+=($!)
  seat_pid[$1]=$!
  for _ in {1..500}; do [[ $(at "$1" ping 2>&1) == *[A-Z]* && -S $work/$1.sock ]] && return; sleep 0.02; done
  return 1
}
declare -A seat_pid
at() { redis-cli -s "$work/$1.sock" "${@:2}" 2>&1; }
ends() {
  kill -9 "${seat_pid[$1]}"
  wait "${seat_pid[$1]}" 2>/dev/null || true
}
# told FILE TEXT: waits until a file has the text.
told() {
  for _ in {1..1000}; do grep -qF -- "$2" "$1" 2>/dev/null && return; sleep 0.02; done
  echo "  expected '$2' in $1, found: $(head -c 400 "$1")"
  return 1
}
# gone PID...: waits until the processes have ended.
gone() {
  local pid
  for _ in {1..500}; do
    for pid in "$@"; do [[ -e /proc/$pid/stat && $(cut -d ' ' -f 3 /proc/$pid/stat 2>/dev/null) != Z ]] && { sleep 0.02; continue 2; }; done
    return 0
  done
  return 1
}

# --- a fleet to try
dev=$work/dev
claim "a server that is not there" answers 3 "" replay dev-fleet --folder "$dev" --server mediatoken-has-no-such-server
claim "is said to be missing, and how to get one" says "install it with apt-get install redis-server"
claim "one that does not serve" answers 3 "" replay dev-fleet --folder "$dev" --server false
claim "is said to have ended" says "seat 1 ended at once"
claim "and no folder is left behind" test ! -e "$dev"
mkdir "$work/taken"
claim "a folder that is there" answers 3 "" replay dev-fleet --folder "$work/taken"
claim "is not touched" says "remove it if no fleet uses it"
claim "a folder whose sockets would have too long a name" answers 3 "" replay dev-fleet --folder "$work/$(printf '%0100d' 0)"
claim "is refused" says "at most 100 bytes"
claim "a folder with a comma" answers 3 "" replay dev-fleet --folder "$work/a,b"

mkfifo "$work/hold"
# dev_fleet: starts one, whose standard input is a pipe that descriptor 9 holds open.
dev_fleet() {
  rm -f "$work/dev.out"
  "$MEDIATOKEN" replay dev-fleet --folder "$dev" <"$work/hold" >"$work/dev.out" 2>"$work/dev.err" &
  dev_pid=$!
  started+=("$dev_pid")
  exec 9>"$work/hold"
  told "$work/dev.out" "Stop with Ctrl-C" || { cat "$work/dev.err"; return 1; }
  mapfile -t dev_seats < <(sed -n 's/^seat [1-3]: process //p' "$work/dev.out")
  started+=("${dev_seats[@]}")
}
claim "dev-fleet starts" dev_fleet
fleet=redis:dev@$dev/1.sock,$dev/2.sock,$dev/3.sock
claim "and prints the address first" equals "$(head -n 1 "$work/dev.out")" "address: $fleet"
claim "in a folder that only its owner may enter" equals "$(stat -c %a "$dev")" 700
claim "with three servers" equals "${#dev_seats[@]}" 3
claim "whose process ids are in files" equals "$(cat "$dev"/{1,2,3}.pid | tr -s '\n' ' ')" "${dev_seats[*]} "
claim "it says how to start two daemons" grep -qF "mediatokend --socket b.sock --keys $dev/key.pem --requestor REF30 --replay $fleet" "$work/dev.out"
claim "whose tokens only its owner can sign" equals "$(stat -c %a "$dev/key.private.pem")" 600
eval "$(grep '^mediatoken issue' "$work/dev.out" | sed "s|^mediatoken|$MEDIATOKEN|; s|>token|>$work/pasted|")"
claim "the token of the line to paste plays" answers 0 VALID_TOKEN verify - --keys "$dev/key.pem" --requestor REF30 \
  --resource TNT --replay "$fleet" "${patient[@]}" <"$work/pasted"
check=("${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet" "${patient[@]}")
claim "seats: all vote" answers 0 "seat 1: voting" replay seats --replay "$fleet"
claim "which it says" shows "verdict: usable: every seat votes"
one=$(fresh_token)
claim "explain: a token that nobody used" answers 0 VALID_TOKEN explain "$one" "${check[@]:0:8}"
claim "would be voted for" shows "one use: passed"
claim "explaining uses nothing up: the first use" answers 0 VALID_TOKEN verify "$one" "${check[@]}"
claim "says so" shows "use: first"
claim "the second, in another process" answers 1 TOKEN_REPLAYED verify "$one" "${check[@]}"
claim "explain knows it too" answers 1 TOKEN_REPLAYED explain "$one" "${check[@]:0:8}"
claim "and says which seats do" shows "seat 3 ($dev/3.sock): used"
claim "a refusal before that asks no seat" answers 1 INVALID_RESOURCE_ID explain "$one" "${check[@]:0:4}" --resource TBS \
  --replay "$fleet"
claim "and says so" shows "one use: not checked"
kill -9 "${dev_seats[1]}"
claim "a seat that ends is mentioned" told "$work/dev.err" "seat 2 has ended; 2 of 3 are left, and 2 decide"
claim "and changes nothing: used stays used" answers 1 TOKEN_REPLAYED verify "$one" "${check[@]}"
claim "fresh tokens are valid" answers 0 VALID_TOKEN verify "$(fresh_token)" "${check[@]}"
claim "seats: one is down" answers 0 "seat 1: voting" replay seats --replay "$fleet"
claim "which it says" shows "verdict: usable: 1 of 3 seats is missing"
kill -9 "${dev_seats[2]}"
claim "with one seat of three there is no verdict" answers 3 "" verify "$(fresh_token)" "${check[@]}"
claim "but a fault" says "no verdict: REPLAY_MEMORY_UNAVAILABLE"
claim "explain: neither" answers 3 "" explain "$(fresh_token)" "${check[@]:0:8}"
claim "it says what the seats say" says "seat 1 ($dev/1.sock): not used; it would vote for it"
claim "seats: too few" answers 3 "seat 1: voting" replay seats --replay "$fleet"
claim "which it says" shows "verdict: unusable: 1 of 3 seats vote, and 2 are needed"
kill -TERM "$dev_pid"
ended() { local status=0; wait "$dev_pid" || status=$?; equals "$status" "$1"; }
claim "SIGTERM ends it in order" ended 0
claim "with its servers" gone "${dev_seats[@]}"
claim "and its folder" test ! -e "$dev"
exec 9>&-
claim "dev-fleet starts again" dev_fleet
exec 9>&-
claim "it ends when its input is closed" ended 0
claim "with its servers and its folder" eval 'gone "${dev_seats[@]}" && test ! -e "$dev"'
claim "dev-fleet starts once more" dev_fleet
kill -9 "$dev_pid"
wait "$dev_pid" 2>/dev/null || true
claim "its servers end when it is killed" gone "${dev_seats[@]}"
exec 9>&-
rm -rf "$dev"

# --- founding
for n in 1 2 3; do seat "$n" || { echo "cannot start redis-server"; exit 1; }; done
fleet=redis:prod@$work/1.sock,$work/2.sock,$work/3.sock
seats() { "$MEDIATOKEN" replay seats --replay "${1:-$fleet}" --json "${@:2}" >"$work/seats" 2>"$work/err" || true; }
# of_seats EXPRESSION: of the last `seats`, an expression for each seat `s`.
of_seats() { member "$work/seats" "' '.join(str($1) for s in j['seats'])"; }
seats
claim "seats that no host asked are unborn" equals "$(of_seats 's["state"]')" "unborn unborn unborn"
claim "which is no fleet" answers 3 "seat 1: unborn" replay seats --replay "$fleet"
claim "and looking at them changed nothing" equals "$(at 1 dbsize)" 0
claim "explain makes no place for them either" eval '
  ! "$MEDIATOKEN" explain "$(fresh_token)" "${trust[@]}" "${ours[@]:0:4}" --replay "$fleet" >/dev/null 2>&1 && equals "$(at 1 dbsize)" 0'
ends 3
claim "a fresh fleet needs every seat" answers 3 "seat 1: $work/1.sock, unborn" replay found --replay "$fleet" --fresh
claim "and makes nothing if one is away" equals "$(at 1 dbsize)" 0
rm -f "$work/3.sock"
seat 3
before=$(date +%s)
founds() { "$MEDIATOKEN" replay found --replay "$fleet" --future-tolerance 2000 "$@" >"$work/out" 2>"$work/err"; }
claim "found" founds
claim "gives each seat its place" eval '[[ $(head -n 1 "$work/out") == "seat 1: $work/1.sock, from: "* ]]'
floor=$(sed -n 's/^seat 1: .*from: \([0-9]*\) .*/\1/p' "$work/out")
claim "which is the tolerance and twelve seconds ahead" test $((floor - before)) -ge 14 -a $((floor - before)) -le 18
seats "$fleet" --future-tolerance 2000
claim "they are young" equals "$(of_seats 's["state"]')" "young young young"
claim "young seats are a fleet" answers 0 "seat 1: young" replay seats --replay "$fleet" --future-tolerance 2000
claim "and say from when on they vote" equals "$(of_seats 's["from"]')" "$floor $floor $floor"
young=$(fresh_token)
short=("${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet" --future-tolerance 2000 "${patient[@]}")
claim "a token from before that is refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$young" "${short[@]}"
claim "which explain knows" answers 1 TOKEN_PREDATES_REPLAY_MEMORY explain "$young" "${short[@]:0:10}"
claim "to found it again is fine" founds
claim "but not freshly" exits 3 founds --fresh
seats "$fleet" --future-tolerance 2000
claim "the floor stays" equals "$(of_seats 's["from"]')" "$floor $floor $floor"
seats "$fleet"
claim "other times are another fleet" equals "$(of_seats 's["state"]')" "refused refused refused"
claim "with a reason and a cure" eval '[[ $(of_seats "s[\"reason\"]") == *"another fleet"*"maxTTL"* ]]'
claim "verify says so" answers 3 "" verify "$young" "${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet"
claim "and names the seat" says "seat 1 ($work/1.sock)"
while [[ $(date +%s) -le $floor ]]; do sleep 0.2; done
claim "when the floor has passed tokens are valid" answers 0 VALID_TOKEN verify "$(fresh_token)" "${short[@]}"
claim "an old one stays refused" answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$young" "${short[@]}"

# --- what scripts read
fleet=redis:test@$work/1.sock,$work/2.sock,$work/3.sock
"$MEDIATOKEN" replay found --replay "$fleet" --fresh >"$work/out"
claim "a fresh fleet takes all tokens" equals "$(head -n 1 "$work/out")" "seat 1: $work/1.sock, from: all tokens"
claim "and its address is what to type next" equals "$(tail -n 1 "$work/out")" "next: --replay $fleet"
seats
claim "the object of seats has FLEET's members" equals "$(member "$work/seats" 'list(j)')" "['fleet', 'digest', 'votes', 'seats']"
claim "and each seat its own" equals "$(member "$work/seats" 'list(j["seats"][0])')" \
  "['seat', 'address', 'state', 'reason', 'from', 'high', 'clockOffsetMilliseconds', 'roundTripMicroseconds', 'usedMemoryBytes', 'version', 'warnings']"
claim "with their values" equals "$(member "$work/seats" '[j["fleet"], j["votes"]]')" "['test', 2]"
claim "and seats" equals "$(of_seats '(s["seat"], s["state"], s["from"], s["reason"])')" \
  "(1, 'voting', 0, None) (2, 'voting', 0, None) (3, 'voting', 0, None)"
digest=$(printf '%s\n' mt1 test 3600000 60000 0 "$work"/{1,2,3}.sock | sha256sum | cut -c 1-16)
claim "the digest is that of name, times and seats" equals "$(member "$work/seats" 'j["digest"]')" "$digest"
at 1 config set maxmemory-policy allkeys-lru >/dev/null
at 1 config set appendonly yes >/dev/null
seats
claim "a seat that may forget is warned about" eval '[[ $(member "$work/seats" "j[\"seats\"][0][\"warnings\"]") == *noeviction* ]]'
claim "and is not refused" equals "$(of_seats 's["state"]')" "voting voting voting"
at 1 config set maxmemory-policy noeviction >/dev/null
at 1 config set appendonly no >/dev/null

now_s() { date +%s; }
in_a_minute=$(($(now_s) + 60))
issued=$(now_s)
# spends ANSWER LINE [ARGUMENT...]: what `replay spend` says to one line.
spends() {
  local wanted=$1 line=$2 found
  shift 2
  found=$(printf '%s\n' "$line" | "$MEDIATOKEN" replay spend --replay "$fleet" "${patient[@]}" "$@" 2>"$work/err") || true
  [[ $found == "$wanted"* ]] || { echo "  expected '$wanted', found '$found': $(cat "$work/err")"; return 1; }
}
a=$(identity 1)
claim "spend: the first use" spends first "$a $in_a_minute - $issued"
claim "the second" spends used "$a $in_a_minute - $issued"
claim "without ISSUED" spends "error expected ISSUED" "$(identity 2) $in_a_minute"
claim "a life that is over" spends expired "$(identity 2) $((issued - 1)) - $((issued - 100))"
claim "a life that is over, without ISSUED" spends "error expected ISSUED" "$(identity 2) 1000000000"
claim "an issue time ahead of the clock" spends "error expected ISSUED at most 60000 ms" \
  "$(identity 2) $((issued + 300)) - $((issued + 100))"
claim "an issue time behind the end" spends "error expected ISSUED not behind" "$(identity 2) $in_a_minute - $((in_a_minute + 1))"
claim "none of these asked a seat" spends first "$(identity 2) $in_a_minute - $issued"
claim "a request" spends first "$(identity 3) $in_a_minute r1 $issued" --retry-window 30000
claim "repeated, on another host as far as seats can tell" spends retry "$(identity 3) $in_a_minute r1 $issued" --retry-window 30000
claim "another one" spends used "$(identity 3) $in_a_minute r2 $issued" --retry-window 30000
claim "no request" spends used "$(identity 3) $in_a_minute - $issued" --retry-window 30000
claim "a line that is none" spends "error expected IDENTITY" "x"
printf '%s\n' "$(identity 4) $in_a_minute - $issued" x "$(identity 4) $in_a_minute - $issued" "$(identity 5) 1 - 1" >"$work/lines"
claim "one answer for each line" equals \
  "$("$MEDIATOKEN" replay spend --replay "$fleet" "${patient[@]}" <"$work/lines" 2>"$work/err" | cut -c 1-5 | tr '\n' ' ')" "first error used expir "
claim "and a sentence about all" says "4 lines: 1 first or retry, 2 refused, 1 malformed, 0 faults"
# refused_at_start TEXT ARGUMENT...: exit 3 before the first line is read, with nothing on standard output.
refused_at_start() {
  local text=$1 status=0
  shift
  printf '%s\n' "$(identity 6) $in_a_minute - $issued" | "$MEDIATOKEN" replay spend "$@" >"$work/out" 2>"$work/err" || status=$?
  equals "$status" 3 && equals "$(cat "$work/out")" "" && says "$text"
}
claim "hosts with other times are turned away" refused_at_start "seat 1 ($work/1.sock)" --replay "$fleet" --max-ttl 420000
claim "and with other seats" refused_at_start "seat 1 ($work/2.sock)" \
  --replay "redis:test@$work/2.sock,$work/1.sock,$work/3.sock"
claim "one seat under two names is refused" eval '
  ln -sf 1.sock "$work/also-1.sock" && refused_at_start "seat 2 ($work/also-1.sock)" --replay "redis:twice@$work/1.sock,$work/also-1.sock,$work/3.sock"'
seat 4 --replicaof 127.0.0.1 1
claim "a replica is refused" refused_at_start "seat 3 ($work/4.sock)" --replay "redis:replica@$work/1.sock,$work/2.sock,$work/4.sock"
claim "with the cure" says "REPLICAOF NO ONE"
seat 5 --cluster-enabled yes --port 17399 --bind 127.0.0.1 --cluster-config-file "$work/nodes.conf"
claim "a node of a cluster is refused" refused_at_start "seat 3 ($work/5.sock)" --replay "redis:cluster@$work/1.sock,$work/2.sock,$work/5.sock"
claim "with the cure" says "cluster-enabled no"
python3 -c 'import socket, sys
server, connections = socket.socket(socket.AF_UNIX), []
server.bind(sys.argv[1]); server.listen()
while True:
  connections.append(server.accept()[0]); connections[-1].sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")' "$work/6.sock" &
started+=($!)
told_socket() { for _ in {1..500}; do [[ -S $1 ]] && return; sleep 0.02; done; return 1; }
told_socket "$work/6.sock"
claim "what is no seat at all is refused" refused_at_start "seat 3 ($work/6.sock)" --replay "redis:web@$work/1.sock,$work/2.sock,$work/6.sock"
claim "the token of none of these was spent" spends first "$(identity 6) $in_a_minute - $issued"
"$MEDIATOKEN" replay create --table "$work/one.table" --capacity 1000 --fresh >/dev/null
claim "shared:PATH is a table" equals "$(printf '%s\n' "$a $in_a_minute" | "$MEDIATOKEN" replay spend --replay "shared:$work/one.table" 2>/dev/null)" first
claim "the same as --table" equals "$(printf '%s\n' "$a $in_a_minute" | "$MEDIATOKEN" replay spend --table "$work/one.table" 2>/dev/null)" used

coproc SPEND { exec "$MEDIATOKEN" replay spend --replay "$fleet" "${patient[@]}" 2>"$work/spend.err"; }
# asks ANSWER NUMBER: what the co-process says at once.
asks() {
  local found=
  echo "$(identity "$2") $in_a_minute - $issued" >&"${SPEND[1]}"
  read -t 20 -r found <&"${SPEND[0]}" || true
  equals "$found" "$1"
}
# within_ten_seconds ANSWER FIRST_NUMBER: another token each time.
within_ten_seconds() {
  local n
  for n in {0..100}; do asks "$1" $(($2 + n)) >/dev/null && return; sleep 0.1; done
  asks "$1" "$2"
}
claim "a co-process gets its answer at once" asks first 100
claim "after a pause too" eval 'sleep 6; asks first 101'
# Meanwhile every seat has been greeted again.
claim "and so do many, one after another" eval 'for n in {300..330}; do asks first "$n" || break; done; equals "$n" 330'
ends 3
claim "a seat that ends is not missed" asks first 102
claim "used stays used" asks used 100
ends 2
claim "with one seat of three it is a fault" asks "error REPLAY_MEMORY_UNAVAILABLE" 103
claim "also if it is asked again" asks "error REPLAY_MEMORY_UNAVAILABLE" 103
rm -f "$work/2.sock" "$work/3.sock"
seat 2
claim "a seat that comes back empty gives no vote for what it may have forgotten" asks "error REPLAY_MEMORY_UNAVAILABLE" 104
seat 3
claim "two of them refuse it for good" within_ten_seconds predates 200
kill -0 "$SPEND_PID"
claim "it goes on all the time" asks used 100
eval "exec ${SPEND[1]}>&-"
status=0
wait "$SPEND_PID" || status=$?
claim "faults are its exit status" equals "$status" 3

# --- many tokens at once
fleet=redis:batch@$work/1.sock,$work/2.sock,$work/3.sock
"$MEDIATOKEN" replay found --replay "$fleet" --fresh >/dev/null
check=("${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet" "${patient[@]}")
{ fresh_token 150; echo '{"token": "x", "id": 7}'; echo; echo '{"tok'; } >"$work/lines"
head -n 150 "$work/lines" | shuf --random-source=<(yes) >>"$work/lines"
commands() { at 1 info commandstats | sed -n 's/^cmdstat_evalsha:calls=\([0-9]*\),.*/\1/p'; }
calls=$(commands)
status=0
"$MEDIATOKEN" verify --batch "$work/lines" "${check[@]}" >"$work/batch" 2>"$work/err" || status=$?
claim "a batch with every token twice is refused in part" equals "$status" 1
claim "uses each once" says "303 lines: 150 valid, 151 refused, 1 malformed, 0 undecided, 1 blank"
claim "its answers are in order" equals "$(sed 's/^{"line":\([0-9]*\).*/\1/' "$work/batch" | tr '\n' ' ')" "$(seq -s ' ' 303 | sed 's/ 152 / /') "
claim "first uses say so" equals "$(grep -c '"verdict":"VALID_TOKEN".*"use":"first"' "$work/batch")" 150
claim "a line keeps its id" grep -q '^{"line":151,"id":7,"verdict":"INVALID_TOKEN_FORMAT"' "$work/batch"
claim "in at most eleven rounds, and a birth for each lane" test $(($(commands) - calls)) -le 20
claim "a line of a batch cannot choose the time" eval '
  echo "{\"token\": \"x\", \"at\": \"2026-11-20T12:00:00Z\"}" | "$MEDIATOKEN" verify --batch - "${check[@]}" 2>/dev/null >"$work/out"; shows "\"error\":\"expected no at"'
raced=$(fresh_token)
for n in {1..20}; do
  { "$MEDIATOKEN" verify "$raced" "${check[@]}" >/dev/null 2>&1 && echo won || echo "lost $?"; } >"$work/race.$n" &
  racers[n]=$!
done
wait "${racers[@]}"
claim "of 20 processes at once at most one wins" test "$(cat "$work"/race.* | grep -c won)" -le 1
claim "and the others are refused, none undecided" test "$(cat "$work"/race.* | grep -c 'lost 1')" -ge 19

# --- a table of this host as a second lock
local=$work/local.table
claim "a local table that is not there" answers 3 "" verify "$raced" "${check[@]}" --local-table "$local"
claim "is named, and how to make one" eval 'says "$local" && says "mediatoken replay create"'
"$MEDIATOKEN" replay create --table "$local" --capacity 1000 --fresh >/dev/null
both=$(fresh_token)
claim "with one" answers 0 VALID_TOKEN verify "$both" "${check[@]}" --local-table "$local"
calls=$(commands)
claim "a replay is refused" answers 1 TOKEN_REPLAYED verify "$both" "${check[@]}" --local-table "$local"
claim "without asking a seat for more than its greeting" test $(($(commands) - calls)) -le 1
claim "the table alone knows it too" answers 1 TOKEN_REPLAYED verify "$both" "${check[@]:0:6}" --replay "shared:$local"

# --- users and passwords
password=correct-horse-battery
for n in 1 2 3; do at "$n" config set requirepass "$password$n" >/dev/null; done
printf '%s\n' "1 default ${password}1" "* default ${password}2" "3 default ${password}3" >"$work/users"
chmod 600 "$work/users"
secretly=("${check[@]}" --fleet-credentials "$work/users")
claim "a seat that asks for a password" answers 3 "" verify "$raced" "${check[@]}"
claim "is named, with the cure" eval 'says "seat 1 ($work/1.sock)" && says "credentials"'
claim "with it" answers 0 VALID_TOKEN verify "$(fresh_token)" "${secretly[@]}"
claim "seats takes it too" answers 0 "seat 1: voting" replay seats --replay "$fleet" --fleet-credentials "$work/users"
claim "and found" answers 0 "seat 1: $work/1.sock, from: all tokens" replay found --replay "$fleet" --fleet-credentials "$work/users"
claim "and explain" answers 0 VALID_TOKEN explain "$(fresh_token)" "${check[@]:0:8}" --fleet-credentials "$work/users"
sed -i s/horse/house/ "$work/users"
claim "another password is refused" answers 3 "" verify "$raced" "${secretly[@]}"
claim "and not shown" lacks "$password" "$work/err"
claim "nor is the one that was given" lacks correct-house "$work/err"
sed -i s/house/horse/ "$work/users"
chmod 644 "$work/users"
claim "a file that others may read is refused" answers 3 "" verify "$raced" "${secretly[@]}"
claim "with the cure" says "$work/users"
chmod 640 "$work/users"
claim "a group may" answers 1 TOKEN_REPLAYED verify "$raced" "${secretly[@]}"
claim "one that is not there" answers 3 "" verify "$raced" "${check[@]}" --fleet-credentials "$work/no.users"
claim "is named" says "$work/no.users"
printf 'one default x\n' >"$work/broken"
chmod 600 "$work/broken"
claim "one that is none" answers 3 "" verify "$raced" "${check[@]}" --fleet-credentials "$work/broken"
claim "is named with its line" eval 'says "$work/broken" && lacks "default x" "$work/err"'

# --- nothing of a token but 16 bytes leaves
python3 -B "$(dirname "$0")/recorder.py" "$work/recorded.sock" "$work/1.sock" "$work/record" &
started+=($!)
disown $!  # Its end is no news.
told_socket "$work/recorded.sock"
watched=redis:watched@$work/recorded.sock,$work/2.sock,$work/3.sock
"$MEDIATOKEN" replay found --replay "$watched" --fresh --fleet-credentials "$work/users" >/dev/null
options=("${trust[@]}" --requestor REF30 --resource TNT --replay "$watched" --fleet-credentials "$work/users")
viewer=fedcba98765432100123456789abcdef
ticket=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --session-guid "$viewer")
claim "behind a witness" answers 0 VALID_TOKEN verify "$ticket" "${options[@]}" "${patient[@]}" --request-id my-request --retry-window 30000
name=$(sed -n 's/^identity: //p' "$work/out")
"$MEDIATOKEN" explain "$ticket" "${options[@]}" >"$work/out" 2>&1 || true
"$MEDIATOKEN" replay seats --replay "$watched" --fleet-credentials "$work/users" >>"$work/out" 2>&1 || true
echo "$ticket" | "$MEDIATOKEN" verify --batch - "${options[@]}" "${patient[@]}" >>"$work/out" 2>&1 || true
claim "the witness saw the claim" python3 - "$work/record" "$name" "$ticket" "$viewer" <<'PY'
import sys
record = open(sys.argv[1], "rb").read()
identity, token, viewer = bytes.fromhex(sys.argv[2]), sys.argv[3].encode(), sys.argv[4].encode()
assert record.count(identity[:16]) >= 3, "the witness saw no claim"
for what, secret in {"17 bytes of the identity": identity[:17], "the rest of it": identity[16:], "its digits": identity.hex()[:17].encode(),
                     "the viewer": viewer, "the token": token[40:60], "the signed bytes": b"<ttl>", "the requestor": b"REF30",
                     "the request": b"my-request"}.items():
    assert secret not in record, what
PY
claim "and no password is said" lacks "$password" "$work/out"

finish
