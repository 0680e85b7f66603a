#!/usr/bin/env -S python3 -B
"""What the model checker takes for one step, in many sessions at once: batches that have the same tokens, and a slot that is given
to another minute, emptied, or as it once was, while a claim or a host that maintains is between two of its statements. The epoch is put
back as it was a moment ago, so that its mark alone tells."""

import random
import secrets
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import PROGRAMS, temporary_server
from libpq import Connection, Refused
from scenario import check, finish, needs, until
from schema import schema, template
from statements import AHEAD, CLAIMS, GRACE, LIFE, MAINTAIN, array

SLOTS, MINUTE = 4, 60
#: A marker's identity, and its ballot.
ZERO = "00000000-0000-0000-0000-000000000000"
#: What is read of the epoch's row; the second look at it in `claims`, and in `maintain`.
ROW = "SELECT x.*, x.mark = x.xmin AS is_ours"
SECOND_LOOK, LOCK = f"{ROW} INTO later FROM epoch x;", f"{ROW} INTO later FROM epoch x FOR UPDATE SKIP LOCKED;"
LOCKED_LOOK = "IF NOT later.is_ours OR"
STARTS = 'SELECT started, since FROM "mp3_{}".start($1, $2, $3, $4, $5, $6, false)'
#: Waits while another session has this lock. It is not one of the schema's.
PAUSE, GATE = "PERFORM pg_advisory_xact_lock_shared(7);", "SELECT pg_advisory_lock(7);"
MARKED = "mark = pg_current_xact_id()::xid"
#: What replaces a part of the schema's text, by fleet.
CHANGES = {
    "whole": {}, "starts": {}, "emptied": {}, "emptied-too": {}, "restored": {}, "restored-too": {},
    "no-second-look": {SECOND_LOOK: "later := t;"}, "no-second-look-too": {SECOND_LOOK: "later := t;"},
    "no-mark": {"x.mark = x.xmin AS is_ours": "true AS is_ours"},
    "slow-claims": {SECOND_LOOK: f"{PAUSE} {SECOND_LOOK}"},
    "slow-maintenance": {LOCK: f"{PAUSE} {LOCK}"},
    "careless": {LOCK: f"{PAUSE} {LOCK}", LOCKED_LOOK: "IF false AND NOT later.is_ours OR false AND"},
}


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


