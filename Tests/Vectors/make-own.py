#!/usr/bin/env python3
"""Writes the vectors in own/; `make-own.py --check` only says whether they are what this script makes.

Signed by the openssl command, not by MediaTokenIssuer. Nothing here depends on the clock or on chance: RSA
PKCS#1 v1.5 signatures, dates and the made-up GUIDs are fixed, so a second run changes no byte.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

from making import armor, base64_spellings, binding, documents, envelope, fields, lifetime, markup, signature, text  # noqa: E402
from making.collection import Collection  # noqa: E402

OWN = Path(__file__).resolve().parent / "own"
TABLE = OWN.parent / "documents.json"


def main():
    vectors = Collection()
    for part in (armor, base64_spellings, envelope, signature, text, markup, fields, lifetime, binding, documents):
        part.add(vectors)
    found = {path.name: path.read_bytes() for path in OWN.glob("*.token")}
    if sys.argv[1:] == ["--check"]:
        wrong = sorted(name for name in found.keys() | vectors.files.keys()
                       if found.get(name) != vectors.files.get(name))
        if TABLE.read_bytes() != documents.table():
            wrong.append(TABLE.name)
        print(f"{len(vectors.files)} vectors made, {len(wrong)} differ from own/")
        sys.exit(f"not what make-own.py makes: {' '.join(wrong)}" if wrong else 0)
    OWN.mkdir(exist_ok=True)
    for name in found.keys() - vectors.files.keys():
        (OWN / name).unlink()
    for name, content in vectors.files.items():
        (OWN / name).write_bytes(content)
    TABLE.write_bytes(documents.table())
    print(f"{len(vectors.files)} vectors")


main()
