#!/usr/bin/env bash
# No byte whose signature failed reaches libxml2: a library that stands in front of it writes down what it is given.
source "$(dirname "$0")/claims.sh"
needs gcc nm python3
folder=$(cd "$(dirname "$0")" && pwd)

claim "the witness compiles" gcc -shared -fPIC -Wall -Werror -O1 -o "$scratch/witness.so" "$folder/xml-witness.c" -ldl

# A door that the witness does not watch would make the claims below worthless.
nm -D --undefined-only "$MEDIATOKEN" | awk '{print $NF}' |
  grep '^\(__\)\?\(xml\|html\|nano\)' | sed 's/@.*//' | sort >"$scratch/used"
cat >"$scratch/known" <<'NAMES'
xmlCreatePushParserCtxt
xmlCtxtResetPush
xmlCtxtUseOptions
xmlFreeDoc
xmlFreeParserCtxt
xmlParseChunk
xmlStrlen
NAMES
claim "the program uses libxml2" grep -q xmlParseChunk "$scratch/used"
claim "the program uses nothing of libxml2 that the witness does not know" \
  eval '[[ -z $(comm -23 "$scratch/used" "$scratch/known") ]] || { comm -23 "$scratch/used" "$scratch/known"; false; }'

claim "what reaches libxml2 is what a trusted key signed" \
  python3 "$folder/xml-witness.py" "$scratch/witness.so" "$scratch"
finish
