#!/usr/bin/env -S python3 -B
"""A database, or what is in its place, that lies: answers of a kind that no question has, answers without end, at any moment, and none.
Whatever asks ends in time and has its usual memory; SIGTERM ends a daemon; when the database is honest again, tokens play."""

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../postgres"]

from configurations import config_of
from connection import Unanswered
from daemon import Daemon
from liar import COPIES, ENDLESS, LONG, Liar
from processes import MEDIATOKEN, SPEND, launch
from scenario import check, finish, path, until
from tokens import Signer

#: More than a connection, its answer and libpq's copies of it need; much less than what is sent. In bytes.
MARGIN = 24 << 20
#: What has to end has two seconds; the rest is for a busy machine.
PATIENCE = 30
ANSWERS = [*COPIES, *ENDLESS, *LONG, "rows", "two answers", "no rows", "silence"]
#: One of each sort, for moments whose answers are read by the same code.
SOME = ["copy out", "notices", "a long row", "rows", "silence"]
TENANT = {"futureToleranceMilliseconds": 0}

os.chmod(path(""), 0o711)
os.mkdir(path("database"), 0o755)
address = f"postgres:test@{path('database')}/tokens"
signer = Signer()
file = config_of(address, signer, tenant=TENANT)
liar = Liar(path("database"), "--config", file)


def daemon(**more):
    return Daemon(signer, replay={"address": address} | ({"fleet": more} if more else {}), tenants=[{"requestor": "REF30"} | TENANT], threads=1)


def status(daemon):
    with contextlib.suppress(Unanswered):
        return daemon.ask(signer.issue(1)[0]).status


def asked(when, how, usual):
    """A daemon that is lied to at one moment, and goes on."""
    liar.lie, liar.lies = None, 0
    host = daemon().start()
    played = status(host)
    liar.lie = (when, how)
    begun, told, found = time.monotonic(), set(), []
    while time.monotonic() < begun + PATIENCE and (len(told) < 2 or time.monotonic() < begun + 1):
        found.append(status(host))
        told.add(liar.lies)
    took, most = time.monotonic() - begun, host.most_resident()
    liar.lie = None
    plays = until(PATIENCE, lambda: status(host) == 200)
    liar.lie = (when, how)
    until(2, lambda: status(host) != 200)
    ended = None
    with contextlib.suppress(subprocess.TimeoutExpired):
        ended = host.end(seconds=PATIENCE)
    check(f"{when}, {how}: a daemon answers, has its memory, plays again when it can, and ends",
          played == 200 and None not in found and took < PATIENCE and most < usual + MARGIN and plays and ended == 0,
          (played, found[:5], took, most - usual, plays, ended, host.said()[-600:]))
    os.remove(host.log)


def settings():
    """libpq keeps each setting for as long as it has the connection."""
    liar.lie, liar.settings = ("claims", "settings and the answer"), {}
    host = daemon().start()
    tokens = signer.issue(900)
    with host.connect() as connection:
        answers = [connection.ask(token).status for token in tokens]
    sent, most = list(liar.settings.values()), host.most_resident()
    ended = host.end(seconds=PATIENCE)
    os.remove(host.log)
    check("settings with every answer: a connection is exchanged before it has too many of them",
          answers.count(200) > 600 and max(sent) <= 16 << 20 and most < usual + 2 * MARGIN and ended == 0,
          (answers.count(200), sent, most - usual, ended))


def cut():
    """A connection is lost after a claim was sent on it: the claim is asked on the next one, within its deadline."""
    liar.lie, liar.lies = None, 0
    host = daemon(deadlineMilliseconds=1000).start()
    tokens = signer.issue(20)
    with host.connect() as connection:
        answers = []
        for token in tokens:
            liar.lie = ("claims", "cut once")
            answers.append(connection.ask(token).status)
    ended = host.end(seconds=PATIENCE)
    os.remove(host.log)
    check("a claim whose connection is lost is asked on the next one", answers == [200] * len(tokens) and liar.lies == len(tokens) and ended == 0,
          (answers, liar.lies, ended))


def commanded(words, text=""):
    """The status of a command, what it printed, how long it took, and the most memory that it had."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(text.encode())
        given.seek(0)
        process = launch(words, stdin=given, stdout=said, stderr=subprocess.STDOUT)
        ended = []
        if until(PATIENCE, lambda: ended.extend(pair for pair in [os.wait4(process.pid, os.WNOHANG)] if pair[0]) or ended):
            process.returncode = os.waitstatus_to_exitcode(ended[0][1])
        said.seek(0)
        most = ended[0][2].ru_maxrss * 1024 if ended else None
        return process.returncode, said.read().decode(errors="replace"), time.monotonic() - begun, most


def commands():
    now = int(time.time())
    token = signer.issue(1)[0].decode()
    asked = ["--spend", "--requestor", "REF30", "--resource", "TNT"]
    doors = {"a host": ([SPEND, file], f"{secrets.token_hex(32)} {now + 600} - {now}\n"),
             "verify": ([MEDIATOKEN, "verify", "-", "--config", file, *asked], token),
             "replay nodes": ([MEDIATOKEN, "replay", "nodes", "--config", file], "")}
    for door, (words, text) in doors.items():
        liar.lie = None
        good, said, _, usual = commanded(words, text)
        if not check(f"{door} works with an honest one", good == 0, said):
            continue
        for when, answers in (("start", [*ENDLESS, *LONG, "silence"]), ("facts", SOME), ("look" if door == "replay nodes" else "claims", ANSWERS)):
            for how in answers:
                liar.lie, liar.lies = (when, how), 0
                code, said, took, most = commanded(words, text)
                check(f"{when}, {how}: {door} ends without a use of a token, and has its memory",
                      liar.lies > 0 and code is not None and (code != 0 or "error" in said) and most < usual + MARGIN,
                      (liar.lies, code, said, took, most and most - usual))


liar.lie = None
first = daemon().start()
honest = status(first)
check("a token plays at an honest one", honest == 200, honest)
usual = first.most_resident()
first.end()
os.remove(first.log)
for when, answers in (("claims", ANSWERS), ("maintain", SOME), ("start", SOME), ("idle", ENDLESS)):
    for how in answers:
        asked(when, how, usual)
settings()
cut()
commands()
finish()
