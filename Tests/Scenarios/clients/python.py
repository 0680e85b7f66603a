#!/usr/bin/env -S python3 -B
"""The kit for Python: its wheel in an empty environment, the table, a real daemon, types, and middleware in real servers. With the library
that is installed in $MEDIATOKEN_LIBRARY also the wheel that verifies in the process, in threads and in gunicorn's forked workers."""

import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import MEDIATOKEN, launch
from scenario import ROOT, check, finish, path, skip
from servers import ask, each_plays_once, gate, serves
from tokens import Signer

HERE, KIT = ROOT / "Tests/Scenarios/clients", kits.CLIENTS / "python"
TOOLS = ROOT / ".build/clients/python-tools/bin"


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def inside(wheel):
    """The names of the files in a wheel, and its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist(), archive.read(f"mediatoken-{kits.VERSION}.dist-info/METADATA").decode()


def types(python):
    tool = [TOOLS / "python", "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir", path("mypy")]
    checked = run(*tool, KIT / "mediatoken", cwd=KIT)
    check("python: mypy finds nothing, by the rules of Python 3.9", checked.returncode == 0, checked)
    # As users of the installed package do.
    checked = run(*tool, "--python-executable", python, HERE / "python/misuse.py", cwd=path(""))
    kits.misuses("python", HERE / "python/misuse.py", "  # ", checked.stdout)


def serve(python, settings, address, *server):
    """A server of the tools' environment, with the kit as it was installed into another one."""
    site = run(python, "-I", "-c", "import mediatoken, os; print(os.path.dirname(os.path.dirname(mediatoken.__file__)))").stdout
    settings = {"PYTHONPATH": f"{HERE / 'python'}:{site.strip()}", "TOKEN": signer.issue(1, form="base64")[0].decode()} | settings
    process = launch([str(TOOLS / "python"), "-B", "-m", *server, "--log-level", "warning"], env=os.environ | settings)
    check(f"{server[0]} serves", serves(address))
    return process


def preforked(python, settings, address):
    """Workers of gunicorn that are forked from a process that has asked already."""
    return serve(python, settings, address, "gunicorn", "--preload", "--workers", "4", "--worker-class", "gthread", "--threads", "4",
                 "--timeout", "120", "--bind", "unix:" + address, "application:application")


def in_process(library):
    built = run(KIT / "build-wheels", TOOLS / "python", path("wheels"), library + "/usr/local/lib/libmediatoken.so.0")
    pure, native = sorted(os.listdir(path("wheels"))) if built.returncode == 0 else sys.exit(f"the wheels are not built: {built}")
    files = "\n".join(inside(path(f"wheels/{native}"))[0])
    parts = (r"mediatoken\.libs/libcrypto-", r"mediatoken\.libs/libxml2-", r"/licenses/(LICENSE|libmediatoken\.copyright|libxml2\.copyright)\n")
    check("one wheel is for Linux of an age, and has what the library needs, and the licences", re.fullmatch(
        rf"mediatoken-{kits.VERSION}-py3-none-manylinux_2_\S+_{os.uname().machine}\.whl", native) and all(re.search(part, files) for part in parts), files)
    for name, wheel in (("pure", pure), ("native", native)):
        run(sys.executable, "-m", "venv", "--without-pip", path(name))
        run(TOOLS / "python", "-m", "pip", "--python", path(name + "/bin/python"), "install", "--no-index", path(f"wheels/{wheel}"))
    said = run(path("pure/bin/python"), "-I", "-B", "-c", "import mediatoken.inprocess", env={"LD_LIBRARY_PATH": "/nowhere"})
    check("the wheel for all platforms says what is missing", "ImportError: libmediatoken.so.0 cannot be loaded; install the wheel" in said.stderr
          or said.returncode == 0, said)
    python, replay, address = path("native/bin/python"), "shared:" + path("within.table"), path("within.sock")
    run(MEDIATOKEN, "replay", "create", "--table", path("within.table"), "--capacity", "100000", "--fresh", check=True)
    kits.inside("python", [python, "-E", "-s", "-B", HERE / "python/within.py", signer.keys, signer.fingerprint, replay], 8,
                signer.issue(300, form="base64"))
    token = signer.issue(1, form="base64")[0]
    preforked(python, {"KEYS": signer.keys, "FINGERPRINT": signer.fingerprint, "REPLAY": replay, "TOKEN": token.decode()}, address)
    each_plays_once("gunicorn with the library", address, signer)
    check("the token that its master has used is used", b"TOKEN_REPLAYED" in ask(address, token)[2])


if run(HERE / "install-python-tools").returncode != 0:
    skip("the tools for Python cannot be installed")
package, *others = kits.built_twice("python", KIT / "build-wheels", TOOLS / "python").iterdir()
files, metadata = inside(package)
sources = {f"mediatoken/{name}" for name in os.listdir(KIT / "mediatoken") if name != "__pycache__"}
check("python: the wheel has the kit's version, its files, types, and no dependency", not others and {"mediatoken/py.typed"} < sources
      and {name for name in files if ".dist-info/" not in name} == sources and package.name == f"mediatoken-{kits.VERSION}-py3-none-any.whl"
      and "Requires-Dist" not in metadata and "Requires-Python: >=3.9" in metadata, [others, files, metadata])
signer = Signer()
daemon = Daemon(signer).start()
os.mkdir(path("bin"))
# The one with setuptools, by its name.
with open(os.open(path("bin/python3"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as script:
    script.write(f'#!/bin/sh\nexec {TOOLS}/python "$@"\n')
python = kits.project("python", "example.py", daemon, signer, PATH=f"{path('bin')}:{os.environ['PATH']}", PIP_NO_INDEX="1",
                      PYTHONDONTWRITEBYTECODE="1") / "environment/bin/python"
types(python)
kits.judge("python", [python, "-I", "-B", KIT / "conformance.py"])
kits.inside("python", [python, "-E", "-s", "-B", HERE / "python/inside.py"], 2, [])
server = preforked(python, {"DAEMON": daemon.socket}, path("gunicorn.sock"))
gate("gunicorn", path("gunicorn.sock"), signer, daemon, joins=True)
each_plays_once("gunicorn", path("gunicorn.sock"), signer)
server.terminate()
check("gunicorn with the middleware ends with 0", server.wait(60) == 0)
serve(python, {"DAEMON": daemon.socket}, path("uvicorn.sock"), "uvicorn", "--lifespan", "off", "--uds", path("uvicorn.sock"), "application:asynchronous")
gate("uvicorn", path("uvicorn.sock"), signer, daemon, joins=False)
if "MEDIATOKEN_LIBRARY" in os.environ:
    in_process(os.environ["MEDIATOKEN_LIBRARY"])
finish()
