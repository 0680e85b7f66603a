#!/usr/bin/env bash
# Command lines that are not understood: exit 2, nothing done, and what to type instead.
source "$(dirname "$0")/common.sh"
prepare

claim "no command" usage "expected a command: verify, inspect, explain, issue, keys, replay or query"
claim "an unknown command" usage "expected a command" frobnicate
claim "a command with a slip names the right one" usage "did you mean verify" verfy
claim "one of a group, too" usage "did you mean list" keys lits
claim "a token in a command's place is not repeated" usage "expected a command" "$token"
claim "it really is not, nor anything like it" lacks signatureInfo "$work/err"
claim "help of a command" answers 0 "usage: mediatoken verify [TOKEN|-] [OPTION...]" help verify
claim "help of a command of two words" answers 0 "usage: mediatoken keys list [OPTION...]" help keys list
claim "help of a group" answers 0 "commands:" help keys
claim "help of an unknown word" usage "did you mean verify" help verfy
claim "keys alone" usage "expected keys list, keys import or keys generate" keys
claim "keys with an unknown word" usage "expected keys list" keys forge
claim "an unknown option" usage "unknown option --frobnicate" verify x --frobnicate
claim "an option with a slip names the right one" usage "did you mean --resource ID" verify x --ressource TNT
claim "a prefix names the right one" usage "did you mean --requestor ID" verify x --req REF30
claim "an unknown short option" usage "unknown option -k" verify x -k
claim "something that is no option's name is not repeated" usage "unknown option" verify x "--<signatureInfo>$guid"
claim "it really is not" lacks "$guid" "$work/err"
claim "neither requestor nor any" usage "expected --requestor ID or --any-requestor, found neither" \
  verify "$token" "${trust[@]}" --resource TNT
claim "both requestor and any" usage "expected --requestor ID or --any-requestor, found both" \
  verify "$token" "${trust[@]}" --resource TNT --requestor REF30 --any-requestor
claim "neither resource nor any" usage "expected --resource ID or --any-resource, found neither" \
  verify "$token" "${trust[@]}" --requestor REF30
claim "both resource and any" usage "found both" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --any-resource
claim "an empty requestor" usage "expected a value that is not empty in --requestor ID" \
  verify "$token" "${trust[@]}" --requestor "" --resource TNT
claim "an empty resource" usage "expected a value that is not empty in --resource ID" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource=
claim "an option twice" usage "expected --resource ID once" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --resource TNT
claim "a flag twice" usage "expected --any-resource once" \
  verify "$token" "${trust[@]}" --requestor REF30 --any-resource --any-resource
claim "a flag with a value" usage "expected --json without a value" verify "$token" --json=yes
claim "a value missing at the end" usage "expected --resource ID, found no ID" verify "$token" --resource
claim "a value missing before an option" usage "found another option; if that is the ID, type --resource=ID" \
  verify "$token" --resource --any-requestor
claim "no keys" usage "expected --keys PATH" verify "$token" "${ours[@]}"
claim "no token" usage "expected TOKEN, - or --batch" verify "${trust[@]}" "${ours[@]}"
claim "two tokens" usage "expected TOKEN|- once" verify "$token" "$token" "${trust[@]}" "${ours[@]}"
claim "the token is not in the message" lacks signatureInfo "$work/err"
claim "a token and a batch" usage "found both" verify "$token" --batch - "${trust[@]}" "${ours[@]}"
claim "a time that is none" usage "expected ISO 8601" verify "$token" "${trust[@]}" --any-requestor --any-resource --at noon
claim "a date without an offset" usage "expected ISO 8601" \
  verify "$token" "${trust[@]}" --any-requestor --any-resource --at 2026-11-20T12:00:00
