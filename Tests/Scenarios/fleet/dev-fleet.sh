#!/usr/bin/env bash
# `replay dev-fleet`, a fleet to try: what it prints, one use through many processes, seats that end, and its own end.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/seats.sh"

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
check "a server that is not there" answers 3 "" replay dev-fleet --folder "$dev" --server mediatoken-has-no-such-server
check "is said to be missing, and how to get one" says "install it with apt-get install redis-server"
check "one that does not serve" answers 3 "" replay dev-fleet --folder "$dev" --server false
# Any of the three may be the first.
check "is said to have ended" grep -q "seat [123] ended at once" "$work/err"
check "and no folder is left behind" test ! -e "$dev"
mkdir "$work/taken"
check "a folder that is there" answers 3 "" replay dev-fleet --folder "$work/taken"
check "is not touched" says "remove it if no fleet uses it"
check "a folder whose sockets would have too long a name" answers 3 "" replay dev-fleet --folder "$work/$(printf '%0100d' 0)"
check "is refused" says "whose path is longer than 100 bytes"
check "a folder with a comma" answers 3 "" replay dev-fleet --folder "$work/a,b"

mkfifo "$work/hold"
# dev_fleet: starts one, whose standard input is a pipe that descriptor 9 holds open.
dev_fleet() {
  rm -f "$work/dev.out"
  "$MEDIATOKEN" replay dev-fleet --folder "$dev" <"$work/hold" >"$work/dev.out" 2>"$work/dev.err" &
  dev_pid=$!
  exec 9>"$work/hold"
  told "$work/dev.out" "Stop with Ctrl-C" || { cat "$work/dev.err"; return 1; }
  mapfile -t dev_seats < <(sed -n 's/^seat [1-3]: process //p' "$work/dev.out")
}
check "dev-fleet starts" dev_fleet
fleet=redis:dev@$dev/1.sock,$dev/2.sock,$dev/3.sock
check "and prints the address first" equals "$(head -n 1 "$work/dev.out")" "address: $fleet"
check "in a folder that only its owner may enter" equals "$(stat -c %a "$dev")" 700
check "with three servers" equals "${#dev_seats[@]}" 3
check "whose process ids are in files" equals "$(cat "$dev"/{1,2,3}.pid | tr -s '\n' ' ')" "${dev_seats[*]} "
check "it says how to start two daemons" grep -qF "mediatokend --socket b.sock --keys $dev/key.pem --requestor REF30 --replay $fleet" "$work/dev.out"
check "whose tokens only its owner can sign" equals "$(stat -c %a "$dev/key.private.pem")" 600
pasted() {
  eval "$(grep '^mediatoken issue' "$work/dev.out" | sed "s|^mediatoken|$MEDIATOKEN|; s|>token|>$work/pasted|")"
  answers 0 VALID_TOKEN verify - --keys "$dev/key.pem" --requestor REF30 --resource TNT --replay "$fleet" "${patient[@]}" <"$work/pasted"
}
check "the token of the line to paste plays" decides pasted
question=("${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet" "${patient[@]}")
check "seats: all vote" answers 0 "seat 1: voting" replay seats "${at_leisure[@]}" --replay "$fleet"
check "which it says" shows "verdict: usable: every seat votes"
explained() {
  one=$(fresh_token)
  answers 0 VALID_TOKEN explain "$one" "${question[@]:0:8}"
}
check "explain: a token that was not used" decides explained
check "would be voted for" shows "one use: passed"
explained_and_used() { explained && answers 0 VALID_TOKEN verify "$one" "${question[@]}"; }
check "explaining uses nothing up: the first use" decides explained_and_used
check "says so" shows "use: first"
check "the second, in another process" decides answers 1 TOKEN_REPLAYED verify "$one" "${question[@]}"
check "explain knows it too" decides answers 1 TOKEN_REPLAYED explain "$one" "${question[@]:0:8}"
# Two of three decided; the third may have been late.
check "and says which seats do" test "$(grep -oF '.sock): used' "$work/out" | wc -l)" -ge 2
check "a refusal before that asks no seat" answers 1 INVALID_RESOURCE_ID explain "$one" "${question[@]:0:4}" --resource TBS \
  --replay "$fleet"
check "and says so" shows "one use: not checked"
kill -9 "${dev_seats[1]}"
check "a seat that ends is mentioned" told "$work/dev.err" "seat 2 has ended; 2 of 3 are left, and 2 decide"
check "and changes nothing: used stays used" decides answers 1 TOKEN_REPLAYED verify "$one" "${question[@]}"
check "fresh tokens are valid" decides plays "${question[@]}"
check "seats: one is down" answers 0 "seat 1: voting" replay seats "${at_leisure[@]}" --replay "$fleet"
check "which it says" shows "verdict: usable: 2 of 3 seats vote, 1 is missing"
kill -9 "${dev_seats[2]}"
check "with one seat of three there is no verdict" answers 3 "" verify "$(fresh_token)" "${question[@]}"
check "but a fault" says "no verdict: REPLAY_MEMORY_UNAVAILABLE"
check "explain: neither, and it says what the seats say" \
  has_no_answer "seat 1 ($dev/1.sock): not used; it would vote for it" explain "$(fresh_token)" "${question[@]:0:8}"
check "seats: too few" answers 3 "seat 1: voting" replay seats "${at_leisure[@]}" --replay "$fleet"
check "which it says" shows "verdict: unusable: 1 of 3 seats vote, and 2 are needed"
kill -TERM "$dev_pid"
ended() { local status=0; wait "$dev_pid" || status=$?; equals "$status" "$1"; }
check "SIGTERM ends it in order" ended 0
check "with its servers" gone "${dev_seats[@]}"
check "and its folder" test ! -e "$dev"
exec 9>&-
check "dev-fleet starts again" dev_fleet
exec 9>&-
check "it ends when its input is closed" ended 0
check "with its servers and its folder" eval 'gone "${dev_seats[@]}" && test ! -e "$dev"'
check "dev-fleet starts once more" dev_fleet
kill -9 "$dev_pid"
wait "$dev_pid" 2>/dev/null || true
check "its servers end when it is killed" gone "${dev_seats[@]}"
exec 9>&-
rm -rf "$dev"
finish
