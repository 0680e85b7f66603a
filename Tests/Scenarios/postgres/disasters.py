#!/usr/bin/env -S python3 -B
"""Disasters that happen to real servers of PostgreSQL while every host claims every token, with a ledger: no token may be a first
use twice, and the usual statement, INSERT … ON CONFLICT DO NOTHING, which is asked next to it, must grant some twice.

  disasters.py [--rounds N | --long] [--kinds NAME,…] [--seed N] [--daemons]

Without options a few kinds by chance, of the seed that it prints. The hosts are the program `spend`, or daemons."""

import argparse
import atexit
import collections
import random
import sys
import threading
import time

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from clusters import PROGRAMS
from daemons import DaemonHost
from kinds import HARMLESS, KINDS
from pair import CHOSEN, Pair, SpendingHost
from scenario import check, finish, needs
from tokens import Signer

NAMES = {kind.__name__: kind for kind in KINDS}


class Daemons(DaemonHost):
    scheme, settings = "postgres:", CHOSEN


def deal(options):
    """Which kinds are played: in short one that loses nothing and two that do; each, in an order of chance, as often as wanted."""
    if options.kinds:
        return [NAMES[name] for name in options.kinds.split(",")] * (options.rounds or 1)
    harmful = [kind for kind in KINDS if kind not in HARMLESS]
    if not options.long and options.rounds is None:
        return [*random.sample(harmful, 2), random.choice(HARMLESS)]
    kinds = []
    while len(kinds) < (options.rounds or 1000):
        kinds += random.sample(KINDS, len(KINDS))
    return kinds[:options.rounds or 1000]


class Table:
    """By kind: rounds, tokens granted and granted twice, and the same for the usual statement."""

    def __init__(self):
        self.rows, self.broken, self.lock = collections.defaultdict(lambda: [0] * 5), [], threading.Lock()

    def play(self, fleet, deck):
        try:
            while kind := deck.pop() if deck else None:
                before = fleet.counts()
                fleet.round(kind)
                counts = [1] + [now - then for now, then in zip(fleet.counts(), before)]
                with self.lock:
                    name = kind.__name__ + (", unlogged" if fleet.is_unlogged else "")
                    self.rows[name] = [old + new for old, new in zip(self.rows[name], counts)]
                print(f"{fleet.name}: {name}: granted {counts[1]}, {counts[2]} twice; naively {counts[3]}, {counts[4]} twice",
                      flush=True)
                for double in fleet.ledger.doubles[len(fleet.ledger.doubles) - counts[2]:]:
                    print("  granted twice:", double, flush=True)
        except Exception as error:
            self.broken.append(f"{fleet.name}: {kind.__name__}: {type(error).__name__}: {error}")

    def show(self):
        for name, (rounds, granted, twice, naive, naive_twice) in sorted(self.rows.items()):
            print(f"  {name}: {rounds} rounds, granted {granted}, {twice} twice; naively {naive}, {naive_twice} twice")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int)
    options.add_argument("--long", action="store_true")
    options.add_argument("--kinds")
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--daemons", action="store_true")
    options = options.parse_args()
    needs(str(PROGRAMS / "initdb"), "/usr/sbin/pgbouncer", "gcc")
    random.seed(options.seed)
    if options.daemons:
        DaemonHost.signer = Signer()
    deck, table, started = deal(options), Table(), time.monotonic()
    print(f"seed {options.seed}: {len(deck)} rounds, {', '.join(sorted({kind.__name__ for kind in deck}))}", flush=True)
    fleets = []
    for number in range(min(3, len(deck))):
        fleets.append(Pair(f"proof-{number}", Daemons if options.daemons else SpendingHost, unlogged=number == 2))
        atexit.register(fleets[-1].end)
    threads = [threading.Thread(target=table.play, args=(fleet, deck)) for fleet in fleets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    judge(options, fleets, table, time.monotonic() - started)
    finish()


def judge(options, fleets, table, seconds):
    rounds, granted, twice, naive, naive_twice = (sum(column) for column in zip(*table.rows.values())) if table.rows else [0] * 5
    print(f"{rounds} disasters in {seconds:.0f} s on {PROGRAMS.parent.name}")
    table.show()
    answers = sum((fleet.ledger.answers for fleet in fleets), collections.Counter())
    print("answers:", ", ".join(f"{answer} {count}" for answer, count in answers.most_common()))
    check("every round was played to its end", not table.broken, "; ".join(table.broken))
    check(f"{granted} tokens were granted, none twice", granted > 0 and twice == 0, twice)
    check(f"the usual statement granted {naive}, {naive_twice} of them twice", naive_twice > 0)
    check("some were refused because they had been used", answers["used"] > 0)
    check("some were refused because the node had forgotten", answers["predates"] > 0)
    if not options.daemons:
        check("some requests were known again", answers["retry"] > 0)
    for fleet in fleets:
        gone = [host for host in fleet.hosts if host.process.poll() is not None]
        check(f"the hosts of {fleet.name} still run", not gone and not fleet.notes,
              "; ".join(fleet.notes + [host.complaint() for host in gone]))


main()
