"""Claims that are checked one by one, and a count at the end: `claim.sh` for scenarios in Python."""

import os
import sys

_held = 0
_broken = 0


def claim(text, holds, otherwise=""):
    """Counts a claim. `otherwise` is what was seen instead."""
    global _held, _broken
    if holds:
        _held += 1
        print(f"ok: {text}")
    else:
        _broken += 1
        print(f"FAILED: {text}{': ' if otherwise else ''}{otherwise}")


def finish():
    """Ends the scenario: with 0 if every claim held and there was one."""
    print(f"{os.path.basename(sys.argv[0])}: {_held} claims hold, {_broken} do not")
    sys.exit(1 if _broken or not _held else 0)
