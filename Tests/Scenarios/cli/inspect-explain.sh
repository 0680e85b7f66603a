#!/usr/bin/env bash
# `inspect` and `explain`: what they show, what they hide, what they leave unread.
source "$(dirname "$0")/common.sh"
prepare
explain=(explain "$token" "${trust[@]}")

claim "inspect shows an unverified token" answers 0 "unverified form: raw" inspect "$token"
claim "every line says what it is worth" equals "$(grep -vc '^unverified ' "$work/out" || true)" 0
claim "with its fields" shows "unverified resourceID: TNT"
claim "without the GUID" lacks "$guid" "$work/out"
claim "the GUID is shown on request" answers 0 "unverified form: raw" inspect "$token" --show-session-guid
claim "and then it is the token's" shows "unverified sessionGUID: $guid"
claim "base64 is decoded" answers 0 "unverified form: base64" inspect "$(issue --form base64)"
claim "a token with a broken signature can be inspected" answers 0 "unverified form: raw" inspect "${token/TNT/TNU}"
claim "what is no token cannot" answers 1 "unverified reason: unknown-form" inspect hello
claim "a token with other fields neither" answers 1 "unverified form: raw" inspect "$(issue --root other)"
claim "but the rule is named" shows "unverified reason: unknown-root"
claim "the output never looks like a verdict" equals "$(grep -cE '^(VALID|INVALID|TOKEN|MVPD)_' "$work/out" || true)" 0
inspect_json() { exits 0 "$MEDIATOKEN" inspect - --json <<<"$token" >"$work/out"; }
claim "inspect --json" inspect_json
claim "says so too" equals "$(member "$work/out" 'j["unverified"], j["requestorID"], j["signatureBytes"]')" "(True, 'REF30', 256)"

claim "explain has the verdict on its first line" answers 0 VALID_TOKEN "${explain[@]}" "${ours[@]}"
claim "every step passed" equals "$(grep -cE '^(armor|envelope|signature|fields|lifetime|binding): passed$' "$work/out")" 6
claim "one use is not checked" shows "one use: not checked"
claim "the GUID is not shown" shows "sessionGUID: present, not shown"
claim "anywhere" lacks "$guid" "$work/out"
claim "a failed lifetime" answers 1 TOKEN_EXPIRED "${explain[@]}" --requestor REF30 --resource TNX --at 1795176301234
claim "shows the clock's delta" shows "301234 ms after the issue time"
claim "and how far the limit was missed" shows "missed by 1234 ms"
claim "and a next step" shows "next: ask the client for a fresh token"
claim "a later failure is told as well" shows "binding: failed"
claim "a failed signature" answers 1 INVALID_SIGNATURE explain "${token/TNT/TNU}" "${trust[@]}" "${ours[@]}"
claim "leaves the rest unread" equals "$(grep -cE '^(fields|lifetime|binding|one use): not checked$' "$work/out")" 4
claim "shows no field of it" lacks "REF30" "$work/out"
claim "names the keys" shows "next: list the trusted keys with mediatoken keys list"
claim "a failed armor" answers 1 INVALID_TOKEN_FORMAT explain hello "${trust[@]}" "${ours[@]}"
claim "checks nothing else" equals "$(grep -c ': not checked$' "$work/out")" 6
claim "a failed envelope" answers 1 INVALID_TOKEN_FORMAT explain "<signatureInfo>x" "${trust[@]}" "${ours[@]}"
claim "is the envelope's" shows "envelope: failed"
claim "failed fields" answers 1 INVALID_TOKEN_FORMAT explain "$(issue --root other)" "${trust[@]}" "${ours[@]}"
claim "are the fields'" shows "fields: failed"
claim "a failed binding" answers 1 INVALID_RESOURCE_ID "${explain[@]}" --requestor REF30 --resource TNX --at "$now"
claim "shows both sides" shows "found: requestor REF30, resource TNT"
explain_json() { exits 1 "$MEDIATOKEN" "${explain[@]}" --any-requestor --resource TNX --at "$now" --json >"$work/out"; }
claim "explain --json" explain_json
claim "has the steps in order" equals "$(member "$work/out" '[s["step"] + ":" + s["outcome"] for s in j["steps"]]')" \
  "['armor:passed', 'envelope:passed', 'signature:passed', 'fields:passed', 'lifetime:passed', 'binding:failed', 'one use:not checked']"
claim "unusable keys" answers 3 "" explain "$token" --keys "$work/none" "${ours[@]}"
finish
