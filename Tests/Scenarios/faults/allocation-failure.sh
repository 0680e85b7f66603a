#!/usr/bin/env bash
# Case 69: wherever libcrypto, libxml2 or libjansson gets no memory, the program gives the verdict that it gives with memory, or
# none (exit 3, nothing on standard output). It never gives another one, and never crashes.
#
# While a token is checked every allocation fails in turn: alone, and with all after it. While the program starts and
# reads keys there are thousands; there every ALLOCATION_STEP-th (97) fails.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/vectors.sh"
needs gcc python3
step=${ALLOCATION_STEP:-97}

# The sanitizers of a checking build bring a malloc of their own, which cannot be replaced.
ldd "$MEDIATOKEN" | grep 'libcrypto\.so' >/dev/null || skip "libcrypto is not a library of its own in $MEDIATOKEN"
check "the library that lets allocations fail compiles" \
  gcc -shared -fPIC -Wall -Wextra -Werror -O1 -o "$work/failing.so" "$here/allocation-failure.c"

# spares STEP NAME SETTINGS [ARGUMENT...]: what is checked, for one vector.
spares() {
  local step=$1 file=$vectors/$2.token settings=$3
  [[ -f $file ]] || file=$vectors/shared/$2.token
  local resource=(--resource "$(header resource "$file")")
  [[ $2 == own/document-* ]] && resource=(--resource-document "$(header resource-document "$file" |
    python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.stdin.read().strip()), end="")')")
  shift 3
  body "$file" >"$work/token"
  # With a batch, the same token three times: the second one meets a parser that was used before.
  if [[ ${1:-} == --batch ]]; then
    for _ in 1 2 3; do
      body "$file"
      echo
    done >"$work/token"
  fi
  [[ $# -eq 0 ]] && set -- -
  SETTINGS=$settings python3 "$here/allocation-failure.py" "$work/failing.so" "$work/record" "$work/token" "$step" \
    "$MEDIATOKEN" verify "$@" --keys "$vectors/shared/keys/$(header keys "$file")" --allow-rsa-1024 any --dev \
    --requestor "$(header requestor "$file")" "${resource[@]}" --at "$(header now "$file")"
}

for name in key-rsa1024 armor-base64 limit-at unknown-leaf children-32 sig-bit-last shape-duplicate-ttl life-after \
  own/document-same-https own/document-other-guid own/document-broken-rating-undeclared-prefix; do
  file=$vectors/$name.token
  [[ -f $file ]] || file=$vectors/shared/$name.token
  verdict=$(header expect "$file")
  check "$name is $verdict or nothing, whichever allocation of a check fails" spares 1 "$name" COUNT_FROM=token
  check "$name is $verdict or nothing, from whichever allocation of a check on all fail" \
    spares 1 "$name" "COUNT_FROM=token FAILING_ALLOCATIONS=on"
done
check "a token that is checked three times is valid or not decided each time" \
  spares 1 key-rsa1024 COUNT_FROM=token --batch -
# A batch is not asked what it does when everything fails from one allocation on: a thread that is new to libxml2 2.9 then
# calls itself in libxml2's xmlGetGlobalState until its stack is used up.
for name in key-rsa1024 sig-bit-last; do
  check "$name is not misjudged when an allocation of the start fails" spares "$step" "$name" ""
  check "$name is not misjudged when allocations fail from one of the start on" \
    spares "$step" "$name" FAILING_ALLOCATIONS=on
done
finish
