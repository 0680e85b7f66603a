#!/usr/bin/env -S python3 -B
"""SIGKILL under load and a new start at once, again and again: what was answered VALID_TOKEN never is again."""

import random
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from load import Load
from scenario import IS_LONG, check, count, finish
from tokens import Signer

KILLS = 200 if IS_LONG else 25
TOKENS = 400_000 if IS_LONG else 50_000
CALLERS = 7
signer = Signer()
daemon = Daemon(signer, capacity=2 * TOKENS).start()
quiet_rounds = 0

with Load(daemon.socket, signer.mixed(TOKENS), kept=4, new=CALLERS - 4, pause=0.001) as load:
    for _ in range(KILLS):
        granted = len(load.granted)
        load.wait_for(50)
        time.sleep(random.random() * 0.2)
        quiet_rounds += len(load.granted) == granted
        daemon.end(signal.SIGKILL)
        daemon.start()
    load.wait_for(50)

count(f"{KILLS} kills; answers {dict(load.answers)}; {load.cut_off} questions were cut off")
check("tokens were granted before every kill", quiet_rounds == 0, quiet_rounds)
check("kills hit questions under way", load.cut_off > 0)
check("every answer is the one that was known in advance", not load.wrong and load.total() > KILLS * 50, load.wrong[:5])
again = load.granted_again()
check(f"none of {len(load.granted)} granted tokens is valid once more", load.granted and again == 0, again)
lost = load.spent_among(load.unanswered)
count(f"of {len(load.unanswered)} good tokens without an answer {lost} are spent")
check("a kill loses no more tokens than callers asked about", lost <= KILLS * CALLERS, lost)
check("the daemon ends with 0 after all kills", daemon.end() == 0)
finish()
