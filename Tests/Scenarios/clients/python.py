#!/usr/bin/env -S python3 -B
"""The kit for Python: its wheel in an empty environment, the table, a real daemon, types, and middleware in real servers. With the library
that is installed in $MEDIATOKEN_LIBRARY also the wheel that verifies in the process, in threads and in gunicorn's forked workers."""

import os
import re
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from kits import run, signer
from processes import MEDIATOKEN
from scenario import check, finish, path, skip
from servers import ask, each_plays_once, play, serve

KIT, HERE = kits.CLIENTS / "python", kits.HERE / "python"
TOOLS = kits.ROOT / ".build/clients/python-tools/bin"
#: A middleware whose client returns something else.
OTHER = """
import types, mediatoken.middleware
client = types.SimpleNamespace(verify=lambda token, **question: {"verdict": "VALID_TOKEN"})
application = mediatoken.middleware.WSGI(lambda environ, start: print("plays"), client, requestor="REF30", resource=lambda environ: "TNT")
application({"REQUEST_METHOD": "GET", "HTTP_X_MEDIA_TOKEN": "x"}, print)
"""


def types(python):
    tool = [TOOLS / "python", "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir", path("mypy")]
    checked = run(*tool, KIT / "mediatoken", cwd=KIT)
    check("python: mypy finds nothing, by the rules of Python 3.9", checked.returncode == 0, checked)
    # As users of the installed package do.
    checked = run(*tool, "--python-executable", python, HERE / "misuse.py", cwd=path(""))
    kits.misuses("python", HERE / "misuse.py", "  # ", checked.stdout)


def served(how, python, name, settings, *server, **options):
    """A server of the tools' environment, with the kit as it was installed into another one. Gunicorn's workers are forked from a process
    that has asked already."""
    site = run(python, "-I", "-c", "import mediatoken, os; print(os.path.dirname(os.path.dirname(mediatoken.__file__)))").stdout
    settings = {"PYTHONPATH": f"{HERE}:{site.strip()}", "TOKEN": signer.issue(1, form="base64")[0].decode()} | settings
    server = server or ("gunicorn", "--preload", "--workers", "4", "--worker-class", "gthread", "--threads", "4", "--timeout", "120", "--bind",
                        "unix:" + path(name), "application:application")
    return how(name, path(name), TOOLS / "python", "-B", "-m", *server, "--log-level", "warning", env=os.environ | settings, **options)


def in_process(pure, library):
    built = run(KIT / "build-wheels", TOOLS / "python", path("wheels"), library + "/usr/local/lib/libmediatoken.so.0")
    native = sorted(os.listdir(path("wheels")))[1] if built.returncode == 0 else sys.exit(f"the wheels are not built: {built}")
    names = "\n".join(zipfile.ZipFile(path(f"wheels/{native}")).namelist())
    parts = (r"mediatoken\.libs/libcrypto-", r"mediatoken\.libs/libxml2-", r"/licenses/(LICENSE|libmediatoken\.copyright|libxml2\.copyright)\n")
    check("one wheel is for Linux of an age, and has what the library needs, and the licences", re.fullmatch(
        rf"mediatoken-{kits.VERSION}-py3-none-manylinux_2_\S+_{os.uname().machine}\.whl", native) and all(re.search(part, names) for part in parts), names)
    run(sys.executable, "-m", "venv", "--without-pip", path("native"))
    run(TOOLS / "python", "-m", "pip", "--python", path("native/bin/python"), "install", "--no-index", path(f"wheels/{native}"))
    said = run(pure, "-I", "-B", "-c", "import mediatoken.inprocess", env={"LD_LIBRARY_PATH": "/nowhere"})
    check("the wheel for all platforms says what is missing", "ImportError: libmediatoken.so.0 cannot be loaded; install the wheel" in said.stderr
          or said.returncode == 0, said)
    python, replay = path("native/bin/python"), "shared:" + path("within.table")
    run(MEDIATOKEN, "replay", "create", "--table", path("within.table"), "--capacity", "100000", "--fresh", check=True)
    kits.inside("python", 7, python, "-E", "-s", "-B", HERE / "within.py", signer.keys, signer.fingerprint, replay,
                tokens=signer.issue(300, form="base64"))
    token = signer.issue(1, form="base64")[0]
    served(serve, python, "within", {"KEYS": signer.keys, "FINGERPRINT": signer.fingerprint, "REPLAY": replay, "TOKEN": token.decode()})
    each_plays_once("gunicorn with the library", path("within"))
    check("the token that its master has used is used", b"TOKEN_REPLAYED" in ask(path("within"), token)[2])


if run(kits.HERE / "install-python-tools").returncode != 0:
    skip("the tools for Python cannot be installed")
wheel = kits.package("python", [KIT / "build-wheels", TOOLS / "python"], f"mediatoken-{kits.VERSION}-py3-none-any.whl",
                     {name for name in kits.files("python", "mediatoken/*") if "__pycache__" not in name})
metadata = wheel[f"mediatoken-{kits.VERSION}.dist-info/METADATA"]
check("python: the wheel has types and no dependency", "mediatoken/py.typed" in wheel and b"Requires-Dist" not in metadata
      and b"Requires-Python: >=3.9" in metadata, metadata)
os.mkdir(path("bin"))
# The one with setuptools, by its name.
with open(os.open(path("bin/python3"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as script:
    script.write(f'#!/bin/sh\nexec {TOOLS}/python "$@"\n')
python = kits.project("python", "example.py", PATH=f"{path('bin')}:{os.environ['PATH']}", PIP_NO_INDEX="1",
                      PYTHONDONTWRITEBYTECODE="1") / "environment/bin/python"
types(python)
kits.judge("python", python, "-I", "-B", KIT / "conformance.py")
said = run(python, "-I", "-B", "-c", OTHER)
check("python: nothing but a valid token plays", said.returncode == 1 and "plays" not in said.stdout, said)
DAEMON = {"DAEMON": kits.daemon.socket}
check("gunicorn with the middleware ends with 0", served(play, python, "gunicorn", DAEMON, joins=True) == 0)
served(play, python, "uvicorn", DAEMON, "uvicorn", "--lifespan", "off", "--uds", path("uvicorn"), "application:asynchronous", has_workers=False)
if "MEDIATOKEN_LIBRARY" in os.environ:
    in_process(python, os.environ["MEDIATOKEN_LIBRARY"])
finish()
