# Sourced after scenario.sh: a key pair that is trusted, a weak one, and a token that is issued and checked at the same instant.
now=1795176000000
guid=00112233445566778899aabbccddeeff
"$MEDIATOKEN" keys generate --out "$work/keys" >/dev/null
"$MEDIATOKEN" keys generate --out "$work/weak" --weak-1024-for-tests >"$work/weak.txt"
weak_fingerprint=$(sed -n 's/^fingerprint: //p' "$work/weak.txt")
key=$work/keys/development.private.pem
trust=(--keys "$work/keys/development.pem")
ours=(--requestor REF30 --resource TNT --at "$now")

# issue [OPTION...]: prints a token of that instant.
issue() { "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --issue-time "$now" "$@"; }

# fresh_token [COUNT [OPTION...]]: prints tokens of this moment, each another one.
fresh_token() { "$MEDIATOKEN" issue --key "$key" --requestor REF30 --resource TNT --count "${1:-1}" "${@:2}"; }

token=$(issue --session-guid "$guid")
