#!/usr/bin/env bash
# `inspect` and `explain`: what they show, what they hide, what they do not read.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
needs openssl
explain=(explain "$token" "${trust[@]}")

check "inspect shows an unverified token" answers 0 "unverified form: raw" inspect "$token"
check "every line of inspect begins with unverified" equals "$(grep -vc '^unverified ' "$work/out" || true)" 0
check "inspect shows the fields of a token" shows "unverified resourceID: TNT"
check "inspect does not show the GUID" lacks "$guid" "$work/out"
check "inspect --show-session-guid ends with 0" answers 0 "unverified form: raw" inspect "$token" --show-session-guid
check "inspect --show-session-guid shows the token's GUID" shows "unverified sessionGUID: $guid"
check "inspect decodes base64" answers 0 "unverified form: base64" inspect "$(issue --form base64)"
check "inspect shows a token with a broken signature" answers 0 "unverified form: raw" inspect "${token/TNT/TNU}"
check "inspect refuses what is no token" answers 1 "unverified reason: unknown-form" inspect hello
check "inspect refuses a token with another root" answers 1 "unverified form: raw" inspect "$(issue --root other)"
check "inspect names the rule that another root breaks" shows "unverified reason: unknown-root"
check "no output of inspect looks like a verdict" equals "$(grep -cE '^(VALID|INVALID|TOKEN|MVPD)_' "$work/out" || true)" 0
inspect_json() { exits 0 "$MEDIATOKEN" inspect - --json <<<"$token" >"$work/out"; }
check "inspect --json ends with 0" inspect_json
check "inspect --json says that the token is unverified, and has its fields" equals "$(member "$work/out" 'j["unverified"], j["requestorID"], j["signatureBytes"]')" "(True, 'REF30', 256)"

check "explain has the verdict on its first line" answers 0 VALID_TOKEN "${explain[@]}" "${ours[@]}"
check "explain of a valid token says that each of six steps passed" equals "$(grep -cE '^(armor|envelope|signature|fields|lifetime|binding): passed$' "$work/out")" 6
check "explain without a replay memory says that one use is not checked" shows "one use: not checked"
check "explain says that the GUID is present and not shown" shows "sessionGUID: present, not shown"
check "explain does not show the GUID anywhere" lacks "$guid" "$work/out"
check "explain of an expired token for another resource says that it is expired" answers 1 TOKEN_EXPIRED "${explain[@]}" --requestor REF30 --resource TNX --at 1795176301234
check "explain of an expired token shows how old it is" shows "301234 ms after the issue time"
check "explain of an expired token shows by how much it missed the limit" shows "missed by 1234 ms"
check "explain of an expired token says what to do next" shows "next: ask the client for a fresh token"
check "explain of an expired token tells the failed binding as well" shows "binding: failed"
check "explain of a changed token has its verdict" answers 1 INVALID_SIGNATURE explain "${token/TNT/TNU}" "${trust[@]}" "${ours[@]}"
check "explain of a changed token does not check the steps after the signature" equals "$(grep -cE '^(fields|lifetime|binding|one use): not checked$' "$work/out")" 4
check "explain of a changed token shows no field of it" lacks "REF30" "$work/out"
check "explain of a changed token says how to list the trusted keys" shows "next: list the trusted keys with mediatoken keys list"
check "explain of nonsense has its verdict" answers 1 INVALID_TOKEN_FORMAT explain hello "${trust[@]}" "${ours[@]}"
check "explain of nonsense checks none of the six steps after the armor" equals "$(grep -c ': not checked$' "$work/out")" 6
check "explain of a cut envelope has its verdict" answers 1 INVALID_TOKEN_FORMAT explain "<signatureInfo>x" "${trust[@]}" "${ours[@]}"
check "explain of a cut envelope says that the envelope failed" shows "envelope: failed"
check "explain of a token with another root has its verdict" answers 1 INVALID_TOKEN_FORMAT explain "$(issue --root other)" "${trust[@]}" "${ours[@]}"
check "explain of a token with another root says that the fields failed" shows "fields: failed"
check "explain of a token for another resource has its verdict" answers 1 INVALID_RESOURCE_ID "${explain[@]}" --requestor REF30 --resource TNX --at "$now"
check "explain of a token for another resource shows what the token is for" shows "found: requestor REF30, resource TNT"
explain_json() { exits 1 "$MEDIATOKEN" "${explain[@]}" --any-requestor --resource TNX --at "$now" --json >"$work/out"; }
check "explain --json ends well" explain_json
check "explain --json has the steps in their order" equals "$(member "$work/out" '[s["step"] + ":" + s["outcome"] for s in j["steps"]]')" \
  "['armor:passed', 'envelope:passed', 'signature:passed', 'fields:passed', 'lifetime:passed', 'binding:failed', 'one use:not checked']"
