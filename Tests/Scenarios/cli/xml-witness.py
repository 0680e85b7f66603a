"""Called by xml-witness.sh: which bytes of which vectors reach libxml2."""

import base64
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import check, finish
from vector_files import all_vectors, by_options, run_batch

LIBRARY, SCRATCH = sys.argv[1], Path(sys.argv[2])
OPEN, CLOSE = b"<signatureInfo>", b"</signatureInfo>"
# The rules of armor, envelope and signature.
EARLY = {
    "empty", "too-long", "unknown-form", "broken-percent-escape", "base64-character", "base64-alphabets", "base64-padding",
    "base64-trailing-bits", "decoded-unknown-form", "signature-missing", "signature-not-base64", "second-marker",
    "signed-bytes-missing", "signature-size", "signature-mismatch",
}
# What our own gate refuses before libxml2 is asked, though the signature is genuine.
GATED = {"not-utf8", "forbidden-character", "forbidden-markup", "unknown-reference", "forbidden-reference"}


def environment(name):
    witnessed, present = SCRATCH / f"{name}.bytes", SCRATCH / f"{name}.present"
    return witnessed, present, {**os.environ, "LD_PRELOAD": LIBRARY, "XML_WITNESS": str(witnessed),
                                "XML_WITNESS_PRESENT": str(present)}


def signed_bytes(vector):
    """What is signed in a valid vector."""
    text = vector.received.strip(b" \t\r\n")
    if text[:3].lower() == b"%3c":
        text = unquote_to_bytes(text.replace(b"+", b" "))
    elif not text.startswith(OPEN):
        # Trimming may have taken the last +, as a space: the text then has three characters of its last four.
        end = vector.received.index(text) + len(text)
        lost = len(text) % 4 == 3 and vector.received[end:end + 1] == b" "
        text = unquote_to_bytes(text + b"+" * lost).replace(b" ", b"+").replace(b"-", b"+").replace(b"_", b"/")
        text = base64.b64decode(text + b"=" * (-len(text) % 4))
    after = text[text.index(b"<", 1):]
    return after[len(OPEN):] if after.startswith(OPEN) else after[len(CLOSE):]


def documents(vector):
    """What is read before and after the signed bytes: an expected document, and the token's where one may be expected."""
    resource = ElementTree.fromstring(signed_bytes(vector)).findtext("resourceID")
    if vector.document is None and (vector.channel is None or not resource.lstrip(" \t\r\n").startswith("<")):
        return b"", b""
    return tuple((text or "").replace("\r\n", "\n").replace("\r", "\n").encode() for text in (vector.document, resource))


def handed(vector):
    """Whether exactly the signed bytes of a valid vector reach libxml2, and the documents that are compared."""
    witnessed, present, env = environment(vector.name.replace("/", "-"))
    run = subprocess.run(vector.asking(), input=vector.received, capture_output=True, env=env)
    return run.returncode == 0 and present.exists() and witnessed.read_bytes() == signed_bytes(vector).join(documents(vector))


def nothing_handed(name, vectors):
    """How many of the vectors were answered, if nothing at all reached libxml2 in all of these runs."""
    answered = 0
    for number, members in enumerate(by_options(vectors)):
        witnessed, present, env = environment(f"{name}-{number}")
        run = run_batch(members, env=env)
        answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
        if [answer.get("verdict") for answer in answers] != [vector.expect for vector in members]:
            return print("  the verdicts are not those of the vectors", run.stderr.decode()[:200]) or 0
        if not present.exists():
            return print("  the witness was not there") or 0
        if witnessed.exists():
            return print(f"  {witnessed.stat().st_size} bytes reached libxml2") or 0
        answered += len(answers)
    return answered


def main():
    vectors = [vector for vector in all_vectors() if not vector.cannot_be_said()]
    early = [v for v in vectors if v.reason in EARLY or v.expect == "INVALID_SIGNATURE" or v.name.startswith("shared/bad-")]
    gated = [v for v in vectors if v.reason in GATED]
    valid = [v for v in vectors if v.expect == "VALID_TOKEN"]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [vector.name for vector, exact in zip(valid, pool.map(handed, valid)) if not exact]
    # First that the witness sees: otherwise the next two checks would say nothing.
    print(*(f"  not so: {name}\n" for name in wrong), sep="", end="")
    check(f"of {len(valid)} valid vectors exactly the signed bytes reach libxml2", not wrong and len(valid) > 300)
    count = nothing_handed("early", early)
    check(f"of {count} vectors refused up to their signature no byte reaches libxml2", count == len(early) > 300)
    count = nothing_handed("gated", gated)
    check(f"of {count} vectors that the gate refuses under a genuine signature no byte reaches libxml2", count == len(gated) > 100)
    finish()


main()
