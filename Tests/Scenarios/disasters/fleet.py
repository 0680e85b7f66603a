"""A fleet under proof: its nodes, each at the end of a wire of its own, and its hosts."""

import random
import subprocess
import threading
import time

from daemons import DaemonHost
from hosts import MAX_TTL, Host, PlainHost, configured
from ledger import Claim, Token
from processes import MEDIATOKEN
from scenario import path
from servers import Server
from wires import Wire


class Node:
    def __init__(self, fleet, number):
        self.fleet, self.number = fleet, number
        self.servers = 0
        self.server = self.new_server()
        self.wire = Wire(self.server.path, path(f"{fleet.name}.node-{number}"), number)
        self.old = None

    def new_server(self):
        """Another process, to which nothing leads yet."""
        self.servers += 1
        return Server(f"{self.fleet.name}.server-{self.number}-{self.servers}")

    def lead_to(self, server):
        """The address leads to another process; the old one lives on while hosts may have connections to it."""
        self.fleet.retire(self.server)
        self.server, self.old = server, None
        self.wire.target = server.path


class Fleet:
    """`nodes` of them, and three hosts; with `host` another kind of hosts."""

    def __init__(self, nodes, ledger, host=Host):
        self.name, self.ledger, self.host = f"proof-{nodes}", ledger, host
        # With plain nodes nothing is refused after a loss, so nothing is waited for.
        self.retired, self.pace = [], 0 if host is PlainHost else 3.5
        self.nodes = [Node(self, number + 1) for number in range(nodes)]
        self.address = f"{self.name}@" + ",".join(node.wire.text for node in self.nodes)
        self.is_plain = host is PlainHost
        if not self.is_plain:
            self.initialise("redis:" + self.address)
        self.hosts = [self.new_host(number) for number in range(3)]
        self.older, self.victim, self.since = [], random.choice(self.nodes), time.monotonic()

    def initialise(self, place):
        self.command("init", place, "--fresh", "--timeout", "60000")

    @staticmethod
    def command(word, place, *options, **settings):
        """What `mediatoken replay` prints."""
        return subprocess.run([MEDIATOKEN, "replay", word, "--config", configured(place, **settings), *options], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    @property
    def votes(self):
        return len(self.nodes) // 2 + 1

    def keys(self, server):
        """Epoch and buckets; for the control, whatever there is."""
        return server.ask("KEYS", "*" if self.is_plain else "{mt2:" + self.name + "}:*")

    def new_host(self, number, clock=0):
        return self.host(f"{self.name}.host-{number + 1}", self.address, clock)

    def retire(self, server):
        self.retired.append((time.monotonic() + 8, server))

    def clear(self):
        for end, server in list(self.retired):
            if end < time.monotonic():
                self.retired.remove((end, server))
                server.kill()

    def choose(self):
        """The node that is struck: the same for a while, so that others may vote meanwhile."""
        if time.monotonic() - self.since > 20:
            self.victim, self.since = random.choice(self.nodes), time.monotonic()
        return random.choice(self.nodes) if random.random() < 0.1 else self.victim

    def fresh(self, count):
        now = int(time.time())
        if issubclass(self.host, DaemonHost):
            ages = [age for age in (-1, 0, 2, 20) for _ in range((count + 3) // 4)]
            times = {now - age: ages[:count].count(age) for age in ages[:count]}
            return [token for second, number in times.items() for token in self.host.tokens(second, number)]
        return [Token(now - random.choice((-1, 0, 0, 0, 1, 2, 5, 20)), MAX_TTL) for _ in range(count)]

    def claim(self, tokens, hosts=None):
        """Every host claims all of them, at once and each in an order of its own."""
        threads = [threading.Thread(target=self.claim_from, args=(host, tokens)) for host in hosts or self.hosts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def claim_from(self, host, tokens):
        claims = [Claim(token, self.request(token)) for token in random.sample(tokens, len(tokens))]
        answers = host.spend(claims)
        self.ledger.count(claims, answers, host.name)

    def wait_for_answers(self):
        """Until a new token is decided again."""
        started = time.monotonic()
        while time.monotonic() - started < 10:
            claims = [Claim(self.fresh(1)[0])]
            answers = self.hosts[0].spend(claims)
            self.ledger.count(claims, answers, self.hosts[0].name)
            if answers and not answers[0].startswith("error"):
                break
            time.sleep(0.01)
        self.ledger.waited.append(time.monotonic() - started)

    def request(self, token):
        """Some tokens come with requests: the same from several hosts, or another."""
        if int(token.identity[0], 16) >= 4:
            return None
        return token.identity[:8] if random.random() < 0.7 else None

    def round(self, kind):
        """One disaster, with new tokens before it, meanwhile, afterwards and when all is well again; and old ones once more.
        A round takes a few seconds at least: where all are struck one after the other, nothing is granted."""
        started = time.monotonic()
        for node in self.nodes:
            if node.old is None or random.random() < 0.1:
                node.old = node.server.save()
        tokens = self.fresh(24)
        before, meanwhile = tokens[:12], tokens[12:]
        self.claim(before)
        busy = threading.Thread(target=self.claim, args=(meanwhile,))
        busy.start()
        heal = kind(self, self.choose())
        busy.join()
        self.claim(tokens)
        if heal:
            heal()
        self.claim(tokens)
        self.ledger.happened(kind.__name__)
        time.sleep(max(0, started + self.pace - time.monotonic()))
        now = time.time()
        self.older = [token for token in self.older + tokens if token.expiry > now]
        self.claim(random.sample(self.older, min(40, len(self.older))))
        self.clear()
