#!/usr/bin/env -S python3 -B
"""Disasters that happen to nodes and hosts while three daemons move from one fleet to the next, with a ledger: no token plays twice, every
kind must have happened, and some tokens must have been refused.

  moves.py [--rounds N | --long] [--control]

Every token is asked for on all hosts at once, and again later. Hosts' clocks are 8 s apart. `--control` shows that doubles are found here:
its hosts go from one fleet to the next one by one, without having both."""

import argparse
import concurrent.futures
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, Unsent, verdict
from daemon import Daemon
from nodes import SERVER, Node, Refused
from processes import MEDIATOKEN
from scenario import check, finish, needs, path, until
from servers import set_clock, with_clock
from tokens import Signer

#: By their clocks tokens are ahead of some hosts, and old for others.
MAX_TTL, AHEAD, CLOCKS = 9, 6, (-4, 0, 4)
TENANTS = [{"requestor": "REF30", "maxTTLMilliseconds": MAX_TTL * 1000, "futureToleranceMilliseconds": AHEAD * 1000}]
FLOOR, LIFE = AHEAD + 12, MAX_TTL + 1
#: When hosts get both fleets, while all of them have both, and when they get the new one alone.
MOMENTS = ("joining", "joint", "ending")
FLEET = {"deadlineMilliseconds": 250}


def flushed(nodes):
    for node in nodes:
        try:
            node.ask("FLUSHALL")
        except (OSError, Refused):
            pass


def old_node_flushed(world):
    flushed(random.sample(world.old, 1))


def old_fleet_flushed(world):
    flushed(world.old)


def new_node_flushed(world):
    flushed(random.sample(world.new, 1))


def new_fleet_flushed(world):
    flushed(world.new)


def node_killed_and_empty(world):
    node = random.choice(world.nodes)
    node.kill()
    node.start()


def new_fleet_restarted(world):
    for node in world.new:
        node.kill()
    for node in world.new:
        node.start()


def nodes_frozen(world):
    nodes = random.sample(world.nodes, 2)
    for node in nodes:
        node.tell(signal.SIGSTOP)
    return lambda: [node.tell(signal.SIGCONT) for node in nodes]


def host_killed(world):
    host = random.choice(world.hosts)
    host.end(signal.SIGKILL)
    world.launch(host)


def host_sleeps(world):
    """It is told of the next step in its sleep."""
    host = random.choice(world.hosts)
    host.tell(signal.SIGSTOP)
    return lambda: host.tell(signal.SIGCONT)


#: With each the moments at which it strikes.
KINDS = {old_node_flushed: MOMENTS, old_fleet_flushed: MOMENTS, new_node_flushed: MOMENTS, new_fleet_flushed: MOMENTS, node_killed_and_empty: MOMENTS,
         new_fleet_restarted: ("ending",), nodes_frozen: MOMENTS, host_killed: MOMENTS, host_sleeps: ("joining", "ending")}


class Ledger:
    def __init__(self):
        self.lock, self.granted, self.answers, self.kinds = threading.Lock(), Counter(), Counter(), Counter()

    def note(self, token, answer):
        with self.lock:
            self.answers[answer] += 1
            self.granted[token] += answer == "VALID_TOKEN"

    @property
    def doubles(self):
        return sum(count > 1 for count in self.granted.values())


