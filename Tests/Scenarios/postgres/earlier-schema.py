#!/usr/bin/env -S python3 -B
"""A database with the schema of the version before: hosts are refused and say what to run, and the commands of the article SetUp
take its fleet over. systemctl and runuser are ours."""

import json
import os
import re
import secrets
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import USER
from connection import verdict
from daemon import Daemon
from databases import Database
from processes import MEDIATOKEN, MEDIATOKEND, SPEND
from scenario import ROOT, check, finish, path, scratch, until
from tokens import Signer

#: What the version before printed for a fleet `prod` with the usual times.
FORMER = os.path.join(ROOT, "Tests/Fixtures/postgres/prod-mp2.sql")
with open(os.path.join(ROOT, "Sources/MediaTokenService/MediaTokenService.docc/SetUp.md"), encoding="utf-8") as file:
    STEPS = re.findall(r"(?ms)^```sh\n(.*?)^```$", re.search(r"(?ms)^### A database of an earlier version\n(.*?)^##", file.read())[1])
FLOOR = 72

signer = Signer()
database = Database("database").start()
database.sql("CREATE DATABASE tokens")
environment = os.environ | {"PATH": path("bin") + ":" + os.environ["PATH"], "PGHOST": database.sockets, "PGPORT": str(database.port)} | (
    {"PGUSER": USER} if USER else {})
address = f"postgres:prod@{database.sockets}:{database.port}/tokens"
with open(path("credentials"), "w") as file:
    file.write("user mediatoken\n")
os.chmod(path("credentials"), 0o600)
daemon = Daemon(signer, "host", replay={"address": address, "fleet": {"credentials": path("credentials"), "deadlineMilliseconds": 1000}})


def psql(text):
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", "tokens"], input=text, capture_output=True, text=True, env=environment)
    return done.stdout.strip() + done.stderr


def make_programs():
    os.mkdir(path("bin"))
    for name, text in {"runuser": 'shift 3; exec "$@"', "systemctl": f'echo "$@" >>{path("orders")}',
                       "mediatoken": f'[[ $2 != nodes ]] || set -- "$@" --timeout 60000; exec {MEDIATOKEN} "$@"'}.items():
        with open(path(f"bin/{name}"), "w") as program:
            program.write(f"#!/bin/bash\n{text}\n")
        os.chmod(path(f"bin/{name}"), 0o755)


def step(number):
    """Types the commands of the article; what they print, and what systemctl was told."""
    text = STEPS[number].replace("/etc/mediatoken/mediatokend.json", daemon.file).replace("/etc/mediatoken/database", path("credentials"))
    text = text.replace("-h db1.example -U postgres ", "")
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], capture_output=True, text=True, cwd=scratch, env=environment, timeout=300)
    check(f"step {number + 1} of the article can be typed", done.returncode == 0, done)
    if not os.path.exists(path("orders")):
        return done.stdout, []
    with open(path("orders")) as orders:
        return done.stdout, orders.read().splitlines()


def is_refused():
    """At the start, by the check of the configuration, and by the command that looks."""
    daemon.spawn()
    status = daemon.process.wait(timeout=120)
    checked = subprocess.run([MEDIATOKEND, "--check-config", "--config", daemon.file], capture_output=True, text=True, timeout=120)
    nodes = subprocess.run([MEDIATOKEN, "replay", "nodes", "--json", "--replay", address, "--timeout", "60000"], capture_output=True, text=True)
    node = json.loads(nodes.stdout)["nodes"][0]
    told = "its schema is of an earlier version, and what is used there is not used here; end all hosts, run mediatoken replay schema"
    check("a host that finds the schema of the version before alone ends, and says what to run",
          status == 3 and told in daemon.said(), (status, daemon.said()))
    check("the check of the configuration says so, too", checked.returncode == 3 and told in checked.stdout + checked.stderr, checked)
    check("replay nodes says so, too", (nodes.returncode, node["state"]) == (3, "refused") and told in node["reason"], node)


def used_before():
    """A token that a host of the version before has granted, as a line of `spend`."""
    now, identity = int(time.time()), secrets.token_hex(32)
    digest = re.search(r"mediatoken mp2 (\w+)", open(FORMER).read())[1]
    said = psql(f"""SELECT born FROM mp2_prod.birth('{digest}', 60, 3601, 45, {now}, {now}, true);
                    SELECT letters FROM mp2_prod.claims('{digest}', 60, 45, ARRAY[{now}]::bigint[], ARRAY['{identity[:32]}']::uuid[],
                      ARRAY['{secrets.token_hex(16)}']::uuid[])""")
    check("the schema of the version before grants a token", said == "t\nn", said)
    return f"{identity} {now + 3000} - {now}"


def spend(line):
    return subprocess.run([SPEND, daemon.file], input=line + "\n", capture_output=True,
                          text=True).stdout.strip()


def floor():
    return int(psql("SELECT since FROM mp3_prod.epoch"))


make_programs()
check("the schema of the version before can be made", psql(open(FORMER).read()) == "")
used = used_before()
is_refused()
check("the first step ends the hosts", step(0)[1] == ["stop mediatokend.socket mediatokend-metrics.socket mediatokend.service"])
step(1)
before = time.time()
daemon.start_unready()
said, orders = step(2)
check("the third step starts the hosts, and shows the floor", orders[1:] == [
    "start mediatokend.socket mediatokend.service", "is-enabled -q mediatokend-metrics.socket", "start mediatokend-metrics.socket"] and
      until(60, lambda: "warming" in step(2)[0]), (said, orders))
check("the floor is that of a new fleet", before + FLOOR - 2 <= floor() <= time.time() + FLOOR + 2, floor() - before)
check("a token that the version before granted is refused", until(60, lambda: spend(used) == "predates"), spend(used))
early = signer.issue(1)[0]
check("a token of before the floor is refused", verdict(daemon.ask(early)) == "TOKEN_PREDATES_REPLAY_MEMORY")
step(3)
check("the former schema is gone, and the new one is not", psql("SELECT nspname FROM pg_namespace WHERE nspname ~ 'prod'") == "mp3_prod")
check("after the floor a token plays, once", until(FLOOR + 120, lambda: daemon.is_ready()) and until(
    FLOOR + 120, lambda: time.sleep(1) or verdict(daemon.ask(signer.issue(1)[0])) == "VALID_TOKEN"), daemon.said()[-600:])
check("a daemon on the new schema stops as it should", daemon.end() == 0)
finish()
