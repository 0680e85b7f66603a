#!/usr/bin/env -S python3 -B
"""A host whose clock was a day ahead for a moment gives no database a floor that is a day ahead."""

import json
import secrets
import subprocess
import sys
import time

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from configurations import config_of
from databases import Database
from processes import MEDIATOKEN, SPEND, launch
from scenario import check, finish, path, until
from servers import set_clock, with_clock

DAY, GRACE = 86_400, 5
database = Database("database").start()
file = config_of(database.address("test"), tenant={"futureToleranceMilliseconds": 0}, graceSeconds=GRACE, deadlineMilliseconds=1000)


def command(*words):
    return subprocess.run([MEDIATOKEN, "replay", *words, "--config", file], capture_output=True, text=True).stdout


def answer(ahead=0):
    """Of the host to a token that is new by its clock."""
    now = int(time.time()) + ahead
    host.stdin.write(f"{secrets.token_hex(32)} {now + 600} - {now}\n")
    return host.stdout.readline().strip()


def floor():
    """How far it is ahead; None: there is no floor."""
    node = json.loads(command("nodes", "--json", "--timeout", "60000"))["nodes"][0]
    return node["from"] and node["from"] - time.time()


def log():
    """What the server has said, each line with its SQLSTATE."""
    with open(database.log) as file:
        return file.read()


database.set("log_line_prefix", "%e ")
database.set("log_min_messages", "error")
said = database.sql(command("schema"))
check("the schema is made", said == "", said)
set_clock(path("clock"), 0)
host = launch([SPEND, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
              stderr=subprocess.DEVNULL, text=True, bufsize=1, env=with_clock(path("clock")))
check("a host initialises the database", until(60, lambda: answer() == "predates" and floor() < 100))
set_clock(path("clock"), DAY)
check("its clock is a day ahead while it asks the database", until(60, lambda: answer(DAY).startswith("error")))
set_clock(path("clock"), 0)
database.sql("DELETE FROM mp3_test.epoch")
said = len(log())
check("its clock is right again, and it has asked for the next start", until(60, lambda: answer() and ("MT003" in log()[said:] or floor())))
check("it has made no floor that is far ahead", (floor() or 0) < 100, floor())
# It may bear the database itself, or another does: here the command.
check("the floor of the next start is an ordinary one", until(60, lambda: command("init", "--timeout", "60000") and floor()) and floor() < 100,
      floor())
check("the host asks the database again", until(60, lambda: answer() == "predates"))
host.stdin.close()
host.wait()
finish()