shared=(verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/no.table")
claim "a shared replay memory at a time of one's own" usage "expected no --at TIME with a --replay that remembers" \
  verify "$token" "${trust[@]}" "${ours[@]}" --replay shared:/tmp/table
claim "no replay memory at all" usage "expected shared:PATH" verify "$token" "${trust[@]}" "${ours[@]}" --replay table
claim "an unknown replay memory" usage "found file" verify "$token" "${trust[@]}" "${ours[@]}" --replay file:/tmp/table
# fleet MESSAGE_PART ADDRESS ARGUMENT...: a usage error about a fleet, which repeats nothing of an address.
fleet() { usage "$1" verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "redis:$2" "${@:3}" && lacks secret "$work/err"; }
claim "a fleet without a name" fleet "write redis:FLEET@SEAT,SEAT,SEAT" ""
claim "a fleet as a URL" fleet "write redis:FLEET@SEAT,SEAT,SEAT" "//:secret@localhost"
claim "a password in a fleet's address" fleet "put users and passwords into the credentials file" dev@a:1,user:secret@b:1,c:1
claim "a parameter of a fleet" fleet "seat 3 is not an address" "dev@a:1,b:1,c:1?capacity=5"
claim "a seat twice" fleet "seats 1 and 3 have the same address" dev@a:1,b:1,a:1
claim "two seats" fleet "name 1, 3, 4, 5, 6 or 7" dev@a:1,b:1
claim "a fleet at a time of one's own" fleet "expected no --at TIME with a --replay that remembers" dev@a:1 --at "$now"
claim "a deadline that is too short" fleet "from 5 to 1000 in --fleet-deadline MS" dev@a:1 --fleet-deadline 4
claim "a local table of no name" fleet "expected a value that is not empty" dev@a:1 --local-table ""
for option in --fleet-credentials --fleet-deadline --local-table; do
  claim "$option without a fleet" usage "expected --replay redis:FLEET@SEAT,... with $option" \
    verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/x" "$option" 50
done
claim "something behind none:" usage "nothing behind it" verify "$token" "${trust[@]}" "${ours[@]}" --replay none:x
claim "a table without a path" usage "expected the path" verify "$token" "${trust[@]}" "${ours[@]}" --replay 'shared:?capacity=5'
claim "an unknown parameter" usage "expected capacity in" "${shared[@]}?size=5"
claim "an empty parameter" usage "expected capacity in" "${shared[@]}?"
claim "a parameter twice" usage "expected capacity once" "${shared[@]}?capacity=5&capacity=5"
for number in "" 0 -1 +1 05 5.0 1e3 0x10 4294967297 99999999999999999999; do
  claim "a capacity of '$number'" usage "in capacity=N, found" "${shared[@]}?capacity=$number"
done
claim "a request without a window" usage "expected --retry-window MS with --request-id ID" "${shared[@]}" --request-id x
claim "a window without a request" usage "expected --request-id ID with --retry-window MS" "${shared[@]}" --retry-window 5000
claim "a request with nothing that remembers it" usage "expected --replay shared:PATH or redis:FLEET@SEAT,... with --request-id ID" \
  verify "$token" "${trust[@]}" "${ours[@]}" --request-id x --retry-window 5000
claim "a request for a whole batch" usage "expected --request-id ID or --batch" verify --batch - "${trust[@]}" \
  "${ours[@]:0:4}" --replay "shared:$work/no.table" --request-id x --retry-window 5000
claim "create without a table" usage "expected --table PATH" replay create --capacity 5
claim "create without a capacity" usage "expected --capacity N" replay create --table "$work/x"
claim "create with another mode" usage "expected one of 0600, 0660" replay create --table "$work/x" --capacity 5 --mode 0644
claim "create with a capacity of nothing" usage "from 1 to 4294967296" replay create --table "$work/x" --capacity 0
claim "info without a table" usage "expected --table PATH" replay info
claim "spend without a memory" usage "expected --table PATH or --replay ADDRESS" replay spend
claim "spend with two" usage "found both" replay spend --table "$work/x" --replay redis:dev@a:1
claim "spend without remembering" usage "found none:, which remembers nothing" replay spend --replay none:
claim "spend makes no table" usage "mediatoken replay create makes tables" replay spend --replay "shared:$work/x?capacity=5"
claim "spend with times that are a table's own" usage "a table has its own times" replay spend --table "$work/x" --max-ttl 5
claim "spend from a table with a deadline" usage "with --fleet-deadline MS" replay spend --table "$work/x" --fleet-deadline 5
for command in seats found; do
  claim "$command without a fleet" usage "expected --replay ADDRESS" replay $command
  claim "$command of a table" usage "expected redis:FLEET@SEAT,... in --replay ADDRESS" \
    replay $command --replay "shared:$work/x"
done
claim "explain does not look into tables" usage "expected redis:FLEET@SEAT,... or none: in --replay ADDRESS" \
  explain "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/x"
claim "replay alone" usage "replay spend, replay found, replay seats or replay dev-fleet" replay
claim "a fingerprint that is none" usage "expected 64 hexadecimal digits or any" \
  verify "$token" "${trust[@]}" "${ours[@]}" --allow-rsa-1024 12:34
claim "a tolerance that is no number" usage "expected a whole number from 0 to 86400000 in --expiry-tolerance MS" \
  verify "$token" "${trust[@]}" "${ours[@]}" --expiry-tolerance 5m
claim "a tolerance of two days" usage "expected a whole number" \
  verify "$token" "${trust[@]}" "${ours[@]}" --future-tolerance 172800000
claim "a maximal life of nothing" usage "from 1 to" verify "$token" "${trust[@]}" "${ours[@]}" --max-ttl 0
claim "a word that is not on the list" usage "expected one of report, reject" \
  verify "$token" "${trust[@]}" "${ours[@]}" --unknown-fields ignore
claim "inspect without a token" usage "expected a token" inspect
claim "explain without a token" usage "expected TOKEN or -" explain "${trust[@]}" "${ours[@]}"
claim "issue without a key" usage "expected --key FILE" issue --requestor REF30 --resource TNT
claim "issue without a resource" usage "expected --resource ID" issue --key "$key" --requestor REF30
claim "issue with an operand" usage "expected options only" issue x --key "$key"
claim "import without a folder" usage "expected --out DIR" keys import "$work/keys/development.pem"
claim "import without a file" usage "expected FILE" keys import --out "$work/x"
claim "generate without a folder" usage "expected --out DIR" keys generate
claim "list without keys" usage "expected --keys PATH" keys list
claim "a value that is not UTF-8" usage "expected UTF-8 in --resource ID" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource $'\xff'
claim "an operand behind -- may look like an option" answers 1 INVALID_TOKEN_FORMAT \
  verify "${trust[@]}" "${ours[@]}" -- --json
claim "usage errors come before any file is read" usage "found neither" verify "$token" --keys /nonexistent

claim "--version" answers 0 "mediatoken 0.1.0" --version
claim "--help" answers 0 "mediatoken decides whether an Adobe Pass short media token is genuine." --help
for command in verify inspect explain issue query "keys list" "keys import" "keys generate" \
  "replay create" "replay grow" "replay info" "replay spend" "replay found" "replay seats" "replay dev-fleet"; do
  # shellcheck disable=SC2086
  claim "$command --help" answers 0 "usage: mediatoken $command$(
    case $command in
      verify) echo " [TOKEN|-]" ;; inspect | explain | query) echo " TOKEN|-" ;; "keys import") echo " FILE" ;;
    esac
  ) [OPTION...]" $command --help
  claim "$command --help fits 80 columns" equals "$(awk 'length > 80' "$work/out")" ""
done
claim "keys --help" answers 0 "commands:" keys --help
claim "replay --help" answers 0 "commands:" replay --help
finish
