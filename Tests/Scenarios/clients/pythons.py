"""What both scenarios of the kit for Python share: environments and servers."""

import os
import subprocess
import sys

import kits
from processes import launch
from scenario import ROOT, check, path, skip

HERE = ROOT / "Tests/Scenarios/clients"
TOOLS = ROOT / ".build/clients/python-tools/bin"
KIT = kits.CLIENTS / "python"
PREFORK = ["gunicorn", "--preload", "--workers", "4", "--worker-class", "gthread", "--threads", "4", "--timeout", "120", "--bind"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def need_tools():
    if run(HERE / "install-python-tools").returncode != 0:
        skip("the tools for Python cannot be installed")


def python(name):
    """The interpreter of an environment of the scenario's."""
    return path(name + "/bin/python")


def environment(name, wheel):
    """An empty environment, and in it the wheel alone."""
    run(sys.executable, "-m", "venv", "--without-pip", path(name))
    installed = run(TOOLS / "python", "-m", "pip", "--python", python(name), "install", "--no-index", "--disable-pip-version-check", wheel)
    check("it installs into an empty environment", installed.returncode == 0, installed)
    found = run(python(name), "-I", "-c", "import mediatoken; print(mediatoken.__version__, mediatoken.__file__)").stdout.split()
    check("and is imported from there", found[0] == kits.VERSION and found[1].startswith(path(name)), found)


def serve(name, settings, *server):
    """A server of the tools' environment, with the kit as it was installed into another one."""
    site = run(python(name), "-I", "-c", "import mediatoken, os; print(os.path.dirname(os.path.dirname(mediatoken.__file__)))").stdout
    settings = settings | {"PYTHONPATH": os.pathsep.join([str(HERE / "python"), site.strip()])}
    return launch([str(TOOLS / "python"), "-B", "-m", *server, "--log-level", "warning"], env=os.environ | settings)
