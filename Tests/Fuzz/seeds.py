#!/usr/bin/env python3
"""Writes seeds for the fuzzers into the folder that is named: received texts, signed bytes, key files, streams of requests."""

import base64
import hashlib
import json
import sys
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

TESTS = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.append(str(TESTS / "HTTPWitness"))

from known_streams import STREAMS  # noqa: E402

OUT = Path(sys.argv[1])
# Longer seeds only slow the fuzzers down; the vectors themselves cover length.
LONGEST = 4_096


def signed_bytes(received):
    """What comes after the second marker, wherever that can be found; seeds need not be exact."""
    text = received.strip()
    if text[:1] == b"%":
        text = unquote_to_bytes(text.replace(b"+", b" "))
    elif text[:4] == b"PHNp":
        try:
            text = base64.b64decode(text + b"=" * (-len(text) % 4))
        except ValueError:
            return None
    pieces = text.replace(b"</signatureInfo>", b"<signatureInfo>", 1).split(b"<signatureInfo>", 2)
    return pieces[2] if len(pieces) == 3 else None


def write(kind, seeds):
    folder = OUT / kind
    folder.mkdir(parents=True, exist_ok=True)
    kept = {hashlib.sha1(seed).hexdigest(): seed for seed in seeds if seed and len(seed) <= LONGEST}
    for name, seed in kept.items():
        (folder / name).write_bytes(seed)
    print(f"{len(kept)} seeds for {kind}")
    return len(kept)


def quoted(text):
    return b'Bearer "' + text + b'"'


def percent(text):
    return quote(text, safe="").encode()


received = [path.read_bytes().split(b"\n\n", 1)[1] for path in sorted((TESTS / "Vectors").glob("*/*.token"))]
# Before each stream are four bytes that say where it is cut, and how (FuzzHead.swift, FuzzConnection.swift).
cut = [bytes([index * 37 % 256, index % 50, 1 + index % 200, index % 3]) + stream for index, stream in enumerate(STREAMS)]
keys = [path for folder in ("Fixtures/keys", "Vectors/shared/keys") for path in sorted((TESTS / folder).iterdir())]
rows = json.loads((TESTS / "Vectors/documents.json").read_text())
counts = [
    write("FuzzDocuments", [row["resource"].encode() for row in rows]),
    write("FuzzEnvelope", received),
    write("FuzzCauses", [around(text) for text in received[::6] for around in (bytes, quoted, percent, base64.b64encode)]),
    write("FuzzFields", [signed_bytes(text) for text in received]),
    write("FuzzHead", [*cut, b"\xff\0\0\0HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"]),
    write("FuzzConnection", cut),
    write("FuzzKeys", [path.read_bytes() for path in keys if path.is_file() and path.suffix not in (".md", ".sh", ".txt")]),
]
sys.exit(0 if min(counts) >= 20 else "too few seeds: are the vectors and the key fixtures there?")
