#!/usr/bin/env bash
# No byte whose signature failed reaches libxml2: a preloaded library records what libxml2 is given.
source "$(dirname "$0")/../lib/scenario.sh"
needs gcc nm python3

check "the witness compiles" gcc -shared -fPIC -Wall -Werror -O1 -o "$work/witness.so" "$here/xml-witness.c" -ldl

# A function that the witness does not watch would make the checks below worthless.
nm -D --undefined-only "$MEDIATOKEN" "$MEDIATOKEND" | awk '{print $NF}' |
  grep '^\(__\)\?\(xml\|html\)' | sed 's/@.*//' | sort -u >"$work/used"
cat >"$work/known" <<'NAMES'
xmlCreatePushParserCtxt
xmlCtxtResetPush
xmlCtxtUseOptions
xmlFreeDoc
xmlFreeParserCtxt
xmlParseChunk
xmlStrlen
NAMES
check "the programs use libxml2" grep -q xmlParseChunk "$work/used"
check "the programs use nothing of libxml2 that the witness does not know" \
  eval '[[ -z $(comm -23 "$work/used" "$work/known") ]] || { comm -23 "$work/used" "$work/known"; false; }'

check "what reaches libxml2 is what a trusted key signed" \
  python3 -B "$here/xml-witness.py" "$work/witness.so" "$work"
check "what reaches libxml2 in a daemon is what a trusted key signed" \
  python3 -B "$here/xml-witness-daemon.py" "$work/witness.so"
finish
