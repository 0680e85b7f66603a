#!/usr/bin/env bash
# Keys that cannot be used, keys that need consent, and `keys list`, `keys generate`, `keys import`.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/tokens.sh"
fingerprint=$(openssl pkey -pubin -in "$work/keys/development.pem" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1)

# unusable TEXT PATH...: exit 3, nothing on stdout, the text on stderr, and the token was not even asked for.
unusable() {
  local part=$1 path options=()
  shift
  for path in "$@"; do options+=(--keys "$path"); done
  answers 3 "" verify - "${options[@]}" "${ours[@]}" <"$work/never" && says "$part"
}
mkfifo "$work/never"
exec 9<>"$work/never"
mkdir "$work/empty" && echo "no key" >"$work/text.pem" && : >"$work/nothing.pem"
check "a missing file" unusable "no such file" "$work/missing.pem"
check "a file without a key" unusable "text.pem" "$work/text.pem"
check "an empty file" unusable "nothing.pem" "$work/nothing.pem"
check "an empty folder" unusable "empty" "$work/empty"
check "a private key" unusable "private" "$key"
check "a good and a bad file" unusable "text.pem" "$work/keys/development.pem" "$work/text.pem"
cp "$work/keys/development.pem" "$work/open.pem" && chmod 666 "$work/open.pem"
check "a file that others may write" unusable "chmod go-w" "$work/open.pem"
mkdir "$work/shared" && chmod 1777 "$work/shared" && cp "$work/keys/development.pem" "$work/shared"
check "a folder that many programs share, as /tmp, whose mode is not to be changed" \
  unusable "its mode is 01777; move the file to a folder that only root" "$work/shared"
check "a weak key without consent" unusable "--allow-rsa-1024 $weak_fingerprint" "$work/weak/development.pem"
exec 9>&-

