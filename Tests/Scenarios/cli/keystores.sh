#!/usr/bin/env bash
# Keystores that keytool made: `keys list`, `keys import` and its passwords; and a `keys generate` that is interrupted.
source "$(dirname "$0")/../lib/scenario.sh"
needs keytool strace openssl
source "$scenarios/lib/tokens.sh"
fingerprint=$(openssl pkey -pubin -in "$work/keys/development.pem" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1)
openssl req -x509 -key "$key" -subj "/CN=test" -days 1 -out "$work/strong.crt" 2>/dev/null
openssl req -x509 -key "$work/weak/development.private.pem" -subj "/CN=weak" -days 1 -out "$work/weak.crt" 2>/dev/null

import() { keytool -importcert -noprompt -storetype JKS -alias "$1" -file "$2" -keystore "$work/two.jks" \
  -storepass made-up-password >/dev/null 2>&1; }
check "keytool takes a certificate under an alias with a path in it" import "media token/../x" "$work/strong.crt"
check "keytool takes a second certificate" import "weak" "$work/weak.crt"
chmod 644 "$work/two.jks"
check "keys list prints the key of a keystore's first alias, and exits with 3 as the second is weak" \
  answers 3 "$(printf 'fingerprint: %s' "$fingerprint")" keys list --keys "$work/two.jks"
check "keys list has the alias in quotation marks" shows "origin: $work/two.jks (alias \"media token/../x\")"
check "keys import of a keystore writes a plain name for the alias with a path in it" \
  answers 0 "file: $work/jks/media-token-..-x.pem" keys import "$work/two.jks" --out "$work/jks" --password made-up-password
check "keys import of a keystore prints the consent that its weak key needs" shows "--allow-rsa-1024 $weak_fingerprint"
check "keys import of a keystore writes one file for each alias" equals "$(ls "$work/jks" | tr '\n' ' ')" "media-token-..-x.pem weak.pem "
next() { exits 0 bash -c "$(sed -n "0,/^next: mediatoken/s|^next: mediatoken|'$MEDIATOKEN'|p" "$work/out")" >/dev/null; }
check "the next command that keys import prints works" next
printf 'never-to-be-said\n' >"$work/password"
check "keys import with a wrong password exits with 3" \
  answers 3 "" keys import "$work/two.jks" --out "$work/jks2" --password-file "$work/password"
check "keys import does not repeat a wrong password" lacks never-to-be-said "$work/err"
check "keys import with a wrong password makes no folder" test ! -e "$work/jks2"
mkdir "$work/jks3" && echo mine >"$work/jks3/weak.pem"
check "keys import where one of its files exists exits with 3" answers 3 "" keys import "$work/two.jks" --out "$work/jks3"
check "keys import takes back the first file when the second one exists" equals "$(ls "$work/jks3")" weak.pem
check "keys import leaves the file that exists as it was" equals "$(cat "$work/jks3/weak.pem")" mine

strace -qq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
# As if Ctrl-C was typed while the first file is written.
interrupted() { strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=INT:when=1 "$MEDIATOKEN" "$@" >/dev/null; }
check "keys generate, interrupted while it writes its first file, ends well" \
  exits 0 interrupted keys generate --weak-1024-for-tests --out "$work/interrupted"
check "keys generate, interrupted, leaves two whole files" \
  equals "$(ls "$work/interrupted" | tr '\n' ' ')" "development.pem development.private.pem "
finish
