#!/usr/bin/env bash
# `verify` of one token: the first line, the details, the exit status.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

# verdict STATUS NAME REASON OPTION...: of $token.
verdict() {
  local status=$1 name=$2 reason=$3
  shift 3
  answers "$status" "$name" verify "$token" "${trust[@]}" "$@" || return 1
  [[ -z $reason ]] || shows "reason: $reason"
}

check "a genuine token is valid" verdict 0 VALID_TOKEN "" "${ours[@]}"
check "the answer says what the token says" shows "resourceID: TNT"
check "the answer says that one use is not enforced" shows "use: not-enforced"
check "the answer hides the session GUID" shows "sessionGUID: present, not shown"
check "the session GUID is shown on request" verdict 0 VALID_TOKEN "" "${ours[@]}" --show-session-guid
check "with --show-session-guid the GUID is the token's" shows "sessionGUID: $guid"
check "any requestor and any resource are choices with a name" \
  verdict 0 VALID_TOKEN "" --any-requestor --any-resource --at "$now"
check "an option may be written with =" \
  verdict 0 VALID_TOKEN "" --requestor=REF30 --resource=TNT --at=2026-11-20T12:00:00Z --replay=none:
marked() { exits 1 "$MEDIATOKEN" "$1" - "${trust[@]}" "${ours[@]}" < <(printf '\xef\xbb\xbf%s\n' "$token") >"$work/out"; }
check "verify does not take a byte order mark for a part of a form" marked verify
check "verify names the byte order mark" shows "; found a byte order mark, which must be left out"
check "explain names the byte order mark" marked explain
check "explain says to save the token without a byte order mark" shows "  next: save the token without a byte order mark"
check "another requestor is refused" \
  verdict 1 INVALID_REQUESTOR_ID other-requestor --requestor ref30 --resource TNT --at "$now"
check "another resource is refused" \
  verdict 1 INVALID_RESOURCE_ID other-resource --requestor REF30 --resource TNT2 --at "$now"
check "an expired token is refused" \
  verdict 1 TOKEN_EXPIRED expired --requestor REF30 --resource TNT --at 1795176300000
check "one millisecond earlier it was valid" \
  verdict 0 VALID_TOKEN "" --requestor REF30 --resource TNT --at 1795176299999
check "an expiry tolerance is applied" \
  verdict 0 VALID_TOKEN "" --requestor REF30 --resource TNT --at 1795176300000 --expiry-tolerance 1
check "a maximal life is applied" verdict 1 TOKEN_EXPIRED expired "${ours[@]:0:4}" --at 1795176002000 --max-ttl 2000
check "a token from the future is refused" \
  verdict 1 TOKEN_NOT_YET_VALID issued-in-future --requestor REF30 --resource TNT --at 1795175939999
check "a future tolerance is applied" \
  verdict 0 VALID_TOKEN "" --requestor REF30 --resource TNT --at 1795175939999 --future-tolerance 60001
check "a denied provider is refused" verdict 1 MVPD_NOT_ALLOWED mvpd-denied "${ours[@]}" --deny-mvpd Sample_MVPD
check "a provider off the list is refused" verdict 1 MVPD_NOT_ALLOWED mvpd-not-listed "${ours[@]}" --allow-mvpd Other
check "a provider on the list is accepted" \
  verdict 0 VALID_TOKEN "" "${ours[@]}" --allow-mvpd Other --allow-mvpd Sample_MVPD
check "a list of proxies refuses a token without one" \
  verdict 1 MVPD_NOT_ALLOWED proxy-mvpd-not-listed "${ours[@]}" --allow-mvpd Sample_MVPD --allow-proxy-mvpd Other
check "a changed token is refused" \
  answers 1 INVALID_SIGNATURE verify "${token/TNT/TNU}" "${trust[@]}" "${ours[@]}"
