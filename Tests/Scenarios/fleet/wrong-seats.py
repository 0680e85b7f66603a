#!/usr/bin/env -S python3 -B
"""Seats, settings and credentials that are wrong: no daemon starts with them, and it says which and what to do."""

import os
import re
import socket
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from hosts import PASSWORD, TENANTS, are_ready, begin, credentials, host, replay
from processes import free_port
from scenario import check, finish
from seats import Seat



def refused(name, address, expected, **settings):
    """A daemon that does not start: its message, which must say what is expected, in one line."""
    daemon = host("refused", address, **settings).spawn()
    status = daemon.process.wait(60)
    said = daemon.said()
    os.remove(daemon.log)
    check(f"{name}: it does not start", status == 3, (status, said))
    check(f"{name}: and says which and what to do", all(re.search(text, said) for text in expected), said)
    check(f"{name}: in one line, without a password", said.count("\n") == 1 and PASSWORD not in said and "hunter2" not in said, said)


def wrong_seats(fleet, address):
    a, b, c = (seat.address for seat in fleet)
    port = a.split(":")[1]
    refused("one process under two names", f"redis:twice@{a},{b},localhost:{port}",
            [r"seat [13] \((127\.0\.0\.1|localhost):" + port, "same process as seat [13]|another seat of this fleet.*one process for each"])
    master = Seat("master", password=PASSWORD).start()
    replica = Seat("replica", "--replicaof", f"127.0.0.1 {master.port}", password=PASSWORD).start()
    refused("a replica", f"redis:copied@{a},{b},{replica.address}", [rf"seat 3 \({replica.address}\): it is a replica", "NO ONE"])
    node = Seat("node", "--cluster-enabled", "yes", "--cluster-port", str(free_port()), password=PASSWORD).start()
    refused("a node of a cluster", f"redis:spread@{node.address},{b},{c}", [rf"seat 1 \({node.address}\)", "cluster-enabled no"])
    swapped = address.replace(f"{a},{b}", f"{b},{a}")
    refused("seats in another order", swapped, [r"seat \d \(", "same (address|seats)"])
    refused("another policy", address, [r"seat \d \(", "maxTTL"],
            tenants=[TENANTS[0] | {"maxTTLMilliseconds": 420_000}])
    stranger = Seat("stranger", password="hunter2").start()
    refused("a wrong password", f"redis:locked@{a},{b},{stranger.address}", [rf"seat 3 \({stranger.address}\)", "password"])
    refused("a password in the address", f"redis:test@default:hunter2@{a}", ["replay.address: seat 1", "credentials file"])
    open_file = credentials("open-credentials", f"* default {PASSWORD}", mode=0o644)
    refused("credentials that others may read", address, ["replay.fleet.credentials", "open-credentials", "chmod"],
            replay=replay(address, credentials=open_file))
    broken = credentials("broken-credentials", f"default {PASSWORD}")
    refused("malformed credentials", address, ["replay.fleet.credentials", "line 1", "NUMBER USER PASSWORD"],
            replay=replay(address, credentials=broken))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        def answer():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n<html>no</html>")
                connection.close()
        threading.Thread(target=answer, daemon=True).start()
        refused("a program that is no seat", f"redis:html@{a},{b},127.0.0.1:{port}",
                [rf"seat 3 \(127\.0\.0\.1:{port}\)", "Redis"])
        listener.shutdown(socket.SHUT_RDWR)
    for seat in (master, replica, node, stranger):
        seat.kill()


def main():
    fleet, one, two = begin()
    are_ready(one, two)
    wrong_seats(fleet, one.settings["replay"]["address"])
    finish()


main()
