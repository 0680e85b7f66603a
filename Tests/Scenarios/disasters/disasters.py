#!/usr/bin/env -S python3 -B
"""Disasters that happen to the nodes and hosts of four fleets while every host claims every token, with a ledger: no token may be
a first use twice, every kind must have happened, and some of all that should be refused must have been.

  disasters.py [--rounds N | --long] [--daemons | --control]

MEDIATOKEN_NODE_SERVER names a program in place of redis-server; `--daemons` has daemons for hosts, and signed tokens;
`--control` shows that doubles are found here: its hosts use `SET NX PX` and count the majority."""

import argparse
import os
import random
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemons import DaemonHost
from fleet import Fleet
from hosts import Host, PlainHost
from kinds import KINDS
from ledger import Ledger
from scenario import check, finish, needs
from nodes import SERVER
from tokens import Signer


class Deck:
    """Every kind once, in an order of chance, and then again."""

    def __init__(self, kinds, rounds):
        self.kinds, self.left, self.rest, self.lock = kinds, [], rounds, threading.Lock()

    def draw(self):
        with self.lock:
            if self.rest == 0:
                return None
            self.rest -= 1
            self.left = self.left or random.sample(self.kinds, len(self.kinds))
            return self.left.pop()


def run(fleet, deck, broken):
    try:
        while kind := deck.draw():
            print(f"{fleet.name}: {kind.__name__}", flush=True)
            fleet.round(kind)
    except Exception as error:
        broken.append(f"{fleet.name}: {type(error).__name__}: {error}")
        raise


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int)
    options.add_argument("--long", action="store_true")
    options.add_argument("--daemons", action="store_true")
    options.add_argument("--control", action="store_true")
    options = options.parse_args()
    needs(SERVER)
    rounds = options.rounds or (1100 if options.long else len(KINDS) if options.control else 2 * len(KINDS))
    ledger, broken = Ledger(), []
    started = time.monotonic()
    if options.daemons:
        DaemonHost.signer = Signer()
    host = PlainHost if options.control else DaemonHost if options.daemons else Host
    fleets = [Fleet(nodes, ledger, host) for nodes in (1, 3, 4, 5)]
    deck = Deck(KINDS, rounds)
    threads = [threading.Thread(target=run, args=(fleet, deck, broken)) for fleet in fleets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    judge(options, ledger, fleets, broken, time.monotonic() - started)
    finish()


def judge(options, ledger, fleets, broken, seconds):
    print(f"{sum(ledger.kinds.values())} disasters in {seconds:.0f} s on {os.path.basename(SERVER)}")
    print("kinds:", ", ".join(f"{kind} {count}" for kind, count in sorted(ledger.kinds.items())))
    print("answers:", ", ".join(f"{answer} {count}" for answer, count in ledger.answers.most_common()))
    print(f"after too few nodes: decided again within {max(ledger.waited, default=0):.1f} s")
    print(f"tokens: {ledger.tokens} were a first use, {len(ledger.doubles)} grants too many"
          + "".join(f", {count} in {fleet}" for fleet, count in sorted(ledger.doubles_in.items())))
    for double in ledger.doubles[:10]:
        print("  granted twice:", double)
    check("every round was played to its end", not broken, "; ".join(broken))
    missing = [kind.__name__ for kind in KINDS if not ledger.kinds[kind.__name__]]
    check("every kind of disaster happened", not missing, ", ".join(missing))
    check("some tokens were a first use", ledger.tokens > 0)
    if options.control:
        check("the usual answer grants tokens twice, and this finds it", ledger.doubles)
        return
    check("no token was granted twice", not ledger.doubles)
    answers = ledger.answers
    check("some were refused because nodes had forgotten", answers["predates"] > 0)
    check("some were refused because they had been used", answers["used"] > 0)
    if not options.daemons:
        check("some requests were known again", answers["retry"] > 0)
    check("some could not be decided", answers["error REPLAY_MEMORY_UNAVAILABLE"] > 0)
    for fleet in fleets:
        gone = [host for host in fleet.hosts if host.process.poll() is not None]
        check(f"the hosts of {fleet.name} still run", not gone, "; ".join(host.complaint() for host in gone))


main()
