#!/usr/bin/env -S python3 -B
"""The inspector of a daemon on three real seats: it looks at their votes, claims nothing, and has no verdict without a majority."""

import json
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, post, verdict
from hosts import are_ready, begin, decided, host, signer
from processes import MEDIATOKEN
from scenario import check, finish, path

fleet, one, two = begin()
two.end()
place = path("inspector.sock")
two = host("inspected", one.settings["replay"]["address"], inspector=place).start_unready()
check("both daemons are ready", are_ready(one, two))


def explain(token):
    with Connection(place) as connection:
        connection.send(post(token, b"/v1/explain?requestor=REF30&resource=TNT").replace(b"Host: localhost", b"Host: localhost"))
        return connection.receive()


token = signer.issue(1)[0]
said = [json.loads(decided(explain, token).body) for _ in range(3)]
check("a token that no seat has seen is unused, as often as it is looked at",
      all((one.get("verdict"), one["use"]) == ("VALID_TOKEN", {"state": "unused"}) for one in said), said[0])
played = decided(one.ask, token)
check("a token that was looked at still plays on another host", (played.status, verdict(played)) == (200, "VALID_TOKEN"), played)
used = json.loads(decided(explain, token).body)
check("a token that played is explained as used, since a time that the seats know",
      (used.get("verdict"), used["use"]["state"]) == ("TOKEN_REPLAYED", "used") and used["use"]["firstUsed"].endswith("Z"), used)
told = subprocess.run([MEDIATOKEN, "explain", "--config", two.file, "--requestor", "REF30", "--resource", "TNT", "--json", "-"], input=token,
                      capture_output=True)
ours = json.loads(told.stdout)
check("explain --config looks at the same seats", (ours.get("verdict"), ours["use"], told.returncode) == ("TOKEN_REPLAYED", used["use"], 1), told)
check("explain reports three seats for a used token", used["steps"][-1]["notes"][1]["value"].count("seat ") == 3, used["steps"][-1])
for seat in fleet[:2]:
    seat.kill()
fresh = signer.issue(1)[0]
answer = explain(fresh)
check("without a majority explain has no verdict", answer.status == 503 and verdict(answer) == "REPLAY_MEMORY_UNAVAILABLE"
      and b"VALID" not in answer.body, answer)
known = json.loads(answer.body)
check("without a majority explain says what each seat said, the life, the binding, and a sentence for the viewer",
      [one["outcome"] for one in known["steps"]] == ["passed"] * 6 + ["no-answer"] and "seat 1 (" in known["steps"][6]["notes"][1]["value"]
      and known["life"]["issued"].endswith("Z") and len(known["binding"]) == 2 and known["viewer"].startswith("Please wait"), known)
expired = explain(signer.issue(1, ttl=60_000, age=600_000)[0])
check("without a majority a token that has ended is explained all the same",
      (expired.status, verdict(expired)) == (200, "TOKEN_EXPIRED"), expired)
for daemon in (one, two):
    daemon.end(signal.SIGTERM)
finish()