def starts_at_once(fleet, server):
    """What sessions hear that all ask for a start, while others maintain, of data that have none: as new, or as a dump left them."""
    said, lock = [], threading.Lock()
    start = threading.Barrier(8)

    def ask(statement, *values):
        connection = Connection(server.sockets, "mediatoken")
        start.wait()
        for _ in range(5):
            now = int(time.time())
            try:
                found = connection.ask(statement.format(fleet), fleet, AHEAD, LIFE, GRACE, now, *[now for _ in values], seconds=60)[0]
            except Refused as refusal:
                found = refusal.state
            with lock:
                said.append(found)
        connection.close()

    threads = [threading.Thread(target=ask, args=(STARTS, "highest") if number < 6 else (MAINTAIN,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    starts = [found for found in said if len(found) == 2]
    others = {found if isinstance(found, str) else "maintained" for found in said if len(found) != 2}
    return sum(started == "t" for started, _ in starts), {since for _, since in starts}, others - {"maintained", "MT001"}, len(starts)


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
    leaf = f'"mp3_{fleet}".claim_{minute % SLOTS}'
    return "".join(claimed_meanwhile(
        fleet, server, [token],
        f"TRUNCATE {leaf}; INSERT INTO {leaf} VALUES ({minute % SLOTS}, '{ZERO}', '{ZERO}');"
        f' UPDATE "mp3_{fleet}".epoch SET high = {minute + SLOTS}, {MARKED}')[:2])


def rows_deleted(fleet, server, batch, also):
    """What is said to claims of tokens whose rows are deleted, in a transaction in which something else is done too."""
    tokens = [(int(time.time()), secrets.token_hex(16)) for _ in range(batch)]
    return claimed_meanwhile(fleet, server, tokens, f'DELETE FROM "mp3_{fleet}".claim WHERE ballot <> \'{ZERO}\'', also)


def put_back(fleet):
    """The epoch's row as it is, by a transaction that did not write it."""
    epoch = f'"mp3_{fleet}".epoch'
    return f"CREATE TEMP TABLE kept AS SELECT * FROM {epoch}; DELETE FROM {epoch}; INSERT INTO {epoch} SELECT * FROM kept"


def restored_in_between(fleet, server, statement, *values):
    """What is said to a host in whose transaction, between two statements of its function, the epoch is put back and all other rows
    are deleted; and to a first claim afterwards of a token that was granted before."""
    token = (int(time.time()), secrets.token_hex(16))
    connection, said = Connection(server.sockets, "mediatoken"), []
    check(f"{fleet}: a token is granted", claims(fleet, connection, [token]) == "n")

    def ask():
        try:
            said.append(connection.ask(statement.format(fleet), fleet, AHEAD, *values, seconds=60))
        except Refused as refusal:
            said.append(refusal.state)

    waiting = threading.Thread(target=ask)
    with server.held_open(GATE) as session:
        waiting.start()
        waits = until(30, lambda: server.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") != "0")
        server.sql(f'BEGIN; DELETE FROM "mp3_{fleet}".claim WHERE ballot <> \'{ZERO}\'; {put_back(fleet)}; COMMIT')
        session.stdin.write("SELECT pg_advisory_unlock(7);\n")
        session.stdin.flush()
        waiting.join()
    check(f"{fleet}: the host waited", waits, said)
    try:
        said.append(claims(fleet, connection, [token]))
    except Refused as refusal:
        said.append(refusal.state)
    connection.close()
    return said


def main():
    needs(str(PROGRAMS / "initdb"))
    with temporary_server() as server:
        for fleet, changes in CHANGES.items():
            text = schema(fleet, SLOTS)
            for part, other in changes.items():
                check(f"{fleet}: the schema has what is changed", part in text, part)
                text = text.replace(part, other)
            server.sql(text)
            now = int(time.time())
            server.sql(f"""SELECT "mp3_{fleet}".start('{fleet}', {AHEAD}, {LIFE}, {GRACE}, {now}, {now}, true)""")
            server.sql(f'UPDATE "mp3_{fleet}".epoch SET seen = {now + 600}, {MARKED}')
        # Any role that can connect could hold one.
        check("no function needs an advisory lock", "advisory" not in template())
        many_sessions("whole", server)
        for how, change in (("no row", 'DELETE FROM "mp3_starts".epoch'), ("a row that was put back", put_back("starts"))):
            server.sql(change)
            found = starts_at_once("starts", server)
            check(f"of many starts where there is {how} one is it, and all hear of it", found[0] == 1 and len(found[1]) == 1 and not found[2]
                  and found[3] == 30, found)
        found = slot_given_away("whole", server)
        check("a token whose slot is given away is granted once", found == "nf", found)
        found = slot_given_away("no-second-look", server)
        check("without a second look at the epoch it is granted twice", found == "nn", found)
        for fleet, batch in (("emptied", 1), ("emptied-too", 3)):
            said = rows_deleted(fleet, server, batch, f'DELETE FROM "mp3_{fleet}".claim')
            check(f"of {batch} granted in a slot that is emptied meanwhile none is granted",
                  said == [letter * batch for letter in "nff"], said)
        for fleet, batch in (("restored", 1), ("restored-too", 3)):
            said = rows_deleted(fleet, server, batch, put_back(fleet))
            check(f"of {batch} granted where a dump is restored meanwhile none is granted",
                  said == ["n" * batch, "MT001", "MT001"], said)
        for fleet in ("no-second-look-too", "no-mark"):
            said = rows_deleted(fleet, server, 3, put_back(fleet))
            check(f"in {fleet} they are granted twice", said[:2] == ["nnn"] * 2, said)
        one = (array([int(time.time())]), array([secrets.token_hex(16)]), array([secrets.token_hex(16)]))
        two = [array([value, value]) for value in (int(time.time()), secrets.token_hex(16), secrets.token_hex(16))]
        for batch in (one, two):
            said = restored_in_between("slow-claims", server, CLAIMS, GRACE, *batch)
            check("a claim hears that a dump was restored after it was stored", said == ["MT001", "MT001"], said)
            server.sql(f'UPDATE "mp3_slow-claims".epoch SET {MARKED}')
        server.sql(f"""UPDATE "mp3_slow-maintenance".epoch SET seen = {int(time.time()) - 3}, {MARKED};
                       UPDATE "mp3_careless".epoch SET seen = {int(time.time()) - 3}, {MARKED}""")
        said = restored_in_between("slow-maintenance", server, MAINTAIN, LIFE, 18, int(time.time()))
        check("an epoch that is put back between the look and the lock of a host that maintains is not maintained", said == ["MT001", "MT001"], said)
        said = restored_in_between("careless", server, MAINTAIN, LIFE, 18, int(time.time()))
        check("without a look at the locked row it is maintained, and grants a token twice", said[-1] == "n", said)
    finish()


main()
