#!/usr/bin/env -S python3 -B
"""A dump of the schema that is a moment old is restored in its place, while hosts maintain: no way of restoring it grants a token twice,
and every way does without the mark. Nor is a token granted while the tables have no keys, which a restore makes last."""

import secrets
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import PROGRAMS, run, temporary_server
from libpq import Connection, Refused
from scenario import check, finish, needs
from schema import schema
from statements import AHEAD, CLAIMS, LIFE, MAINTAIN, START, array

SLOTS, GRACE = 5, 45
MARK, WITHOUT = "x.mark = x.xmin AS is_ours", "true AS is_ours"


class Dumped:
    """A schema in which a token was granted, of which there are dumps, and in which another was granted then."""

    def __init__(self, server, fleet, text):
        self.server, self.fleet, self.schema = server, fleet, f'"mp3_{fleet}"'
        server.sql(text)
        now = int(time.time())
        server.sql(f"""SELECT {self.schema}.start('{fleet}', {AHEAD}, {LIFE}, {GRACE}, {now}, {now}, true)""")
        self.tokens = []
        self.granted = [self.claim_new()]
        self.dumps = {kind: self.dump(*options) for kind, options in {
            "whole": (), "data": ("--data-only",), "inserts": ("--data-only", "--inserts")}.items()}
        self.archive = f"{server.sockets}/{fleet}.archive"
        self.dump("-Fc", "-f", self.archive)
        self.row = server.sql(f"COPY {self.schema}.epoch TO STDOUT")
        self.granted.append(self.claim_new())

    def dump(self, *options):
        return run(PROGRAMS / "pg_dump", *self.server.place, "-d", "postgres", "-n", f"mp3_{self.fleet}", *options)

    def ask(self, statement, *values):
        """The first row, or the state of a refusal; over a connection of its own, as functions may be others now."""
        connection = Connection(self.server.sockets, "mediatoken")
        try:
            return connection.ask(statement.format(self.fleet), self.fleet, AHEAD, *values, seconds=60)[0]
        except Refused as refusal:
            return refusal.state
        finally:
            connection.close()

    def claim(self, token):
        said = self.ask(CLAIMS, GRACE, array([token[0]]), array([token[1]]), array([secrets.token_hex(16)]))
        return said if isinstance(said, str) else said[0]

    def claim_new(self):
        self.tokens.append((int(time.time()), secrets.token_hex(16)))
        return self.claim(self.tokens[-1])

    def maintain_and_claim(self):
        """As a host does that finds no epoch."""
        now = int(time.time())
        said = [self.ask(MAINTAIN, LIFE, GRACE, now)] + [self.claim(token) for token in self.tokens]
        self.ask(START, LIFE, GRACE, now, now)
        return said + [self.claim(token) for token in self.tokens] + [self.claim_new()]


def in_one_transaction(fleet):
    fleet.server.sql(f"BEGIN; DROP SCHEMA {fleet.schema} CASCADE; {fleet.dumps['whole']}; COMMIT")


def by_pg_restore(fleet):
    # It also complains that a partition's key cannot be dropped before that of the whole table, and goes on.
    run(PROGRAMS / "pg_restore", *fleet.server.place, "-d", "postgres", "--clean", fleet.archive, check=False)


def into_truncated_tables(fleet):
    fleet.server.sql(f"BEGIN; TRUNCATE {fleet.schema}.epoch, {fleet.schema}.claim; {fleet.dumps['data']}; COMMIT")


def by_inserts(fleet):
    fleet.server.sql(f"DELETE FROM {fleet.schema}.claim; DELETE FROM {fleet.schema}.epoch; {fleet.dumps['inserts']}")


def by_copy_of_the_row(fleet):
    """And the claims of that time."""
    claims = "".join(part for part in fleet.dumps["data"].split("--\n") if "epoch" not in part)
    fleet.server.sql(f"TRUNCATE {fleet.schema}.claim; {claims}; DELETE FROM {fleet.schema}.epoch;\n"
                     f"COPY {fleet.schema}.epoch FROM STDIN;\n{fleet.row}\n\\.\n")


WAYS = [in_one_transaction, by_pg_restore, into_truncated_tables, by_inserts, by_copy_of_the_row]


def without_keys(server):
    """As in the middle of a restore: rows are there, and their key is not yet."""
    server.sql(schema("keyless", SLOTS))
    fleet = Dumped(server, "keyless-too", schema("keyless-too", SLOTS))
    server.sql(f"ALTER TABLE {fleet.schema}.claim DROP CONSTRAINT claim_pkey")
    said = [fleet.claim_new(), fleet.claim(fleet.tokens[-1])]
    check("without the key of claims there is no vote", said == ["42P10"] * 2, said)
    now = int(time.time())
    server.sql('ALTER TABLE "mp3_keyless".epoch DROP CONSTRAINT epoch_pkey')
    connection = Connection(server.sockets, "mediatoken")
    try:
        said = connection.ask(START.format("keyless"), "keyless", AHEAD, LIFE, GRACE, now, now)
    except Refused as refusal:
        said = refusal.state
    connection.close()
    check("without the key of the epoch there is no start", said == "42P10", said)


def main():
    needs(str(PROGRAMS / "initdb"))
    with temporary_server() as server:
        for restore in WAYS:
            name = restore.__name__.replace("_", "-")
            fleet = Dumped(server, name, schema(name, SLOTS))
            restore(fleet)
            said = fleet.maintain_and_claim()
            check(f"of tokens granted before and after a dump none is granted when it is restored {name}",
                  fleet.granted == ["n", "n"] and said == ["MT001"] * 3 + ["f"] * 3, (fleet.granted, said))
            text = schema(f"{name}-unmarked", SLOTS)
            check("the schema has the mark", MARK in text)
            fleet = Dumped(server, f"{name}-unmarked", text.replace(MARK, WITHOUT))
            restore(fleet)
            said = fleet.maintain_and_claim()
            check(f"without the mark the second is granted once more ({name})", fleet.granted == ["n", "n"] and said[1:3] == ["p", "n"],
                  (fleet.granted, said))
        without_keys(server)
    finish()


main()
