#!/usr/bin/env -S python3 -B
"""Two daemons on three real nodes: what is played by one is refused by the other, a repeated request is known on both, and an inspector
looks at votes and claims nothing. Answers that wait for votes are LaterAnswersTests' and LaterAuthTests'; races of hosts are among the
disasters; what is explained without any node is doors/lines.txt's."""

import json
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, post, verdict
from hosts import are_ready, begin, decided, host, plays_once, reason, replay, signer, states
from scenario import check, finish, path


def retries(one, two):
    target = b"/v1/verify?requestor=REF30&resource=TNT"

    def answered(daemon, text, name):
        with daemon.connect() as connection:
            connection.send(post(text, target, b"X-Request-ID: %b\r\n" % name))
            return connection.receive()

    def told(answer):
        return answer.status, json.loads(answer.body).get("retry"), verdict(answer)

    def ask(*question):
        return told(decided(answered, *question))

    def first(daemon, name):
        """A token, and what is said to the first request for it. What is asked again after a fault may be a retry already, so
        that it is another token then."""
        for _ in range(50):
            token = signer.issue(1)[0]
            answer = answered(daemon, token, name)
            if answer.status != 503:
                break
        return token, told(answer)

    token, said = first(one, b"first")
    check("the first request for a token is answered, and is no retry", said == (200, False, "VALID_TOKEN"), said)
    check("the same request on the other host is a retry", ask(two, token, b"first") == (200, True, "VALID_TOKEN"))
    check("the same request on the same host is a retry, too", ask(one, token, b"first") == (200, True, "VALID_TOKEN"))
    check("another request for the same token is refused", ask(two, token, b"second") == (403, None, "TOKEN_REPLAYED"))
    said = first(two, b"first")[1]
    check("the same request for another token is no retry", said == (200, False, "VALID_TOKEN"), said)


def local_table(one):
    address = one.settings["replay"]["address"]
    table = path("second.table")
    daemon = host("second-lock", address, replay=replay(address, localTable=f"shared:{table}?capacity=1000")).start()
    plays_once("with a table as second lock", daemon, one, 3)
    check("a host with a table has the table's own metrics", daemon.metrics()["mediatoken_replay_entries"] == 3, daemon.metrics())
    daemon.end()


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
    retries(one, two)
    local_table(one)
    inspected(fleet, one)
    for daemon in (one, two):
        check("a daemon of a fleet stops as it should", daemon.end() == 0, daemon.said()[-600:])
    finish()


main()
