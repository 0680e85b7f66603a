#!/usr/bin/env -S python3 -B
"""What every door says is what the files next to this one have: each vector through the command line, a daemon and the C library; mistakes
in settings and command lines; the lines of lines.txt; what a daemon says about itself, and what nodes are sent. `doors.py --record` writes
the files, after a change that is meant; with names of doors, theirs alone.
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path[1:1] = [sys.path[0] + "/../lib"]

from connection import post
from lines import compared
from scenario import finish, needs, path, skip

HERE = pathlib.Path(__file__).resolve().parent
if os.geteuid() != 0:
    skip("it needs root, whose files it names")
needs("clang", "redis-server")
subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", path("fixed-clock.so"), HERE / "fixed-clock.c"], check=True)
os.environ["LD_PRELOAD"] = path("fixed-clock.so")

import command_lines
import mistakes
import vectors
import wires


def of_itself():
    """Status and metrics of a daemon after one token was used, asked about again by the same request and by none, and refused, and after a
    head that no one can read; and what it logs."""
    os.mkdir(path("itself"))
    served = vectors.daemon("itself.daemon", table="itself/table", tenants=[{"requestor": "REF30"}], capacity=1000, log={"verdicts": "all"},
                            requestIDHeader="X-Request-ID")
    served.configure(replay=served.settings["replay"] | {"retryWindowMilliseconds": 60_000})
    served.end()
    served.start()
    named, said = b"X-Request-ID: one\r\n", {}
    for number, request in enumerate((post(mistakes.TOKEN, fields=named), post(mistakes.TOKEN, fields=named), post(mistakes.TOKEN), post(b"nonsense"),
                                      b"GET /livez\r\n\r\n"), 1):
        with served.connect() as connection:
            connection.send(request)
            said[f"asked: {number}"] = vectors.of_json(connection.receive().body.decode())
    said |= {target: served.get(target).body.decode() for target in ("/livez", "/readyz", "/v1/keys")}
    for family in served.get("/metrics").body.decode().split("# HELP ")[1:]:
        # How often it was asked whether it is ready, how long things took, and what the process uses.
        is_steady = not re.match("process_|mediatoken_verify_duration|mediatoken_http_(responses|connections)|mediatoken_.*_seconds", family)
        said["/metrics " + family.split()[0]] = vectors.plain(family if is_steady else re.sub(r"(?m)^([^#\s]\S*) \S+$", r"\1 ...", family))
    served.end()
    for number, line in enumerate(served.said().splitlines(), 1):
        said[f"log {number}"] = re.sub(r'("(peerPID|durationMilliseconds)"):[^,}]*', r"\1:...", vectors.plain(line))
    return said


DOORS = {
    "vectors-batch": vectors.in_batches, "vectors-printed": vectors.one_by_one, "vectors-daemon": vectors.of_daemon,
    "vectors-library": vectors.of_library, "settings": mistakes.of_settings, "commands": mistakes.of_commands, "lines": command_lines.of_lines,
    "itself": of_itself, "wires": wires.of_wires}
DOORS = {name: door for name, door in DOORS.items() if name in sys.argv} or DOORS
with ThreadPoolExecutor(2) as pool:
    for name, said in zip(DOORS, pool.map(lambda door: door(), DOORS.values())):
        compared(HERE / f"{name}.json", said, vectors.whole)
finish()
