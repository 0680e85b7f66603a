#!/usr/bin/env bash
# Cases 185 and 186: a libcrypto that gives one answer to every signature is found out before any key is trusted. One that queues
# other errors for a forgery than any known version does, as each new version may, is no reason to trust no key.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/vectors.sh"
needs gcc

# The sanitizers of a checking build want to be the first library that is loaded.
ldd "$MEDIATOKEN" | grep 'libcrypto\.so' >/dev/null || skip "libcrypto is not a library of its own in $MEDIATOKEN"
check "the library that answers for libcrypto compiles" \
  gcc -shared -fPIC -Wall -Wextra -Werror -O1 -o "$work/wrong.so" "$here/wrong-libcrypto.c" -lcrypto

keys=$vectors/shared/keys/rsa2048.pem
forged=$vectors/shared/sig-bit-last.token
body "$forged" >"$work/token"
verify() {
  "$MEDIATOKEN" verify - --keys "$keys" --requestor "$(header requestor "$forged")" \
    --resource "$(header resource "$forged")" --at "$(header now "$forged")" <"$work/token"
}
cat >"$work/config.json" <<END
{"socket": {"path": "$work/daemon.sock"}, "keys": ["$keys"], "replay": {"address": "none:"}, "tenants": [{"requestor": "REF30"}]}
END
# wrong ANSWER COMMAND...: with libcrypto's EVP_PKEY_verify answering that.
wrong() { ANSWER=$1 LD_PRELOAD=$work/wrong.so timeout 60 "${@:2}"; }
wrong_verify() { export ANSWER=$1 LD_PRELOAD=$work/wrong.so; verify; }
# A subshell, so that what it exports ends with it.
undecided() (yields 3 "" wrong_verify "$1")

check "with the libcrypto of this machine a forged token is refused" yields 1 INVALID_SIGNATURE verify
for errors in other none; do
  forged_verify() (yields 1 INVALID_SIGNATURE wrong_verify "$errors")
  check "with $errors of the errors that are known for a forgery, a forged token is refused as one" forged_verify
done
for answer in 1 0 -1; do
  check "where libcrypto always says $answer nothing is verified" undecided "$answer"
  check "verify says that libcrypto gives a wrong answer, and which file the answer is from" \
    says "gives a wrong answer to a known signature, so no key can be trusted with it; the answer is from $work/wrong.so:"
  check "verify says what may put the wrong libcrypto there" says "if LD_PRELOAD or LD_LIBRARY_PATH names that file, unset it"
  check "verify says the version of the wrong libcrypto" says "libcrypto (OpenSSL 3"
  check "the daemon does not start with a wrong libcrypto" exits 3 wrong "$answer" "$MEDIATOKEND" --config "$work/config.json"
  check "the daemon says in one line that libcrypto gives a wrong answer" \
    equals "$(grep -c . "$work/err")$(grep -c 'wrong answer to a known signature' "$work/err")" 11
  check "with a wrong libcrypto the daemon ends before its socket is there" test ! -e "$work/daemon.sock.lock"
  check "--check-config finds the wrong libcrypto, too" \
    exits 3 wrong "$answer" "$MEDIATOKEND" --check-config --config "$work/config.json" >"$work/out"
done
finish
