#!/usr/bin/env -S python3 -B
"""What the daemon finds at the path of its socket: a stale socket is replaced, and a live one is not; files,
links and folders are ListeningSocketTests'. Also a table that is lost while it is in use: no token is valid, and readiness, log and metrics say why."""

import os
import signal
import socket
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import IS_LONG, check, finish, path, until
from tokens import Signer

ROUNDS = 100 if IS_LONG else 10
RACERS = 4
signer = Signer()


def refused(daemon):
    """The last message of a daemon that does not start; None if it starts."""
    open(daemon.log, "w").close()
    status = daemon.spawn().process.wait(60)
    return daemon.said().splitlines()[-1] if status == 3 else None


def stale():
    taken = 0
    daemon = Daemon(signer)
    for _ in range(ROUNDS):
        daemon.start().end(signal.SIGKILL)
        is_left = os.path.exists(daemon.socket)
        daemon.start()
        taken += is_left and daemon.ask(signer.issue(1)[0]).status == 200
        daemon.end(signal.SIGKILL)
    check(f"{ROUNDS} times the socket of a killed daemon is replaced", taken == ROUNDS, taken)
    daemon.start()
    check("SIGTERM removes the socket that took a killed daemon's place", daemon.end() == 0 and not os.path.exists(daemon.socket))


def live():
    first = Daemon(signer, "live").start()
    second = Daemon(signer, "second", table="second.table", socket={"path": first.socket, "mode": "0600"})
    inode = os.stat(first.socket).st_ino
    lines = [refused(second) for _ in range(ROUNDS)]
    check(f"{ROUNDS} times a second daemon at one socket: exit 3, and it names the socket",
          all(line and first.socket in line for line in lines), lines[:2])
    check("the first daemon answers as before, at the same socket",
          first.ask(signer.issue(1)[0]).status == 200 and os.stat(first.socket).st_ino == inode)
    os.remove(first.socket)
    check("a daemon whose socket was removed is not pushed aside", refused(second) is not None)
    first.end()
    check("when the first daemon has ended, the second one starts", second.start().ask(signer.issue(1)[0]).status == 200)
    second.end()
    check("the second daemon takes its own socket with it", not os.path.exists(second.socket))


def foreign():
    daemon = Daemon(signer, "foreign")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(daemon.socket)
        server.listen(1)
        inode = os.stat(daemon.socket).st_ino
        line = refused(daemon)
        check("another program that listens at the socket is not pushed aside",
              line is not None and os.stat(daemon.socket).st_ino == inode, line)
    os.remove(daemon.socket)


def race():
    """Many start at once at one place: one serves."""
    alone = 0
    for number in range(ROUNDS):
        place = {"path": path(f"race{number}.sock"), "mode": "0600"}
        daemons = [
            Daemon(signer, f"racer{number}-{index}", table="race.table", socket=place) for index in range(RACERS)]
        threads = [threading.Thread(target=daemon.spawn) for daemon in daemons]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until(60, lambda: sum(daemon.is_alive() for daemon in daemons) <= 1)
        winners = [daemon for daemon in daemons if daemon.is_alive()]
        alone += len(winners) == 1 and until(60, winners[0].is_ready)
        for daemon in winners:
            daemon.end()
    check(f"{ROUNDS} times {RACERS} daemons start at one place: one serves", alone == ROUNDS, alone)


def lost():
    """Readiness, log and metrics say so; what is lost, and how, is TableLifeTests'."""
    daemon = Daemon(signer, "lost", table="lost.table").start()
    during = signer.issue(20)
    granted = daemon.ask(signer.issue(1)[0]).status == 200
    os.remove(daemon.table)
    noticed = until(60, lambda: daemon.get("/readyz").status == 503)
    check("deleted table: readiness says that the memory is lost",
          granted and noticed and b"replay-memory-lost" in daemon.get("/readyz").body, daemon.get("/readyz"))
    wrong = [answer for answer in map(daemon.ask, during) if answer.status != 503 or b'"fault"' not in answer.body]
    check("deleted table: good tokens are undecided, 503", not wrong, wrong[:2])
    check("deleted table: one log line says that the memory is lost", until(60, lambda: [
        line["reason"] for line in daemon.events("not-ready")] == ["replay-memory-lost"]), daemon.events("not-ready"))
    undecided = sum(value for sample, value in daemon.metrics().items() if sample.startswith("mediatoken_undecided_total"))
    check("deleted table: the metric counts the undecided tokens", undecided >= len(during), undecided)
    check("deleted table: a refused token is refused as ever, and the daemon ends with 0",
          verdict(daemon.ask(b"nonsense")) == "INVALID_TOKEN_FORMAT" and daemon.end() == 0)


for part in (stale, live, foreign, race, lost):
    part()
finish()
