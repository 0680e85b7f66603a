"""What became of every token: who was told that it was the first."""

import collections
import itertools
import secrets
import threading


class Token:
    def __init__(self, issued, life):
        self.identity, self.issued, self.expiry = secrets.token_hex(32), issued, issued + life


class Claim:
    """One try, perhaps for a request that is repeated."""

    _numbers = itertools.count()

    def __init__(self, token, request=None):
        self.token, self.request = token, request
        self.grantee = request or next(Claim._numbers)


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.answers, self.kinds = collections.Counter(), collections.Counter()
        # By token: the requests, or the claims without one, that were granted, and how often as a first use.
        self.granted = collections.defaultdict(lambda: (set(), []))
        self.doubles, self.doubles_in = [], collections.Counter()
        # How long it took until the first answer after too few nodes were reachable, in seconds.
        self.waited = []

    def count(self, claims, answers, where):
        """Fewer answers than claims: the host is gone."""
        with self.lock:
            for claim, answer in zip(claims, answers):
                self.answers[answer] += 1
                if answer in ("first", "retry"):
                    self.grant(claim, answer, where)
            self.answers["unanswered"] += len(claims) - len(answers)

    def grant(self, claim, answer, where):
        requests, firsts = self.granted[claim.token.identity]
        requests.add(claim.grantee)
        if answer == "first":
            firsts.append(where)
        if len(firsts) > 1 or len(requests) > 1:
            self.doubles_in[where.split(".")[0]] += 1
            self.doubles.append(f"{claim.token.identity[:8]}, issued at {claim.token.issued}: {answer} for {where}, "
                                f"first for {', then '.join(firsts)}, {len(requests)} requests")

    def happened(self, kind):
        with self.lock:
            self.kinds[kind] += 1

    @property
    def tokens(self):
        return sum(1 for _, firsts in self.granted.values() if firsts)
