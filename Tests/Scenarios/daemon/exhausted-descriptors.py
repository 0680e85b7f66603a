#!/usr/bin/env python3
"""A daemon without a free descriptor: who is connected is answered, who is not waits, nothing spins, and when there are
descriptors again, everything goes on by itself."""

import resource
import signal
import sys
import time

sys.dont_write_bytecode = True

from claims import IS_LONG, claim, count, finish, until  # noqa: E402
from connection import Unanswered, post, verdict  # noqa: E402
from daemon import Daemon  # noqa: E402
from tokens import Signer  # noqa: E402

LIMIT, WAITING = 64, 200
ROUNDS = 50 if IS_LONG else 3
SECONDS = 2
signer = Signer()


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT))


daemon = Daemon(signer).start(preexec_fn=few_descriptors)
normal = daemon.open_descriptors()
wrong, answered, busiest, held_wrong = [], 0, 0.0, 0
for _ in range(ROUNDS):
    tokens = signer.issue(WAITING + LIMIT)
    # The last of these find no descriptor, and wait with the others.
    held = [daemon.connect() for _ in range(LIMIT)]
    claimed = until(5, lambda: daemon.open_descriptors() == LIMIT)
    waiting = []
    for text in tokens[:WAITING]:
        connection = daemon.connect()
        connection.send(post(text))
        waiting.append(connection)
    if not claimed:
        wrong.append(f"{daemon.open_descriptors()} descriptors")
    for text, connection in list(zip(tokens[WAITING:], held))[: LIMIT // 2]:
        answer = connection.ask(text)
        held_wrong += (answer.status, verdict(answer)) != (200, "VALID_TOKEN")
    cpu = daemon.cpu_seconds()
    time.sleep(SECONDS)
    busiest = max(busiest, (daemon.cpu_seconds() - cpu) / SECONDS)
    for connection in held:
        connection.close()
    for connection in waiting:
        try:
            answer = connection.receive()
            answered += (answer.status, verdict(answer)) == (200, "VALID_TOKEN")
        except Unanswered as error:
            wrong.append(str(error))
        connection.close()

count(f"{ROUNDS} rounds of {WAITING} callers behind {LIMIT} descriptors: {answered} answered, busiest {busiest:.3f} processors")
claim("all descriptors were taken, and nobody who waited was lost", not wrong, wrong[:5])
claim("who was connected was answered meanwhile", held_wrong == 0, held_wrong)
claim("everybody who waited has a verdict afterwards", answered == ROUNDS * WAITING, answered)
claim("waiting needs less than a tenth of a processor", busiest < 0.1, busiest)

held = [daemon.connect() for _ in range(LIMIT)]
until(5, lambda: daemon.open_descriptors() == LIMIT)
daemon.tell(signal.SIGHUP)
claim("a reload without descriptors fails and says so", until(5, lambda: len(daemon.events("reload-failed")) == 1))
claim("what was loaded before serves on", held[0].ask(signer.issue(1)[0]).status == 200)
for connection in held:
    connection.close()
claim("its descriptors come back", until(5, lambda: daemon.open_descriptors() <= normal + 1), daemon.open_descriptors())
daemon.tell(signal.SIGHUP)
claim("and then it works", until(5, lambda: len(daemon.events("reloaded")) == 1))
claim("it ends with 0", daemon.end() == 0)
finish()
