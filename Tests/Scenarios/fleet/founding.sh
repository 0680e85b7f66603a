#!/usr/bin/env bash
# How a fleet begins on the command line: seats that are unborn, young and voting, and what `replay seats` tells a script.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
source "$here/seats.sh"

three_seats prod
seats() { "$MEDIATOKEN" replay seats "${at_leisure[@]}" --replay "${1:-$fleet}" --json "${@:2}" >"$work/seats" 2>"$work/err" || true; }
# of_seats EXPRESSION: of the last `seats`, an expression for each seat `s`.
of_seats() { member "$work/seats" "' '.join(str($1) for s in j['seats'])"; }
seats
check "seats that no host asked are unborn" equals "$(of_seats 's["state"]')" "unborn unborn unborn"
check "replay seats of unborn seats ends with 3" answers 3 "seat 1: unborn" replay seats "${at_leisure[@]}" --replay "$fleet"
ends 3
needs_all() {
  answers 3 "seat 1: $work/1.sock, unborn" replay found "${at_leisure[@]}" --replay "$fleet" --fresh &&
    shows "note: 3 of 3 seats are not ready; repair them and run this again"
}
check "found --fresh needs every seat, and is to be run again" needs_all
check "found --fresh makes nothing if one seat is away" equals "$(at 1 dbsize)" 0
rm -f "$work/3.sock"
seat 3
founds() { "$MEDIATOKEN" replay found "${at_leisure[@]}" --replay "$fleet" --future-tolerance 2000 "$@" >"$work/out" 2>"$work/err"; }
# What is asked of young seats counts if they are young after it. Otherwise they forget all, and it is done again.
for _ in {1..5}; do
  for n in 1 2 3; do at "$n" flushall >/dev/null; done
  before=$(date +%s) found=yes are_a_fleet=yes
  founds || found=no
  after=$(date +%s)
  cp "$work/out" "$work/founded"
  # Each seat's own: a second may begin between two of them.
  floors=$(sed -n 's/^seat [0-9]: .*from: \([0-9]*\) .*/\1/p' "$work/founded" | paste -sd ' ')
  floor=$(tr ' ' '\n' <<<"$floors" | sort -n | tail -n 1)
  answers 0 "seat 1: young" replay seats "${at_leisure[@]}" --replay "$fleet" --future-tolerance 2000 >"$work/answer" || are_a_fleet=no
  seats "$fleet" --future-tolerance 2000
  young=$(fresh_token 1 --ttl 3600000)
  [[ $(date +%s) -ge $floor ]] || break
done
check "replay found of three seats succeeds" equals "$found" yes
check "replay found prints the address of seat 1, and its floor" \
  eval '[[ $(head -n 1 "$work/founded") == "seat 1: $work/1.sock, from: "* ]]'
check "the floor of a new seat is the tolerance and twelve seconds ahead" \
  test "$floor" -ge $((before + 14)) -a "$floor" -le $((after + 15))
check "seats that were just founded are young" equals "$(of_seats 's["state"]')" "young young young"
check "young seats are a fleet, and say when they start to vote" equals "$are_a_fleet $(of_seats 's["from"]')" "yes $floors"
short=("${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet" --future-tolerance 2000 "${patient[@]}")
check "a token from before the floor is refused" decides answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$young" "${short[@]}"
check "replay found of a fleet that was founded succeeds" founds
check "found --fresh of a fleet that was founded is refused" exits 3 founds --fresh
seats "$fleet" --future-tolerance 2000
check "founding a fleet again leaves its floor" equals "$(of_seats 's["from"]')" "$floors"
seats "$fleet"
check "with other times the seats are refused as those of another fleet" equals "$(of_seats 's["state"]')" "refused refused refused"
check "a seat that is refused with other times has a reason and a cure" \
  eval '[[ $(of_seats "s[\"reason\"]") == *"another fleet"*"maxTTL"* ]]'
check "verify with other times has no verdict, and names the seat" has_no_answer "seat 1 ($work/1.sock)" \
  verify "$young" "${trust[@]}" --requestor REF30 --resource TNT --replay "$fleet"
while [[ $(date +%s) -le $floor ]]; do sleep 0.2; done
check "when the floor has passed tokens are valid" decides plays "${short[@]}"
check "when the floor has passed an old token stays refused" \
  decides answers 1 TOKEN_PREDATES_REPLAY_MEMORY verify "$young" "${short[@]}"

# --- what scripts read
fleet=redis:test@$work/1.sock,$work/2.sock,$work/3.sock
"$MEDIATOKEN" replay found "${at_leisure[@]}" --replay "$fleet" --fresh >"$work/out"
check "a fresh fleet takes all tokens" equals "$(head -n 1 "$work/out")" "seat 1: $work/1.sock, from: all tokens"
check "found --fresh ends with the address to type next" equals "$(tail -n 1 "$work/out")" "next: --replay $fleet"
seats
check "replay seats --json has its members" equals "$(member "$work/seats" 'list(j)')" "['fleet', 'digest', 'votes', 'seats']"
check "each seat of replay seats --json has its members" equals "$(member "$work/seats" 'list(j["seats"][0])')" \
  "['seat', 'address', 'state', 'reason', 'from', 'high', 'seen', 'clockOffsetMilliseconds', 'roundTripMicroseconds', 'usedMemoryBytes', 'version', 'cluster', 'database', 'syncStandbys', 'warnings']"
check "replay seats --json has the fleet's name, and how many votes decide" \
  equals "$(member "$work/seats" '[j["fleet"], j["votes"]]')" "['test', 2]"
check "replay seats --json has number, state, floor and reason of each seat" \
  equals "$(of_seats '(s["seat"], s["state"], s["from"], s["reason"])')" \
  "(1, 'voting', 0, None) (2, 'voting', 0, None) (3, 'voting', 0, None)"
digest=$(printf '%s\n' mt1 test 3600000 60000 0 "$work"/{1,2,3}.sock | sha256sum | cut -c 1-16)
check "the digest of replay seats --json is that of name, times and seats" equals "$(member "$work/seats" 'j["digest"]')" "$digest"
finish
