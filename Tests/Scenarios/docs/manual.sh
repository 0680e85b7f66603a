#!/usr/bin/env bash
# The manual pages: mandoc and groff have nothing to say against any of them. That they say what --help says is a unit test's.
source "$(dirname "$0")/../lib/scenario.sh"
needs mandoc man

for page in "$repository"/manual/*; do
  name=${page##*/}
  found=$(mandoc -T lint -W warning "$page" 2>&1 || true)
  check "$name: mandoc -T lint -W warning is silent" test -z "$found"
  found=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null || true)
  check "$name: man sets the page without a warning" test -z "$found"
done

finish
