#!/usr/bin/env bash
# `issue`: its options and forms, and keys of every kind; the openssl command agrees with the signature. What a token has in it, and
# which ones cannot be, is for the unit tests.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"

valid() { printf '%s\n' "$1" | answers 0 VALID_TOKEN verify - "${trust[@]}" --at "$now" "${@:2}"; }
any=(--any-requestor --any-resource)

plain=$(issue --session-guid "$guid" --mvpd Cablevision)
body="<authToken><sessionGUID>$guid</sessionGUID><requestorID>REF30</requestorID><resourceID>TNT</resourceID>"
body+="<ttl>300000</ttl><issueTime>2026-11-20 04:00:00 -0800</issueTime><mvpdId>Cablevision</mvpdId></authToken>"
check "a token has production's shape" equals "${plain##*<signatureInfo>}" "$body"
signature=${plain#<signatureInfo>}
base64 -d <<<"${signature%%<*}" >"$work/signature"
printf '%s' "$body" >"$work/body"
check "openssl agrees with the signature" quietly \
  exits 0 openssl dgst -sha256 -verify "$work/keys/development.pem" -signature "$work/signature" "$work/body"
check "--form base64 is that of the raw token" equals "$(issue --session-guid "$guid" --mvpd Cablevision --form base64 | base64 -d)" "$plain"
check "--form percent is that of the raw token" equals \
  "$(issue --session-guid "$guid" --mvpd Cablevision --form percent | python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.stdin.read().strip()))')" "$plain"

all=$(issue --session-guid G --mvpd A --proxy-mvpd B --ttl 420000 --utc-offset +0530 --root shortAuthorizationToken)
check "every field can be chosen" equals "${all##*<signatureInfo>}" \
  "<shortAuthorizationToken><sessionGUID>G</sessionGUID><requestorID>REF30</requestorID><resourceID>TNT</resourceID><ttl>420000</ttl><issueTime>2026-11-20 17:30:00 +0530</issueTime><mvpdId>A</mvpdId><proxyMvpdId>B</proxyMvpdId></shortAuthorizationToken>"
check "a token all of whose fields were chosen is valid" valid "$all" "${any[@]}"
mrss='<rss version="2.0"><item><title><![CDATA[A & B]]></title></item></rss>'
for option in "" --cdata; do
  # shellcheck disable=SC2086
  written=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource "$mrss" --issue-time "$now" $option)
  check "an MRSS resource is the same resource, issued with '$option'" valid "$written" --any-requestor --resource "$mrss"
done
check "CDATA is split as production splits it" equals "$(grep -c ']]]]>><!\[CDATA\[</title>' <<<"$written")" 1
check "a token without --issue-time is issued now" answers 0 VALID_TOKEN verify \
  "$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT)" "${trust[@]}" --requestor REF30 --resource TNT
issue --count 25 >"$work/many"
check "--count prints as many tokens as were asked for" equals "$(wc -l <"$work/many")" 25
check "--count prints tokens with GUIDs of their own" equals "$(grep -oE '<sessionGUID>[0-9a-f]{32}<' "$work/many" | sort -u | wc -l)" 25

# refuses ARGUMENT TEXT: a usage error that says why.
refuses() {
  check "issue $(printf '%q' "$1") is a usage error" usage "$2" issue --key "$key" --requestor REF30 --resource TNT "$1" "${@:3}"
}
refuses --count=2 "would be the same one" --session-guid G
refuses "--root=a b" "the root name is not ASCII letters"
refuses "--utc-offset=0800" "the value of --utc-offset ±HHMM is not a sign and four digits"
refuses "--issue-time=0" "the issue time is not in the years 1970 to 9999"
refuses $'--mvpd=\x01' "mvpdId holds a character that XML can't carry"
check "CDATA cannot hold a carriage return" usage "resourceID" issue --key "$key" --requestor REF30 --resource $'a\rb' --cdata
check "a raw token stays on its line" usage "--form base64 or percent" issue --key "$key" --requestor REF30 --resource $'a\nb'
check "a line feed is fine in base64" valid "$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource $'a\nb' \
  --issue-time "$now" --form base64)" --any-requestor --resource $'a\nb'

openssl rsa -in "$key" -traditional -out "$work/pkcs1.pem" 2>/dev/null
check "a PKCS#1 key signs too" valid "$("$MEDIATOKEN" issue --key "$work/pkcs1.pem" --requestor REF30 --resource TNT \
  --issue-time "$now")" "${any[@]}"
openssl pkey -in "$key" -aes128 -passout pass:secret-word -out "$work/encrypted.pem"
head -c 70000 /dev/zero >"$work/zeros"
unusable() { answers 3 "" issue --key "$1" --requestor REF30 --resource TNT </dev/null && says "$2" && lacks "$(sed -n 3p "$key")" "$work/err"; }
while IFS='|' read -r what file said; do
  check "issue cannot use $what, and shows none of it" unusable "$file" "$said"
done <<END
an encrypted key|$work/encrypted.pem|has a pass phrase
a folder|$work|is a directory
a device|/dev/zero|not a regular file
a file that is too long|$work/zeros|longer than
END
endless() { exits 3 bash -c '"$1" issue --key <(cat /dev/zero) --requestor x --resource x' - "$MEDIATOKEN" >/dev/null && says "longer than"; }
check "issue reads no pipe without end" endless
finish
