#!/usr/bin/env -S python3 -B
"""SIGTERM under load, again and again, each time at another moment: every connected caller is answered, and no token is spent
without an answer. Every verdict is known in advance.

On a UNIX socket a request that send(2) took whole is in the daemon's hands: it has to be answered, on a connection that
was just made as on one that was kept. What send(2) refused was not read, and the token is good elsewhere.
"""

import random
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, post
from daemon import Daemon
from load import Load
from scenario import IS_LONG, check, count, finish
from tokens import Signer

DRAINS = 100 if IS_LONG else 20
TOKENS = 150_000 if IS_LONG else 30_000
# More than the daemon accepts in one turn, so that it learns of its end while they wait in the backlog.
WAITING = 300
signer = Signer()
daemon = Daemon(signer, capacity=2 * (TOKENS + WAITING * DRAINS)).start()
statuses, quiet_rounds, longest, left_behind = [], 0, 0.0, []
waiting_tokens = iter(signer.issue(WAITING * DRAINS))


def ask_while_stopped():
    """Connections in the backlog of a daemon that is stopped, each with its question."""
    connections = []
    daemon.tell(signal.SIGSTOP)
    for _ in range(WAITING):
        connections.append(daemon.connect())
        connections[-1].send(post(next(waiting_tokens)))
    return connections


def count_left_behind(connections):
    for connection in connections:
        with connection:
            try:
                if connection.receive().status != 200:
                    left_behind.append("not valid")
            except Unanswered as error:
                left_behind.append(str(error))



with Load(daemon.socket, signer.mixed(TOKENS), new=8, vanishing=1, hesitation=0.3) as load:
    for _ in range(DRAINS):
        granted = len(load.granted)
        load.wait_for(50)
        time.sleep(random.random() * 0.2)
        quiet_rounds += len(load.granted) == granted
        connections = ask_while_stopped()
        begun = time.monotonic()
        daemon.tell(signal.SIGTERM)
        daemon.tell(signal.SIGCONT)
        statuses.append(daemon.end(0))
        longest = max(longest, time.monotonic() - begun)
        count_left_behind(connections)
        daemon.start()
    load.wait_for(50)

stopped = daemon.events("stopped")
count(f"{DRAINS} drains, the longest {longest:.2f} s; answers {dict(load.answers)}")
count(f"{load.ended} kept connections ended between two questions; {len(load.vanished)} callers did not wait")
check(f"{DRAINS} times SIGTERM, exit 0", statuses == [0] * DRAINS, statuses)
check("no connection was cut, says the log",
      len(stopped) == DRAINS and all(line["message"].startswith("0 ") for line in stopped), stopped[:3])
check("tokens were granted before every drain", quiet_rounds == 0, quiet_rounds)
check("every answer is the one that was known in advance", not load.wrong and load.total() > DRAINS * 50, load.wrong[:5])
check(f"all of {WAITING * DRAINS} questions in the backlog are answered", not left_behind,
      (len(left_behind), left_behind[:3]))
check("every new connection took its question", not load.dropped, load.dropped[:5])
check("every question that went out whole was answered", load.cut_off == 0, load.cut_off)
again = load.granted_again()
check(f"none of {len(load.granted)} granted tokens is valid once more", load.granted and again == 0, again)
lost = load.spent_among(load.unanswered)
check("no token is spent without an answer", lost == 0, lost)
count(f"of {len(load.vanished)} tokens whose caller did not wait {load.spent_among(load.vanished)} are spent")
check("the daemon ends with 0 after all drains", daemon.is_alive() and daemon.end() == 0)
finish()
