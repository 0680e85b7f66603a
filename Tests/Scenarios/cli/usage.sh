#!/usr/bin/env bash
# Command lines that are not understood: exit 2, nothing done, and what to type instead. How words, options, their ranges and
# addresses are read is CommandTableTests', OptionTests' and FleetAddressTests'; here is what each command asks for.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

# refused TEXT MESSAGE_PART ARGUMENT...: the command line is a usage error with this message, which repeats no secret.
refused() { check "$1 is a usage error that says: $2" unrepeated "${@:2}"; }
unrepeated() { usage "$@" && lacks signatureInfo "$work/err" && lacks "$guid" "$work/err" && lacks secret "$work/err"; }

refused "no command" "the command is missing; the commands are verify, inspect, explain, issue, keys, replay and query"
refused "a token in a command's place" "unknown command; the commands are verify," "$token"
refused "replay alone" "replay info, replay init, replay nodes or replay schema" replay
refused "something that is no option's name" "unknown option" verify x "--<signatureInfo>$guid"

# asked TEXT MESSAGE_PART OPTION...: the same of verify with a token, keys and these options.
asked() { refused "verify with $1" "$2" verify "$token" "${trust[@]}" "${@:3}"; }
theirs=("${ours[@]:0:4}")
refused "verify with nothing but a token" \
  "missing: --keys PATH or --config FILE; --requestor ID or --any-requestor; --resource ID or --resource-document TEXT or" verify "$token"
refused "verify with keys that are not there, before they are read," "missing: --requestor ID" verify "$token" --keys /nonexistent
asked "neither --requestor nor --any-requestor" "missing: --requestor ID or --any-requestor" --resource TNT
asked "--requestor and --any-requestor" "--requestor ID and --any-requestor are both given" --resource TNT --requestor REF30 --any-requestor
asked "neither --resource nor --any-resource" \
  "missing: --resource ID or --resource-document TEXT or --resource-channel ID or --any-resource" --requestor REF30
asked "--resource and --any-resource" "--resource ID and --any-resource are both given" "${theirs[@]}" --any-resource
asked "two kinds of resource" "--resource ID and --resource-channel ID are both given" "${theirs[@]}" --resource-channel TNT
asked "text that is not a document" "the value of --resource-document TEXT is not a Media RSS document: " --any-requestor --resource-document "<rss/>"
asked "a channel that is a document" "the value of --resource-channel ID is not a channel's id: " --any-requestor --resource-channel "<rss/>"
asked "text that is not a time" "is not ISO 8601" "${theirs[@]}" --at noon
asked "a table at a time of one's own" "a replay memory goes by the system's clock alone; leave out --at TIME" "${ours[@]}" --replay shared:/x
asked "a capacity of nothing" "in capacity=N, found" "${theirs[@]}" --replay "shared:$work/x?capacity=0"
asked "a request without a window" "--request-id ID needs --config FILE" "${theirs[@]}" --replay "shared:$work/x" --request-id x
asked "a use by no configuration" "--spend needs --config FILE" "${theirs[@]}" --spend
asked "keys next to a configuration" "the configuration has its own --keys PATH; leave it out" "${theirs[@]}" --config "$work/x"
# by TEXT MESSAGE_PART OPTION...: the same of verify with a token, a configuration that is not there, and these options.
by() { refused "verify by a configuration with $1" "$2" verify "$token" --config /nonexistent "${@:3}"; }
by "providers" "the configuration has its own --deny-mvpd ID" --deny-mvpd x
by "a hand-over" "the configuration has its own --handover-path PREFIX" --handover-path /x/
by "any requestor" "leave out --any-requestor" --any-requestor
by "any resource" "leave out --any-resource" --any-resource
by "a request that uses nothing" "--request-id ID needs --spend" --request-id x
by "a use at a time of one's own" "leave out --at TIME" --spend --at "$now"
refused "a batch by a configuration" "missing: --requestor ID; --resource ID or" verify --batch - --config /nonexistent
asked "text that is not a fingerprint" "is not 64 hexadecimal digits or any; " "${ours[@]}" --allow-rsa-1024 12:34
asked "a token and a batch" "are both given" "${ours[@]}" --batch -
refused "verify without keys" "missing: --keys PATH or --config FILE" verify "$token" "${ours[@]}"
refused "verify without a token" "give TOKEN, -, --decision FILE|- or --batch FILE|-" verify "${trust[@]}" "${ours[@]}"
refused "a request for a whole batch" "--request-id ID names one request" verify --batch - "${trust[@]}" "${theirs[@]}" \
  --replay "shared:$work/x" --request-id x

refused "replay create without a table" "--table PATH is missing" replay create --capacity 5
refused "replay create without a capacity" "--capacity N is missing" replay create --table "$work/x"
refused "replay create with another mode" "is not one of 0600, 0660" replay create --table "$work/x" --capacity 5 --mode 0644
refused "replay info without a table" "--table PATH is missing" replay info
for command in nodes init schema; do
  refused "replay $command without a fleet" "there is no fleet; give --replay ADDRESS or --config FILE" replay $command
  refused "replay $command of a table" "the address in --replay ADDRESS is not a fleet's" replay $command --replay "shared:$work/x"
done
refused "explain with a table" "--replay ADDRESS is a table, which explain does not look into" \
  explain "$token" "${trust[@]}" "${theirs[@]}" --replay "shared:$work/x"
refused "inspect without a token" "there is no token; give TOKEN, - or --decision FILE|-" inspect
refused "explain without a token" "there is no token; give TOKEN, - or --decision FILE|-" explain "${trust[@]}" "${ours[@]}"
refused "issue without a key" "--key FILE is missing" issue --requestor REF30 --resource TNT
refused "issue without a resource" "--resource ID is missing" issue --key "$key" --requestor REF30
refused "issue with an operand" "only options are allowed here" issue x --key "$key"
refused "keys import without a folder" "--out DIR is missing" keys import "$work/keys/development.pem"
refused "keys import without a file" "FILE is missing" keys import --out "$work/x"
refused "keys generate without a folder" "--out DIR is missing" keys generate
refused "keys list without keys" "--keys PATH is missing" keys list
check "no usage error has made anything" test ! -e "$work/x"

check "--help after -- is a token" answers 1 INVALID_TOKEN_FORMAT verify "${trust[@]}" "${ours[@]}" -- --help
version=$(sed -n 's/.*static let current = "\(.*\)"/\1/p' "$repository/Sources/MediaToken/Facts/Version.swift")
check "--version prints the version" answers 0 "mediatoken $version" --version
check "--help says what the program does" answers 0 "mediatoken decides whether an Adobe Pass short media token is genuine." --help
for group in keys replay; do check "$group --help lists its commands" answers 0 "commands:" $group --help; done
helps() {
  # shellcheck disable=SC2086
  answers 0 "usage: mediatoken $1${2:+ $2} [OPTION...]" $1 --help && equals "$(awk 'length > 80' "$work/out")" "" && quietly "$MEDIATOKEN" help $1
}
for command in verify inspect explain query issue "keys list" "keys import" "keys generate" \
  "replay create" "replay grow" "replay info" "replay init" "replay nodes"; do
  case $command in verify | inspect | explain | query) operand="[TOKEN|-]" ;; "keys import") operand=FILE ;; *) operand= ;; esac
  check "$command --help shows its usage, in 80 columns, and so does help $command" helps "$command" "$operand"
done
finish
