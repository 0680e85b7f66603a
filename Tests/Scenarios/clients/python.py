#!/usr/bin/env -S python3 -B
"""The kit for Python: its wheel in an empty environment, conformance, types, the ten lines, threads and forks, and middleware in
real servers."""

import collections
import os
import re
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from pythons import HERE, KIT, TOOLS, environment, inside, need_tools, preforked, run, serve
from scenario import check, finish, path
from servers import each_plays_once, gate
from tokens import Signer


def wheel():
    """Without a look at an index."""
    os.mkdir(path("old"))
    with open(path("old/setuptools.py"), "w") as module:
        module.write('__version__ = "66.1.1"')
    said = run(KIT / "build-wheels", TOOLS / "python", path("none"), env=os.environ | {"PYTHONPATH": path("old")})
    check("python: with the setuptools of Debian 12 the build says what to install, and no more",
          said.returncode == 1 and said.stderr.count("\n") == 1 and "pip install 'setuptools>=77'" in said.stderr, said)
    package, *others = kits.built_twice("python", KIT / "build-wheels", TOOLS / "python").iterdir()
    with zipfile.ZipFile(package) as archive:
        files = archive.namelist()
        metadata = archive.read(f"mediatoken-{kits.VERSION}.dist-info/METADATA").decode()
    modules = {name for name in files if not name.startswith(f"mediatoken-{kits.VERSION}.dist-info/")}
    sources = {f"mediatoken/{name}" for name in os.listdir(KIT / "mediatoken") if name != "__pycache__"}
    check("python: the wheel has the kit's name and version, the package, the licence and nothing else",
          package.name == f"mediatoken-{kits.VERSION}-py3-none-any.whl" and not others and modules == sources and "mediatoken/py.typed" in modules
          and any(name.endswith(".dist-info/licenses/LICENSE") for name in files), (others, files))
    check("python: an index would show author, homepage, changelog and keywords", all(line in metadata for line in (
        "Author-email: MediaToken maintainers <", "Project-URL: Homepage, https://", "Project-URL: Changelog, https://", "Keywords: ")), metadata)
    check("python: the wheel needs Python 3.9 and nothing else", "Requires-Dist" not in metadata and "Requires-Python: >=3.9" in metadata, metadata)
    return package


def types(python):
    tool = [TOOLS / "python", "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir", path("mypy")]
    checked = run(*tool, KIT / "mediatoken", KIT / "example.py", cwd=KIT)
    check("python: mypy finds nothing, by the rules of Python 3.9", checked.returncode == 0, checked)
    # As users of the installed package do.
    checked = run(*tool, "--python-executable", python, "--show-error-codes", HERE / "python/misuse.py", cwd=path(""))
    found = collections.defaultdict(str)
    for number, text in re.findall(r"misuse\.py:(\d+): error: (.*)", checked.stdout):
        found[int(number)] += text
    kits.misuses("python", HERE / "python/misuse.py", "  # ", found)


def readme(daemon, signer):
    """Its program, and its commands as they are printed."""
    text, written = (KIT / "example.py").read_text(), (KIT / "README.md").read_text()
    kits.shown("python", text.split('"""', 2)[2], written, [line for line in text.splitlines() if line and not line.startswith('"""')])
    os.mkdir(path("reader"))
    run(TOOLS / "python", "-m", "venv", path("reader/environment"))
    for name, target in (("clients", kits.CLIENTS), ("example.py", KIT / "example.py")):
        os.symlink(target, path("reader/" + name))
    commands = re.search(r"(?s)```sh\n(.*?)```", written)[1]
    # The one with setuptools, by its name.
    os.mkdir(path("reader/bin"))
    with open(os.open(path("reader/bin/python3"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as script:
        script.write(f'#!/bin/sh\nexec {TOOLS}/python "$@"\n')
    before = sorted(KIT.rglob("*"))
    settings = os.environ | {"PATH": ":".join([path("reader/bin"), path("reader/environment/bin"), os.environ["PATH"]]), "PYTHONDEVMODE": "1",
                             "PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    said = kits.readme_commands("python", commands, daemon, signer, path("reader"),
                                lambda text: run("bash", "-eu", "-c", text, cwd=path("reader"), env=settings))
    check("python: the README's commands change no checkout, and leave no socket open",
          sorted(KIT.rglob("*")) == before and "ResourceWarning" not in said.stderr, said.stderr)


need_tools()
python = environment("empty", wheel())
types(python)
driver = [python, "-I", "-B", str(KIT / "conformance.py")]
kits.conformance("python", driver)
kits.conformance("python", [*driver, "--aio"])
signer = Signer()
daemon = Daemon(signer).start()
kits.example("python", [python, "-I", "-B", str(KIT / "example.py")], daemon, signer)
readme(daemon, signer)
inside(python, "inside.py", 21, signer.issue(700, form="base64"), daemon.socket)
inside(python, "gates.py", 7, [])
inside(python, "fake.py", 6, [])
address = path("gunicorn.sock")
server = preforked(python, {"DAEMON": daemon.socket}, address)
gate("gunicorn", address, signer, daemon, joins=True)
each_plays_once("gunicorn", address, signer)
server.terminate()
check("gunicorn with the middleware ends with 0", server.wait(60) == 0)
address = path("uvicorn.sock")
server = serve(python, {"DAEMON": daemon.socket}, address, "uvicorn", "--uds", address, "asynchronous:application")
gate("uvicorn", address, signer, daemon, joins=False)
server.terminate()
server.wait(60)
finish()