class World(threading.Thread):
    """Four processes, of which three are the nodes of a fleet, and three hosts, which move round after round."""

    def __init__(self, name, signer, ledger, deck, joins):
        super().__init__(daemon=True)
        self.name, self.signer, self.ledger, self.deck, self.joins = name, signer, ledger, deck, joins
        self.nodes = [Node(f"{name}-{number}", is_local=True).start() for number in range(4)]
        self.old, self.new, self.number, self.broken, self.ends = self.nodes[:3], [], 0, None, False
        self.replay = {"address": self.address(self.old), "fleet": FLEET}
        self.hosts = [Daemon(signer, f"{name}-host-{number}", replay=self.replay, tenants=TENANTS) for number in range(3)]
        for host, clock in zip(self.hosts, CLOCKS):
            set_clock(path(host.name + ".clock"), clock)
            self.launch(host)

    def launch(self, host):
        host.start_unready(env=with_clock(path(host.name + ".clock")))

    def address(self, nodes):
        self.number += 1
        return f"redis:{self.name}-{self.number}@" + ",".join(node.address for node in nodes)

    def run(self):
        load = threading.Thread(target=self.load)
        load.start()
        try:
            while (kind := self.deck.draw()) is not None:
                self.round(kind)
        except Exception as error:
            self.broken = f"{self.name}: {type(error).__name__}: {error}"
            raise
        finally:
            self.ends = True
            load.join()

    def load(self):
        """New tokens on all hosts at once, and those of the last seconds again on one."""
        recent = deque()
        with concurrent.futures.ThreadPoolExecutor(12) as callers:
            while not self.ends:
                fresh = self.signer.issue(4, ttl=MAX_TTL * 1000)
                recent.extend((time.monotonic(), token) for token in fresh)
                while recent and recent[0][0] < time.monotonic() - LIFE - 5:
                    recent.popleft()
                asks = [(host, token) for token in fresh for host in random.sample(self.hosts, 3)]
                asks += [(random.choice(self.hosts), token) for _, token in random.sample(recent, min(12, len(recent)))]
                list(callers.map(self.ask, asks))

    def ask(self, question):
        host, token = question
        try:
            with host.connect(timeout=2) as connection:
                said = verdict(connection.ask(token))
        except (Unsent, Unanswered, OSError):
            said = "unanswered"
        self.ledger.note(token, said)

    def reload(self, host, replay, words):
        """Until it has taken it; a host may be asked too early by its clock, or nodes may be away."""
        host.configure(replay=replay)

        def is_taken():
            before = len(host.events("reloaded")) + len(host.events("reload-failed"))
            host.tell(signal.SIGHUP)
            until(20, lambda: len(host.events("reloaded")) + len(host.events("reload-failed")) > before)
            said = host.events("moving")
            return said and said[-1]["message"].startswith(words)

        if not until(60, is_taken):
            raise RuntimeError(f"{host.name} does not move: {host.said()[-800:]}")

    def round(self, kind):
        self.new = random.sample(self.nodes, 3)
        new = {"address": self.address(self.new), "fleet": FLEET}
        with open(path(f"{self.name}-next.json"), "w") as file:
            json.dump(self.hosts[1].settings | {"replay": new}, file)
        said = []

        def is_initialised():
            said.append(subprocess.run([MEDIATOKEN, "replay", "init", "--config", file.name], capture_output=True, text=True))
            return said[-1].returncode == 0

        if not until(60, is_initialised):
            raise RuntimeError(f"{said[-1].stdout}{said[-1].stderr}")
        last = max(int(second) for second in re.findall(r"from: (\d+)", said[-1].stdout))
        moment = random.choice(KINDS[kind])
        print(f"{self.name}: {kind.__name__}, {moment}", flush=True)
        if self.joins:
            both = new | {"address": {"from": self.replay["address"], "to": new["address"], "until": last, "fleet": FLEET}}
            self.step(kind, moment == "joining", both, "two fleets are asked")
            joined = time.time()
            time.sleep(1)
            if moment == "joint":
                self.strike(kind)
            time.sleep(max(0, max(last, joined + FLOOR) + LIFE - time.time()) + 1)
            self.step(kind, moment == "ending", new, "the new fleet alone")
        else:
            time.sleep(max(0, last - time.time()))
            for host in self.hosts:
                host.configure(replay=new)
                host.end(signal.SIGKILL)
                self.launch(host)
                time.sleep(2)
        self.ledger.kinds[kind.__name__] += 1
        self.old, self.replay = self.new, new

    def step(self, kind, is_struck, replay, words):
        """One host after the other, and the disaster after the first."""
        hosts = random.sample(self.hosts, 3)
        for place, host in enumerate(hosts):
            if place == 1 and is_struck:
                self.strike(kind)
            self.reload(host, replay, words)
            time.sleep(1)

    def strike(self, kind):
        if heal := kind(self):
            threading.Timer(3, heal).start()


class Deck:
    """Every kind once, in an order of chance, and then again."""

    def __init__(self, rounds):
        self.rest, self.left, self.lock = rounds, [], threading.Lock()

    def draw(self):
        with self.lock:
            self.rest -= 1
            self.left = self.left or random.sample(list(KINDS), len(KINDS))
            return self.left.pop() if self.rest >= 0 else None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int)
    options.add_argument("--long", action="store_true")
    options.add_argument("--control", action="store_true")
    options = options.parse_args()
    needs(SERVER)
    rounds = options.rounds or (100 if options.long else 3 if options.control else len(KINDS))
    signer, ledger, deck = Signer(), Ledger(), Deck(rounds)
    worlds = [World(name, signer, ledger, deck, not options.control) for name in ("a", "b", "c")]
    for world in worlds:
        world.start()
    for world in worlds:
        world.join()
    print("kinds:", ", ".join(f"{kind} {count}" for kind, count in sorted(ledger.kinds.items())))
    print("answers:", ", ".join(f"{answer} {count}" for answer, count in ledger.answers.most_common()))
    print(f"tokens: {sum(count > 0 for count in ledger.granted.values())} played, {ledger.doubles} of them twice or more")
    check("every round was played to its end", not any(world.broken for world in worlds), [world.broken for world in worlds])
    if options.control:
        check("hosts that never have both fleets grant tokens twice, and this finds it", ledger.doubles > 0)
    else:
        check("every kind of disaster happened", not (missing := [kind.__name__ for kind in KINDS if not ledger.kinds[kind.__name__]]), missing)
        check("no token played twice", ledger.doubles == 0, ledger.doubles)
        for answer in ("VALID_TOKEN", "TOKEN_REPLAYED", "TOKEN_PREDATES_REPLAY_MEMORY", "REPLAY_MEMORY_UNAVAILABLE"):
            check(f"some tokens were {answer}", ledger.answers[answer] > 0)
    for world in worlds:
        check(f"the hosts of {world.name} still run", all(host.is_alive() for host in world.hosts))
    finish()


main()
