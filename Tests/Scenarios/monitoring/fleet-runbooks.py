#!/usr/bin/env -S python3 -B
"""The runbooks of a fleet, walked with real seats."""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from machine import Machine
from processes import MEDIATOKEN
from scenario import ROOT, check, finish, needs, path, scratch, until
from seats import SERVER, Seat
from tokens import Signer
from walks import OF_A_DATABASE, Walks

PASSWORD = "correct-horse"
RULES = os.path.join(ROOT, "deploy/prometheus/mediatoken.rules.yml")
#: Where the article that installs a fleet puts the credentials of its seats.
with open(os.path.join(ROOT, "Sources/MediaToken/MediaToken.docc/Deployment.md"), encoding="utf-8") as article:
    CREDENTIALS = re.search(r"(?m)^install -m 640 -g mediatokend credentials (\S+)$", article.read())[1]

needs(SERVER, "promtool")
# promtool's files are written where we are.
os.chdir(scratch)
signer = Signer()
with open(path("credentials"), "w") as file:
    file.write(f"* default {PASSWORD}\n")
os.chmod(path("credentials"), 0o600)
fleet = [Seat(name, password=PASSWORD).start() for name in ("one", "two", "three")]
daemon = Daemon(signer, "host", replay={
    "address": "redis:test@" + ",".join(seat.address for seat in fleet), "fleet": {"credentials": path("credentials")}},
    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}])


machine = Machine(daemon, {CREDENTIALS: path("credentials")})


def restart(section, *lost, block=1):
    """Types the block that restarts a seat, as on the machine of each that is lost."""
    for seat in lost:
        walks.do(section, block)
        check(f"{section}: the commands restart a seat", machine.was_told_to_restart("mediatoken-seat@6379"))
        seat.start()


def votes(seat):
    """Whether the seat votes or is young, as the alert counts it."""
    return any(daemon.metrics()[f'mediatoken_fleet_seat_state{{seat="{seat}",state="{state}"}}'] == 1 for state in ("voting", "young"))


def is_whole():
    return machine.reason() == "ready" and all(map(votes, (1, 2, 3)))


walks = Walks(os.path.join(ROOT, "Sources/MediaTokenService/MediaTokenService.docc/Operations.md"), RULES, machine.page, machine.reason, machine.run)


def missing():
    def provoke():
        for seat in fleet[:2]:
            seat.kill()
        check("the daemon is not ready when two of three seats were killed",
              until(60, lambda: machine.reason() == "seats-missing"), machine.reason())
        check("the log says which two seats are missing",
              until(60, lambda: {1, 2} <= {line["seat"] for line in daemon.events("seat-lost")}))

    def cure():
        walks.look("seats-missing", 0, "seat 1: down", "seat 2: down", "seat 3: (young|voting)", '"event":"seat-lost"')
        restart("seats-missing", *fleet[:2])

    walks.walk("MediaTokenNotReady", provoke, cure, is_whole)


def away():
    def provoke():
        fleet[2].kill()
        check("the metrics say that a killed seat does not vote", until(60, lambda: not votes(3)), daemon.said()[-600:])

    def cure():
        walks.look("MediaTokenFleetSeatAway", 0, "seat 3: down", "seat 1: (young|voting)")
        restart("MediaTokenFleetSeatAway", fleet[2])

    walks.walk("MediaTokenFleetSeatAway", provoke, cure, is_whole)


def born():
    def told():
        return sum(line["seat"] == 2 for line in daemon.events("seat-born"))

    def provoke():
        before, births = told(), daemon.metrics()['mediatoken_fleet_births_total{seat="2"}']
        fleet[1].kill()
        fleet[1].start()
        check("the metrics say that a seat was restarted", until(
            60, lambda: daemon.metrics()['mediatoken_fleet_births_total{seat="2"}'] > births), daemon.said()[-600:])
        check("the log says that a seat was restarted", until(60, lambda: told() > before), daemon.said()[-600:])

    def cure():
        walks.look("MediaTokenFleetSeatBorn", 0, '"event":"seat-born","seat":2', "seat 2: (young|voting)")

    walks.walk("MediaTokenFleetSeatBorn", provoke, cure, is_whole)


def floor_ahead():
    def floor():
        return machine.page()['mediatoken_fleet_seat_vouches_from_seconds{seat="2"}']

    def provoke():
        fleet[1].ask("HSET", "{mt1:test}", "from", str(int(time.time()) + 86_400))
        check("a seat's floor is a day ahead", until(60, lambda: floor() > 86_000), floor())

    def cure():
        walks.look("MediaTokenFleetFloorAhead", 0, "seat 2: young", r"from: \d+ \(\d{4}-", "clockOffset: -?[0-9]+ ms",
                   "verdict: usable: 2 of 3 seats vote, 1 is young")
        walks.do("MediaTokenFleetFloorAhead", 1)
        check("the commands against a floor that is ahead restart the daemon",
              machine.was_told_to_restart("mediatokend") and daemon.end() == 0)
        daemon.start()
        fleet[1].kill()
        restart("MediaTokenFleetFloorAhead", fleet[1], block=2)
        check("the floor of a seat that was restarted is an ordinary one", until(60, lambda: floor() < 100), floor())

    walks.walk("MediaTokenFleetFloorAhead", provoke, cure, is_whole)


def forgets():
    def buckets():
        return fleet[0].ask("KEYS", "{mt1:test}:*")

    def provoke():
        name = 'mediatoken_fleet_replies_total{seat="1",reply="forgotten"}'
        before = daemon.metrics()[name]
        # A token of which the seat is not told in time is in no bucket of it.
        check("a seat has a token in a bucket", until(60, lambda: daemon.ask(signer.issue(1)[0]) and buckets()))
        keys = buckets()
        check("a seat's bucket is deleted", keys and fleet[0].ask("DEL", *keys[-200:]) > 0, keys[-1:])
        check("a seat does not vote for tokens of a bucket that was deleted",
              until(60, lambda: daemon.ask(signer.issue(1, age=1000)[0]) and
              daemon.metrics()[name] > before), daemon.metrics()[name])

    def cure():
        walks.look("MediaTokenFleetForgets", 0, "seat 1: voting", "policy: noeviction", "usedMemory: [0-9]+ bytes")

    walks.walk("MediaTokenFleetForgets", provoke, cure, is_whole)


def other_times():
    """The command without our tenant's times takes its own fleet for another one: each section says what to add."""
    bare = walks.blocks("MediaTokenFleetSeatAway")[0].replace("mediatoken replay seats", f"{MEDIATOKEN} replay seats --timeout 60000")
    _, said = machine.run(bare)
    check("the command without the tenant's times calls every seat refused",
          len(re.findall(r"(?m)^seat \d: refused$", said)) == len(fleet), said)
    texts = [text for text in re.split(r"(?m)^###+ ", walks.article) if "mediatoken replay seats --replay" in text]
    silent = [text.split("\n")[0] for text in texts if "--max-ttl" not in text]
    check("each section with mediatoken replay seats says which times to add", len(texts) > 4 and not silent, silent)


daemon.start()
other_times()
for part in (missing, away, born, floor_ahead, forgets):
    part()
daemon.end()
rules = set(re.findall(r"alert: (MediaTokenFleet\w+)", open(RULES).read())) - OF_A_DATABASE
check("every alert of a fleet of nodes was walked", rules and rules <= walks.walked, str(rules - walks.walked))
finish()
