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

printf '%s' '<authToken><sessionGUID>00112233445566778899aabbccddeeff</sessionGUID><requestorID>REF30</requestorID>' \
  '<resourceID>TNT</resourceID><ttl>420000</ttl><issueTime>2017-03-16 07:39:48 -0700</issueTime>' \
  '<mvpdId>Cablevision</mvpdId></authToken>' >signed.xml
sign signed.xml >raw
base64 -w 0 raw >base64
percent <raw >percent
inside='2017-03-16T14:40:00Z'
ours=(--requestor REF30 --resource TNT --at "$inside")
trusted=(--keys adobe.jks --allow-rsa-1024 "$fingerprint")

imports() { quietly exits 0 "$MEDIATOKEN" keys import adobe.jks --out imported && cmp -s <(spki imported/*.pem) <(spki public.pem); }
check "keys import writes the keystore's key, without a password, as openssl reads it from the certificate" imports
wrong_password() { answers 3 "" keys import adobe.jks --out wrong --password another && [[ -z $(ls -A wrong 2>/dev/null) ]]; }
check "keys import refuses a wrong password, and writes nothing" wrong_password
lists() { exits 3 "$MEDIATOKEN" keys list --keys adobe.jks >out && shows "$fingerprint" && shows "--allow-rsa-1024 $fingerprint" && shows 2011; }
check "keys list shows a key without consent, the option to paste and a warning of the certificate's dates, and ends with 3" lists
check "with consent keys list exits 0" quietly "$MEDIATOKEN" keys list "${trusted[@]}"

without() { verify 3 "" raw --keys adobe.jks "${ours[@]}" && says "--allow-rsa-1024 $fingerprint"; }
check "without consent there is no verdict, and the message has the option to add" without
check "consent to another key does not help" \
  verify 3 "" raw --keys adobe.jks --allow-rsa-1024 "${fingerprint//[0-9]/0}" "${ours[@]}"
for form in raw base64 percent; do
  check "with consent the $form form is valid" verify 0 VALID_TOKEN $form "${trusted[@]}" "${ours[@]}"
  check "the answer to the $form form does not show the session GUID" lacks 00112233445566778899aabbccddeeff <(cat out err)
done
for keys in imported certificate.pem public.pem; do
  check "the key is trusted from $keys as well" \
    verify 0 VALID_TOKEN raw --keys "$keys" --allow-rsa-1024 "$fingerprint" "${ours[@]}"
done

check "the last millisecond of its life is valid" \
  verify 0 VALID_TOKEN raw "${trusted[@]}" --requestor REF30 --resource TNT --at 2017-03-16T14:46:47.999Z
check "the first millisecond after its life is not" \
  verify 1 TOKEN_EXPIRED raw "${trusted[@]}" --requestor REF30 --resource TNT --at 2017-03-16T14:46:48Z
check "another resource is refused" verify 1 INVALID_RESOURCE_ID raw "${trusted[@]}" --requestor REF30 --resource HBO --at "$inside"
sed 's/420000/420001/' raw >changed
check "one changed byte is refused" verify 1 INVALID_SIGNATURE changed "${trusted[@]}" "${ours[@]}"
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
finish