weak=$("$MEDIATOKEN" issue --key "$work/weak/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
colons=$(sed 's/../&:/g; s/:$//' <<<"${weak_fingerprint^^}")
for consent in "$weak_fingerprint" "$colons" any; do
  check "a weak key with consent ${consent:0:5}" answers 0 VALID_TOKEN \
    verify "$weak" --keys "$work/weak/development.pem" "${ours[@]}" --allow-rsa-1024 "$consent"
done
check "consent to another key is not consent to this one" answers 3 "" \
  verify "$weak" --keys "$work/weak/development.pem" "${ours[@]}" --allow-rsa-1024 "$fingerprint"

check "a key is listed by OpenSSL's fingerprint" answers 0 "fingerprint: $fingerprint" keys list "${trust[@]}"
check "a weak key is listed before the exit" answers 3 "fingerprint: $weak_fingerprint" \
  keys list --keys "$work/weak/development.pem"
check "keys list of a weak key prints the option to paste" shows "--allow-rsa-1024 $weak_fingerprint"
check "keys list with that option ends with 0" answers 0 "fingerprint: $weak_fingerprint" \
  keys list --keys "$work/weak/development.pem" --allow-rsa-1024 "$weak_fingerprint"
list_json() { exits 3 "$MEDIATOKEN" keys list "${trust[@]}" --keys "$work/weak/development.pem" --json >"$work/out"; }
check "keys list --json of a good and a weak key ends with 3" list_json
check "keys list --json has both keys, and which is trusted" equals \
  "$(member "$work/out" '[(k["fingerprint"], k["bits"], k["trusted"]) for k in j["keys"]]')" \
  "[('$fingerprint', 2048, True), ('$weak_fingerprint', 1024, False)]"
# Names that have to be escaped are, once: quotation marks around an alias are the program's own.
cp "$work/keys/development.pem" "$work/keys/a\"b.pem" && chmod 644 "$work/keys/a\"b.pem"
check "keys list escapes a file's odd name once" answers 0 "fingerprint: $fingerprint" keys list --keys "$work/keys/a\"b.pem"
check "keys list escapes a file's odd name as other messages do" shows "origin: $work/keys/a\\\"b.pem (line 1)"
rm "$work/keys/a\"b.pem"
openssl req -x509 -key "$key" -subj '/O=Smith, "Sons" \\ Daughters/CN=test' -days 1 -out "$work/names.pem" 2>/dev/null
check "keys list shows a certificate" answers 0 "fingerprint: $fingerprint" keys list --keys "$work/names.pem"
check "keys list writes a certificate's names as RFC 4514 does" shows 'subject: CN=test,O=Smith\, \"Sons\" \\ Daughters'
check "keys list of a missing file ends with 3" answers 3 "" keys list --keys "$work/missing.pem"

check "keys generate makes the private key for its owner only" equals "$(stat -c %a "$key")" 600
before=$(cat "$key" "$work/keys/development.pem" | sha256sum)
check "keys generate does not replace its files" answers 3 "" keys generate --out "$work/keys"
check "keys generate says that a file exists" says "file exists"
check "keys generate leaves both files that exist as they were" equals "$(cat "$key" "$work/keys/development.pem" | sha256sum)" "$before"
mkdir "$work/half" && echo mine >"$work/half/development.pem"
check "keys generate where the public key exists ends with 3" answers 3 "" keys generate --out "$work/half"
check "keys generate takes the private key back where the public key exists" equals "$(ls "$work/half")" development.pem
check "keys generate leaves the public key that exists as it was" equals "$(cat "$work/half/development.pem")" mine
check "keys generate takes another name and size" answers 0 "private: $work/big/test.private.pem" \
  keys generate --out "$work/big" --name test --bits 3072
check "keys generate makes a key of the size that was asked for" shows "bits: 3072"
sound() { exits 0 openssl pkey -in "$work/big/test.private.pem" -check -noout >/dev/null; }
check "OpenSSL finds the generated private key sound" sound
check "the generated public key is the private one's" equals "$(openssl pkey -in "$work/big/test.private.pem" -pubout)" \
  "$(cat "$work/big/test.pem")"
check "keys generate with a path for a name is a usage error" usage "is not a name of at most 64 letters, digits, _ . and -; " keys generate --out "$work/big" --name ../x
check "keys generate with 512 bits is a usage error" usage "is not a whole number from 2048" keys generate --out "$work/big" --bits 512
check "keys generate where nothing can be made ends with 3" answers 3 "" keys generate --out /dev/null/x

openssl req -x509 -key "$key" -subj "/CN=test" -days 1 -out "$work/certificate.pem" 2>/dev/null
chmod 644 "$work/certificate.pem"
check "keys import of a certificate ends with 0" answers 0 "file: $work/imported/${fingerprint:0:16}.pem" \
  keys import "$work/certificate.pem" --out "$work/imported"
check "keys import of a certificate writes its public key" equals "$(cat "$work/imported/${fingerprint:0:16}.pem")" "$(cat "$work/keys/development.pem")"
check "a token is valid with an imported key" answers 0 VALID_TOKEN verify "$token" --keys "$work/imported" "${ours[@]}"
check "keys import does not replace a file" answers 3 "" keys import "$work/certificate.pem" --out "$work/imported"
check "keys import of no key ends with 3" answers 3 "" keys import "$work/text.pem" --out "$work/no"
check "keys import of no key makes no folder" test ! -e "$work/no"
if [[ -e $repository/keys/development.private.pem ]]; then
  known=$("$MEDIATOKEN" issue --key "$repository/keys/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
  cp "$repository/keys/development.pem" "$work/known.pem" && chmod 644 "$work/known.pem"
  check "a token under the repository's key is valid" answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}"
  check "verify warns of the repository's key on standard error" says "warning"
  check "verify --dev takes a token under the repository's key" answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}" --dev
  check "verify --dev warns of nothing" equals "$(cat "$work/err")" ""
fi
finish
