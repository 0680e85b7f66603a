"""Hosts of a fleet: programs that spend, and, as a control, the usual answer."""

import subprocess
import threading
import time

from configurations import config_of
from processes import SPEND, launch
from scenario import path
from nodes import Link, Refused
from servers import set_clock, with_clock

MAX_TTL, AHEAD, WINDOW = 60, 2, 3
#: How long a node may take to answer, in milliseconds.
PATIENCE = 250


def configured(address, **settings):
    """The file of a fleet by the times of our tokens."""
    return config_of(address, tenant={"maxTTLMilliseconds": MAX_TTL * 1000, "futureToleranceMilliseconds": AHEAD * 1000}, **settings)


class Host:
    """The program `spend`: a line in, an answer out."""

    scheme = "redis:"
    #: Of the fleet, besides those that all have.
    settings = {}

    def __init__(self, name, nodes, clock=0):
        self.name, self.log = name, path(name + ".log")
        set_clock(path(name + ".clock"), clock)
        self.lock = threading.Lock()
        with open(self.log, "ab") as log:
            self.process = launch(
                self.command(nodes), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                env=with_clock(path(name + ".clock")))

    def command(self, nodes):
        return [SPEND, configured(self.scheme + nodes, window=WINDOW * 1000, deadlineMilliseconds=PATIENCE, **self.settings)]

    def spend(self, claims):
        """One answer for each claim; fewer if the host was killed."""
        text = "".join(f"{claim.token.identity} {claim.token.expiry} {claim.request or '-'} {claim.token.issued}\n"
                       for claim in claims)
        answers = []
        with self.lock:
            try:
                self.process.stdin.write(text.encode())
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass
            for _ in claims:
                line = self.process.stdout.readline().decode().rstrip("\n")
                if not line:
                    break
                answers.append(line)
        return answers

    def kill(self):
        self.process.kill()
        self.process.wait()

    def complaint(self):
        with open(self.log, errors="replace") as log:
            return log.read()[-400:]


class PlainHost:
    """The control: `SET key NX PX` on every node, and the majority decides. No epoch, no floor, no memory of forgetting."""

    def __init__(self, name, nodes, clock=0):
        self.name = name
        self.places = [place for place in nodes.split("@", 1)[1].split(",")]
        self.connections = [None] * len(self.places)
        self.lock, self.is_dead = threading.Lock(), False

    def spend(self, claims):
        with self.lock:
            answers = []
            for claim in claims:
                if self.is_dead:
                    break
                answers.append(self.one(claim.token))
            return answers

    def one(self, token):
        if token.expiry < time.time():
            return "expired"
        votes = sum(self.vote(node, token) for node in range(len(self.places)))
        return "first" if votes * 2 > len(self.places) else "used"

    def vote(self, node, token):
        try:
            if self.connections[node] is None:
                self.connections[node] = self.dial(self.places[node])
            life = max(1, int((token.expiry - time.time()) * 1000))
            return self.connections[node].ask("SET", token.identity, "1", "NX", "PX", life) == b"OK"
        except (OSError, Refused, ValueError):
            self.connections[node] = None
            return False

    def dial(self, place):
        host, _, port = place.rpartition(":")
        return Link(place if place.startswith("/") else (host, int(port)), timeout=PATIENCE / 1000)

    def kill(self):
        self.is_dead = True

    def complaint(self):
        return ""
