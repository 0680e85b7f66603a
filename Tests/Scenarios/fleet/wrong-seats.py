#!/usr/bin/env -S python3 -B
"""Seats, settings and credentials that are wrong: no daemon starts with them, and it says which and what to do."""

import json
import os
import re
import socket
import socketserver
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from hosts import PASSWORD, TENANTS, are_ready, begin, credentials, host, reason, replay, states
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path, until
from seats import Seat



def refused(name, address, expected, **settings):
    """A daemon that does not start: its message, which must say what is expected, in one line."""
    for _ in range(10):
        daemon = host("refused", address, **settings).spawn()
        until(60, lambda: not daemon.is_alive() or daemon.events("started"))
        took = time.monotonic() - daemon.started
        status, said = daemon.end(), daemon.said()
        os.remove(daemon.log)
        # A seat that has not said in 2 s what it is counts as down, and with the other two a daemon starts.
        if status != 0 or took < 2:
            break
    check(f"{name}: the daemon does not start", status == 3, (status, said))
    check(f"{name}: the daemon says which and what to do", all(re.search(text, said) for text in expected), said)
    check(f"{name}: the daemon says it in one line, without a password",
          said.count("\n") == 1 and PASSWORD not in said and "hunter2" not in said, said)


def commanded(address, *words, milliseconds=60000):
    """What the command line says about the seats."""
    return subprocess.run([MEDIATOKEN, "replay", *words, "--replay", address, "--fleet-credentials", path("credentials"),
                           "--future-tolerance", "0", "--timeout", str(milliseconds)], capture_output=True, text=True, check=False)


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


class Impostor(socketserver.ThreadingTCPServer):
    """A process that answers as a seat does, with numbers that no clock shows."""

    daemon_threads = True

    def __init__(self, number):
        super().__init__(("127.0.0.1", 0), Commands)
        self.number = number
        self.address = f"127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def reply(self, words):
        number = self.number
        info = {"server": "redis_version:7.0.0\r\nrun_id:impostor", "replication": f"role:master\r\nmaster_replid:{'a' * 40}",
                "cluster": "cluster_enabled:0"}
        match words:
            case ["INFO", section]:
                text = info.get(section, "used_memory:1") + "\r\n"
                return f"${len(text)}\r\n{text}\r\n".encode()
            case ["SCRIPT", *_]:
                return b"$1\r\nx\r\n"
            case ["EVALSHA", *_]:
                return f"*4\r\n:{number}\r\n:{number}\r\n:{number}\r\n:1\r\n".encode()
            case ["TIME"]:
                return b"*2\r\n" + f"${len(str(number))}\r\n{number}\r\n".encode() * 2
            case ["HMGET", *_]:
                return b"*4\r\n$40\r\n" + b"a" * 40 + b"\r\n$-1\r\n" + f"${len(str(number))}\r\n{number}\r\n".encode() * 2
        return b"+OK\r\n"


class Commands(socketserver.StreamRequestHandler):
    """Reads commands, and sends what the impostor says to each."""

    def handle(self):
        while line := self.rfile.readline():
            words = []
            for _ in range(int(line[1:])):
                words.append(self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2].decode())
            self.wfile.write(self.server.reply(words))


def impossible_numbers():
    """One seat of many must not end all hosts."""
    for number in (-2**63, 2**63 - 1, 2**62):
        impostor = Impostor(number)
        address = "redis:numbers@" + impostor.address
        refused(f"a seat whose clock shows {number}", address, [rf"seat 1 \({impostor.address}\)", "not those of Redis"])
        found = commanded(address, "seats", "--json")
        check("replay seats says too that these numbers are not those of Redis", found.returncode == 3 and "not those of Redis" in
              json.loads(found.stdout)["seats"][0]["reason"], found)
        impostor.shutdown()
        impostor.server_close()