check "something else is no token" answers 1 INVALID_TOKEN_FORMAT verify "hello" "${trust[@]}" "${ours[@]}"
check "verify takes a file's name for the token" answers 1 INVALID_TOKEN_FORMAT verify "token.txt" "${trust[@]}" "${ours[@]}"
check "verify says how to give a file in place of its name" says "type mediatoken verify - <FILE"
printf '%s' "$token" >"$work/existing"
check "verify takes a file's name without a point for the token" answers 1 INVALID_TOKEN_FORMAT verify "$work/existing" "${trust[@]}" "${ours[@]}"
check "verify says that the token looks like a file's name" says "looks like a file's name"
check "a valid token is no file's name" answers 0 VALID_TOKEN verify "$token" "${trust[@]}" "${ours[@]}"
check "a valid token gets no advice on standard error" test ! -s "$work/err"
check "an empty argument is no token" answers 1 INVALID_TOKEN_FORMAT verify "" "${trust[@]}" "${ours[@]}"

from_stdin() { printf '%s' "$1" | answers "$2" "$3" verify - "${trust[@]}" "${ours[@]}"; }
check "a token comes from standard input" from_stdin "$token" 0 VALID_TOKEN
check "a token comes from standard input with a line feed after it" from_stdin "$token"$'\n' 0 VALID_TOKEN
check "nothing on standard input is no token" from_stdin "" 1 INVALID_TOKEN_FORMAT
endless() { answers 1 INVALID_TOKEN_FORMAT verify - "${trust[@]}" "${ours[@]}" < <(cat /dev/zero); }
check "of standard input only the first 64 KiB are read" endless
check "the reason of an endless standard input is its length" shows "reason: too-long"
check "the detail of an endless standard input is its limit" shows "detail: the text is longer than 65536 bytes"
for form in raw base64 percent; do
  check "a token in the form $form is valid" from_stdin "$(issue --form "$form")" 0 VALID_TOKEN
done
check "an argument that is not UTF-8 is taken as it is" \
  answers 1 INVALID_SIGNATURE verify "${token/TNT/$'x\xff'}" "${trust[@]}" "${ours[@]}"

check "verify --json prints one JSON object" answers 0 "$("$MEDIATOKEN" verify "$token" "${trust[@]}" "${ours[@]}" --json)" \
  verify "$token" "${trust[@]}" "${ours[@]}" --json
is_json() { python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$1"; }
check "what verify --json prints can be parsed" is_json "$work/out"
check "verify --json has verdict, number, life and use" equals "$(member "$work/out" 'j["verdict"], j["number"], j["ttl"], j["use"]')" \
  "('VALID_TOKEN', 0, 300000, 'not-enforced')"
check "verify --json has the session GUID for the caller" equals "$(member "$work/out" 'j["sessionGUID"]')" "$guid"
refused_json() { exits 1 "$MEDIATOKEN" verify "$token" "${trust[@]}" --requestor X --any-resource --at "$now" --json >"$work/out"; }
check "verify --json of a refused token ends with 1" refused_json
check "verify --json of a refused token names rule and token" equals "$(member "$work/out" 'j["verdict"], j["number"], j["reason"], len(j["identity"])')" \
  "('INVALID_REQUESTOR_ID', 5, 'other-requestor', 64)"

# Text of a token that tries to control the terminal or to forge a line of the answer: DEL, CSI, right-to-left override.
evil=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --issue-time "$now" \
  --resource $'a\x7f\xc2\x9b31m\xe2\x80\xaeb')
check "a token with control characters is still valid" answers 0 VALID_TOKEN verify "$evil" "${trust[@]}" \
  --any-resource --requestor REF30 --at "$now"
only_printable() { ! grep -qP '[^\x20-\x7e]' "$work/out"; }
check "verify prints no character that steers a terminal" only_printable
forged=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --form percent --issue-time "$now" \
  --resource $'TNT\nkeyFingerprint: 0000')
check "a line feed in a token is valid" answers 0 VALID_TOKEN verify "$forged" "${trust[@]}" --any-resource \
  --requestor REF30 --at "$now"
check "a line feed in a token is printed as an escape" shows 'resourceID: TNT\u{a}keyFingerprint: 0000'
check "a line feed in a token makes no second line" equals "$(grep -c '^keyFingerprint' "$work/out")" 1

finish
