#!/usr/bin/env -S python3 -B
"""As many callers as the library takes events at once (128) and more, who ask all at the same time, again and again, also
while another one connects: no caller waits for another one to ask, or for a deadline: that is ten minutes away, and callers have
the patience of one."""

import json
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


def is_answered(connection, status=200):
    try:
        return connection.receive().status == status
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

# A worker that is busy finds, when it is done, a question on each of its connections and the news of another one.
DOCUMENT = "<rss version='2.0'><channel><title>%s</title></channel></rss>"
# As many documents as may be read before it is known that none is the one that is asked about.
work = post(json.dumps(
    {"requestor": "REF30", "resourceDocument": DOCUMENT % "TNT",
     "decision": {"decisions": [{"resource": DOCUMENT % "TBS"}] * 2000}}, separators=(",", ":")).encode(),
    b"/v1/verify", b"Content-Type: application/json\r\n")
for callers in (125, 126, 127, 128):
    daemon = Daemon(signer, f"newcomer-{callers}", threads=1, deadlines=PATIENT).start()
    connections = [daemon.connect() for _ in range(callers)]
    for connection in connections:
        connection.get("/livez")
    # The acceptor must not have noticed a crowd before the newcomer.
    time.sleep(0.6)
    question = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    # Its last byte apart, so that the worker has read the rest, and then nothing but work for a while.
    connections[0].send(work[:-1])
    time.sleep(0.3)
    connections[0].send(work[-1:])
    time.sleep(0.002)
    for connection in connections:
        connection.send(question)
    newcomer = daemon.connect()
    newcomer.send(question)
    answers = is_answered(connections[0], 400) + sum(is_answered(connection) for connection in [*connections, newcomer])
    check(f"{callers} connections and a new one: all are answered", answers == callers + 2, answers)
    for connection in [*connections, newcomer]:
        connection.close()
    check(f"{callers} connections and a new one: the daemon ends with 0", daemon.end() == 0)
finish()
