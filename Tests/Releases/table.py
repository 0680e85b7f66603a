#!/usr/bin/env -S python3 -B
"""Prints the row of README's table for the release on which it runs, and fails if README has another.

    table.py RELEASE WHAT    where WHAT was tested
"""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13", "sid": "unstable", "openssl-4": "unstable, OpenSSL of experimental"}
#: In the order of the columns; then the server of seats.
PACKAGES = ["libssl-dev", "libxml2-dev", "libjansson-dev", "libhiredis-dev", "libcurl4-openssl-dev", "libc6"]
SERVERS = {"valkey-server": "Valkey", "redis-server": "Redis"}


def version(package):
    """Its first two numbers, which point releases keep, or None. After "really" is what it is, whatever is before."""
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    numbers = re.match(r"(?:\d+:)?(?:.*\+really)?(\d+\.\d+)", found.stdout)
    return numbers[1] if found.returncode == 0 and numbers else None


def row(release, what):
    server = next((f"{name} {version(package)}" for package, name in SERVERS.items() if version(package)), "–")
    return f"| {' | '.join([NAMES[release], *(version(package) or '–' for package in PACKAGES), server, what])} |"


def main(release, what):
    made = row(release, what)
    print(made)
    if made not in README.read_text().split("\n"):
        sys.exit("expected this row in README's table of releases, found another or none")


if __name__ == "__main__":
    main(*sys.argv[1:])
