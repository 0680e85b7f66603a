#!/usr/bin/env bash
# Command lines that are not understood: exit 2, nothing done, and what to type instead.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

check "no command" usage "the command is missing; the commands are verify, inspect, explain, issue, keys, replay and query"
check "an unknown command" usage "unknown command; the commands are verify," frobnicate
check "a command with a slip names the right one" usage "unknown command; did you mean verify" verfy
check "one of a group, too" usage "unknown command; did you mean keys list" keys lits
check "a token in a command's place is not repeated" usage "unknown command; the commands are verify," "$token"
check "a usage error does not repeat any part of the token" lacks signatureInfo "$work/err"
check "help of a command" answers 0 "usage: mediatoken verify [TOKEN|-] [OPTION...]" help verify
check "help of a command of two words" answers 0 "usage: mediatoken keys list [OPTION...]" help keys list
check "help of a group" answers 0 "commands:" help keys
check "help of an unknown word" usage "did you mean verify" help verfy
check "keys alone" usage "the second word is missing; type keys list, keys import or keys generate" keys
check "keys with an unknown word" usage "unknown command; type keys list, keys import or keys generate" keys forge
check "an unknown option" usage "unknown option --frobnicate" verify x --frobnicate
check "an option with a slip names the right one" usage "did you mean --resource ID" verify x --ressource TNT
check "a prefix names the right one" usage "did you mean --requestor ID" verify x --req REF30
check "an unknown short option" usage "unknown option -k" verify x -k
check "something that is no option's name is not repeated" usage "unknown option" verify x "--<signatureInfo>$guid"
check "a usage error does not repeat the GUID" lacks "$guid" "$work/err"
check "verify with neither --requestor nor --any-requestor is a usage error" usage "missing: --requestor ID or --any-requestor" \
  verify "$token" "${trust[@]}" --resource TNT
check "verify with --requestor and --any-requestor is a usage error" usage "--requestor ID and --any-requestor are both given" \
  verify "$token" "${trust[@]}" --resource TNT --requestor REF30 --any-requestor
check "verify with neither --resource nor --any-resource is a usage error" usage \
  "missing: --resource ID or --resource-document TEXT or --resource-channel ID or --any-resource" \
  verify "$token" "${trust[@]}" --requestor REF30
check "verify with --resource and --any-resource is a usage error" usage "--resource ID and --any-resource are both given" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --any-resource
check "two kinds of resource" usage "--resource ID and --resource-channel ID are both given" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --resource-channel TNT
check "text that is not a document" usage "the value of --resource-document TEXT is not a Media RSS document; " \
  verify "$token" "${trust[@]}" --requestor REF30 --resource-document "<rss/>"
check "a channel that is a document" usage "the value of --resource-channel ID is not a channel's id; " \
  verify "$token" "${trust[@]}" --requestor REF30 --resource-channel "<rss/>"
check "an empty document" usage "the value of --resource-document TEXT is empty" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource-document ""
check "an empty requestor" usage "the value of --requestor ID is empty" \
  verify "$token" "${trust[@]}" --requestor "" --resource TNT
check "an empty resource" usage "the value of --resource ID is empty" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource=
check "an option twice" usage "--resource ID is given twice" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource TNT --resource TNT
check "a flag twice" usage "--any-resource is given twice" \
  verify "$token" "${trust[@]}" --requestor REF30 --any-resource --any-resource
check "a flag with a value" usage "--json takes no value" verify "$token" --json=yes
check "a value missing at the end" usage "the ID of --resource is missing" verify "$token" --resource
check "a value missing before an option" usage "another option follows; if that is the ID, type --resource=ID" \
  verify "$token" --resource --any-requestor
check "no keys" usage "missing: --keys PATH" verify "$token" "${ours[@]}"
check "no token" usage "give TOKEN, -, --decision FILE|- or --batch FILE|-" verify "${trust[@]}" "${ours[@]}"
check "two tokens" usage "give TOKEN|- once" verify "$token" "$token" "${trust[@]}" "${ours[@]}"
check "the token is not in the message" lacks signatureInfo "$work/err"
check "a token and a batch" usage "are both given" verify "$token" --batch - "${trust[@]}" "${ours[@]}"
check "text that is not a time" usage "is not ISO 8601" verify "$token" "${trust[@]}" --any-requestor --any-resource --at noon
check "a date without an offset" usage "is not ISO 8601" \
  verify "$token" "${trust[@]}" --any-requestor --any-resource --at 2026-11-20T12:00:00
