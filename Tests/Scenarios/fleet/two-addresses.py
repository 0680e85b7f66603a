#!/usr/bin/env -S python3 -B
"""A seat whose name has two addresses, of which the first refuses connections: a daemon and the command line reach it by the other."""

import errno
import os
import socket
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import check, finish, needs, path, skip

NAME = "seat.test"

needs("unshare", "mount")
if os.environ.get("NAMES_ARE_OURS") != "yes":
    if os.geteuid() != 0:
        skip("only root can give a name addresses")
    sys.exit(subprocess.run(["unshare", "--mount", sys.executable, "-B", os.path.abspath(__file__)],
                            env=os.environ | {"NAMES_ARE_OURS": "yes"}, check=False).returncode)

from hosts import PASSWORD, credentials, decided, host, reason, signer
from processes import MEDIATOKEN
from scenario import until
from seats import Seat

with open(path("names"), "w") as file:
    file.write(f"::1 {NAME}\n127.0.0.1 {NAME}\n")
subprocess.run(["mount", "--bind", path("names"), "/etc/hosts"], check=True)
credentials("credentials", f"* default {PASSWORD}")
seat = Seat("only", password=PASSWORD).start()
found = [address[4][0] for address in socket.getaddrinfo(NAME, seat.port, type=socket.SOCK_STREAM)]
check("the name has two addresses", found == ["::1", "127.0.0.1"], found)
# Its port is taken and not listened to, until the end.
taken = socket.socket(socket.AF_INET6)
taken.bind(("::1", seat.port))
with socket.socket(socket.AF_INET6) as other:
    check("the first address refuses connections", other.connect_ex(("::1", seat.port)) == errno.ECONNREFUSED)

address = f"redis:test@{NAME}:{seat.port}"
daemon = host("host", address).start_unready()
check("a daemon reaches the seat by the second address",
      until(60, lambda: reason(daemon) is None), (reason(daemon), daemon.said()[-600:]))
token = signer.issue(1)[0]
check("a daemon that reaches the seat by the second address plays a token once",
      [decided(daemon.ask, token).status for _ in range(2)] == [200, 403])


def shown():
    """What the command line says."""
    return subprocess.run([MEDIATOKEN, "replay", "seats", "--replay", address, "--fleet-credentials", path("credentials"),
                           "--future-tolerance", "0", "--timeout", "60000"], capture_output=True, text=True, check=False).stdout


check("the command line reaches the seat by the second address", until(60, lambda: "seat 1: voting" in shown()), shown())
daemon.end()
finish()