def seats_that_say_nothing():
    """Whose place leads to nothing, to something that ends every connection, or to something that hears and is silent."""
    with socket.create_server(("127.0.0.1", 0)) as closing, socket.create_server(("127.0.0.1", 0)) as silent:
        def close():
            while True:
                try:
                    closing.accept()[0].close()
                except OSError:
                    return
        threading.Thread(target=close, daemon=True).start()
        ports = [listener.getsockname()[1] for listener in (closing, silent)]
        for name, seat, milliseconds, expected in (
                ("a seat that ends the connection", f"127.0.0.1:{ports[0]}", 60000, "it ends the connection without an answer; "),
                ("a seat whose name has no address", "seat.invalid:6379", 60000, "no address is found for its name; check the name"),
                ("a seat that is silent for a moment", f"127.0.0.1:{ports[1]}", 300, "it does not answer within 300 ms"),
                ("a seat that is silent for a second", f"127.0.0.1:{ports[1]}", 1000, "it does not answer within 1 s")):
            said = commanded("redis:silent@" + seat, "seats", "--json", milliseconds=milliseconds)
            found = [(one["state"], (one["reason"] or "").startswith(expected)) for one in json.loads(said.stdout)["seats"]]
            check(f"{name} is down, and that is said", said.returncode == 3 and found == [("down", True)], said)
        closing.shutdown(socket.SHUT_RDWR)


def exchangeable_sockets():
    """Three seats whose sockets are in a folder: who may change it has the password and a vote."""
    folder = path("sockets")
    os.mkdir(folder, 0o755)
    seats = [Seat(f"local-{number}", password=PASSWORD, is_local=True) for number in (1, 2, 3)]
    for seat in seats:
        seat.address = f"{folder}/{seat.name}"
        seat.start()
    address = "redis:local@" + ",".join(seat.address for seat in seats)
    cure = f"its socket may be exchanged: the folder {folder} may be changed by users other than root.*; run: chmod go-w {folder}$"
    os.chmod(folder, 0o777)
    said = commanded(address, "found", "--fresh")
    check("seats in a folder that anyone may change are not founded",
          said.returncode == 3 and len(re.findall(cure, said.stdout + said.stderr, re.M)) == 3, said)
    check("nothing is said to seats in a folder that anyone may change", [seat.ask("DBSIZE") for seat in seats] == [0, 0, 0])
    said = commanded(address, "seats", "--json")
    found = [(seat["state"], bool(re.search(cure, seat["reason"] or ""))) for seat in json.loads(said.stdout)["seats"]]
    check("seats in a folder that anyone may change are shown as refused, with the cure",
          said.returncode == 3 and found == [("refused", True)] * 3, said)
    refused("a socket that anyone may exchange", address, [r"seat \d \(" + re.escape(folder), cure])
    os.chmod(folder, 0o755)
    if os.getuid() == 0:
        # As Debian's /run/redis: user, group and mode.
        for place in (folder, *(seat.address for seat in seats)):
            os.chown(place, 12345, 12345)
        os.chmod(folder, 0o2755)
    said = commanded(address, "found", "--fresh")
    check("seats in a folder of their own user are founded", said.returncode == 0, said)
    daemon = host("local", address).start()
    os.chmod(folder, 0o777)
    check("a daemon leaves its seats when their folder is opened to all",
          until(60, lambda: states(daemon) == ["refused"] * 3), states(daemon))
    check("a daemon that left its seats is not ready", reason(daemon) == "seats-missing", reason(daemon))
    check("a daemon that left its seats says what to do", until(60, lambda: any(
        re.search(cure, line["message"]) for line in daemon.events("seat-refused"))), daemon.said()[-900:])
    os.chmod(folder, 0o755)
    check("a daemon asks its seats again when their folder is closed",
          until(60, lambda: states(daemon) == ["voting"] * 3), states(daemon))
    daemon.end()
    for seat in seats:
        seat.kill()


def main():
    fleet, one, two = begin()
    check("the right seats are a fleet", are_ready(one, two), (states(one), states(two)))
    wrong_seats(fleet, one.settings["replay"]["address"])
    impossible_numbers()
    seats_that_say_nothing()
    exchangeable_sockets()
    finish()


main()