shared=(verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/no.table")
check "a shared replay memory at a time of one's own" usage "a --replay that remembers goes by the system's clock alone; leave out --at TIME" \
  verify "$token" "${trust[@]}" "${ours[@]}" --replay shared:/tmp/table
check "no replay memory at all" usage "expected shared:PATH" verify "$token" "${trust[@]}" "${ours[@]}" --replay table
check "an unknown replay memory" usage "found the scheme file" verify "$token" "${trust[@]}" "${ours[@]}" --replay file:/tmp/table
# fleet MESSAGE_PART ADDRESS ARGUMENT...: a usage error about a fleet, which repeats nothing of an address.
fleet() { usage "$1" verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "redis:$2" "${@:3}" && lacks secret "$work/err"; }
check "a fleet without a name" fleet "write redis:FLEET@SEAT,SEAT,SEAT" ""
check "a fleet as a URL" fleet "write redis:FLEET@SEAT,SEAT,SEAT" "//:secret@localhost"
check "a password in a fleet's address" fleet "put users and passwords into the credentials file" dev@a:1,user:secret@b:1,c:1
check "a parameter of a fleet" fleet "seat 3 is not an address" "dev@a:1,b:1,c:1?capacity=5"
check "a seat twice" fleet "seats 1 and 3 have the same address" dev@a:1,b:1,a:1
check "two seats" fleet "name 1, 3, 4, 5, 6 or 7" dev@a:1,b:1
check "a fleet at a time of one's own" fleet "a --replay that remembers goes by the system's clock alone; leave out --at TIME" dev@a:1 --at "$now"
check "a deadline that is too short" fleet "the value of --fleet-deadline MS is not a whole number from 5 to 1000" dev@a:1 --fleet-deadline 4
check "a local table of no name" fleet "the value of --local-table PATH is empty" dev@a:1 --local-table ""
for option in --fleet-credentials --fleet-deadline --local-table; do
  check "$option without a fleet" usage "needs --replay redis:FLEET@SEAT,..." \
    verify "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/x" "$option" 50
done
check "something after none:" usage "there is text after none:" verify "$token" "${trust[@]}" "${ours[@]}" --replay none:x
check "a table without a path" usage "the path of the table is missing" verify "$token" "${trust[@]}" "${ours[@]}" --replay 'shared:?capacity=5'
check "an unknown parameter" usage "expected capacity in" "${shared[@]}?size=5"
check "an empty parameter" usage "expected capacity in" "${shared[@]}?"
check "a parameter twice" usage "capacity is given twice" "${shared[@]}?capacity=5&capacity=5"
for number in "" 0 -1 +1 05 5.0 1e3 0x10 4294967297 99999999999999999999; do
  check "a capacity of '$number'" usage "in capacity=N, found" "${shared[@]}?capacity=$number"
done
check "a request without a window" usage "--request-id ID needs --retry-window MS" "${shared[@]}" --request-id x
check "a window without a request" usage "--retry-window MS needs --request-id ID" "${shared[@]}" --retry-window 5000
check "a request with nothing that remembers it" usage "--request-id ID needs --replay shared:PATH or redis:FLEET@SEAT,..." \
  verify "$token" "${trust[@]}" "${ours[@]}" --request-id x --retry-window 5000
check "a request for a whole batch" usage "--request-id ID names one request" verify --batch - "${trust[@]}" \
  "${ours[@]:0:4}" --replay "shared:$work/no.table" --request-id x --retry-window 5000
check "create without a table" usage "--table PATH is missing" replay create --capacity 5
check "create without a capacity" usage "--capacity N is missing" replay create --table "$work/x"
check "create with another mode" usage "is not one of 0600, 0660" replay create --table "$work/x" --capacity 5 --mode 0644
check "create with a capacity of nothing" usage "from 1 to 4294967296" replay create --table "$work/x" --capacity 0
check "info without a table" usage "--table PATH is missing" replay info
check "spend without a memory" usage "give --table PATH or --replay ADDRESS" replay spend
check "spend with two" usage "--table PATH and --replay ADDRESS are both given" replay spend --table "$work/x" --replay redis:dev@a:1
check "spend without remembering" usage "none: in --replay ADDRESS remembers nothing" replay spend --replay none:
check "spend makes no table" usage "mediatoken replay create makes tables" replay spend --replay "shared:$work/x?capacity=5"
check "spend with times that are a table's own" usage "a table has its own times" replay spend --table "$work/x" --max-ttl 5000
check "spend from a table with a deadline" usage "--fleet-deadline MS needs --replay redis:" replay spend --table "$work/x" --fleet-deadline 5
for command in seats found; do
  check "$command without a fleet" usage "--replay ADDRESS is missing" replay $command
  check "$command of a table" usage "the address in --replay ADDRESS is not a fleet's" \
    replay $command --replay "shared:$work/x"
done
check "explain does not look into tables" usage "--replay ADDRESS is a table, which explain does not look into" \
  explain "$token" "${trust[@]}" "${ours[@]:0:4}" --replay "shared:$work/x"
check "replay alone" usage "replay spend, replay found, replay seats or replay dev-fleet" replay
check "text that is not a fingerprint" usage "is not 64 hexadecimal digits or any; " \
  verify "$token" "${trust[@]}" "${ours[@]}" --allow-rsa-1024 12:34
check "a tolerance that is no number" usage "the value of --expiry-tolerance MS is not a whole number from 0 to 86400000" \
  verify "$token" "${trust[@]}" "${ours[@]}" --expiry-tolerance 5m
check "a tolerance of two days" usage "is not a whole number" \
  verify "$token" "${trust[@]}" "${ours[@]}" --future-tolerance 172800000
check "a maximal life in which no token may arrive" usage "from 2000 to" verify "$token" "${trust[@]}" "${ours[@]}" --max-ttl 1999
check "a word that is not on the list" usage "is not one of report, reject" \
  verify "$token" "${trust[@]}" "${ours[@]}" --unknown-fields ignore
check "inspect without a token" usage "there is no token; give TOKEN, - or --decision FILE|-" inspect
check "explain without a token" usage "there is no token; give TOKEN, - or --decision FILE|-" explain "${trust[@]}" "${ours[@]}"
check "issue without a key" usage "--key FILE is missing" issue --requestor REF30 --resource TNT
check "issue without a resource" usage "--resource ID is missing" issue --key "$key" --requestor REF30
check "issue with an operand" usage "only options are allowed here" issue x --key "$key"
check "import without a folder" usage "--out DIR is missing" keys import "$work/keys/development.pem"
check "import without a file" usage "FILE is missing" keys import --out "$work/x"
check "generate without a folder" usage "--out DIR is missing" keys generate
check "list without keys" usage "--keys PATH is missing" keys list
check "a value that is not UTF-8" usage "the value of --resource ID is not UTF-8" \
  verify "$token" "${trust[@]}" --requestor REF30 --resource $'\xff'
check "an operand after -- may look like an option" answers 1 INVALID_TOKEN_FORMAT \
  verify "${trust[@]}" "${ours[@]}" -- --json
check "a text in a token's place that asks for help is no success" usage "--help goes alone" verify --help "${trust[@]}" "${ours[@]}"
check "--help after -- is a token" answers 1 INVALID_TOKEN_FORMAT verify "${trust[@]}" "${ours[@]}" -- --help
check "verify with nothing but a token is told everything that is missing" usage \
  "missing: --keys PATH; --requestor ID or --any-requestor; --resource ID or --resource-document TEXT or" verify "$token"
check "usage errors come before any file is read" usage "missing: --requestor ID" verify "$token" --keys /nonexistent

version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$repository/Sources/MediaToken/Version.swift")
check "--version" answers 0 "mediatoken $version" --version
check "--help" answers 0 "mediatoken decides whether an Adobe Pass short media token is genuine." --help
for command in verify inspect explain issue query "keys list" "keys import" "keys generate" \
  "replay create" "replay grow" "replay info" "replay spend" "replay found" "replay seats" "replay dev-fleet"; do
  # shellcheck disable=SC2086
  check "$command --help" answers 0 "usage: mediatoken $command$(
    case $command in
      verify | inspect | explain | query) echo " [TOKEN|-]" ;; "keys import") echo " FILE" ;;
    esac
  ) [OPTION...]" $command --help
  check "$command --help fits 80 columns" equals "$(awk 'length > 80' "$work/out")" ""
done
check "keys --help" answers 0 "commands:" keys --help
check "replay --help" answers 0 "commands:" replay --help
finish
