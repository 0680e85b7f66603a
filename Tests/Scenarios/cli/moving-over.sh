#!/usr/bin/env bash
# Moving over from Adobe's verifier: the Java program of clients/java writes its verdicts, and `verify --batch` compares them.
#
# In place of Adobe's JAR, which only licensees have, there is a stand-in (stand-in/): it has the documented interface, and
# verifies tokens with the JDK alone.
source "$(dirname "$0")/../lib/scenario.sh"
needs javac java keytool openssl
source "$scenarios/lib/tokens.sh"

# The stand-in's JAR: classes, and the keystore of the documented name with the key that signs here.
openssl req -x509 -new -key "$key" -subj /CN=stand-in -days 2 -out "$work/certificate.pem" 2>/dev/null
mkdir "$work/classes"
keytool -importcert -noprompt -storetype JKS -alias token -file "$work/certificate.pem" -storepass 123456 \
  -keystore "$work/classes/media_token_keystore.jks" 2>/dev/null
chmod 644 "$work/classes/media_token_keystore.jks"
find "$here/stand-in" -name '*.java' -exec javac -Xlint:all -Werror -d "$work/classes" {} +
check "a licensee compiles one file next to the JAR" javac -Xlint:all -Werror -cp "$work/classes" -d "$work" \
  "$repository/clients/java/AdobeVerdicts.java"

# asks ARGUMENT...: what the other verifier says about $work/tokens, as lines in $work/lines.
asks() { exits 0 java -cp "$work/classes:$work" AdobeVerdicts "$@" <"$work/tokens" >"$work/lines"; }

# each PYTHON_EXPRESSION: over `j`, the answers.
each() { equals "$(python3 -c 'import json, sys; j = [json.loads(line) for line in open(sys.argv[1])]; print(eval(sys.argv[2]))' \
  "$work/out" "$1")" "$2"; }

{
  fresh_token
  fresh_token 1 --form base64
  fresh_token | sed s/TNT/TBS/
  fresh_token 1 --issue-time 2026-01-01T00:00:00Z
  "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TBS
  echo nonsense
  echo
  printf '%s\r\n' "$(fresh_token)"
} >"$work/tokens"
asked() { asks REF30 TNT && says "$1"; }
check "AdobeVerdicts answers about tokens of all kinds, and says how many" asked "7 tokens asked about"
check "the lines of AdobeVerdicts have the other verifier's verdicts" equals "$(grep -o '"expected":"[A-Z_]*"' "$work/lines" | cut -d '"' -f 4 | tr '\n' ' ')" \
  "VALID_TOKEN VALID_TOKEN INVALID_SIGNATURE TOKEN_EXPIRED INVALID_RESOURCE_ID INVALID_TOKEN_FORMAT VALID_TOKEN "
# agrees STATUS [ARGUMENT...]: compares our verdicts with the lines.
agrees() { exits "$1" "$MEDIATOKEN" verify --batch "$work/lines" --keys "$work/classes/media_token_keystore.jks" \
  --any-requestor --any-resource "${@:2}" >"$work/out"; }
seven() {
  agrees 1 && each '[a["agrees"] for a in j]' "[True, True, True, True, True, True, True]" && lacks signatureInfo "$work/err" &&
    says "7 lines: 3 valid, 4 refused, 0 malformed, 0 undecided, 0 blank, 7 agree, 0 disagree"
}
check "verify --batch agrees with each of seven lines, counts them, and shows no token on standard error" seven

# Ours limits a life to an hour, refuses another requestor, and knows which tokens were used.
{
  "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --ttl 36000000 \
    --issue-time "$(date -u -d '2 hours ago' +%FT%TZ)"
  "$MEDIATOKEN" issue --key "$key" --requestor OTHER --resource TNT
  echo "THROW $(fresh_token)"
  fresh_token
} >"$work/tokens"
thrown() { asks REF30 TNT && equals "$(head -n 1 "$work/err")" "the verifier threw java.lang.IllegalStateException"; }
check "AdobeVerdicts names what the verifier throws by its class alone" thrown
check "verify --batch compares its verdicts with lines that differ" agrees 1
check "verify --batch says about each line whether it agrees" each '[(a["verdict"], a["agrees"]) for a in j]' \
  "[('TOKEN_EXPIRED', False), ('INVALID_REQUESTOR_ID', False), ('INVALID_TOKEN_FORMAT', False), ('VALID_TOKEN', True)]"
check "verify --batch counts the lines that differ" says "1 agree, 3 disagree"
identity=$(head -n 1 "$work/out" | sed 's/.*"identity":"\([0-9a-f]*\)".*/\1/')
check "a line that differs is told by identity, name and reason" \
  says "line 1: $identity: TOKEN_EXPIRED expired, expected VALID_TOKEN"
check "a line that differs and has no identity is told too" says "line 3: -: INVALID_TOKEN_FORMAT unknown-form, expected ERROR_UNKNOWN"
unsaid() { lacks signatureInfo "$work/err" && lacks "$guid" "$work/err"; }
check "neither token nor GUID of lines that differ is on standard error" unsaid

# Which names `expected` may have, and what agrees with each, is AgreementTests' and BatchLineTests'.
check "a batch that compares nothing counts nothing that agrees" equals \
  "$("$MEDIATOKEN" verify --batch - "${trust[@]}" "${ours[@]}" <<<"$token" 2>&1 >/dev/null)" \
  "mediatoken: 1 line: 1 valid, 0 refused, 0 malformed, 0 undecided, 0 blank"

# isValid(null): authenticity and life alone.
fresh_token >"$work/tokens"
unbound() { asks REF30 - && lacks '"resource"' "$work/lines" && agrees 0 && says "1 agree, 0 disagree"; }
check "AdobeVerdicts takes - for no resource, and verify --batch agrees with its line" unbound
usage_of() { exits 2 java -cp "$work/classes:$work" AdobeVerdicts </dev/null && says "expected: AdobeVerdicts REQUESTOR RESOURCE|-"; }
check "AdobeVerdicts without arguments ends with 2, and says what it expects" usage_of
finish
