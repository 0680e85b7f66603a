#!/usr/bin/env -S python3 -B
"""The wheel for Python that has libmediatoken: installed into an empty environment it verifies tokens in the process, in threads, and in
gunicorn's workers that are forked from one that has verified. The library is the one that is installed in $MEDIATOKEN_LIBRARY."""

import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
import servers
from processes import MEDIATOKEN
from pythons import KIT, TOOLS, environment, inside, need_tools, preforked, run
from scenario import check, finish, path
from tokens import Signer

LIBRARY = os.environ.get("MEDIATOKEN_LIBRARY") or sys.exit("expected the folder in which the library is installed (DESTDIR) in MEDIATOKEN_LIBRARY")


def wheels():
    """The paths of both wheels, the second of which has the library."""
    out = path("wheels")
    built = run(KIT / "build-wheels", TOOLS / "python", out, LIBRARY + "/usr/local/lib/libmediatoken.so.0")
    names = sorted(os.listdir(out)) if os.path.isdir(out) else []
    if not check("the kit for Python is built as two wheels", built.returncode == 0 and len(names) == 2, f"{built} {names}"):
        finish()
    check("one is for every platform, one for Linux of an age", names[0] == f"mediatoken-{kits.VERSION}-py3-none-any.whl"
          and names[1].startswith(f"mediatoken-{kits.VERSION}-py3-none-manylinux_2_") and names[1].endswith(f"_{os.uname().machine}.whl"), names)
    with zipfile.ZipFile(os.path.join(out, names[1])) as archive:
        files = archive.namelist()
    for part in (r"mediatoken\.libs/libcrypto-", r"mediatoken\.libs/libxml2-", "/licenses/LICENSE$", r"/licenses/libmediatoken\.copyright$",
                 r"/licenses/libssl3(t64)?\.copyright$", r"/licenses/libxml2\.copyright$"):
        check(f"the wheel has {part}", any(re.search(part, name) for name in files), files)
    return [os.path.join(out, name) for name in names]


def main():
    need_tools()
    pure, native = wheels()
    said = run(environment("pure", pure), "-I", "-B", "-c", "import mediatoken.inprocess", env={"LD_LIBRARY_PATH": "/nowhere"})
    check("the wheel for all platforms says what is missing",
          "ImportError: libmediatoken.so.0 cannot be loaded; install the wheel" in said.stderr or said.returncode == 0, said)
    python = environment("native", native)
    signer, replay = Signer(), "shared:" + path("replay.table")
    subprocess.run([MEDIATOKEN, "replay", "create", "--table", path("replay.table"), "--capacity", "100000", "--fresh"],
                   check=True, capture_output=True)
    inside(python, "within.py", 25, signer.issue(700, form="base64"), signer.keys, signer.fingerprint, replay)
    address, token = path("gunicorn.sock"), signer.issue(1, form="base64")[0]
    server = preforked(
        python, {"KEYS": signer.keys, "FINGERPRINT": signer.fingerprint, "REPLAY": replay, "TOKEN": token.decode()}, address)
    servers.each_plays_once("gunicorn", address, signer)
    check("the token that its master has used is used", b"TOKEN_REPLAYED" in servers.ask(address, token)[2])
    server.terminate()
    check("gunicorn with the library in its workers ends with 0", server.wait(60) == 0)
    finish()


main()
