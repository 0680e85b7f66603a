#!/usr/bin/env -S python3 -B
"""Two daemons on three real nodes: what is played by one is refused by the other, and an inspector looks at votes and claims nothing. Answers
that wait for votes are LaterAnswersTests' and LaterAuthTests'; races of hosts, repeated requests and a table as second lock are stores/'s;
what is explained without any node is doors/lines.txt's."""

import json
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, post, verdict
from hosts import are_ready, begin, decided, host, plays_once, reason, signer, states
from scenario import check, finish, path


def inspected(fleet, one):
    """The last part: two nodes are away at its end."""
    place = path("inspector.sock")
    daemon = host("inspected", one.settings["replay"]["address"], inspector=place).start_unready()
    check("a host with an inspector is ready", are_ready(daemon))

    def explain(token):
        with Connection(place) as connection:
            connection.send(post(token, b"/v1/explain?requestor=REF30&resource=TNT"))
            return connection.receive()

    token = signer.issue(1)[0]
    said = [json.loads(decided(explain, token).body) for _ in range(3)]
    check("a token that no node has seen is unused, as often as it is looked at",
          all((one.get("verdict"), one["use"]) == ("VALID_TOKEN", {"state": "unused"}) for one in said), said[0])
    played = decided(one.ask, token)
    check("a token that was looked at still plays on another host", (played.status, verdict(played)) == (200, "VALID_TOKEN"), played)
    used = json.loads(decided(explain, token).body)
    check("a token that played is explained as used, since a time that three nodes know",
          (used.get("verdict"), used["use"]["state"]) == ("TOKEN_REPLAYED", "used") and used["use"]["firstUsed"].endswith("Z")
          and used["steps"][-1]["notes"][1]["value"].count("node ") == 3, used)
    for node in fleet[:2]:
        node.kill()
    answer = explain(signer.issue(1)[0])
    known = json.loads(answer.body)
    check("without a majority explain has no verdict, and says what each node said", answer.status == 503 and b"VALID" not in answer.body
          and verdict(answer) == "REPLAY_MEMORY_UNAVAILABLE"
          and [one["outcome"] for one in known["steps"]] == ["passed"] * 6 + ["no-answer"]
          and "node 1 (" in known["steps"][6]["notes"][1]["value"], known)
    check("a daemon with an inspector on a fleet ends with 0", daemon.end() == 0)


def main():
    fleet, one, two = begin()
    check("both daemons of a new fleet are ready without a question, and its nodes vote",
          are_ready(one, two), (reason(one), reason(two), states(one)))
    started = [line for daemon in (one, two) for line in daemon.events("node-started")]
    check("starts are in the log, with the moment from which on they vouch", started and all(line["from"].endswith("Z") for line in started), started)
    plays_once("three nodes", one, two)
    inspected(fleet, one)
    for daemon in (one, two):
        check("a daemon of a fleet stops as it should", daemon.end() == 0, daemon.said()[-600:])
    finish()


main()
