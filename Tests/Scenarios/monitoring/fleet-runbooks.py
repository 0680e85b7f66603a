#!/usr/bin/env -S python3 -B
"""The runbooks of a fleet, walked with real nodes."""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from machine import Machine
from scenario import ROOT, check, finish, needs, path, scratch, until
from nodes import SERVER, Node
from tokens import Signer
from walks import OF_A_DATABASE, Walks

PASSWORD = "correct-horse"
RULES = os.path.join(ROOT, "deploy/prometheus/mediatoken.rules.yml")
needs(SERVER, "promtool")
# promtool's files are written where we are.
os.chdir(scratch)
signer = Signer()
with open(path("credentials"), "w") as file:
    file.write(f"* default {PASSWORD}\n")
os.chmod(path("credentials"), 0o600)
fleet = [Node(name, password=PASSWORD).start() for name in ("one", "two", "three")]
daemon = Daemon(signer, "host", replay={
    "address": "redis:test@" + ",".join(node.address for node in fleet), "fleet": {"credentials": path("credentials")}},
    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}])

machine = Machine(daemon)


def restart(section, *lost, block=1):
    """Types the block that restarts a node, as on the machine of each that is lost."""
    for node in lost:
        walks.do(section, block)
        check(f"{section}: the commands restart a node", machine.was_told_to_restart("mediatoken-node@6379"))
        node.start()


def votes(node):
    """Whether the node votes or is warming, as the alert counts it."""
    return any(daemon.metrics()[f'mediatoken_fleet_node_state{{node="{node}",state="{state}"}}'] == 1 for state in ("voting", "warming"))


def is_whole():
    return machine.reason() == "ready" and all(map(votes, (1, 2, 3)))


walks = Walks(os.path.join(ROOT, "Sources/MediaTokenService/MediaTokenService.docc/Runbooks.md"), RULES, machine.page, machine.reason, machine.run)


def missing():
    def provoke():
        for node in fleet[:2]:
            node.kill()
        check("the daemon is not ready when two of three nodes were killed",
              until(60, lambda: machine.reason() == "nodes-missing"), machine.reason())
        check("the log says which two nodes are missing",
              until(60, lambda: {1, 2} <= {line["node"] for line in daemon.events("node-lost")}))

    def cure():
        walks.look("nodes-missing", 0, "node 1: down", "node 2: down", "node 3: (warming|voting)", '"event":"node-lost"')
        restart("nodes-missing", *fleet[:2])

    walks.walk("MediaTokenNotReady", provoke, cure, is_whole)


def away():
    def provoke():
        fleet[2].kill()
        check("the metrics say that a killed node does not vote", until(60, lambda: not votes(3)), daemon.said()[-600:])

    def cure():
        walks.look("MediaTokenFleetNodeAway", 0, "node 3: down", "node 1: (warming|voting)")
        restart("MediaTokenFleetNodeAway", fleet[2])

    walks.walk("MediaTokenFleetNodeAway", provoke, cure, is_whole)


def started():
    def told():
        return sum(line["node"] == 2 for line in daemon.events("node-started"))

    def provoke():
        before, starts = told(), daemon.metrics()['mediatoken_fleet_starts_total{node="2"}']
        fleet[1].kill()
        fleet[1].start()
        check("the metrics say that a node was restarted", until(
            60, lambda: daemon.metrics()['mediatoken_fleet_starts_total{node="2"}'] > starts), daemon.said()[-600:])
        check("the log says that a node was restarted", until(60, lambda: told() > before), daemon.said()[-600:])

    def cure():
        walks.look("MediaTokenFleetNodeStarted", 0, '"event":"node-started","node":2', "node 2: (warming|voting)")

    walks.walk("MediaTokenFleetNodeStarted", provoke, cure, is_whole)


def floor_ahead():
    def floor():
        return machine.page()['mediatoken_fleet_node_vouches_from_seconds{node="2"}']

    def provoke():
        fleet[1].ask("HSET", "{mt2:test}", "from", str(int(time.time()) + 86_400))
        check("a node's floor is a day ahead", until(60, lambda: floor() > 86_000), floor())

    def cure():
        walks.look("MediaTokenFleetFloorAhead", 0, "node 2: warming", r"from: \d+ \(\d{4}-", "clockOffset: -?[0-9]+ ms",
                   "verdict: usable: 2 of 3 nodes vote, 1 is warming")
        walks.do("MediaTokenFleetFloorAhead", 1)
        check("the commands against a floor that is ahead restart the daemon",
              machine.was_told_to_restart("mediatokend") and daemon.end() == 0)
        daemon.start()
        fleet[1].kill()
        restart("MediaTokenFleetFloorAhead", fleet[1], block=2)
        check("the floor of a node that was restarted is an ordinary one", until(60, lambda: floor() < 100), floor())

    walks.walk("MediaTokenFleetFloorAhead", provoke, cure, is_whole)


def forgets():
    def buckets():
        return fleet[0].ask("KEYS", "{mt2:test}:*")

    def provoke():
        name = 'mediatoken_fleet_replies_total{node="1",reply="forgotten"}'
        before = daemon.metrics()[name]
        # A token of which the node is not told in time is in no bucket of it.
        check("a node has a token in a bucket", until(60, lambda: daemon.ask(signer.issue(1)[0]) and buckets()))
        keys = buckets()
        check("a node's bucket is deleted", keys and fleet[0].ask("DEL", *keys[-200:]) > 0, keys[-1:])
        check("a node does not vote for tokens of a bucket that was deleted",
              until(60, lambda: daemon.ask(signer.issue(1, age=1000)[0]) and
              daemon.metrics()[name] > before), daemon.metrics()[name])

    def cure():
        walks.look("MediaTokenFleetForgets", 0, "node 1: voting", "policy: noeviction", "usedMemory: [0-9]+ bytes")

    walks.walk("MediaTokenFleetForgets", provoke, cure, is_whole)


daemon.start()
for part in (missing, away, started, floor_ahead, forgets):
    part()
daemon.end()
rules = set(re.findall(r"alert: (MediaTokenFleet\w+)", open(RULES).read())) - OF_A_DATABASE
check("every alert of a fleet of nodes was walked", rules and rules <= walks.walked, str(rules - walks.walked))
finish()
