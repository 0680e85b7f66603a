#!/usr/bin/env -S python3 -B
"""The kit for Python: its wheel in an empty environment, conformance, types, the ten lines, threads and forks, and middleware in
real servers."""

import collections
import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from pythons import HERE, KIT, PREFORK, TOOLS, environment, need_tools, python, run, serve
from scenario import check, finish, path
from servers import each_plays_once, gate, serves
from tokens import Signer

PYTHON = python("empty")


def wheel():
    """Without a look at an index."""
    package, *others = kits.built_twice("python", KIT / "build-wheels", TOOLS / "python").iterdir()
    check("under its name", package.name == f"mediatoken-{kits.VERSION}-py3-none-any.whl" and not others, [package, *others])
    with zipfile.ZipFile(package) as archive:
        files = archive.namelist()
        metadata = archive.read(f"mediatoken-{kits.VERSION}.dist-info/METADATA").decode()
    modules = {name for name in files if not name.startswith(f"mediatoken-{kits.VERSION}.dist-info/")}
    sources = {f"mediatoken/{name}" for name in os.listdir(KIT / "mediatoken") if name != "__pycache__"}
    check("with the package and nothing else", modules == sources and "mediatoken/py.typed" in modules, modules ^ sources)
    check("which needs nothing else", "Requires-Dist" not in metadata and "Requires-Python: >=3.9" in metadata, metadata)
    return package


def types():
    tool = [TOOLS / "python", "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir", path("mypy")]
    checked = run(*tool, KIT / "mediatoken", KIT / "example.py", cwd=KIT)
    check("mypy finds nothing, by the rules of Python 3.9", checked.returncode == 0, checked)
    lines = (HERE / "python/misuse.py").read_text().splitlines()
    wanted = {number: line.rsplit("  # ", 1)[1] for number, line in enumerate(lines, 1) if "  # " in line}
    checked = run(*tool, "--python-executable", PYTHON, "--show-error-codes", HERE / "python/misuse.py", cwd=path(""))
    found = collections.defaultdict(str)
    for number, text in re.findall(r"misuse\.py:(\d+): error: (.*)", checked.stdout):
        found[int(number)] += text
    check("and every misuse, as users of the installed package do",
          set(found) == set(wanted) and all(text in found[number] for number, text in wanted.items()) and len(wanted) > 7,
          f"{checked} {wanted}")


def inside(program, count, daemon, signer):
    """A program that prints a line for each thing that holds."""
    tokens = b"\n".join(signer.issue(1000, form="base64"))
    said = subprocess.run([PYTHON, "-I", "-B", HERE / "python" / program, daemon.socket], input=tokens, capture_output=True)
    lines = said.stdout.decode().splitlines()
    for line in lines:
        check(line, True)
    check(f"all of {program}", said.returncode == 0 and len(lines) == count, said)


def readme(daemon, signer):
    """Its program, and its commands as they are printed."""
    text = (KIT / "example.py").read_text()
    check("the example has ten lines", len([line for line in text.splitlines() if line and not line.startswith('"""')]) <= 10)
    written = (KIT / "README.md").read_text()
    check("and is in the kit's README", text.split('"""', 2)[2].strip() in written)
    os.mkdir(path("reader"))
    run(TOOLS / "python", "-m", "venv", path("reader/environment"))
    for name in ("clients", "example.py"):
        os.symlink(kits.CLIENTS if name == "clients" else KIT / name, path("reader/" + name))
    commands = re.search(r"(?s)```sh\n(.*?)```", written)[1].replace("/run/mediatokend/mediatokend.sock", daemon.socket)
    commands = commands.replace("build-wheels python3 ", f"build-wheels {TOOLS}/python ")
    before = sorted(KIT.rglob("*"))
    settings = os.environ | {"PATH": path("reader/environment/bin") + ":" + os.environ["PATH"], "PYTHONDEVMODE": "1",
                             "PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    said = kits.readme_commands(commands, signer, path("reader/token"),
                                lambda text: run("bash", "-eu", "-c", text, cwd=path("reader"), env=settings))
    check("the README's commands play", said.returncode == 0 and said.stdout.splitlines()[-1].startswith("play TNT until "), said)
    check("with a licence, and without a change of the checkout", sorted(KIT.rglob("*")) == before and run(
        "bash", "-c", "ls environment/lib/*/site-packages/mediatoken-*/licenses/LICENSE", cwd=path("reader")).returncode == 0)
    check("and leave no socket open", "ResourceWarning" not in said.stderr, said.stderr)


def prefork(daemon, signer):
    """gunicorn's workers are forked from a process whose client has asked already."""
    address = path("gunicorn.sock")
    server = serve("empty", {"DAEMON": daemon.socket}, *PREFORK, "unix:" + address, "application:application")
    check("gunicorn serves", serves(address))
    gate("gunicorn", address, signer, daemon, joins=True)
    each_plays_once(address, signer)
    server.terminate()
    check("gunicorn ends", server.wait(60) == 0)


def asynchronous(daemon, signer):
    address = path("uvicorn.sock")
    server = serve("empty", {"DAEMON": daemon.socket}, "uvicorn", "--uds", address, "asynchronous:application")
    check("uvicorn serves", serves(address))
    gate("uvicorn", address, signer, daemon, joins=False)
    server.terminate()
    server.wait(60)


def main():
    need_tools()
    environment("empty", wheel())
    check("its version is that of the daemon", kits.version_of_the_command() == kits.VERSION)
    types()
    driver = [PYTHON, "-I", "-B", str(KIT / "conformance.py")]
    kits.conformance("python", driver)
    signer = Signer()
    daemon = Daemon(signer).start()
    kits.example([PYTHON, "-I", "-B", str(KIT / "example.py")], daemon, signer)
    readme(daemon, signer)
    inside("inside.py", 43, daemon, signer)
    inside("gates.py", 6, daemon, signer)
    prefork(daemon, signer)
    asynchronous(daemon, signer)
    check("the daemon ends well", daemon.end() == 0)
    kits.overhead("python", driver)
    finish()


main()
