#!/usr/bin/env bash
# Keys on the command line: what cannot be used, what needs consent, and `keys list`, `keys generate`, `keys import`. Every form of
# key file, and all that is wrong with one, is for the unit tests.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
public=$work/keys/development.pem
fingerprint=$(openssl pkey -pubin -in "$public" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1)

# unusable TEXT PATH...: exit 3, nothing on stdout, the text on stderr, and the token was not even asked for.
unusable() {
  local part=$1 path options=()
  shift
  for path in "$@"; do options+=(--keys "$path"); done
  answers 3 "" verify - "${options[@]}" "${ours[@]}" <"$work/never" && says "$part"
}
mkfifo "$work/never"
exec 9<>"$work/never"
echo "no key" >"$work/text.pem"
mkdir "$work/shared" && chmod 1777 "$work/shared" && cp "$public" "$work/shared"
check "verify cannot use a good and a bad file" unusable "text.pem" "$public" "$work/text.pem"
check "verify cannot use a folder as /tmp, whose mode is not to be changed" \
  unusable "its mode is 01777; move the file to a folder that only root" "$work/shared"
check "verify cannot use a weak key without consent" unusable "--allow-rsa-1024 $weak_fingerprint" "$work/weak/development.pem"
exec 9>&-

weak=$("$MEDIATOKEN" issue --key "$work/weak/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
for consent in "$weak_fingerprint" "$(sed 's/../&:/g; s/:$//' <<<"${weak_fingerprint^^}")" any; do
  check "verify takes a weak key with consent to ${consent:0:5}" answers 0 VALID_TOKEN \
    verify "$weak" --keys "$work/weak/development.pem" "${ours[@]}" --allow-rsa-1024 "$consent"
done
check "consent to another key is not consent to this one" answers 3 "" \
  verify "$weak" --keys "$work/weak/development.pem" "${ours[@]}" --allow-rsa-1024 "$fingerprint"

check "keys list shows a key by OpenSSL's fingerprint" answers 0 "fingerprint: $fingerprint" keys list "${trust[@]}"
check "keys list shows a weak key, and ends with 3" answers 3 "fingerprint: $weak_fingerprint" keys list --keys "$work/weak/development.pem"
check "keys list of a weak key prints the option to paste" shows "--allow-rsa-1024 $weak_fingerprint"
list_json() { exits 3 "$MEDIATOKEN" keys list "${trust[@]}" --keys "$work/weak/development.pem" --json >"$work/out"; }
check "keys list --json of a good and a weak key ends with 3" list_json
check "keys list --json has both keys, and which is trusted" equals \
  "$(member "$work/out" '[(k["fingerprint"], k["bits"], k["trusted"]) for k in j["keys"]]')" \
  "[('$fingerprint', 2048, True), ('$weak_fingerprint', 1024, False)]"
# Quotation marks around an alias are the program's own.
cp "$public" "$work/a\"b.pem" && chmod 644 "$work/a\"b.pem"
odd() { answers 0 "fingerprint: $fingerprint" keys list --keys "$work/a\"b.pem" && shows "origin: $work/a\\\"b.pem (line 1)"; }
check "keys list escapes a file's odd name once" odd
openssl req -x509 -key "$key" -subj '/O=Smith, "Sons" \\ Daughters/CN=test' -days 1 -out "$work/names.pem" 2>/dev/null
chmod 644 "$work/names.pem"
names() { answers 0 "fingerprint: $fingerprint" keys list --keys "$work/names.pem" && shows 'subject: CN=test,O=Smith\, \"Sons\" \\ Daughters'; }
check "keys list writes a certificate's names as RFC 4514 does" names

# What keytool and openssl print is the certificate's fingerprint.
openssl req -x509 -key "$work/weak/development.private.pem" -subj /CN=weak -days 1 -text -out "$work/weak.crt" 2>/dev/null
chmod 644 "$work/weak.crt"
for hash in sha256 sha1; do
  printed=$(openssl x509 -in "$work/weak.crt" -noout -fingerprint -$hash | cut -d = -f 2)
  check "keys list shows a certificate's $hash as OpenSSL does" answers 3 "fingerprint: $weak_fingerprint" keys list --keys "$work/weak.crt"
  check "keys list shows that $hash next to the key's" shows "the certificate's ${hash/sha/SHA-}: $printed"
  mistaken() {
    answers 3 "" verify "$weak" --keys "$work/weak.crt" "${ours[@]}" --allow-rsa-1024 "$printed" &&
      says "the fingerprint that was allowed is the certificate's; the key's is $weak_fingerprint"
  }
  check "consent by a certificate's $hash is refused, and the message has the key's" mistaken
  useless() { exits 3 "$MEDIATOKEN" keys list --keys "$work/weak.crt" --allow-rsa-1024 "$printed" >/dev/null && says "the certificate's; the key's is $weak_fingerprint"; }
  check "keys list says that the $hash that was allowed is the certificate's" useless
done
needless() { answers 3 "" verify "$token" "${trust[@]}" "${ours[@]}" --allow-rsa-1024 "$printed" && says "a fingerprint of 40 digits was allowed"; }
check "a SHA-1 as consent is refused where no key needs any" needless

imported() {
  (umask 077 && exits 0 "$MEDIATOKEN" keys import "$work/weak/development.pem" --out "$work/for-a-service" >"$work/out") &&
    equals "$(stat -c %a "$work/for-a-service" "$work"/for-a-service/*)" $'755\n644'
}
check "keys import under umask 077 writes a key that a service can read" imported
check "keys import names the settings of the daemon's configuration" shows \
  "configuration: \"keys\": [\"$work/for-a-service/${weak_fingerprint:0:16}.pem\"], \"allowRSA1024\": [\"$weak_fingerprint\"]"
check "keys generate makes the private key for its owner only" equals "$(stat -c %a "$key")" 600
before=$(cat "$key" "$public" | sha256sum)
kept() { answers 3 "" keys generate --out "$work/keys" && says "file exists" && equals "$(cat "$key" "$public" | sha256sum)" "$before"; }
check "keys generate says that its files exist, and leaves them as they are" kept
mkdir "$work/half" && echo mine >"$work/half/development.pem"
half() { answers 3 "" keys generate --out "$work/half" && equals "$(ls "$work/half")" development.pem && equals "$(cat "$work/half/development.pem")" mine; }
check "keys generate takes the private key back where the public key exists" half
sized() {
  answers 0 "private: $work/big/test.private.pem" keys generate --out "$work/big" --name test --bits 3072 && shows "bits: 3072" &&
    quietly exits 0 openssl pkey -in "$work/big/test.private.pem" -check -noout &&
    equals "$(openssl pkey -in "$work/big/test.private.pem" -pubout)" "$(cat "$work/big/test.pem")"
}
check "keys generate makes a pair that OpenSSL finds sound, of the name and size that were asked for" sized
check "keys generate with a path for a name is a usage error" usage "is not a name of at most 64 letters, digits, _ . and -; " keys generate --out "$work/big" --name ../x
check "keys generate with 512 bits is a usage error" usage "is not a whole number from 2048" keys generate --out "$work/big" --bits 512
check "keys generate where nothing can be made ends with 3" answers 3 "" keys generate --out /dev/null/x

imports() {
  answers 0 "file: $work/imported/${fingerprint:0:16}.pem" keys import "$work/names.pem" --out "$work/imported" &&
    equals "$(cat "$work/imported/${fingerprint:0:16}.pem")" "$(cat "$public")"
}
check "keys import of a certificate writes its public key" imports
check "a token is valid with an imported key" answers 0 VALID_TOKEN verify "$token" --keys "$work/imported" "${ours[@]}"
check "keys import does not replace a file" answers 3 "" keys import "$work/names.pem" --out "$work/imported"
nothing() { answers 3 "" keys import "$work/text.pem" --out "$work/no" && [[ ! -e $work/no ]]; }
check "keys import of no key ends with 3 and makes no folder" nothing
if [[ -e $repository/keys/development.private.pem ]]; then
  known=$("$MEDIATOKEN" issue --key "$repository/keys/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
  cp "$repository/keys/development.pem" "$work/known.pem" && chmod 644 "$work/known.pem"
  warned() { answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}" && says "warning"; }
  silent() { answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}" --dev && equals "$(cat "$work/err")" ""; }
  check "verify warns of the repository's key" warned
  check "verify --dev takes the repository's key without a warning" silent
fi
finish
