#!/usr/bin/env -S python3 -B
"""What the model checker takes for one step, in many sessions at once: batches that have the same tokens, and a slot that is given
to another minute, emptied, or as it once was, while a claim waits for it."""

import random
import secrets
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import PROGRAMS, temporary_server
from host import AHEAD, CLAIMS, GRACE, LIFE, TEND, array
from libpq import Connection, Refused
from scenario import check, finish, needs, until
from schema import schema

SLOTS, MINUTE = 4, 60
#: A marker's identity, and its word.
ZERO = "00000000-0000-0000-0000-000000000000"
#: The second look at the tenure in `claims`, and what would be without it.
SECOND_LOOK, WITHOUT = "SELECT x.* INTO later FROM tenure x;", "later := t;"


def claims(fleet, connection, tokens, ballots=None):
    """The letters. `tokens` are pairs of second and identity."""
    ballots = ballots or [secrets.token_hex(16) for _ in tokens]
    values = (array(second for second, _ in tokens), array(identity for _, identity in tokens), array(ballots))
    return connection.ask(CLAIMS.format(fleet), fleet, AHEAD, GRACE, *values, seconds=30)[0][0]


def many_sessions(fleet, server):
    """Each token is stored once, and no batch waits for another that waits for it."""
    now = int(time.time())
    tokens = [(now - age, secrets.token_hex(16)) for age in (0, 0, 0, 1, 20, 40) for _ in range(40)]
    stored, errors, lock = [], [], threading.Lock()

    def ask_for_all():
        connection = Connection(server.sockets, "mediatoken")
        for _ in range(30):
            batch = random.sample(tokens, 64)
            try:
                letters = claims(fleet, connection, batch)
                with lock:
                    stored.extend(token for token, letter in zip(batch, letters) if letter == "n")
            except Refused as refusal:
                errors.append(refusal.state)
        connection.close()

    threads = [threading.Thread(target=ask_for_all) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("batches of six sessions in orders of chance end without an error", not errors, errors)
    check("each token was new to one of them", sorted(stored) == sorted(tokens), (len(stored), len(set(stored)), len(tokens)))


def claimed_meanwhile(fleet, server, tokens, change, also=""):
    """The letters of tokens; of their second claim, which comes when `change` was done, and waits for its transaction, in which `also`
    is done; and of a third. Or the state of a refusal."""
    first, second = Connection(server.sockets, "mediatoken"), Connection(server.sockets, "mediatoken")
    said = []

    def claim(connection):
        try:
            said.append(claims(fleet, connection, tokens))
        except Refused as refusal:
            said.append(refusal.state)

    claim(first)
    waiting = threading.Thread(target=claim, args=(second,))
    with server.held_open(f"BEGIN; {change}; SELECT 1;") as session:
        waiting.start()
        waits = until(30, lambda: server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")
        session.stdin.write(f"{also}; COMMIT;\n")
        session.stdin.flush()
        waiting.join()
    claim(first)
    first.close()
    second.close()
    check(f"{fleet}: the second claim waited", waits and len(said) == 3, said)
    return said


def slot_given_away(fleet, server):
    """How often a token is granted whose slot was given to the next minute while its second claim waited."""
    token = (int(time.time()), secrets.token_hex(16))
    minute = token[0] // MINUTE
    leaf = f'"mt1_{fleet}".claim_{minute % SLOTS}'
    return "".join(claimed_meanwhile(
        fleet, server, [token],
        f"TRUNCATE {leaf}; INSERT INTO {leaf} VALUES ({minute % SLOTS}, '{ZERO}', '{ZERO}');"
        f' UPDATE "mt1_{fleet}".tenure SET high = {minute + SLOTS}')[:2])


def rows_deleted(fleet, server, batch, also):
    """What is said to claims of tokens whose rows are deleted, in a transaction in which something else is done too."""
    tokens = [(int(time.time()), secrets.token_hex(16)) for _ in range(batch)]
    return claimed_meanwhile(fleet, server, tokens, f'DELETE FROM "mt1_{fleet}".claim WHERE word <> \'{ZERO}\'', also)


def attended_meanwhile(fleet, server):
    """What is said to a host that attends the tenure and waits for a transaction in which an earlier one is put back, and for how
    many seconds the tenure has not been attended then."""
    now, said = int(time.time()), []
    connection = Connection(server.sockets, "mediatoken")

    def attend():
        try:
            said.append(connection.ask(TEND.format(fleet), fleet, AHEAD, LIFE, GRACE, now))
        except Refused as refusal:
            said.append(refusal.state)

    tenure = f'UPDATE "mt1_{fleet}".tenure SET seen = {now}'
    server.sql(f"{tenure} - 3")
    waiting = threading.Thread(target=attend)
    with server.held_open(f"BEGIN; {tenure} - 600; SELECT 1;") as session:
        waiting.start()
        waits = until(30, lambda: server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")
        session.stdin.write("COMMIT;\n")
        session.stdin.flush()
        waiting.join()
    connection.close()
    check(f"{fleet}: the host waited", waits, said)
    return said, now - int(server.sql(f'SELECT seen FROM "mt1_{fleet}".tenure'))


def main():
    needs(str(PROGRAMS / "initdb"))
    with temporary_server() as server:
        now = int(time.time())
        for fleet in ("whole", "flawed", "emptied", "emptied-too", "restored", "restored-too"):
            text = schema(fleet, SLOTS)
            check("the schema has the step that is left out once", SECOND_LOOK in text)
            server.sql(text.replace(SECOND_LOOK, WITHOUT) if fleet == "flawed" else text)
            server.sql(f"""SELECT "mt1_{fleet}".birth('{fleet}', {AHEAD}, {LIFE}, {GRACE}, {now}, {now}, true);
                           UPDATE "mt1_{fleet}".tenure SET seen = {now + 600}""")
        many_sessions("whole", server)
        found = slot_given_away("whole", server)
        check("a token whose slot is given away is granted once", found == "nf", found)
        found = slot_given_away("flawed", server)
        check("without a second look at the tenure it is granted twice", found == "nn", found)
        for fleet, batch in (("emptied", 1), ("emptied-too", 3)):
            said = rows_deleted(fleet, server, batch, f'DELETE FROM "mt1_{fleet}".claim')
            check(f"of {batch} granted in a slot that is emptied meanwhile none is granted",
                  said == [letter * batch for letter in "nff"], said)
        for fleet, batch in (("restored", 1), ("restored-too", 3)):
            said = rows_deleted(fleet, server, batch, f'UPDATE "mt1_{fleet}".tenure SET seen = {now - 2 * GRACE}')
            check(f"of {batch} granted where an old dump is restored meanwhile none is granted",
                  said == ["n" * batch, "MT001", "MT001"], said)
        said = attended_meanwhile("whole", server)
        check("a tenure that is put back as it once was is not attended by who waited for it", said == (["MT001"], 600), said)
    finish()


main()
