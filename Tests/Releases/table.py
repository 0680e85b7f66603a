#!/usr/bin/env -S python3 -B
"""Prints the row of SetUp's table for the release on which it runs, and fails if the article has another.

    table.py RELEASE WHAT [ROOT]    where WHAT was tested; in ROOT packages are unpacked and not installed, but the server of nodes is
"""

import gzip
import re
import subprocess
import sys
from pathlib import Path

SET_UP = Path(__file__).resolve().parents[2] / "Sources/MediaTokenService/MediaTokenService.docc/SetUp.md"
NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13", "sid": "unstable", "openssl-4": "unstable, OpenSSL of experimental",
         "arm64": "unstable, arm64 under qemu", "archive": "the archive, on Debian 12"}
#: In the order of the columns; then the server of nodes.
PACKAGES = ["libssl-dev", "libxml2-dev", "libjansson-dev", "libhiredis-dev", "libc6"]
SERVERS = {"valkey-server": "Valkey", "redis-server": "Redis"}


def version(package, root=None):
    """Its first two numbers, which point releases keep, or None. After "really" is what it is, whatever is before."""
    if root:
        changes = root / "usr/share/doc" / package / "changelog.Debian.gz"
        found = gzip.open(changes, "rt").readline().partition("(")[2] if changes.exists() else ""
    else:
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
        found = asked.stdout if asked.returncode == 0 else ""
    numbers = re.match(r"(?:\d+:)?(?:.*\+really)?(\d+\.\d+)", found)
    return numbers[1] if numbers else None


def row(release, what, root=None):
    servers = SERVERS.items() if what == "everything" or "fleet" in what else ()
    server = next((f"{name} {version(package)}" for package, name in servers if version(package)), "–")
    return f"| {' | '.join([NAMES[release], *(version(package, root) or '–' for package in PACKAGES), server, what])} |"


def main(release, what, root=None):
    made = row(release, what, root and Path(root))
    print(made)
    if made not in SET_UP.read_text().split("\n"):
        sys.exit("expected this row in SetUp's table of releases, found another or none")


if __name__ == "__main__":
    main(*sys.argv[1:])
