#!/usr/bin/env python3
"""The runbooks of a fleet, walked with real seats: each alert's state is brought about, what the article Operations says is typed
as it is written, and the alert's rule, fed with the daemon's own metrics, is silent before, fires, and ends.

Of the machine of the article only the places are others; systemctl and journalctl are ours, for seats and a log without systemd.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.append(os.path.join(os.path.dirname(HERE), "systemd"))

import alerts  # noqa: E402
import seats  # noqa: E402
from claims import MEDIATOKEN, claim, finish, path, scratch, skip, until  # noqa: E402
from daemon import Daemon  # noqa: E402
from seats import Seat  # noqa: E402
from tokens import Signer  # noqa: E402

PASSWORD = "correct-horse"
alerts.RULES = os.path.join(ROOT, "deploy/prometheus/mediatoken.rules.yml")
ARTICLE = open(os.path.join(ROOT, "Sources/MediaTokenService/MediaTokenService.docc/Operations.md")).read()

# promtool's files are written where we are.
os.chdir(scratch)
seats.need()
if shutil.which("promtool") is None:
    skip("promtool is missing")
signer = Signer()
with open(path("credentials"), "w") as file:
    file.write(f"* default {PASSWORD}\n")
os.chmod(path("credentials"), 0o600)
fleet = [Seat(name, password=PASSWORD).start() for name in ("one", "two", "three")]
daemon = Daemon(signer, "host", table="unused.table", replay={
    "address": "redis:test@" + ",".join(seat.address for seat in fleet), "fleet": {"credentials": path("credentials")}},
    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}])


def program(name, text):
    place = os.path.join(path("bin"), name)
    with open(place, "w") as file:
        file.write("#!/bin/bash\n" + text)
    os.chmod(place, 0o755)


os.mkdir(path("bin"))
# Our tenant has another tolerance than the usual one, and the article says what to add for it.
program("mediatoken", f'exec {MEDIATOKEN} "$@" --future-tolerance 0\n')
program("systemctl", f'[[ $1 != restart ]] || echo "$2" >>{path("orders")}\n')
program("journalctl", f"""unit= pattern=.
while [[ $# -gt 0 ]]; do case $1 in -u) unit=$2; shift ;; -g) pattern=$2; shift ;; esac; shift; done
[[ $unit != mediatokend ]] || grep -E -e "$pattern" {daemon.log} | tail -n 20
""")


def blocks(section):
    """What is to be typed in a section, up to the next heading."""
    text = re.search(rf"(?ms)^###+ {re.escape(section)}\n(.*?)(?=^##|\Z)", ARTICLE)
    return re.findall(r"(?ms)^```sh\n(.*?)^```$", text[1]) if text else []


def typed(section, number, *options):
    text = blocks(section)[number].replace("/etc/mediatoken/mediatokend.json", daemon.file)
    text = text.replace("/etc/mediatoken/fleet.credentials", path("credentials"))
    return subprocess.run(["bash", *options, "-c", text], cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, PATH=path("bin") + ":" + os.environ["PATH"]), timeout=60)


def look(section, number, *expected):
    """Types a block that only looks, and finds in what it prints what it is there for."""
    said = typed(section, number).stdout
    for text in expected:
        claim(f"{section}: looking shows {text}", re.search(text, said), said[-900:])


def restart(section, number, *lost):
    """Types the block that restarts a seat, as on the machine of each that is lost."""
    for seat in lost:
        result = typed(section, number, "-e")
        claim(f"{section}: what it says can be typed", result.returncode == 0, result.stdout)
        claim(f"{section}: it restarts a seat", open(path("orders")).read().endswith("mediatoken-seat@6379\n"))
        seat.start()


def page():
    """The metrics as they are now, with times as promtool has them: its clock begins at 0."""
    found = alerts.samples(daemon.get("/metrics").body.decode())
    return {name: value - int(time.time()) if name.startswith("mediatoken_fleet_seat_vouches_from") else value
            for name, value in found.items()}


def reason():
    answer = daemon.get("/readyz")
    return None if answer.status == 200 else json.loads(answer.body)["reason"]


def votes(seat):
    """Whether the seat votes or is young, as the alert counts it."""
    return any(daemon.metrics()[f'mediatoken_fleet_seat_state{{seat="{seat}",state="{state}"}}'] == 1 for state in ("voting", "young"))


walked = set()


def walk(alert, provoke, cure):
    walked.add(alert)
    well = page()
    provoke()
    bad = page()
    cure()
    claim(f"{alert}: the daemon is well again", until(60, lambda: reason() is None and all(map(votes, (1, 2, 3)))), reason())
    holds, said = alerts.fires(alert, well, bad, page())
    claim(f"{alert}: the alert fires, and ends", holds, said)


def missing():
    def provoke():
        for seat in fleet[:2]:
            seat.kill()
        claim("two seats are missing", until(20, lambda: reason() == "seats-missing"), reason())
        claim("and the log says so", until(10, lambda: {1, 2} <= {line["seat"] for line in daemon.events("seat-lost")}))

    def cure():
        look("seats-missing", 0, "seat 1: down", "seat 2: down", "seat 3: (young|voting)", '"event":"seat-lost"')
        restart("seats-missing", 1, *fleet[:2])

    walk("MediaTokenNotReady", provoke, cure)


def away():
    def provoke():
        fleet[2].kill()
        claim("a seat is away", until(20, lambda: not votes(3)), daemon.said()[-600:])

    def cure():
        look("MediaTokenFleetSeatAway", 0, "seat 3: down", "seat 1: (young|voting)")
        restart("MediaTokenFleetSeatAway", 1, fleet[2])

    walk("MediaTokenFleetSeatAway", provoke, cure)


def born():
    def provoke():
        births = daemon.metrics()['mediatoken_fleet_births_total{seat="2"}']
        fleet[1].kill()
        fleet[1].start()
        claim("a seat was restarted", until(
            20, lambda: daemon.metrics()['mediatoken_fleet_births_total{seat="2"}'] > births), daemon.said()[-600:])

    def cure():
        look("MediaTokenFleetSeatBorn", 0, '"event":"seat-born","seat":2', "seat 2: (young|voting)")

    walk("MediaTokenFleetSeatBorn", provoke, cure)


def forgets():
    def provoke():
        name = 'mediatoken_fleet_replies_total{seat="1",reply="forgotten"}'
        before = daemon.metrics()[name]
        for token in signer.issue(1):
            daemon.ask(token)
        keys = re.findall(r"\{mt1:test\}:\d+", fleet[0].ask("KEYS", "{mt1:test}:*"))
        claim("a bucket is deleted", fleet[0].ask("DEL", *keys[-200:]).startswith(":"), keys[-1:])
        claim("its tokens are not voted for", until(10, lambda: daemon.ask(signer.issue(1, age=1000)[0]) and
              daemon.metrics()[name] > before), daemon.metrics()[name])

    def cure():
        look("MediaTokenFleetForgets", 0, "seat 1: voting", "policy: noeviction", "usedMemory: [0-9]+ bytes")

    walk("MediaTokenFleetForgets", provoke, cure)


daemon.start()
for part in (missing, away, born, forgets):
    part()
daemon.end()
rules = set(re.findall(r"alert: (MediaTokenFleet\w+)", open(alerts.RULES).read()))
claim("every alert of a fleet was walked", rules and rules <= walked, str(rules - walked))
finish()
