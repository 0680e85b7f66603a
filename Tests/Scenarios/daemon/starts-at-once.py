#!/usr/bin/env -S python3 -B
"""Many daemons that start at once at one place: one serves. What a daemon finds at the path of its socket is ListeningSocketTests'; a socket
that a killed one left, ends-under-load.py's; a table that is lost, ReloadTests' and the runbooks'."""

import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from scenario import IS_LONG, check, finish, path, until
from tokens import Signer

ROUNDS = 100 if IS_LONG else 10
RACERS = 4
signer, alone = Signer(), 0
for number in range(ROUNDS):
    place = {"path": path(f"race{number}.sock"), "mode": "0600"}
    daemons = [Daemon(signer, f"racer{number}-{index}", table="race.table", socket=place) for index in range(RACERS)]
    threads = [threading.Thread(target=daemon.spawn) for daemon in daemons]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(60, lambda: sum(daemon.is_alive() for daemon in daemons) <= 1)
    winners = [daemon for daemon in daemons if daemon.is_alive()]
    alone += len(winners) == 1 and until(60, winners[0].is_ready)
    losers = [daemon for daemon in daemons if daemon not in winners]
    check("those that lose end with 3, and name the socket", all(
        daemon.end() == 3 and place["path"] in daemon.said() for daemon in losers), [daemon.said()[-300:] for daemon in losers])
    for daemon in winners:
        daemon.end()
check(f"{ROUNDS} times {RACERS} daemons start at one place: one serves", alone == ROUNDS, alone)
finish()
