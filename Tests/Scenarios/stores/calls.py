"""The function or the script itself: what a host asks a store's one node, up to 64 claims in one call, counted as a host counts it."""

import hashlib
import re
import secrets
import time

from hosts import FAULT, FIRST, RETRY, USED
from scenario import ROOT
from nodes import Link

#: Of the usual policy: how far ahead of the clock tokens may be issued, and for how long they are remembered, in seconds; and a grace.
AHEAD, LIFE, GRACE = 60, 3601, 45
MOST = 64
NEW = "new"


def ballot(ask):
    """As FleetProtocol's: of chance, or for a request of a caller the same on all hosts; and the second of the claim."""
    named = f"{ask.uid} {ask.request} {ask.token.identity}".encode()
    return (hashlib.sha256(named).digest() if ask.request else secrets.token_bytes(32))[:12] + int(time.time()).to_bytes(4, "big")


class Calls:
    """`size` questions go into each call."""

    names_requests = names_callers = True
    size = MOST

    def prepare(self, asks):
        self.batches = [[(ask, ballot(ask)) for ask in asks[start:start + self.size]] for start in range(0, len(asks), self.size)]

    def play(self):
        """Each call is made twice, as after an answer that was lost: what was said to be stored is stored."""
        return [self.twice(ask, self.read(ask, word, said), self.read(ask, word, again)) for batch in self.batches
                for (ask, word), said, again in zip(batch, self.call(batch), self.call(batch))]

    def twice(self, ask, said, again):
        expected = RETRY if ask.request and said == FIRST else said
        return said if again == expected else f"{said}, and then {again}"

    def read(self, ask, word, said):
        """What a host that hears this from a majority answers: its own ballot of chance is a vote, that of a request a repeated one."""
        if said == NEW:
            return FIRST
        if not isinstance(said, bytes) or len(said) != 16:
            return f"{FAULT}: {said}"
        if said[:12] != word[:12]:
            return USED
        return RETRY if ask.request else FIRST


class ScriptCalls(Calls):
    """EVALSHA of the script that hosts have loaded."""

    def __init__(self, store, _name):
        self.link = Link(store.nodes[0].address)
        [self.key] = [key for key in self.link.ask("KEYS", f"*:{store.fleet}}}")]
        self.node = self.link.ask("HGET", self.key, "node")
        source = (ROOT / "Sources/MediaToken/Store/Nodes/Redis/NodeScripts.swift").read_text()
        self.script = re.search(r'static let claims = .*?name: "(\w{40})"', source, re.S)[1]

    def call(self, batch):
        words = [word for ask, ballot in batch for word in (bytes.fromhex(ask.token.identity)[:16], ask.token.issued, ballot)]
        said = self.link.ask("EVALSHA", self.script, 1, self.key, self.node, AHEAD, LIFE, *words)
        return [NEW if one == 1 else one for one in said[1:]]

    def end(self):
        self.link.__exit__()


class FunctionCalls(Calls):
    """SELECT of the function `claims`."""

    def __init__(self, store, _name):
        # Both need libpq, which is not everywhere where Redis is.
        from libpq import Connection
        from statements import CLAIMS, array
        self.connection, self.array = Connection(store.server.sockets, "mediatoken"), array
        self.statement, self.digest = CLAIMS.format(store.fleet), store.digest()

    def call(self, batch):
        asked = [ask for ask, _ in batch]
        letters, present = self.connection.ask(
            self.statement, self.digest, AHEAD, GRACE, self.array(ask.token.issued for ask in asked),
            self.array(ask.token.identity[:32] for ask in asked), self.array(ballot.hex() for _, ballot in batch), seconds=60)[0]
        words = iter(present.replace("-", "").split())
        return [NEW if letter == "n" else bytes.fromhex(next(words)) if letter == "p" else letter for letter in letters]

    def end(self):
        self.connection.close()
