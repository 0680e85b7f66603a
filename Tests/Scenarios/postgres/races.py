#!/usr/bin/env -S python3 -B
"""What the model checker takes for one step, in many sessions at once: batches that have the same tokens, and a slot that is given
to another minute, or emptied, while a claim waits for it."""

import random
import secrets
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import PROGRAMS, temporary_server
from host import AHEAD, CLAIMS, GRACE, LIFE, array
from libpq import Connection, Refused
from scenario import check, finish, needs, until
from schema import schema

SLOTS, MINUTE = 4, 60
#: A marker's identity, and its word.
ZERO = "00000000-0000-0000-0000-000000000000"
#: The second look at the ring in `claims`, and what would be without it.
SECOND_LOOK, WITHOUT = "SELECT x.high INTO high_ FROM tenure x;", "high_ := t.high;"


def claims(fleet, connection, tokens, ballots):
    """The letters. `tokens` are pairs of second and identity."""
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
                letters = claims(fleet, connection, batch, [secrets.token_hex(16) for _ in batch])
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


def slot_given_away(fleet, server):
    """How often a token is granted whose slot was given to the next minute while its second claim waited."""
    token = (int(time.time()), secrets.token_hex(16))
    first, second = Connection(server.sockets, "mediatoken"), Connection(server.sockets, "mediatoken")
    letters = [claims(fleet, first, [token], [secrets.token_hex(16)])]
    minute = token[0] // MINUTE
    waiting = threading.Thread(target=lambda: letters.append(claims(fleet, second, [token], [secrets.token_hex(16)])))
    leaf = f'"mt1_{fleet}".claim_{minute % SLOTS}'
    turn = f"TRUNCATE {leaf}; INSERT INTO {leaf} VALUES ({minute % SLOTS}, '{ZERO}', '{ZERO}');" \
           f'UPDATE "mt1_{fleet}".tenure SET high = {minute + SLOTS}; SELECT 1;'
    with server.held_open("BEGIN; " + turn) as session:
        waiting.start()
        waits = until(30, lambda: server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")
        session.stdin.write("COMMIT;\n")
        session.stdin.flush()
        waiting.join()
    first.close()
    second.close()
    check(f"{fleet}: the second claim waited for the slot", waits and len(letters) == 2, letters)
    return "".join(letters)


def slot_emptied(fleet, server, batch):
    """The letters of tokens; of their second claim, which came when their rows had been deleted, and not the marker; of a third."""
    tokens = [(int(time.time()), secrets.token_hex(16)) for _ in range(batch)]
    first, second = Connection(server.sockets, "mediatoken"), Connection(server.sockets, "mediatoken")
    letters = [claims(fleet, first, tokens, [secrets.token_hex(16) for _ in tokens])]
    waiting = threading.Thread(target=lambda: letters.append(claims(fleet, second, tokens, [secrets.token_hex(16) for _ in tokens])))
    with server.held_open(f'BEGIN; DELETE FROM "mt1_{fleet}".claim WHERE word <> \'{ZERO}\'; SELECT 1;') as session:
        waiting.start()
        waits = until(30, lambda: server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted") != "0")
        session.stdin.write(f'DELETE FROM "mt1_{fleet}".claim; COMMIT;\n')
        session.stdin.flush()
        waiting.join()
    again = claims(fleet, first, tokens, [secrets.token_hex(16) for _ in tokens])
    first.close()
    second.close()
    check(f"{fleet}: the claim of {batch} waited for who deletes", waits and len(letters) == 2, letters)
    return [*letters, again]


def main():
    needs(str(PROGRAMS / "initdb"))
    with temporary_server() as server:
        now = int(time.time())
        for fleet in ("whole", "flawed", "one", "many"):
            text = schema(fleet, SLOTS)
            check("the schema has the step that is left out once", SECOND_LOOK in text)
            server.sql(text.replace(SECOND_LOOK, WITHOUT) if fleet == "flawed" else text)
            server.sql(f"""SELECT "mt1_{fleet}".birth('{fleet}', {AHEAD}, {LIFE}, {GRACE}, {now}, {now}, true);
                           UPDATE "mt1_{fleet}".tenure SET seen = {now + 600}""")
        many_sessions("whole", server)
        found = slot_given_away("whole", server)
        check("a token whose slot is given away is granted once", found == "nf", found)
        found = slot_given_away("flawed", server)
        check("without a second look at the ring it is granted twice", found == "nn", found)
        for fleet, batch in (("one", 1), ("many", 3)):
            found = slot_emptied(fleet, server, batch)
            check(f"{batch} granted in a slot that is emptied meanwhile are forgotten",
                  found == ["n" * batch, "f" * batch, "f" * batch], found)
    finish()


main()
