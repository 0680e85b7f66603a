#!/usr/bin/env -S python3 -B
"""SIGHUP under load, again and again, every fourth time with a configuration that cannot be used: no verdict is wrong, and no
connection ends. What changes between two reloads does not affect the verdicts, which are known in advance."""

import json
import os
import signal
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from load import Load
from scenario import IS_LONG, check, count, finish, until
from tokens import Signer

RELOADS = 1000 if IS_LONG else 100
TOKENS = 100_000 if IS_LONG else 20_000
signer, other = Signer(), Signer("other")
daemon = Daemon(signer, capacity=2 * TOKENS).start()
first = daemon.settings
second = first | {
    "keys": [other.keys, signer.keys],
    "allowRSA1024": [other.fingerprint, signer.fingerprint],
    "tenants": [{"requestor": "SECOND", "resources": ["TNT"]}, {"requestor": "REF30", "resources": ["TNT", "TBS"]}],
    "log": {"verdicts": "all", "linesPerSecond": 5},
    "limits": {"bodyBytes": 100_000},
}
missed = []

with Load(daemon.socket, signer.mixed(TOKENS)) as load:
    load.wait_for(50)
    file = open(daemon.log)
    seen = {"reloaded": 0, "reload-failed": 0}

    def look():
        for line in file:
            for event in seen:
                seen[event] += f'"event":"{event}"' in line
        return sum(seen.values())

    for number in range(RELOADS):
        if number % 4 == 3:
            daemon.write(json.dumps(first | {"keys": [daemon.table]}))
        else:
            daemon.write(json.dumps(second if number % 2 else first))
        before = look()
        daemon.tell(signal.SIGHUP)
        if not until(60, lambda: look() > before):
            missed.append(number)
    file.close()
    load.wait_for(50)

count(f"{RELOADS} reloads: {seen}; answers {dict(load.answers)}")
check("every signal was followed by a reload or by a log line that says why not", not missed, missed)
check("at least a quarter of the reloads failed as wanted, and at least three quarters succeeded",
      seen["reload-failed"] >= RELOADS // 4 and seen["reloaded"] >= RELOADS * 3 // 4, seen)
check("every answer is the one that was known in advance", not load.wrong and load.total() > RELOADS, load.wrong[:5])
check("no connection was dropped during reloads", load.ended == 0 and not load.dropped and load.cut_off == 0,
      (load.ended, load.dropped[:3], load.cut_off))
again = load.granted_again()
check(f"none of {len(load.granted)} tokens granted during reloads is valid once more", load.granted and again == 0, again)
check("the same process answers after all reloads", daemon.is_alive() and daemon.is_ready() and os.path.exists(daemon.socket))
check("the daemon ends with 0 after all reloads", daemon.end() == 0)
finish()
