"""What both scenarios of the kit for Python share: environments, programs and servers in them."""

import os
import subprocess
import sys

import kits
import servers
from processes import launch
from scenario import ROOT, check, path, skip

HERE = ROOT / "Tests/Scenarios/clients"
TOOLS = ROOT / ".build/clients/python-tools/bin"
KIT = kits.CLIENTS / "python"


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def need_tools():
    if run(HERE / "install-python-tools").returncode != 0:
        skip("the tools for Python cannot be installed")


def environment(name, wheel):
    """The interpreter of an empty environment, and in it the wheel alone."""
    python = path(name + "/bin/python")
    run(sys.executable, "-m", "venv", "--without-pip", path(name))
    installed = run(TOOLS / "python", "-m", "pip", "--python", python, "install", "--no-index", "--disable-pip-version-check", wheel)
    check(f"python: the wheel installs into the environment {name}", installed.returncode == 0, installed)
    found = run(python, "-I", "-c", "import mediatoken; print(mediatoken.__version__, mediatoken.__file__)").stdout.split()
    check(f"python: the kit is imported from the environment {name}", found[0] == kits.VERSION and found[1].startswith(path(name)), found)
    return python


def inside(python, program, wanted, tokens, *arguments):
    kits.inside("python", [python, "-E", "-s", "-B", HERE / "python" / program, *arguments], wanted, tokens)


def serve(python, settings, address, *server):
    """A server of the tools' environment, with the kit as it was installed into another one."""
    site = run(python, "-I", "-c", "import mediatoken, os; print(os.path.dirname(os.path.dirname(mediatoken.__file__)))").stdout
    settings = settings | {"PYTHONPATH": os.pathsep.join([str(HERE / "python"), site.strip()])}
    process = launch([str(TOOLS / "python"), "-B", "-m", *server, "--log-level", "warning"], env=os.environ | settings)
    check(f"{server[0]} serves", servers.serves(address))
    return process


def preforked(python, settings, address):
    """Workers of gunicorn that are forked from a process that has asked already."""
    return serve(python, settings, address, "gunicorn", "--preload", "--workers", "4", "--worker-class", "gthread", "--threads", "4",
                 "--timeout", "120", "--bind", "unix:" + address, "application:application")
