#!/usr/bin/env -S python3 -B
"""Prints mutants of the vectors, as lines for `mediatoken verify --batch` with the key rsa2048.pem; always the same ones.

    mutants.py NUMBER

Half of them keep a signature that is no longer theirs, or get one with a bit flipped: they end in OpenSSL. The others are signed
again as Tests/Vectors/make-own.py signs, so that they reach libxml2. What is right is not known here: two programs have to agree.
"""

import base64
import json
import random
import sys
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent / "Vectors"
sys.path.insert(1, str(VECTORS))

from making.tokens import NOW, OPEN, parts, sign, token  # noqa: E402

#: What means something in XML, in UTF-8 or to one of the gates.
PIECES = [piece.encode("latin-1") for piece in (
    "<", ">", "&", ";", "/", "=", "'", '"', "]]>", "<![CDATA[", "&#0;", "&#x9;", "&amp;", "<!--", "-->", "<?a?>", "<a/>", "</ttl>", " ",
    "\t", "\r\n", "\0", "\x0b", "\x80", "\xc2\x85", "\xed\xa0\x80", "\xef\xbf\xbe", "\xef\xbb\xbf", "\xf4\x90\x80\x80", "0", "-1", " xmlns='a'")]


def genuine():
    """Signature text and signed bytes of the vectors in the raw form that are as small as tokens are."""
    for path in sorted(VECTORS.glob("*/*.token")):
        head, received = path.read_bytes().split(b"\n\n", 1)
        if b"\nkeys: rsa2048.pem\n" in head and received.startswith(OPEN) and OPEN in received[1:] and len(received) < 4000:
            yield parts(received)


def mutated(chance, original):
    data = bytearray(original)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 1, 2, 9)))
        old = bytes(data[start:end])
        data[start:end] = chance.choice((b"", old * 2, bytes(byte ^ 1 << chance.randrange(8) for byte in old), chance.choice(PIECES),
                                         chance.choice(PIECES)))
    return bytes(data) if data != original else mutated(chance, original)


def flipped(chance, text):
    """The signature with one bit flipped, or set to what is larger than any modulus: OpenSSL refuses that in another place."""
    signature = bytearray(base64.b64decode(text))
    signature[chance.randrange(len(signature))] ^= 1 << chance.randrange(8)
    return bytes(signature) if chance.randrange(8) else b"\xff" * len(signature)


def mutants(number):
    chance = random.Random(2000)
    originals = [(text, signed) for text, signed in genuine() if signed]
    for index in range(number):
        text, signed = chance.choice(originals)
        if index % 2:
            yield token(mutated(chance, signed))
        elif index % 4:
            yield OPEN + text + OPEN + mutated(chance, signed)
        else:
            try:
                yield token(signed, signature=flipped(chance, text))
            except (ValueError, IndexError):  # The vector's own signature is not base64.
                yield OPEN + mutated(chance, text) + OPEN + signed


for index, received in enumerate(mutants(int(sys.argv[1]))):
    print(json.dumps({"id": index, "tokenBase64": base64.b64encode(received).decode(), "at": str(NOW)}))
