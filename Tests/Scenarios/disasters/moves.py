#!/usr/bin/env -S python3 -B
"""Disasters that happen to nodes and hosts while three daemons move from one fleet to the next, with a ledger: no token plays twice, every
kind must have happened, and some tokens must have been refused.

  moves.py [--rounds N | --long] [--kinds NAME,…] [--control]

Tokens are asked for on one host or on all, by several callers at once, and again later. Hosts' clocks are 8 s apart. `--control` shows that doubles are found
here: its hosts go from one fleet to the next one by one, without having both."""

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
from databases import Database
from nodes import SERVER, Node, Refused
from processes import MEDIATOKEN
from scenario import check, finish, needs, path, until
from servers import set_clock, with_clock
from tokens import Signer

#: By their clocks tokens are ahead of some hosts, and old for others.
MAX_TTL, AHEAD, CLOCKS = 9, 6, (-4, 0, 4)
TENANTS = [{"requestor": "REF30", "maxTTLMilliseconds": MAX_TTL * 1000, "futureToleranceMilliseconds": AHEAD * 1000}]
FLOOR, LIFE = AHEAD + 12, MAX_TTL + 1
#: A database that no host has maintained for so long begins anew: not on a busy machine between its initialisation and the first step.
GRACE = 15
#: When hosts get both fleets, while all of them have both, and when they get the new one alone.
MOMENTS = ("joining", "joint", "ending")
FLEET = {"deadlineMilliseconds": 250}


class Pair:
    """A database of one fleet, and its standby."""

    def __init__(self, fleet):
        self.fleet, self.claims = fleet, f'"mp3_{fleet}".claim'
        self.primary = Database(fleet).start()
        self.standby = Database(fleet + "-standby", copy_of=self.primary).start()
        self.address = ",".join(f"{member.sockets}:{member.port}" for member in (self.primary, self.standby)) + "/postgres"

    def flush(self):
        self.primary.sql(f"DELETE FROM {self.claims}")

    def fail_over(self):
        """What is claimed during the last seconds is lost."""
        self.standby.lag()
        lost = [int(member.sql(f"SELECT count(*) FROM {self.claims}")) for member in (self.primary, self.standby)]
        self.primary.kill()
        self.standby.promote()
        self.primary = self.standby
        if lost[0] <= lost[1]:
            raise RuntimeError(f"the standby has all claims: {lost}")

    def kill(self):
        self.primary.kill()


def flushed(nodes):
    for node in nodes:
        if isinstance(node, Pair):
            node.flush()
            continue
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


def database_fails_over(world):
    """The host that has it alone is the only one that was asked for what is lost."""
    world.asked = world.moved
    world.new[0].fail_over()
    world.asked = world.hosts


