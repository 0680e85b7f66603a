#!/usr/bin/env -S python3 -B
"""As many callers as the library takes events at once (128) and more, who ask all at the same time, again and again: no caller waits for
another one to ask, or for a deadline: that is ten minutes away, and callers have the patience of one."""

import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, post
from daemon import Daemon
from scenario import IS_LONG, check, count, finish
from tokens import Signer

ROUNDS = 500 if IS_LONG else 20
PATIENT = {"requestMilliseconds": 600_000, "idleMilliseconds": 600_000}
signer = Signer()


def is_answered(connection):
    try:
        return connection.receive().status == 200
    except Unanswered:
        return False


for threads, callers in ((1, 127), (1, 128), (1, 129), (1, 256), (2, 256), (2, 300)):
    # With as many workers each has its share of the connections, as they are handed out in turn.
    daemon = Daemon(signer, f"{threads}-{callers}", threads=threads, deadlines=PATIENT).start()
    tokens = signer.issue(callers * ROUNDS)
    connections = [daemon.connect() for _ in range(callers)]
    for connection in connections:
        connection.get("/livez")
    # The acceptor looks four times a second whether there is a crowd.
    time.sleep(0.6)
    slowest, valid = 0.0, 0
    for round in range(ROUNDS):
        questions = [post(text) for text in tokens[round * callers :][:callers]]
        # None is answered before all have asked.
        daemon.tell(signal.SIGSTOP)
        for connection, question in zip(connections, questions):
            connection.send(question)
        begun = time.monotonic()
        daemon.tell(signal.SIGCONT)
        valid += sum(is_answered(connection) for connection in connections)
        slowest = max(slowest, time.monotonic() - begun)
    name = f"{callers} callers in step, {threads} workers"
    count(f"{name}: {valid} answers in {ROUNDS} rounds, the slowest round took {slowest * 1000:.0f} ms")
    check(f"{name}: all are answered", valid == callers * ROUNDS, valid)
    for connection in connections:
        connection.close()
    check(f"{name}: the daemon ends with 0", daemon.end() == 0)

finish()
