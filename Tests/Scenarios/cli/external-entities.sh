#!/usr/bin/env bash
# Case 35: a token that asks for files or network resources gets none, as the kernel saw it.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/vectors.sh"
needs strace
cd "$work" || exit 1
strace -o probe true 2>/dev/null || skip "strace may not trace here"

# trace NAME: runs one vector of that name under strace; leaves the files and sockets that it asked for in NAME.calls.
trace() {
  local file=$vectors/$1.token name=${1##*/} keys
  body "$file" >token
  keys=$vectors/shared/keys/$(header keys "$file")
  strace -f -qq -e trace=open,openat,openat2,stat,newfstatat,access,socket,connect,sendto,execve -o "$name.log" \
    "$MEDIATOKEN" verify - --keys "$keys" --any-requestor --any-resource --at "$(header now "$file")" <token >out 2>err
  # Which call on which path; process numbers, descriptors and addresses change from run to run.
  sed -E 's/^[0-9]+ +//; s/ = .*//; s/0x[0-9a-f]+/ADDRESS/g' "$name.log" |
    grep -o '^[a-z0-9]*\|"[^"]*"' | paste -sd ' ' | sed 's/ \([a-z]\)/\n\1/g' | sort -u >"$name.calls"
  [[ $(head -n 1 out) == "$(header expect "$file")" ]]
}

# nothing_new CALLS: no call that is not among those of a genuine token.
nothing_new() {
  [[ -s $1 && -z $(comm -13 armor-raw.calls "$1") ]] && return 0
  comm -13 armor-raw.calls "$1"
  return 1
}

check "strace sees a genuine token being verified" trace shared/armor-raw
check "strace sees the key file being opened" grep -q rsa2048.pem armor-raw.calls
for name in shared/shape-xxe shared/shape-doctype own/markup-doctype-parameter-before own/markup-doctype-file-before \
  own/markup-doctype-ftp-before own/markup-billion-laughs own/signature-before-fields-xxe; do
  check "$name is refused" trace "$name"
  check "$name asks the kernel for nothing that a genuine token does not" \
    nothing_new "${name##*/}.calls"
  check "$name opens no socket" eval '! grep -qE "^[0-9]+ +(socket|connect)" "${name##*/}.log"'
done
finish
