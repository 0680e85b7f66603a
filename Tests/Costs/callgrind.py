"""Runs a program under valgrind's callgrind and adds up its instructions by object file."""

import collections
import re

COMMAND = ("valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file={}")


def command(output):
    """What to put before a program's own words; the counts go to `output` when it ends."""
    return [word.format(output) for word in COMMAND]


def calls(path, function):
    """How often a function was called: the line `calls=` after `cfn=` says it."""
    names, total, called = {}, 0, None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            named = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line)
            if named:
                if named[2]:
                    names[named[1]] = named[2]
                called = names[named[1]] if line.startswith("cfn") else None
            elif line.startswith("calls=") and called == function:
                total += int(line[len("calls="):].split()[0])
    return total


def instructions_by_object(path):
    """Instructions executed in each object file, those that it calls elsewhere not counted.

    The format is Callgrind's own (valgrind's manual, "Callgrind Format Specification"): `ob=` says whose the lines of costs
    are that follow, and the line after `calls=` is what a call cost elsewhere. A name is written once, then its number.
    """
    names, costs = {}, collections.Counter()
    current, is_call = None, False
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            named = re.match(r"c?ob=\((\d+)\)(?: (.*))?", line)
            if named:
                if named[2]:
                    names[named[1]] = named[2]
                if not line.startswith("cob"):
                    current = names[named[1]]
            elif line.startswith("calls="):
                is_call = True
            elif line[0].isdigit() or line[0] in "+-*":
                if not is_call:
                    costs[current] += int(line.split()[1])
                is_call = False
    return costs
