#!/usr/bin/env bash
# `inspect` and `explain`: what they show, what they hide, what they do not read.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
needs openssl

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

# told NAME VERDICT TEXT... -- ARGUMENT...: explain ends with this verdict in its report, and prints each of these texts.
told() {
  local name=$1 first=$2 text texts=()
  shift 2
  while [[ $1 != -- ]]; do texts+=("$1") && shift; done
  shift
  check "explain of $name has its verdict" answers "$([[ $first == VALID_TOKEN ]] && echo 0 || echo 1)" "$first" explain - "${trust[@]}" "$@"
  for text in ${texts+"${texts[@]}"}; do check "explain of $name: $text" shows "$text"; done
}

told "a valid token" VALID_TOKEN "This token would be accepted." "life: It goes on for 5 minutes." "one use: not checked" "sessionGUID: present, not shown" -- "${ours[@]}" <<<"$token"
check "explain of a valid token says that each of six steps passed" equals "$(grep -cE '^(armor|envelope|signature|fields|lifetime|binding): passed$' "$work/out")" 6
check "explain does not show the GUID anywhere" lacks "$guid" "$work/out"
told "an expired token for another resource" TOKEN_EXPIRED "5 minutes 1 second after the issue time" "the token expired 1 second 234 ms ago" \
  "life: It ended 1 second 234 ms ago." "next: A new token like this one would be refused as well: step 6 says why." "binding: failed" \
  "next: ask the client for a fresh token" -- --requestor REF30 --resource TNX --at 1795176301234 <<<"$token"
told "a changed token" INVALID_SIGNATURE "next: list the trusted keys with mediatoken keys list" -- "${ours[@]}" <<<"${token/REF30/REF31}"
check "explain of a changed token does not check the steps after the signature" equals "$(grep -cE '^(fields|lifetime|binding|one use): not checked$' "$work/out")" 4
check "explain of a changed token shows no field of it" lacks "REF31" "$work/out"
told "a token with a resource other than what was signed" INVALID_SIGNATURE "hint: it has a resource other than what was signed" \
  "N (U+004E) is expected, and B (U+0042) is found" "next: look for something on the way that changes the text of the resource" -- \
  "${ours[@]}" <<<"${token/TNT/TBT}"
told "a whole request" INVALID_TOKEN_FORMAT "hint: it has a name before it, as a header or YAML has: X-Media-Token" \
  "inside: a token that passes each step if it is sent by itself" "next: send the value alone" -- "${ours[@]}" \
  <<<$'> GET /live/index.m3u8 HTTP/1.1\n> Host: media.example\n> X-Media-Token: '"$(issue --form base64)"$'\n>\n< HTTP/1.1 403 Forbidden'
told "an error of Adobe's" INVALID_TOKEN_FORMAT "hint: it is an error in JSON, as Adobe's REST API v2 has it: no_access" -- "${ours[@]}" \
  <<<'{"status":403,"code":"no_access","action":"none"}'
told nonsense INVALID_TOKEN_FORMAT "found: 5 bytes that are not recognised, from h to o" -- "${ours[@]}" <<<hello
check "explain of nonsense checks none of the six steps after the armor" equals "$(grep -c ': not checked$' "$work/out")" 6
explain_json() { exits 1 "$MEDIATOKEN" explain - "${trust[@]}" --any-requestor --resource TNX --at "$now" --json <<<"$token" >"$work/out"; }
check "explain --json ends well" explain_json
check "explain --json has the steps in their order" equals "$(member "$work/out" '[s["step"] + ":" + s["outcome"] for s in j["steps"]]')" \
  "['armor:passed', 'envelope:passed', 'signature:passed', 'fields:passed', 'lifetime:passed', 'binding:failed', 'one use:not-checked']"
check "explain --json has the members that the article SupportDesk has" equals "$(member "$work/out" '" ".join(j)')" \
  "notice verdict number reason detail action adobeCode viewer now headline meaning next report identity life steps binding use useSummary"
check "explain's first line is a sentence about the token" eval 'answers 1 INVALID_RESOURCE_ID explain "$token" "${trust[@]}" --any-requestor --resource TNX --at "$now" &&
  equals "$(sed -n 1p "$work/out")" "Refused: the token was issued for another resource."'
