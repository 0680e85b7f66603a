"""A host by the protocol's rules, which stands in for the program `spend`: a line in, an answer out.

    host.py FOLDER FLEET [--naive]      FOLDER has the server's socket

With --naive it is the usual one, next to which the rules are seen to matter: INSERT … ON CONFLICT DO NOTHING."""

import hashlib
import os
import random
import secrets
import sys
import threading
import time

from libpq import Connection, Lost, Refused

#: Of tokens, in seconds; and for how long data may be unmaintained.
MAX_TTL, AHEAD, WINDOW, GRACE = 60, 2, 3, 5
LIFE = MAX_TTL + 1
UNANSWERED = "error REPLAY_MEMORY_UNAVAILABLE"
#: The same ballots are sent once more.
AGAIN = ("40001", "40P01", "55P03", "57014", "53")
CLAIMS = 'SELECT letters, array_to_string(standing, \' \') FROM "mp3_{}".claims($1, $2, $3, $4::bigint[], $5::uuid[], $6::uuid[])'
MAINTAIN = 'SELECT clock FROM "mp3_{}".maintain($1, $2, $3, $4, $5)'
START = 'SELECT started, since - clock FROM "mp3_{}".start($1, $2, $3, $4, $5, $6, false)'
NAIVE = "INSERT INTO naive SELECT * FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT DO NOTHING RETURNING identity"


def array(values):
    return "{" + ",".join(map(str, values)) + "}"


class Host:
    def __init__(self, folder, fleet, is_naive):
        self.folder, self.fleet, self.is_naive = folder, fleet, is_naive
        self.connection, self.lock, self.dialled = None, threading.RLock(), 0
        self.kept, self.highest = {}, 0
        threading.Thread(target=self.maintain, daemon=True).start()

    # Its connection, which is dialled again every 4 s, elsewhere than where claims are answered.

    def now(self):
        now = int(time.time())
        self.highest = max(self.highest, now)
        return now

    def maintain(self):
        while True:
            try:
                if self.connection is None or time.monotonic() - self.dialled > 4:
                    self.renew()
                with self.lock:
                    if self.connection and not self.is_naive:
                        self.ask(MAINTAIN, self.fleet, AHEAD, LIFE, GRACE, self.now())
            except Lost:
                self.drop()
            except Refused as refusal:
                self.heed(refusal)
            time.sleep(0.1 if self.connection is None else random.uniform(0.7, 1))

    def renew(self):
        warming = Connection(self.folder, "mediatoken")
        if not self.is_naive:
            try:
                if warming.ask("SELECT pg_is_in_recovery()") != [["f"]]:
                    raise Lost("a standby")
                started, ahead = warming.ask(START.format(self.fleet), self.fleet, AHEAD, LIFE, GRACE, self.now(), self.highest)[0]
            except (Lost, Refused):
                warming.close()
                raise
            if started == "t":
                print(f"started {int(time.time())}, {ahead} s ahead", file=sys.stderr, flush=True)
        with self.lock:
            self.drop()
            self.connection, self.dialled = warming, time.monotonic()

    def drop(self):
        with self.lock:
            if self.connection:
                self.connection.close()
            self.connection = None

    def heed(self, refusal):
        """Any connection that refuses is replaced, except where only a lock or a place was lacking."""
        print(f"refused {refusal.state}", file=sys.stderr, flush=True)
        if not refusal.state.startswith(AGAIN):
            self.drop()

    def ask(self, statement, *values):
        if self.connection is None:
            raise Lost("no connection")
        return self.connection.ask(statement.format(self.fleet), *values, heeds_warnings=not self.is_naive)

    # Claims.

    def ballot(self, identity, request):
        """The claim's id, and its second."""
        if request == "-" and identity in self.kept:
            return self.kept.pop(identity)
        about = hashlib.sha256(f"{request} {identity}".encode()).hexdigest() if request != "-" else secrets.token_hex(12)
        return about[:24] + f"{int(time.time()):08x}"

    def spend(self, lines):
        claims = []
        for line in lines:
            identity, expiry, request, issued = line.split()
            claims.append((identity[:32], int(expiry), request, int(issued)))
        answers = ["expired" if expiry < time.time() else None for _, expiry, _, _ in claims]
        open_ones = [index for index, answer in enumerate(answers) if answer is None]
        if open_ones:
            with self.lock:
                found = (self.spend_naively if self.is_naive else self.spend_by_rules)([claims[index] for index in open_ones])
            for index, answer in zip(open_ones, found):
                answers[index] = answer
        return answers

    def spend_by_rules(self, claims):
        ballots = [self.ballot(identity, request) for identity, _, request, _ in claims]
        values = (array(issued for *_, issued in claims), array(identity for identity, *_ in claims), array(ballots))
        for attempt in range(2):
            try:
                letters, standing = self.ask(CLAIMS, self.fleet, AHEAD, GRACE, *values)[0]
                standing = iter(standing.replace("-", "").split())
                return [self.answer(letter, ballot, request, next(standing, "") if letter == "p" else None)
                        for letter, ballot, (_, _, request, _) in zip(letters, ballots, claims)]
            except Lost:
                self.drop()
            except Refused as refusal:
                self.heed(refusal)
                if attempt == 0 and refusal.state.startswith(AGAIN):
                    continue
            break
        for (identity, _, request, _), ballot in zip(claims, ballots):
            if request == "-":
                self.kept[identity] = ballot
        return [UNANSWERED] * len(claims)

    def answer(self, letter, ballot, request, found):
        if letter == "n":
            return "first"
        if letter == "p" and found[:24] == ballot[:24]:
            if request == "-":
                return "first"
            return "retry" if int(time.time()) - int(found[24:], 16) <= WINDOW else "used"
        return {"p": "used", "f": "predates"}.get(letter, UNANSWERED)

    def spend_naively(self, claims):
        try:
            new = {row[0].replace("-", "") for row in self.ask(NAIVE, array(identity for identity, *_ in claims),
                                                               array(secrets.token_hex(16) for _ in claims))}
        except (Lost, Refused):
            self.drop()
            return [UNANSWERED] * len(claims)
        answers = []
        for identity, *_ in claims:
            answers.append("first" if identity in new else "used")
            new.discard(identity)
        return answers


def main():
    host = Host(sys.argv[1], sys.argv[2], "--naive" in sys.argv)
    rest = b""
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        while lines:
            size = random.choice((1, 4, 16, 64))
            batch, lines = lines[:size], lines[size:]
            print("\n".join(host.spend([line.decode() for line in batch])), flush=True)


if __name__ == "__main__":
    main()
