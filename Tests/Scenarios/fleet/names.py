#!/usr/bin/env -S python3 -B
"""Nodes by name: one whose name has two addresses, of which the first refuses connections, and a name service that forgets them, or does
not answer. A daemon says that this is the reason, and is ready again when the names are."""

import os
import socket
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import check, finish, needs, path, skip

needs("unshare", "mount")
if os.environ.get("NAMES_ARE_OURS") != "yes":
    if os.geteuid() != 0:
        skip("only root can give a name addresses")
    sys.exit(subprocess.run(["unshare", "--mount", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh",
                             sys.executable, "-B", os.path.abspath(__file__)],
                            env=os.environ | {"NAMES_ARE_OURS": "yes"}, check=False).returncode)

from hosts import PASSWORD, credentials, host, plays_once, reason, states
from processes import MEDIATOKEN
from scenario import until
from nodes import Node


def name(*numbers, first=""):
    """Which nodes have an address, `first` before it. In place: the file is mounted."""
    with open(path("names"), "w") as file:
        file.write("127.0.0.1 localhost\n" + "".join(
            f"{address} node-{number}.test\n" for number in numbers for address in (first, "127.0.0.1") if address))


def forgets(one, what):
    check(f"{what}: /readyz says that names are the reason", until(60, lambda: reason(one) == "name"), (reason(one), states(one)))
    check(f"{what}: the log says that names are the reason",
          until(60, lambda: one.events("not-ready")[-1]["reason"] == "name"), one.said()[-600:])
    check(f"{what}: the metrics say that names are the reason", one.metrics()['mediatoken_not_ready{reason="name"}'] == 1)
    check(f"{what}: the log has no other reason, except that the memory was new",
          {line["reason"] for line in one.events("not-ready")} <= {"name", "replay-memory-new"},
          one.events("not-ready"))
    name(1, 2, 3)
    check(f"{what}: the daemon is ready again when the names are back",
          until(60, lambda: reason(one) is None), (reason(one), states(one)))


def two_addresses(address):
    """Nothing listens at the first one. A daemon and the command line reach the nodes by the other."""
    name(1, 2, 3, first="::1")
    found = [found[4][0] for found in socket.getaddrinfo("node-1.test", 1, type=socket.SOCK_STREAM)]
    check("a node's name has two addresses", found == ["::1", "127.0.0.1"], found)
    daemon = host("host-three", address).start_unready()
    check("a daemon reaches nodes by their second address", until(60, lambda: reason(daemon) is None), (reason(daemon), daemon.said()[-600:]))
    said = subprocess.run([MEDIATOKEN, "replay", "nodes", "--config", daemon.file, "--timeout", "60000"], capture_output=True, text=True, check=False)
    check("the command line reaches nodes by their second address", said.stdout.count(": voting") == 3, said)
    daemon.end()


def main():
    name(1, 2, 3)
    # Nothing listens there: an error comes at once.
    with open(path("resolver"), "w") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:8 attempts:1\n")
    for ours, theirs in (("names", "/etc/hosts"), ("resolver", "/etc/resolv.conf")):
        subprocess.run(["mount", "--bind", path(ours), theirs], check=True)
    credentials("credentials", f"* default {PASSWORD}")
    fleet = [Node(f"node-{number}", password=PASSWORD).start() for number in (1, 2, 3)]
    address = "redis:test@" + ",".join(f"node-{number}.test:{node.port}" for number, node in enumerate(fleet, 1))
    one, two = (host(each, address).start_unready() for each in ("host-one", "host-two"))
    check("both daemons are ready when all nodes have names",
          until(60, lambda: reason(one) is None and reason(two) is None), (reason(one), states(one)))

    name(1, 2)
    check("the log names the node that has no name", until(60, lambda: [line["node"] for line in one.events("node-name")] == [3]),
          one.said()[-600:])
    check("a node without a name is down some seconds later",
          until(60, lambda: states(one) == ["voting", "voting", "down"]), states(one))
    check("two of three nodes with names are enough for a daemon to be ready", reason(one) is None, reason(one))
    plays_once("one name is forgotten", one, two)
    name(1)
    forgets(one, "two names are forgotten")

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 53))
        name()
        forgets(one, "the name service is silent")
    plays_once("names are back", one, two)
    two_addresses(address)
    finish()


main()
