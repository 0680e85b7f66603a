"""Claims that are checked one by one, and a count at the end. Part of the daemon's scenarios.

A scenario takes the programs from $MEDIATOKEN and $MEDIATOKEND and works in `scratch`, a folder of its own that is
removed. Exit status: 0 if every claim holds and there was one, 1 if not, 77 if the scenario cannot run here. With --long
it takes minutes instead of seconds.
"""

import atexit
import os
import resource
import shutil
import sys
import tempfile
import time

NAME = "daemon/" + os.path.basename(sys.argv[0])
IS_LONG = "--long" in sys.argv[1:]
scratch = tempfile.mkdtemp()
atexit.register(shutil.rmtree, scratch, True)
_held = 0
_broken = 0
_start = time.monotonic()

for _program in ("MEDIATOKEN", "MEDIATOKEND"):
    if not os.environ.get(_program):
        sys.exit(f"{NAME}: expected the program to test in {_program}")
MEDIATOKEN = os.path.abspath(os.environ["MEDIATOKEN"])
MEDIATOKEND = os.path.abspath(os.environ["MEDIATOKEND"])


def claim(text, holds, found=""):
    """Counts a claim. `found` is what was seen instead, and may be long."""
    global _held, _broken
    if holds:
        _held += 1
        print(f"ok: {text}", flush=True)
    else:
        _broken += 1
        print(f"FAILED: {text}" + (f": {str(found)[:600]}" if found != "" else ""), flush=True)
    return holds


def count(text):
    """Prints a line of counts."""
    print(f"  {text}", flush=True)


def skip(why):
    print(f"skipped: {NAME}: {why}")
    sys.exit(77)


def finish():
    print(f"{NAME}: {_held} claims hold, {_broken} do not, in {time.monotonic() - _start:.0f} s")
    sys.stdout.flush()
    sys.exit(0 if _held > 0 and _broken == 0 else 1)


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
