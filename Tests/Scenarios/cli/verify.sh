#!/usr/bin/env bash
# `verify` of one token: the first line, the details, the exit status. Every verdict and reason, each form of a token, and what each
# option of a policy changes is cli/vectors.py's.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

# verdict STATUS NAME TEXT OPTION...: of $token, with this text in the answer.
verdict() { answers "$1" "$2" verify "$token" "${trust[@]}" "${@:4}" && shows "$3"; }
# input TEXT STATUS NAME OPTION...: of a text on standard input.
input() { printf '%s' "$1" | answers "$2" "$3" verify - "${trust[@]}" "${ours[@]}"; }

check "a genuine token is valid, and the answer says what it says" verdict 0 VALID_TOKEN "resourceID: TNT" "${ours[@]}"
check "the answer says that one use is not enforced" shows "use: not-enforced"
check "the answer hides the session GUID" shows "sessionGUID: present, not shown"
check "the session GUID is shown on request" verdict 0 VALID_TOKEN "sessionGUID: $guid" "${ours[@]}" --show-session-guid
check "any requestor and any resource are choices with a name" verdict 0 VALID_TOKEN "" --any-requestor --any-resource --at "$now"
check "an option may be written with =" verdict 0 VALID_TOKEN "" --requestor=REF30 --resource=TNT --at=2026-11-20T12:00:00Z --replay=none:
marked() { exits 1 "$MEDIATOKEN" "$1" - "${trust[@]}" "${ours[@]}" < <(printf '\xef\xbb\xbf%s\n' "$token") >"$work/out" && shows "$2"; }
check "verify names the byte order mark that is no part of a form" marked verify "; found a byte order mark, which must be left out"
check "explain says to save the token without a byte order mark" marked explain "  next: save the token without a byte order mark"
check "an argument that is not UTF-8 is taken as it is" answers 1 INVALID_SIGNATURE verify "${token/TNT/$'x\xff'}" "${trust[@]}" "${ours[@]}"
printf '%s' "$token" >"$work/existing"
# named NAME TEXT: a file's name is taken for the token, and standard error says how to give the file.
named() { answers 1 INVALID_TOKEN_FORMAT verify "$1" "${trust[@]}" "${ours[@]}" && says "$2"; }
check "verify of a file's name says how to give the file" named token.txt "type mediatoken verify - <FILE"
check "verify of the name of a file that is there says that it looks like one" named "$work/existing" "looks like a file's name"
unadvised() { answers 0 VALID_TOKEN verify "$token" "${trust[@]}" "${ours[@]}" && [[ ! -s $work/err ]]; }
check "a valid token gets no advice on standard error" unadvised

check "a token on standard input may have a line feed after it" input "$token"$'\n' 0 VALID_TOKEN
endless() {
  answers 1 INVALID_TOKEN_FORMAT verify - "${trust[@]}" "${ours[@]}" < <(cat /dev/zero) && shows "reason: too-long" &&
    shows "detail: the text is longer than 65536 bytes"
}
check "of standard input only the first 64 KiB are read" endless

# json STATUS EXPRESSION VALUE OPTION...: of the one object that verify --json prints.
json() {
  exits "$1" "$MEDIATOKEN" verify "$token" "${trust[@]}" --any-resource --at "$now" --json "${@:4}" >"$work/out" &&
    equals "$(member "$work/out" "$2")" "$3"
}
check "verify --json has verdict, number, life, use, and the session GUID for the caller" \
  json 0 'j["verdict"], j["number"], j["ttl"], j["use"], j["sessionGUID"]' "('VALID_TOKEN', 0, 300000, 'not-enforced', '$guid')" --any-requestor
check "verify --json of a refused token names rule and token" \
  json 1 'j["verdict"], j["number"], j["reason"], len(j["identity"])' "('INVALID_REQUESTOR_ID', 5, 'other-requestor', 64)" --requestor X

# Text of a token that tries to control the terminal or to forge a line of the answer: DEL, CSI, right-to-left override.
# printed TOKEN: it is valid, whatever it has in it.
printed() { answers 0 VALID_TOKEN verify "$1" "${trust[@]}" --any-resource --requestor REF30 --at "$now"; }
evil=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --issue-time "$now" --resource $'a\x7f\xc2\x9b31m\xe2\x80\xaeb')
only_printable() { printed "$evil" && ! grep -qP '[^\x20-\x7e]' "$work/out"; }
check "verify prints no character that steers a terminal" only_printable
forged=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --form percent --issue-time "$now" --resource $'TNT\nkeyFingerprint: 0000')
one_line() { printed "$forged" && shows 'resourceID: TNT\u{a}keyFingerprint: 0000' && equals "$(grep -c '^keyFingerprint' "$work/out")" 1; }
check "a line feed in a token is printed as an escape, and makes no second line" one_line
finish
