#!/usr/bin/env -S python3 -B
"""SIGTERM and SIGKILL under load, again and again, each time at another moment. After SIGTERM every connected caller is answered, and no
token is spent without an answer; after SIGKILL and a new start at once, what was answered VALID_TOKEN never is again. Every verdict is
known in advance.

On a UNIX socket a request that send(2) took whole is in the daemon's hands: it has to be answered, on a connection that
was just made as on one that was kept. What send(2) refused was not read, and the token is good elsewhere.

  ends-under-load.py [drains] [kills]     both, where none is named
"""

import random
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, post
from daemon import Daemon
from load import Load
from scenario import IS_LONG, check, count, finish, until
from tokens import Signer

DRAINS, KILLS = (100, 200) if IS_LONG else (20, 25)
TOKENS = {"drain": 150_000, "kill": 400_000} if IS_LONG else {"drain": 30_000, "kill": 50_000}
# More than the daemon accepts in one turn, so that it learns of its end while they wait in the backlog.
WAITING = 300
CALLERS = 7
signer = Signer()


def again_and_again(what, number, daemon, load, end):
    """Ends the daemon so often, and starts it again, while tokens are granted."""
    quiet_rounds = 0
    with load:
        for _ in range(number):
            granted = len(load.granted)
            load.wait_for(50)
            time.sleep(random.random() * 0.2)
            quiet_rounds += not until(60, lambda: len(load.granted) > granted)
            end()
            daemon.start()
        load.wait_for(50)
    count(f"{number} times a {what}; answers {dict(load.answers)}; {load.cut_off} questions were cut off")
    check(f"tokens were granted before every {what}", quiet_rounds == 0, quiet_rounds)
    check(f"with a {what} again and again every answer is the one that was known in advance",
          not load.wrong and load.total() > number * 50, load.wrong[:5])
    again = load.granted_again()
    check(f"with a {what} again and again none of {len(load.granted)} granted tokens is valid once more",
          load.granted and again == 0, again)


def drains():
    daemon = Daemon(signer, capacity=2 * (TOKENS["drain"] + WAITING * DRAINS)).start()
    statuses, longest, left_behind = [], 0.0, []
    waiting_tokens = iter(signer.issue(WAITING * DRAINS))

    def ask_while_stopped():
        """Connections in the backlog of a daemon that is stopped, each with its question."""
        connections = []
        daemon.tell(signal.SIGSTOP)
        for _ in range(WAITING):
            connections.append(daemon.connect())
            connections[-1].send(post(next(waiting_tokens)))
        return connections

    def end():
        nonlocal longest
        connections = ask_while_stopped()
        begun = time.monotonic()
        daemon.tell(signal.SIGTERM)
        daemon.tell(signal.SIGCONT)
        statuses.append(daemon.end(0))
        longest = max(longest, time.monotonic() - begun)
        for connection in connections:
            with connection:
                try:
                    if connection.receive().status != 200:
                        left_behind.append("not valid")
                except Unanswered as error:
                    left_behind.append(str(error))

    load = Load(daemon.socket, signer.mixed(TOKENS["drain"]), new=8, vanishing=1, hesitation=0.3)
    again_and_again("drain", DRAINS, daemon, load, end)
    stopped = daemon.events("stopped")
    count(f"the longest drain took {longest:.2f} s; {load.ended} kept connections ended between two questions; "
          f"{len(load.vanished)} callers did not wait")
    check(f"{DRAINS} times SIGTERM, exit 0", statuses == [0] * DRAINS, statuses)
    check("no connection was cut by a drain, says the log",
          len(stopped) == DRAINS and all(line["message"].startswith("0 ") for line in stopped), stopped[:3])
    check(f"all of {WAITING * DRAINS} questions in the backlog are answered", not left_behind, (len(left_behind), left_behind[:3]))
    check("every new connection took its question before a drain ended it", not load.dropped, load.dropped[:5])
    check("every question that went out whole before a drain was answered", load.cut_off == 0, load.cut_off)
    lost = load.spent_among(load.unanswered)
    check("no token is spent without an answer", lost == 0, lost)
    count(f"of {len(load.vanished)} tokens whose caller did not wait {load.spent_among(load.vanished)} are spent")
    check("the daemon ends with 0 after all drains", daemon.is_alive() and daemon.end() == 0)


def kills():
    daemon = Daemon(signer, "killed", table="killed.table", capacity=2 * TOKENS["kill"]).start()
    load = Load(daemon.socket, signer.mixed(TOKENS["kill"]), kept=4, new=CALLERS - 4, pause=0.001)
    again_and_again("kill", KILLS, daemon, load, lambda: daemon.end(signal.SIGKILL))
    check("kills hit questions under way", load.cut_off > 0)
    lost = load.spent_among(load.unanswered)
    count(f"of {len(load.unanswered)} good tokens without an answer {lost} are spent")
    check("a kill loses no more tokens than callers asked about", lost <= KILLS * CALLERS, lost)
    check("the daemon ends with 0 after all kills", daemon.end() == 0)


for kind in sys.argv[1:] or ("drains", "kills"):
    {"drains": drains, "kills": kills}[kind]()
finish()
