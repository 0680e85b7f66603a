#!/usr/bin/env bash
# The main job with parts made by others: a keystore like that of a licensee, made by Java's keytool with a certificate that
# expired in 2011, and tokens in the exact form of production, signed by the openssl command.
source "$(dirname "$0")/../lib/scenario.sh"
needs openssl keytool od
cd "$work" || exit 1

make_keystore() {
  cat >ca.cnf <<'CNF'
[ca]
default_ca = own
[own]
database = ./index.txt
new_certs_dir = .
serial = ./serial
default_md = sha1
policy = any
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
CNF
  : >index.txt && echo 01 >serial
  openssl genrsa -out key.pem 1024 2>/dev/null &&
    openssl req -new -config ca.cnf -key key.pem -subj "/CN=test keystore" -out request.pem &&
    openssl ca -config ca.cnf -selfsign -keyfile key.pem -in request.pem -out certificate.pem -notext -batch \
      -startdate 20080101000000Z -enddate 20110101000000Z 2>/dev/null &&
    keytool -importcert -noprompt -storetype JKS -alias "media token" -file certificate.pem -keystore adobe.jks \
      -storepass made-up-password 2>/dev/null &&
    openssl x509 -in certificate.pem -noout -pubkey >public.pem 2>/dev/null
}

# sign BODY_FILE: a token in the form of production.
sign() {
  printf '<signatureInfo>%s<signatureInfo>' "$(openssl dgst -sha256 -sign key.pem "$1" | base64 -w 0)"
  cat "$1"
}

spki() { openssl pkey -pubin -in "$1" -outform DER; }
percent() { od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }

# verify STATUS FIRST_LINE TOKEN_FILE OPTION...
verify() {
  local status=$1 first=$2 file=$3
  shift 3
  answers "$status" "$first" verify - "$@" <"$file"
}

check "keytool takes a 1024-bit certificate that expired in 2011" make_keystore
fingerprint=$(spki public.pem | openssl dgst -sha256 -r | cut -d ' ' -f 1)
colons=$(sed 's/../&:/g; s/:$//' <<<"${fingerprint^^}")

printf '%s' '<authToken><sessionGUID>00112233445566778899aabbccddeeff</sessionGUID><requestorID>REF30</requestorID>' \
  '<resourceID>TNT</resourceID><ttl>420000</ttl><issueTime>2017-03-16 07:39:48 -0700</issueTime>' \
  '<mvpdId>Cablevision</mvpdId></authToken>' >signed.xml
sign signed.xml >raw
base64 -w 0 raw >base64
percent <raw >percent
inside='2017-03-16T14:40:00Z'
ours=(--requestor REF30 --resource TNT --at "$inside")
trusted=(--keys adobe.jks --allow-rsa-1024 "$fingerprint")

check "keys import reads the keystore without a password" \
  eval '"$MEDIATOKEN" keys import adobe.jks --out imported >/dev/null 2>&1 && [[ $(ls imported | wc -l) -eq 1 ]]'
check "the imported PEM is the key that openssl reads from the certificate" \
  eval 'cmp -s <(spki imported/*.pem) <(spki public.pem)'
check "keys import checks the password that it is given" \
  eval '"$MEDIATOKEN" keys import adobe.jks --out checked --password made-up-password >/dev/null 2>&1'
check "keys import refuses a wrong password" \
  answers 3 "" keys import adobe.jks --out wrong --password another
check "and writes nothing" eval '[[ -z $(ls -A wrong 2>/dev/null) ]]'
check "keys list shows a key without consent, and exits 3" \
  eval '"$MEDIATOKEN" keys list --keys adobe.jks >list 2>&1; [[ $? -eq 3 ]] && grep -q "$fingerprint" list'
check "keys list prints the option to paste" grep -q -- "--allow-rsa-1024 $fingerprint" list
check "keys list warns of the certificate's dates" grep -q 2011 list
"$MEDIATOKEN" keys list --json --keys adobe.jks >list.json 2>/dev/null || true
check "keys list --json says so too" grep -q "\"fingerprint\":\"$fingerprint\".*\"trusted\":false" list.json
check "with consent keys list exits 0" eval '"$MEDIATOKEN" keys list "${trusted[@]}" >/dev/null 2>&1'

check "without consent there is no verdict" verify 3 "" raw --keys adobe.jks "${ours[@]}"
check "the error says which option to add" grep -q -- "--allow-rsa-1024 $fingerprint" err
check "consent to another key does not help" \
  verify 3 "" raw --keys adobe.jks --allow-rsa-1024 "${fingerprint//[0-9]/0}" "${ours[@]}"