check "explain with unusable keys ends with 3" answers 3 "" explain "$token" --keys "$work/none" "${ours[@]}"

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
check "explain of an authentication token has its verdict" explained INVALID_TOKEN_FORMAT \
  "<simpleAuthenticationToken>$guid_field<simpleTokenRequestorID>REF30</simpleTokenRequestorID>$device</simpleAuthenticationToken>"
check "explain of an authentication token says that it is nested" shows "reason: nested-element"
check "explain of an authentication token calls it what it is" shows "found: the authentication token simpleAuthenticationToken"
check "explain of an authentication token says which token to send" shows "next: send the short media token; the authentication token says"
check "explain of an authentication token shows none of its fields" lacks 71C69B91 "$work/out"
check "explain of an authorization token has its verdict" explained INVALID_TOKEN_FORMAT \
  "
    <simpleAuthorizationToken>
        <simpleTokenResourceID>TNT</simpleTokenResourceID>
        $device
    </simpleAuthorizationToken>"
check "explain of an authorization token calls it what it is, as Adobe prints it" shows "found: the authorization token simpleAuthorizationToken"
check "explain of an authorization token says which token to send" shows "next: send the short media token, which is made of"
check "explain of a flat authentication token has its verdict" explained INVALID_TOKEN_FORMAT "<simpleAuthenticationToken><a>b</a></simpleAuthenticationToken>"
check "explain of a flat authentication token says that its root is unknown" shows "reason: unknown-root"
check "explain of a flat authentication token says which token to send" shows "next: send the short media token; the authentication token says"
check "explain of another nested document has its verdict" explained INVALID_TOKEN_FORMAT "<other><a><b></b></a></other>"
check "explain of another nested document names its root" shows "found: the root other"
check "explain of another nested document says to ask Adobe" shows "next: keep the token and ask Adobe"
for body in "<a b='c'><d></d></a>" "<a" "x" "<>" "<!DOCTYPE a><a></a>" "<$(printf 'x%.0s' {1..65})></x>"; do
  check "explain of a body that begins with no plain tag has its verdict: ${body:0:12}" explained INVALID_TOKEN_FORMAT "$body"
  check "explain of a body that begins with no plain tag names no root" lacks "  found: the root" "$work/out"
done
check "explain of the documents' root with seven fields has the verdict" answers 0 VALID_TOKEN explain - "${trust[@]}" "${ours[@]}" \
  <<<"$(issue --root shortAuthorizationToken --proxy-mvpd Proxied)"
check "explain of the documents' root calls it a short media token" shows "found: the short media token shortAuthorizationToken"
check "explain of the documents' root says that proxyMvpdId may be there" shows "expected: an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once"
check "explain of an unsigned authentication token has its verdict" answers 1 INVALID_SIGNATURE explain - "${trust[@]}" "${ours[@]}" \
  <<<"$(signed "<simpleAuthenticationToken></simpleAuthenticationToken>" | sed 's/simple/sample/g')"
check "explain of an unsigned authentication token does not say what it is" lacks sample "$work/out"
finish
