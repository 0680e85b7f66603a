"""Hosts of a fleet of three real nodes: two daemons, and what is asked of them."""

import json
import os
import re
from collections import Counter

from connection import verdict
from daemon import Daemon
from scenario import check, needs, path, until
from nodes import SERVER, Node
from tokens import Signer

PASSWORD = "correct-horse"
# Without a tolerance for the future a new node is warming for some seconds only.
TENANTS = [{"requestor": "REF30", "futureToleranceMilliseconds": 0}]

needs(SERVER)
signer = Signer()


def credentials(name, *lines, mode=0o600):
    """A file that is exchanged in one step."""
    place = path(name)
    with open(place + ".new", "w") as file:
        file.write("".join(line + "\n" for line in lines))
    os.chmod(place + ".new", mode)
    os.rename(place + ".new", place)
    return place


def replay(address, **fleet):
    # The longest deadline that there is: a machine may have other work.
    return {"address": address, "retryWindowMilliseconds": 30_000,
            "fleet": {"credentials": path("credentials"), "deadlineMilliseconds": 1000} | fleet}


def host(name, address, **settings):
    return Daemon(signer, name, **{
        "replay": replay(address), "tenants": TENANTS, "requestIDHeader": "X-Request-ID"} | settings)


def reason(daemon):
    answer = daemon.get("/readyz")
    return None if answer.status == 200 else json.loads(answer.body)["reason"]


def states(daemon):
    """The state of each node, by the metrics."""
    found = {}
    for name, value in daemon.metrics().items():
        if value == 1 and (sample := re.match(r'mediatoken_fleet_node_state\{node="(\d)",state="(\w+)"\}', name)):
            found[int(sample[1])] = sample[2]
    return [found.get(number) for number in sorted(found)]


def decided(ask, *question):
    """What a host answers. It is asked again after a fault: nodes that have just come back may not have been connected to, and on a
    busy machine votes may come too late. Those that a host has for a token stay good."""
    answers = []
    until(60, lambda: answers.append(ask(*question)) or answers[-1].status != 503)
    return answers[-1]


def told(daemon, token):
    """The verdict on a token that can't play."""
    return verdict(decided(daemon.ask, token))


def plays_once(name, first, second, number=10):
    """Tokens that one daemon plays, and the other refuses."""
    tokens = signer.issue(number)
    played, again = (Counter((answer.status, verdict(answer)) for answer in (decided(daemon.ask, token) for token in tokens))
                     for daemon in (first, second))
    check(f"{name}: {number} tokens play on one host", played == {(200, "VALID_TOKEN"): number}, played)
    check(f"{name}: the same tokens are refused on the other host", again == {(403, "TOKEN_REPLAYED"): number}, again)


def begin(**settings):
    """Three nodes, and two daemons that answer and are not yet ready."""
    credentials("credentials", f"* default {PASSWORD}")
    fleet = [Node("one", password=PASSWORD), Node("two", password=PASSWORD), Node("three", password=PASSWORD, is_local=True)]
    address = "redis:test@" + ",".join(node.start().address for node in fleet)
    return fleet, *(host(name, address, **settings).start_unready() for name in ("host-one", "host-two"))


def are_ready(*daemons):
    """Waits until all of them are ready and each node votes, or for a minute: with two votes a host is ready, and the third node
    may have been started a second later."""
    return until(60, lambda: all(reason(daemon) is None and set(states(daemon)) <= {"voting"} for daemon in daemons))