for form in raw base64 percent; do
  check "with consent the $form form is valid" verify 0 VALID_TOKEN $form "${trusted[@]}" "${ours[@]}"
  check "the answer to the $form form does not show the session GUID" \
    eval '! grep -q 00112233445566778899aabbccddeeff out err'
done
check "a fingerprint may have colons and capitals" \
  verify 0 VALID_TOKEN raw --keys adobe.jks --allow-rsa-1024 "$colons" "${ours[@]}"
for keys in imported certificate.pem public.pem; do
  check "the key is trusted from $keys as well" \
    verify 0 VALID_TOKEN raw --keys "$keys" --allow-rsa-1024 "$fingerprint" "${ours[@]}"
done
openssl x509 -in certificate.pem -outform DER -out certificate.der
check "and from the certificate as DER" \
  verify 0 VALID_TOKEN raw --keys certificate.der --allow-rsa-1024 "$fingerprint" "${ours[@]}"

check "the last millisecond of its life is valid" \
  verify 0 VALID_TOKEN raw "${trusted[@]}" --requestor REF30 --resource TNT --at 2017-03-16T14:46:47.999Z
check "the next one is not" \
  verify 1 TOKEN_EXPIRED raw "${trusted[@]}" --requestor REF30 --resource TNT --at 2017-03-16T14:46:48Z
check "today it is long over" verify 1 TOKEN_EXPIRED raw "${trusted[@]}" --requestor REF30 --resource TNT
check "another resource is refused" \
  verify 1 INVALID_RESOURCE_ID raw "${trusted[@]}" --requestor REF30 --resource HBO --at "$inside"
check "another requestor is refused" \
  verify 1 INVALID_REQUESTOR_ID raw "${trusted[@]}" --requestor OTHER --resource TNT --at "$inside"

sed 's/420000/420001/' raw >flipped-body
sed 's/^<signatureInfo>A/<signatureInfo>B/; t; s/^<signatureInfo>./<signatureInfo>A/' raw >flipped-signature
for part in body signature; do
  check "one changed byte of the $part is refused" verify 1 INVALID_SIGNATURE "flipped-$part" "${trusted[@]}" "${ours[@]}"
done
sed 's/authToken>/simpleAuthenticationToken>/g' signed.xml >authentication.xml
sign authentication.xml >authentication
check "a year-long authentication token under the same key is no media token" \
  verify 1 INVALID_TOKEN_FORMAT authentication "${trusted[@]}" "${ours[@]}"

# Production writes an inner ]]> as ]]]]>><![CDATA[: the section closes, one raw >, the section opens.
mrss='<rss version="2.0"><channel><item><title><![CDATA[A & B]]></title></item></channel></rss>'
wrapped="<![CDATA[${mrss//]]>/]]]]>><![CDATA[}]]>"
sed "s|>TNT<|>$(sed 's/[&|]/\\&/g' <<<"$wrapped")<|" signed.xml >mrss.xml
sign mrss.xml >mrss
check "a resource that is a whole MRSS document is valid" \
  verify 0 VALID_TOKEN mrss "${trusted[@]}" --requestor REF30 --resource "$mrss" --at "$inside"

now=$(TZ=America/Los_Angeles date '+%Y-%m-%d %H:%M:%S %z')
sed "s/2017-03-16 07:39:48 -0700/$now/" signed.xml >now.xml
sign now.xml >now
check "a token of this minute is valid by the machine's clock" \
  verify 0 VALID_TOKEN now "${trusted[@]}" --requestor REF30 --resource TNT
for number in $(seq 1 40); do
  sed "s/00112233/$(printf %08x "$number")$(printf 'a%.0s' $(seq 1 $((number % 3))))/" signed.xml >one.xml
  sign one.xml | base64 -w 0
  echo
done >many
# forty FILE: all forty lines are valid.
forty() {
  "$MEDIATOKEN" verify --batch "$1" "${trusted[@]}" "${ours[@]}" >answers 2>err && [[ $(grep -c VALID_TOKEN answers) -eq 40 ]]
}
check "forty tokens are valid as a batch of plain lines" forty many
check "some of them end in +" grep -q '+$' many
tr + ' ' <many >spaces
check "all forty survive a form that turns + into spaces" forty spaces
finish
