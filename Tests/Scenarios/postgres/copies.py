#!/usr/bin/env -S python3 -B
"""One identity several times in one call of the function `claims`: it is new once, for the ballot that is stored, and for no other."""

import collections
import random
import secrets
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import PROGRAMS, temporary_server
from host import AHEAD, GRACE, LIFE, array
from libpq import Connection
from scenario import check, finish, needs
from schema import name, schema

SLOTS, MINUTE, MOST = 5, 60, 64
CLAIMS = 'SELECT letters, array_to_string(standing, \' \') FROM "{}".claims($1, $2, $3, $4::bigint[], $5::uuid[], $6::uuid[])'
#: How often an identity is in a call: PostgreSQL's sort is another one from seven rows on.
COPIES = (2, 3, 7, 8, 33, 64)
BALLOTS = {
    "each with a ballot of its own": lambda count: [secrets.token_hex(16) for _ in range(count)],
    "all with one ballot": lambda count: [secrets.token_hex(16)] * count,
    "with two ballots": lambda count: [random.choice(pair) for pair in [[secrets.token_hex(16) for _ in range(2)]] for _ in range(count)],
}


class Fleet:
    """A schema, and all that was said there to claims of each identity."""

    def __init__(self, server, schema, fleet, slots, digest):
        self.server, self.schema, self.digest, self.slots = server, schema, digest, slots
        self.said, self.lock = collections.defaultdict(list), threading.Lock()
        now = int(time.time())
        server.sql(f"""SELECT "{schema}".start('{digest}', {AHEAD}, {LIFE}, {GRACE}, {now}, {now}, true);""")
        server.sql(f'BEGIN; UPDATE "{schema}".epoch SET seen = {now + 3600}, mark = pg_current_xact_id()::xid; COMMIT')

    def ask(self, connection, batch):
        """`batch`: seconds, identities and ballots."""
        columns = [array(column) for column in zip(*batch)]
        letters, standing = connection.ask(CLAIMS.format(self.schema), self.digest, AHEAD, GRACE, *columns, seconds=60)[0]
        standing = iter(standing.replace("-", "").split())
        with self.lock:
            for (second, identity, ballot), letter in zip(batch, letters):
                self.said[second, identity].append((ballot, letter, next(standing) if letter == "p" else None))

    def judge(self):
        """What is wrong with what was said, for each identity with which something is."""
        rows = self.server.sql(f'SELECT slot, identity, ballot FROM "{self.schema}".claim').replace("-", "").splitlines()
        stored = {tuple(row.split("|")[:2]): row.split("|")[2] for row in rows}
        wrong = {}
        for (second, identity), answers in self.said.items():
            word = stored.get((str(second // MINUTE % self.slots), identity))
            new = [ballot for ballot, letter, _ in answers if letter == "n"]
            if new != [word]:
                wrong[identity] = f"{len(new)} were new, {'none of them' if word not in new else 'one'} is stored"
            elif any((letter, found) != ("p", word) for _, letter, found in answers if letter != "n"):
                wrong[identity] = "a later claim did not hear the ballot that is stored"
        return wrong


def calls(fleet, connection):
    """Every number of copies, alone and among other identities in orders of chance; then the same call, and one with other ballots."""
    now = int(time.time())
    for copies in COPIES:
        for ballots in BALLOTS.values():
            for others in {0, MOST - copies}:
                tokens = [(now - random.choice((0, 1, 40)), secrets.token_hex(16)) for _ in range(1 + others)]
                batch = [(*tokens[0], ballot) for ballot in ballots(copies)]
                # Some of the others are there more than once, too.
                batch += [(*token, secrets.token_hex(16)) for token in random.choices(tokens[1:], k=others)]
                random.shuffle(batch)
                fleet.ask(connection, batch)
                fleet.ask(connection, batch)
                again = [(second, identity, secrets.token_hex(16)) for second, identity, _ in batch]
                fleet.ask(connection, random.sample(again, len(again)))


def sessions(fleet):
    """Several sessions that ask for the same identities at once, each of them several times in each call."""
    now = int(time.time())
    tokens = [(now - random.choice((0, 1, 40)), secrets.token_hex(16)) for _ in range(200)]
    threads = []

    def ask_for_all():
        connection = Connection(fleet.server.sockets, "mediatoken")
        for _ in range(20):
            some = random.sample(tokens, 20)
            fleet.ask(connection, [(*token, secrets.token_hex(16)) for token in random.choices(some, k=MOST)])
        connection.close()

    for _ in range(4):
        threads.append(threading.Thread(target=ask_for_all))
        threads[-1].start()
    for thread in threads:
        thread.join()


def main():
    needs(str(PROGRAMS / "initdb"))
    with temporary_server() as server:
        for unlogged in (False, True):
            digest = "unlogged" if unlogged else "logged"
            server.sql(schema(digest, SLOTS, unlogged))
            fleet = Fleet(server, name(digest), digest, SLOTS, digest)
            connection = Connection(server.sockets, "mediatoken")
            for _ in range(4):
                calls(fleet, connection)
            answers = sum(map(len, fleet.said.values()))
            wrong = fleet.judge()
            check(f"of {len(fleet.said)} identities in calls with copies each is new once, for the ballot that is stored ({digest},"
                  f" {answers} answers)", not wrong, wrong)
            sessions(fleet)
            wrong = fleet.judge()
            check(f"the same holds for calls of four sessions at once ({digest})", not wrong, wrong)
            connection.close()
    finish()


main()