check "explain tells a wrong question from a wrong token" shows "both are below. Find out which one is wrong."
check "explain leaves the life of a token that no one signed out" eval 'answers 1 INVALID_TOKEN_FORMAT explain hello "${trust[@]}" "${ours[@]}" &&
  ! grep -qE "^(life|use):" "$work/out"'
# A token has no lines of its own in what is pasted into a report.
check "explain ends with what a report needs, and without a token" equals "$(sed -n '/^for a report:$/,$p' "$work/out")" \
  $'for a report:\n  Verdict: INVALID_TOKEN_FORMAT (1)\n  Reason: unknown-form\n  Action: new-token\n  Adobe\'s code: INVALID_TOKEN_FORMAT\n  Clock: 2026-11-20T12:00:00.000Z'
here_and_there() { TZ=EST5 answers 0 VALID_TOKEN explain "$token" "${trust[@]}" "${ours[@]}" && shows "  issued: 2026-11-20T12:00:00.000Z (here 2026-11-20 07:00:00 EST)"; }
check "explain shows local time next to UTC" here_and_there
check "explain shows no local time where that is UTC" eval 'TZ=UTC answers 0 VALID_TOKEN explain "$token" "${trust[@]}" "${ours[@]}" && lacks "(here" "$work/out"'
check "explain with unusable keys ends with 3" answers 3 "" explain "$token" --keys "$work/none" "${ours[@]}"

# --- tokens of other kinds, as Adobe's documentation shows them, under the same key

# signed BODY: a token whose signed bytes are these.
signed() {
  printf '%s' "$1" >"$work/body"
  printf '<signatureInfo>%s<signatureInfo>%s' "$(openssl dgst -sha256 -sign "$key" "$work/body" | base64 -w 0)" "$1"
}

device='<simpleTokenDeviceID><simpleTokenFingerprint>x</simpleTokenFingerprint></simpleTokenDeviceID>'
guid_field='<simpleTokenAuthenticationGuid>71C69B91-F327-F185-F29E-2CE20DC560F5</simpleTokenAuthenticationGuid>'
told "an authentication token" INVALID_TOKEN_FORMAT "reason: nested-element" "found: the authentication token simpleAuthenticationToken" \
  "next: send the short media token; the authentication token says" -- "${ours[@]}" \
  <<<"$(signed "<simpleAuthenticationToken>$guid_field<simpleTokenRequestorID>REF30</simpleTokenRequestorID>$device</simpleAuthenticationToken>")"
check "explain of an authentication token shows none of its fields" lacks 71C69B91 "$work/out"
told "an authorization token, as Adobe prints it" INVALID_TOKEN_FORMAT "found: the authorization token simpleAuthorizationToken" \
  "next: send the short media token, which is made of" -- "${ours[@]}" <<<"$(signed "
    <simpleAuthorizationToken>
        <simpleTokenResourceID>TNT</simpleTokenResourceID>
        $device
    </simpleAuthorizationToken>")"
told "a flat authentication token" INVALID_TOKEN_FORMAT "reason: unknown-root" "next: send the short media token; the authentication token says" -- \
  "${ours[@]}" <<<"$(signed "<simpleAuthenticationToken><a>b</a></simpleAuthenticationToken>")"
told "another nested document" INVALID_TOKEN_FORMAT "found: the root other" "next: keep the token and ask Adobe" -- "${ours[@]}" \
  <<<"$(signed "<other><a><b></b></a></other>")"
for body in "<a b='c'><d></d></a>" "<a" "x" "<>" "<!DOCTYPE a><a></a>" "<$(printf 'x%.0s' {1..65})></x>"; do
  told "a body that begins with no plain tag, ${body:0:12}" INVALID_TOKEN_FORMAT -- "${ours[@]}" <<<"$(signed "$body")"
  check "explain of a body that begins with no plain tag names no root" lacks "  found: the root" "$work/out"
done
told "the documents' root with seven fields" VALID_TOKEN "found: the short media token shortAuthorizationToken" \
  "expected: an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once" -- "${ours[@]}" \
  <<<"$(issue --root shortAuthorizationToken --proxy-mvpd Proxied)"
told "an unsigned authentication token" INVALID_SIGNATURE -- "${ours[@]}" <<<"$(signed "<simpleAuthenticationToken></simpleAuthenticationToken>" | sed 's/simple/sample/g')"
check "explain of an unsigned authentication token does not say what it is" lacks sample "$work/out"
finish
