#!/usr/bin/env -S python3 -B
"""The wheel for Python that has libmediatoken: installed into an empty environment it verifies tokens in the process, in threads, and in
gunicorn's workers that are forked from one that has verified. The library is the one that is installed in $MEDIATOKEN_LIBRARY."""

import base64
import json
import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
import pythons
import servers
from processes import MEDIATOKEN
from scenario import check, finish, path
from tokens import Signer
from vector_files import all_vectors

LIBRARY = os.environ.get("MEDIATOKEN_LIBRARY") or sys.exit("expected the folder in which the library is installed (DESTDIR) in MEDIATOKEN_LIBRARY")


def wheels():
    """Both wheels; the path of the one with the library."""
    out = path("wheels")
    built = pythons.run(pythons.KIT / "build-wheels", pythons.TOOLS / "python", out, LIBRARY + "/usr/local/lib/libmediatoken.so.0")
    names = sorted(os.listdir(out)) if os.path.isdir(out) else []
    if not check("two wheels are built", built.returncode == 0 and len(names) == 2, f"{built} {names}"):
        finish()
    check("one for every platform, one for Linux of an age", names[0] == f"mediatoken-{kits.VERSION}-py3-none-any.whl"
          and names[1].startswith(f"mediatoken-{kits.VERSION}-py3-none-manylinux_2_") and names[1].endswith(f"_{os.uname().machine}.whl"), names)
    with zipfile.ZipFile(os.path.join(out, names[1])) as archive:
        files = archive.namelist()
    for part in ("libcrypto", "libxml2"):
        check(f"with a copy of {part}", any(name.startswith(f"mediatoken.libs/{part}-") for name in files), files)
    for owner in ("LICENSE", r"libmediatoken\.copyright", r"libssl3(t64)?\.copyright", r"libxml2\.copyright"):
        check(f"and {owner}", any(re.search(f"/licenses/{owner}$", name) for name in files), files)
    return out, os.path.join(out, names[1])


def without(out):
    """What the wheel for all platforms says."""
    pythons.environment("pure", os.path.join(out, f"mediatoken-{kits.VERSION}-py3-none-any.whl"))
    said = pythons.run(pythons.python("pure"), "-I", "-B", "-c", "import mediatoken.inprocess", env={"LD_LIBRARY_PATH": "/nowhere"})
    check("the wheel for all platforms says what is missing",
          "ImportError: libmediatoken.so.0 cannot be loaded; install the wheel" in said.stderr or said.returncode == 0, said)


def judged_by_the_command_line(signer):
    """Every vector with the verdict, reason and name that the command line gives it now."""
    vectors = all_vectors()
    lines = "".join(json.dumps({"id": vector.name, "tokenBase64": base64.b64encode(vector.received or b" ").decode(), "requestor": "REF30",
                                "resource": "TNT"}) + "\n" for vector in vectors)
    said = subprocess.run([MEDIATOKEN, "verify", "--batch", "-", "--keys", signer.keys, "--allow-rsa-1024", signer.fingerprint,
                           "--any-requestor", "--any-resource"],
                          input=lines.encode(), capture_output=True)
    answers = [json.loads(line) for line in said.stdout.splitlines()]
    check("the command line judges every vector", len(answers) == len(vectors) > 1000, said.stderr)
    return [(vector.name, base64.b64encode(vector.received).decode(), answer.get("verdict"), answer.get("reason"), answer.get("identity"))
            for vector, answer in zip(vectors, answers)]


def main():
    pythons.need_tools()
    out, wheel = wheels()
    without(out)
    pythons.environment("native", wheel)
    signer, table = Signer(), path("replay.table")
    subprocess.run([MEDIATOKEN, "replay", "create", "--table", table, "--capacity", "100000", "--fresh"], check=True, capture_output=True)
    material = {"tokens": [text.decode() for text in signer.issue(2000, form="base64")], "vectors": judged_by_the_command_line(signer)}
    said = subprocess.run(
        [pythons.python("native"), "-I", "-B", pythons.HERE / "python/within.py", signer.keys, signer.fingerprint, "shared:" + table],
        input=json.dumps(material).encode(), capture_output=True)
    lines = said.stdout.decode().splitlines()
    for line in lines:
        check(line, True)
    check("all of that", said.returncode == 0 and len(lines) == 35, f"{len(lines)} {said.stderr[-3000:]}")
    address = path("gunicorn.sock")
    token = signer.issue(1, form="base64")[0].decode()
    server = pythons.serve(
        "native", {"KEYS": signer.keys, "FINGERPRINT": signer.fingerprint, "REPLAY": "shared:" + table, "TOKEN": token},
        *pythons.PREFORK, "unix:" + address, "preloaded:application")
    check("gunicorn serves", servers.serves(address))
    servers.each_plays_once(address, signer)
    check("the token that its master has used is used", b"TOKEN_REPLAYED" in servers.ask(address, token.encode())[2])
    server.terminate()
    check("gunicorn ends", server.wait(60) == 0)
    finish()


main()