#: With each the moments at which it strikes.
KINDS = {old_node_flushed: MOMENTS, old_fleet_flushed: MOMENTS, new_node_flushed: MOMENTS, new_fleet_flushed: MOMENTS, node_killed_and_empty: MOMENTS,
         new_fleet_restarted: ("ending",), nodes_frozen: MOMENTS, host_killed: MOMENTS, host_sleeps: ("joining", "ending"), database_fails_over: ("ending",)}


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
        self.replay = self.memory(self.old)
        self.hosts = [Daemon(signer, f"{name}-host-{number}", replay=self.replay, tenants=TENANTS) for number in range(3)]
        self.moved, self.asked = [], self.hosts
        for host, clock in zip(self.hosts, CLOCKS):
            set_clock(path(host.name + ".clock"), clock)
            self.launch(host)

    def launch(self, host):
        host.start_unready(env=with_clock(path(host.name + ".clock")))

    def memory(self, nodes):
        """The fleet of these nodes; each is another one."""
        if isinstance(nodes[0], Pair):
            return {"address": f"postgres:{nodes[0].fleet}@{nodes[0].address}", "fleet": FLEET | {"graceSeconds": GRACE}}
        return {"address": f"redis:{self.next_name()}@" + ",".join(node.address for node in nodes), "fleet": FLEET}

    def next_name(self):
        self.number += 1
        return f"{self.name}-{self.number}"

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
        """New tokens on one host or on all, by up to six callers at once, and those of the last seconds again on one."""
        recent = deque()
        with concurrent.futures.ThreadPoolExecutor(12) as callers:
            while not self.ends:
                fresh = self.signer.issue(4, ttl=MAX_TTL * 1000)
                recent.extend((time.monotonic(), token) for token in fresh)
                while recent and recent[0][0] < time.monotonic() - LIFE - 5:
                    recent.popleft()
                asked = self.asked
                asks = [(host, token) for token in fresh for host in random.choices(
                    random.sample(asked, random.choice((1, len(asked)))), k=random.choice((1, 3, 6)))]
                asks += [(random.choice(asked), token) for _, token in random.sample(recent, min(12, len(recent)))]
                list(callers.map(self.ask, asks))

    def ask(self, question):
        """As a player does, which asks again if there is no verdict."""
        host, token = question
        for _ in range(3):
            try:
                with host.connect(timeout=2) as connection:
                    said = verdict(connection.ask(token))
            except (Unsent, Unanswered, OSError):
                said = "unanswered"
            self.ledger.note(token, said)
            if said not in ("REPLAY_MEMORY_UNAVAILABLE", "unanswered"):
                return

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
            raise RuntimeError(f"{host.name} does not move: {(host.events('moving') + host.events('reload-failed'))[-3:]}")

    def initialise(self, replay):
        """The highest floor."""
        with open(path(f"{self.name}-next.json"), "w") as file:
            json.dump(self.hosts[1].settings | {"replay": replay}, file)

        def command(word):
            said.append(subprocess.run([MEDIATOKEN, "replay", word, "--config", file.name], capture_output=True, text=True))
            return said[-1]

        said = []
        if isinstance(self.new[0], Pair):
            self.new[0].primary.sql(command("schema").stdout)
        if not until(60, lambda: command("init").returncode == 0):
            raise RuntimeError(f"{said[-1].stdout}{said[-1].stderr}")
        return max(int(second) for second in re.findall(r"from: (\d+)", said[-1].stdout))

    def round(self, kind):
        self.new = [Pair(self.next_name())] if kind is database_fails_over else random.sample(self.nodes, 3)
        new = self.memory(self.new)
        last, moment = self.initialise(new), random.choice(KINDS[kind])
        print(f"{self.name}: {kind.__name__}, {moment}", flush=True)
        if self.joins:
            both = new | {"address": {"from": self.replay["address"], "to": new["address"], "until": last, "fleet": self.replay["fleet"]}}
            self.step(kind, moment == "joining", lambda host: self.reload(host, both, "two fleets are asked"))
            joined = time.time()
            time.sleep(1)
            if moment == "joint":
                self.strike(kind)
            floor = GRACE + 21 if isinstance(self.old[0], Pair) else FLOOR
            time.sleep(max(0, max(last, joined + floor) + LIFE - time.time()) + 1)
            self.step(kind, moment == "ending", lambda host: self.reload(host, new, "the new fleet alone"))
        else:
            time.sleep(max(0, last - time.time()))
            self.step(kind, moment == "ending", lambda host: self.exchange(host, new))
        self.ledger.kinds[kind.__name__] += 1
        for node in self.old:
            if isinstance(node, Pair):
                node.kill()
        self.old, self.replay = self.new, new

    def exchange(self, host, replay):
        """Until it grants: a database that was not maintained begins anew."""
        host.configure(replay=replay)
        host.end(signal.SIGKILL)
        self.launch(host)
        until(60, host.is_ready)

    def step(self, kind, is_struck, move):
        """One host after the other, and the disaster after the first."""
        self.moved = []
        for host in random.sample(self.hosts, 3):
            if len(self.moved) == 1 and is_struck:
                self.strike(kind)
            move(host)
            self.moved = self.moved + [host]
            time.sleep(1)

    def strike(self, kind):
        if heal := kind(self):
            threading.Timer(3, heal).start()


class Deck:
    """Every kind once, in an order of chance, and then again."""

    def __init__(self, kinds, rounds):
        self.kinds, self.rest, self.left, self.lock = kinds, rounds, [], threading.Lock()

    def draw(self):
        with self.lock:
            self.rest -= 1
            self.left = self.left or random.sample(self.kinds, len(self.kinds))
            return self.left.pop() if self.rest >= 0 else None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int)
    options.add_argument("--long", action="store_true")
    options.add_argument("--kinds")
    options.add_argument("--control", action="store_true")
    options = options.parse_args()
    needs(SERVER)
    kinds = [kind for kind in KINDS if not options.kinds or kind.__name__ in options.kinds.split(",")]
    rounds = options.rounds or (100 if options.long else 3 if options.control else len(kinds))
    signer, ledger, deck = Signer(), Ledger(), Deck(kinds, rounds)
    worlds = [World(name, signer, ledger, deck, not options.control) for name in ("a", "b", "c", "d")[:rounds]]
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
        check("every kind of disaster happened", not (missing := [kind.__name__ for kind in kinds if not ledger.kinds[kind.__name__]]), missing)
        check("no token played twice", ledger.doubles == 0, ledger.doubles)
        for answer in ("VALID_TOKEN", "TOKEN_REPLAYED", "TOKEN_PREDATES_REPLAY_MEMORY", "REPLAY_MEMORY_UNAVAILABLE"):
            check(f"some tokens were {answer}", ledger.answers[answer] > 0)
    for world in worlds:
        check(f"the hosts of {world.name} still run", all(host.is_alive() for host in world.hosts))
    finish()


main()
