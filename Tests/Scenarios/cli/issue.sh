#!/usr/bin/env bash
# `issue`: every field, every form, keys of every kind; the openssl command agrees with the signature.
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
check "openssl agrees with the signature" \
  exits 0 openssl dgst -sha256 -verify "$work/keys/development.pem" -signature "$work/signature" "$work/body" >/dev/null
check "base64 is that of the raw token" equals "$(issue --session-guid "$guid" --mvpd Cablevision --form base64 | base64 -d)" "$plain"
check "percent is that of the raw token" equals \
  "$(issue --session-guid "$guid" --mvpd Cablevision --form percent | python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.stdin.read().strip()))')" "$plain"

all=$(issue --session-guid G --mvpd A --proxy-mvpd B --ttl 420000 --utc-offset +0530 --root shortAuthorizationToken)
check "every field can be chosen" equals "${all##*<signatureInfo>}" \
  "<shortAuthorizationToken><sessionGUID>G</sessionGUID><requestorID>REF30</requestorID><resourceID>TNT</resourceID><ttl>420000</ttl><issueTime>2026-11-20 17:30:00 +0530</issueTime><mvpdId>A</mvpdId><proxyMvpdId>B</proxyMvpdId></shortAuthorizationToken>"
check "a token all of whose fields were chosen is valid" valid "$all" "${any[@]}"
mrss='<rss version="2.0"><item><title><![CDATA[A & B]]></title></item></rss>'
for form in text cdata; do
  options=()
  [[ $form == text ]] || options=(--cdata)
  written=$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource "$mrss" --issue-time "$now" "${options[@]}")
  check "an MRSS resource as $form is the same resource" valid "$written" --any-requestor --resource "$mrss"
done
check "CDATA is split as production splits it" equals "$(grep -c ']]]]>><!\[CDATA\[</title>' <<<"$written")" 1

check "another root is issued and refused" answers 1 INVALID_TOKEN_FORMAT \
  verify "$(issue --root simpleAuthenticationToken)" "${trust[@]}" "${ours[@]}"
check "a token with another root is refused by its rule" shows "reason: unknown-root"
check "without --issue-time it is issued now" answers 0 VALID_TOKEN verify \
  "$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT)" "${trust[@]}" --requestor REF30 --resource TNT

check "--count prints that many" equals "$(issue --count 25 | wc -l)" 25
check "--count prints tokens that all differ" equals "$(issue --count 25 | sort -u | wc -l)" 25
check "--count prints tokens with GUIDs of their own" equals "$(issue --count 25 | grep -oE '<sessionGUID>[0-9a-f]{32}<' | sort -u | wc -l)" 25
check "--count and one GUID are no sense" usage "would be the same one" \
  issue --key "$key" --requestor REF30 --resource TNT --count 2 --session-guid G
check "a raw token stays on its line" usage "--form base64 or percent" \
  issue --key "$key" --requestor REF30 --resource $'a\nb'
check "a line feed is fine in base64" valid "$("$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource $'a\nb' \
  --issue-time "$now" --form base64)" --any-requestor --resource $'a\nb'
# refuses ARGUMENT TEXT: a usage error that says why.
refuses() {
  check "issue $(printf '%q' "$1") is a usage error" usage "$2" issue --key "$key" --requestor REF30 --resource TNT "$1"
}
refuses "--root=a b" "the root name is not ASCII letters"
for bad in "--ttl=-1" "--ttl=5s"; do refuses "$bad" "is not a whole number from 0 to 999999999999"; done
for bad in "--utc-offset=0800" "--utc-offset=+1460"; do refuses "$bad" "the value of --utc-offset ±HHMM is not a sign and four digits"; done
refuses "--utc-offset=-1500" "expected an offset of at most 14 hours"
refuses "--form=xml" "is not one of raw, base64, percent"
refuses "--count=0" "is not a whole number from 1"
refuses "--issue-time=yesterday" "is not ISO 8601"
refuses "--issue-time=0" "the issue time is not in the years 1970 to 9999"
refuses $'--mvpd=\x01' "mvpdId holds a character that XML can't carry"
refuses "--session-guid=" "the value of --session-guid GUID is empty"
check "CDATA cannot hold a carriage return" usage "resourceID" issue --key "$key" --requestor REF30 --resource $'a\rb' --cdata

openssl rsa -in "$key" -traditional -out "$work/pkcs1.pem" 2>/dev/null
check "a PKCS#1 key signs too" valid "$("$MEDIATOKEN" issue --key "$work/pkcs1.pem" --requestor REF30 --resource TNT \
  --issue-time "$now")" "${any[@]}"
openssl pkey -in "$key" -aes128 -passout pass:secret-word -out "$work/encrypted.pem"
openssl pkey -in "$key" -outform DER -out "$work/key.der"
openssl ecparam -name prime256v1 -genkey -noout -out "$work/ec.pem"
openssl genrsa -out "$work/small.pem" 512 2>/dev/null
python3 - "$work" <<'PY'
import base64, re, sys
text = open(f"{sys.argv[1]}/pkcs1.pem").read()
der = bytearray(base64.b64decode("".join(re.findall(r"^[A-Za-z0-9+/=]+$", text, re.M))))
der[40] ^= 1
body = base64.b64encode(der).decode()
open(f"{sys.argv[1]}/damaged.pem", "w").write(
    "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(body[i:i + 64] for i in range(0, len(body), 64))
    + "\n-----END RSA PRIVATE KEY-----\n")
PY
unusable() { answers 3 "" issue --key "$1" --requestor REF30 --resource TNT </dev/null && says "$2"; }
check "an encrypted key" unusable "$work/encrypted.pem" "has a pass phrase"
check "a DER key" unusable "$work/key.der" "openssl pkey -inform DER"
check "an elliptic key" unusable "$work/ec.pem" "another algorithm"
check "a key of 512 bits" unusable "$work/small.pem" "found 512"
check "a damaged key" unusable "$work/damaged.pem" "of the key do not match; the file is damaged"
check "a public key" unusable "$work/keys/development.pem" "not an RSA private key"
check "a missing key" unusable "$work/missing.pem" "no such file"
check "a folder" unusable "$work" "is a directory"
check "a device" unusable /dev/zero "not a regular file"
head -c 70000 /dev/zero >"$work/zeros"
check "a file that is too long" unusable "$work/zeros" "longer than"
endless() { exits 3 bash -c '"$1" issue --key <(cat /dev/zero) --requestor x --resource x' - "$MEDIATOKEN" >/dev/null && says "longer than"; }
check "a pipe without end" endless
check "no key material in messages" lacks "BEGIN" "$work/err"
finish
