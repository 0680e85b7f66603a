#!/usr/bin/env bash
# The manual pages: mandoc and groff have nothing to say against any of them, and each says what its subject's --help says.
source "$(dirname "$0")/../lib/scenario.sh"
needs mandoc man

for page in "$repository"/manual/*; do
  name=${page##*/}
  found=$(mandoc -T lint -W warning "$page" 2>&1 || true)
  check "$name: mandoc -T lint -W warning is silent" test -z "$found"
  found=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null || true)
  check "$name: man sets it without a warning" test -z "$found"
done

# Every option that a program prints has its place in the page, with what is said of it.
options_of() { "$@" --help | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p'; }
page_has_options() {
  local page=$1 set option
  shift
  set=$(mandoc -T utf8 "$page" | col -b)
  while read -r option; do
    grep -qF -- "$option" <<<"$set" || { echo "$option is missing in $page"; return 1; }
  done < <(options_of "$@")
}
commands=$("$MEDIATOKEN" --help | sed -n '/^commands:/,/^$/s/^  \(.*[^ ]\)   *[A-Z].*/\1/p')
check "there are commands" test "$(wc -l <<<"$commands")" -gt 10
while read -r command; do
  # The words of a command are its arguments.
  check "mediatoken $command: its page has its options" \
    page_has_options "$repository/manual/mediatoken-${command// /-}.1" "$MEDIATOKEN" $command
done <<<"$commands"
check "mediatokend: its page has its options" page_has_options "$repository/manual/mediatokend.8" "$MEDIATOKEND"
finish
