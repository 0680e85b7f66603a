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
check "with the option to paste" shows "--allow-rsa-1024 $weak_fingerprint"
check "and without exit 3 when it is pasted" answers 0 "fingerprint: $weak_fingerprint" \
  keys list --keys "$work/weak/development.pem" --allow-rsa-1024 "$weak_fingerprint"
list_json() { exits 3 "$MEDIATOKEN" keys list "${trust[@]}" --keys "$work/weak/development.pem" --json >"$work/out"; }
check "keys list --json" list_json
check "has both keys" equals \
  "$(member "$work/out" '[(k["fingerprint"], k["bits"], k["trusted"]) for k in j["keys"]]')" \
  "[('$fingerprint', 2048, True), ('$weak_fingerprint', 1024, False)]"
# Names that have to be escaped are, once: quotation marks around an alias are the program's own.
cp "$work/keys/development.pem" "$work/keys/a\"b.pem" && chmod 644 "$work/keys/a\"b.pem"
check "a file's odd name is escaped once" answers 0 "fingerprint: $fingerprint" keys list --keys "$work/keys/a\"b.pem"
check "as in every other message" shows "origin: $work/keys/a\\\"b.pem (line 1)"
rm "$work/keys/a\"b.pem"
openssl req -x509 -key "$key" -subj '/O=Smith, "Sons" \\ Daughters/CN=test' -days 1 -out "$work/names.pem" 2>/dev/null
check "a certificate's names are shown" answers 0 "fingerprint: $fingerprint" keys list --keys "$work/names.pem"
check "as RFC 4514 writes them" shows 'subject: CN=test,O=Smith\, \"Sons\" \\ Daughters'
check "keys list of nothing" answers 3 "" keys list --keys "$work/missing.pem"

check "the private key is for its owner only" equals "$(stat -c %a "$key")" 600
before=$(cat "$key" "$work/keys/development.pem" | sha256sum)
check "generate does not overwrite" answers 3 "" keys generate --out "$work/keys"
check "and says so" says "file exists"
check "and left both files alone" equals "$(cat "$key" "$work/keys/development.pem" | sha256sum)" "$before"
mkdir "$work/half" && echo mine >"$work/half/development.pem"
check "generate makes both files or none" answers 3 "" keys generate --out "$work/half"
check "the private key was taken back" equals "$(ls "$work/half")" development.pem
check "and the file that was there is untouched" equals "$(cat "$work/half/development.pem")" mine
check "generate with another name and size" answers 0 "private: $work/big/test.private.pem" \
  keys generate --out "$work/big" --name test --bits 3072
check "it has that size" shows "bits: 3072"
sound() { exits 0 openssl pkey -in "$work/big/test.private.pem" -check -noout >/dev/null; }
check "OpenSSL finds the private key sound" sound
check "the public key is the private one's" equals "$(openssl pkey -in "$work/big/test.private.pem" -pubout)" \
  "$(cat "$work/big/test.pem")"
check "generate with a path for a name" usage "is not a name of at most 64 letters, digits, _ . and -; " keys generate --out "$work/big" --name ../x
check "generate with an odd size" usage "is not a whole number from 2048" keys generate --out "$work/big" --bits 512
check "generate where nothing can be made" answers 3 "" keys generate --out /dev/null/x

openssl req -x509 -key "$key" -subj "/CN=test" -days 1 -out "$work/certificate.pem" 2>/dev/null
chmod 644 "$work/certificate.pem"
check "import of a certificate" answers 0 "file: $work/imported/${fingerprint:0:16}.pem" \
  keys import "$work/certificate.pem" --out "$work/imported"
check "writes the public key" equals "$(cat "$work/imported/${fingerprint:0:16}.pem")" "$(cat "$work/keys/development.pem")"
check "which verifies" answers 0 VALID_TOKEN verify "$token" --keys "$work/imported" "${ours[@]}"
check "import does not overwrite" answers 3 "" keys import "$work/certificate.pem" --out "$work/imported"
check "import of no key" answers 3 "" keys import "$work/text.pem" --out "$work/no"
check "makes nothing" test ! -e "$work/no"
if command -v keytool >/dev/null; then
  openssl req -x509 -key "$work/weak/development.private.pem" -subj "/CN=weak" -days 1 -out "$work/weak.crt" 2>/dev/null
  import() { keytool -importcert -noprompt -storetype JKS -alias "$1" -file "$2" -keystore "$work/two.jks" \
    -storepass made-up-password >/dev/null 2>&1; }
  check "keytool takes two certificates" import "media token/../x" "$work/certificate.pem"
  check "and the second" import "weak" "$work/weak.crt"
  chmod 644 "$work/two.jks"
  check "a keystore's alias is listed" answers 3 "$(printf 'fingerprint: %s' "$fingerprint")" keys list --keys "$work/two.jks"
  check "in quotation marks" shows "origin: $work/two.jks (alias \"media token/../x\")"
  check "import of a keystore" answers 0 "$(echo "file: $work/jks/media-token-..-x.pem")" \
    keys import "$work/two.jks" --out "$work/jks" --password made-up-password
  check "one file for each alias" equals "$(ls "$work/jks" | tr '\n' ' ')" "media-token-..-x.pem weak.pem "
  check "with the next command" shows "--allow-rsa-1024 $weak_fingerprint"
  next() { exits 0 bash -c "$(sed -n "0,/^next: mediatoken/s|^next: mediatoken|'$MEDIATOKEN'|p" "$work/out")" >/dev/null; }
  check "which works" next
  printf 'never-to-be-said\n' >"$work/password"
  check "a wrong password" answers 3 "" keys import "$work/two.jks" --out "$work/jks2" --password-file "$work/password"
  check "is not repeated" lacks never-to-be-said "$work/err"
  check "makes nothing" test ! -e "$work/jks2"
  mkdir "$work/jks3" && echo mine >"$work/jks3/weak.pem"
  check "all files or none" answers 3 "" keys import "$work/two.jks" --out "$work/jks3"
  check "the first file was taken back" equals "$(ls "$work/jks3")" weak.pem
  check "and the other is untouched" equals "$(cat "$work/jks3/weak.pem")" mine
else
  echo "skipped: keystores, because keytool is missing"
fi

# As if Ctrl-C was typed while the first file is written.
interrupted() { strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=INT:when=1 "$MEDIATOKEN" "$@"; }
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  check "an interrupted generate" exits 0 interrupted keys generate --weak-1024-for-tests --out "$work/interrupted" >/dev/null
  check "leaves whole files" equals "$(ls "$work/interrupted" | tr '\n' ' ')" "development.pem development.private.pem "
else
  echo "skipped: an interrupted generate, because strace is missing or may not trace"
fi

if [[ -e $repository/keys/development.private.pem ]]; then
  known=$("$MEDIATOKEN" issue --key "$repository/keys/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
  cp "$repository/keys/development.pem" "$work/known.pem" && chmod 644 "$work/known.pem"
  check "the repository's key warns" answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}"
  check "on standard error" says "warning"
  check "with --dev it does not" answers 0 VALID_TOKEN verify "$known" --keys "$work/known.pem" "${ours[@]}" --dev
  check "at all" equals "$(cat "$work/err")" ""
fi
finish
