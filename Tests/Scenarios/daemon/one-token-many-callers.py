#!/usr/bin/env -S python3 -B
"""The same token by eight callers at once, again and again, and by callers of two daemons on one table: exactly one 200.

Half of the rounds race on connections that were used before, half on new ones.
"""

import sys
import threading
from collections import Counter

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import IS_LONG, check, count, finish
from tokens import Signer

CALLERS = 8
ROUNDS = 2000 if IS_LONG else 50
signer = Signer()


def race(daemons, text):
    """All callers ask about one token: what they were told."""
    told = [None] * CALLERS
    gate = threading.Barrier(CALLERS)

    def call(number):
        daemon = daemons[number % len(daemons)]
        try:
            with daemon.connect() as connection:
                if number % 4 < 2:
                    connection.get("/livez")
                gate.wait()
                answer = connection.ask(text)
                told[number] = (answer.status, verdict(answer))
        except Exception as error:  # Whatever it is belongs in the report.
            # The others must not wait for a caller that does not come.
            gate.abort()
            told[number] = repr(error)

    threads = [threading.Thread(target=call, args=[number]) for number in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def rounds(name, daemons):
    wrong, answers = [], Counter()
    for token in signer.good(ROUNDS):
        told = race(daemons, token.text)
        answers.update(told)
        if Counter(told) != {(200, "VALID_TOKEN"): 1, (403, "TOKEN_REPLAYED"): CALLERS - 1}:
            wrong.append(told)
    count(f"{name}: {ROUNDS} rounds of {CALLERS} callers: {dict(answers)}")
    check(f"{name}: exactly one of {CALLERS} callers gets 200, in {ROUNDS} rounds", not wrong, wrong[:2])
    answered = sum(number for answer, number in answers.items() if isinstance(answer, tuple))
    check(f"{name}: every caller was answered", answered == ROUNDS * CALLERS, answers)


one = Daemon(signer, "one").start()
rounds("one daemon", [one])
two = Daemon(signer, "two").start()
rounds("two daemons on one table", [one, two])
check("both daemons on one table granted tokens", one.spent() > ROUNDS and two.spent() > 0, (one.spent(), two.spent()))
check("both daemons on one table end with 0", (one.end(), two.end()) == (0, 0))
finish()
