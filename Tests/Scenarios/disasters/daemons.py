"""Hosts of a fleet that are daemons, and the signed tokens that they need."""

import concurrent.futures
import json
import threading

from connection import Unanswered, Unsent
from daemon import Daemon
from hosts import AHEAD, MAX_TTL
from ledger import Token
from scenario import path
from servers import set_clock, with_clock

# What hosts of the command line would have said.
WORDS = {"VALID_TOKEN": "first", "TOKEN_REPLAYED": "used", "TOKEN_PREDATES_REPLAY_MEMORY": "predates"}


class DaemonHost:
    """`mediatokend`, asked on several connections at once, so that its batches have several claims."""

    #: Whose tokens they take.
    signer = None
    scheme = "redis:"
    #: Of `replay.fleet`, besides the deadline.
    settings = {}

    def __init__(self, name, nodes, clock=0):
        self.name, self.lock, self.local = name, threading.Lock(), threading.local()
        self.callers = concurrent.futures.ThreadPoolExecutor(6)
        self.daemon = Daemon(
            self.signer, name, replay={"address": self.scheme + nodes, "fleet": {"deadlineMilliseconds": 250} | self.settings},
            tenants=[{"requestor": "REF30", "maxTTLMilliseconds": MAX_TTL * 1000, "futureToleranceMilliseconds": AHEAD * 1000}])
        set_clock(path(name + ".clock"), clock)
        self.daemon.start_unready(env=with_clock(path(name + ".clock")))
        self.process = self.daemon.process

    @classmethod
    def tokens(cls, issued, number):
        """Distinct ones of one second, which this kind of host is asked about."""
        tokens = [Token(issued, MAX_TTL) for _ in range(number)]
        for token, text in zip(tokens, cls.signer.issue(number, ttl=MAX_TTL * 1000, at=issued * 1000)):
            token.text = text
        return tokens

    def spend(self, claims):
        with self.lock:
            return list(self.callers.map(self.one, [claim.token for claim in claims]))

    def one(self, token):
        try:
            if getattr(self.local, "connection", None) is None:
                self.local.connection = self.daemon.connect()
            answer = self.local.connection.ask(token.text)
        except (Unsent, Unanswered):
            self.local.connection = None
            return "unanswered"
        body = json.loads(answer.body)
        if answer.status == 503:
            return f"error {body.get('fault')}"
        return WORDS.get(body.get("verdict"), f"{answer.status} {body.get('verdict')}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def complaint(self):
        return self.daemon.said()[-600:]
