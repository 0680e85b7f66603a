#!/usr/bin/env bash
# `inspect` and `explain`: what they show, what they hide, what they do not read.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
needs openssl
explain=(explain "$token" "${trust[@]}")

check "inspect shows an unverified token" answers 0 "unverified form: raw" inspect "$token"
check "every line says what it is worth" equals "$(grep -vc '^unverified ' "$work/out" || true)" 0
check "with its fields" shows "unverified resourceID: TNT"
check "without the GUID" lacks "$guid" "$work/out"
check "the GUID is shown on request" answers 0 "unverified form: raw" inspect "$token" --show-session-guid
check "and then it is the token's" shows "unverified sessionGUID: $guid"
check "base64 is decoded" answers 0 "unverified form: base64" inspect "$(issue --form base64)"
check "a token with a broken signature can be inspected" answers 0 "unverified form: raw" inspect "${token/TNT/TNU}"
check "what is no token cannot" answers 1 "unverified reason: unknown-form" inspect hello
check "a token with other fields neither" answers 1 "unverified form: raw" inspect "$(issue --root other)"
check "but the rule is named" shows "unverified reason: unknown-root"
check "the output never looks like a verdict" equals "$(grep -cE '^(VALID|INVALID|TOKEN|MVPD)_' "$work/out" || true)" 0
inspect_json() { exits 0 "$MEDIATOKEN" inspect - --json <<<"$token" >"$work/out"; }
check "inspect --json" inspect_json
check "says so too" equals "$(member "$work/out" 'j["unverified"], j["requestorID"], j["signatureBytes"]')" "(True, 'REF30', 256)"

check "explain has the verdict on its first line" answers 0 VALID_TOKEN "${explain[@]}" "${ours[@]}"
check "every step passed" equals "$(grep -cE '^(armor|envelope|signature|fields|lifetime|binding): passed$' "$work/out")" 6
check "one use is not checked" shows "one use: not checked"
check "the GUID is not shown" shows "sessionGUID: present, not shown"
check "anywhere" lacks "$guid" "$work/out"
check "a failed lifetime" answers 1 TOKEN_EXPIRED "${explain[@]}" --requestor REF30 --resource TNX --at 1795176301234
check "shows the clock's delta" shows "301234 ms after the issue time"
check "and how far the limit was missed" shows "missed by 1234 ms"
check "and a next step" shows "next: ask the client for a fresh token"
check "a later failure is told as well" shows "binding: failed"
check "a failed signature" answers 1 INVALID_SIGNATURE explain "${token/TNT/TNU}" "${trust[@]}" "${ours[@]}"
check "leaves the rest unread" equals "$(grep -cE '^(fields|lifetime|binding|one use): not checked$' "$work/out")" 4
check "shows no field of it" lacks "REF30" "$work/out"
check "names the keys" shows "next: list the trusted keys with mediatoken keys list"
check "a failed armor" answers 1 INVALID_TOKEN_FORMAT explain hello "${trust[@]}" "${ours[@]}"
check "checks nothing else" equals "$(grep -c ': not checked$' "$work/out")" 6
check "a failed envelope" answers 1 INVALID_TOKEN_FORMAT explain "<signatureInfo>x" "${trust[@]}" "${ours[@]}"
check "is the envelope's" shows "envelope: failed"
check "failed fields" answers 1 INVALID_TOKEN_FORMAT explain "$(issue --root other)" "${trust[@]}" "${ours[@]}"
check "are the fields'" shows "fields: failed"
check "a failed binding" answers 1 INVALID_RESOURCE_ID "${explain[@]}" --requestor REF30 --resource TNX --at "$now"
check "shows both sides" shows "found: requestor REF30, resource TNT"
explain_json() { exits 1 "$MEDIATOKEN" "${explain[@]}" --any-requestor --resource TNX --at "$now" --json >"$work/out"; }
check "explain --json" explain_json
check "has the steps in order" equals "$(member "$work/out" '[s["step"] + ":" + s["outcome"] for s in j["steps"]]')" \
  "['armor:passed', 'envelope:passed', 'signature:passed', 'fields:passed', 'lifetime:passed', 'binding:failed', 'one use:not checked']"
check "unusable keys" answers 3 "" explain "$token" --keys "$work/none" "${ours[@]}"

# --- tokens of other kinds, as Adobe's documentation shows them, under the same key

# signed BODY: a token whose signed bytes are these.
signed() {
  printf '%s' "$1" >"$work/body"
  printf '<signatureInfo>%s<signatureInfo>%s' "$(openssl dgst -sha256 -sign "$key" "$work/body" | base64 -w 0)" "$1"
}

# explained FIRST_LINE BODY: explain's exit status and first line for a token with this body.
explained() { answers "$([[ $1 == VALID_TOKEN ]] && echo 0 || echo 1)" "$1" explain - "${trust[@]}" "${ours[@]}" <<<"$(signed "$2")"; }

device='<simpleTokenDeviceID><simpleTokenFingerprint>x</simpleTokenFingerprint></simpleTokenDeviceID>'
guid_field='<simpleTokenAuthenticationGuid>71C69B91-F327-F185-F29E-2CE20DC560F5</simpleTokenAuthenticationGuid>'
check "an authentication token" explained INVALID_TOKEN_FORMAT \
  "<simpleAuthenticationToken>$guid_field<simpleTokenRequestorID>REF30</simpleTokenRequestorID>$device</simpleAuthenticationToken>"
check "is refused for its nesting" shows "reason: nested-element"
check "and called what it is" shows "found: the authentication token simpleAuthenticationToken"
check "with the token to send" shows "next: send the short media token; the authentication token says"
check "none of its fields is shown" lacks 71C69B91 "$work/out"
check "an authorization token" explained INVALID_TOKEN_FORMAT \
  "
    <simpleAuthorizationToken>
        <simpleTokenResourceID>TNT</simpleTokenResourceID>
        $device
    </simpleAuthorizationToken>"
check "is called what it is, as Adobe prints it" shows "found: the authorization token simpleAuthorizationToken"
check "with its token to send" shows "next: send the short media token, which is made of"
check "a flat one" explained INVALID_TOKEN_FORMAT "<simpleAuthenticationToken><a>b</a></simpleAuthenticationToken>"
check "has another reason" shows "reason: unknown-root"
check "and the same advice" shows "next: send the short media token; the authentication token says"
check "another root" explained INVALID_TOKEN_FORMAT "<other><a><b></b></a></other>"
check "is named" shows "found: the root other"
check "with the reason's own advice" shows "next: keep the token and ask Adobe"
for body in "<a b='c'><d></d></a>" "<a" "x" "<>" "<!DOCTYPE a><a></a>" "<$(printf 'x%.0s' {1..65})></x>"; do
  check "no plain tag: ${body:0:12}" explained INVALID_TOKEN_FORMAT "$body"
  check "has no kind" lacks "  found: the root" "$work/out"
done
check "the documents' root with seven fields" answers 0 VALID_TOKEN explain - "${trust[@]}" "${ours[@]}" \
  <<<"$(issue --root shortAuthorizationToken --proxy-mvpd Proxied)"
check "is called so" shows "found: the short media token shortAuthorizationToken"
check "and seven may be there" shows "expected: an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once"
check "of an unsigned one nothing is told" answers 1 INVALID_SIGNATURE explain - "${trust[@]}" "${ours[@]}" \
  <<<"$(signed "<simpleAuthenticationToken></simpleAuthenticationToken>" | sed 's/simple/sample/g')"
check "not even its kind" lacks sample "$work/out"
finish
