#!/usr/bin/env -S python3 -B
"""Decisions of Adobe's REST API v2 in the daemon's JSON: a document that is refused uses no token up and costs little, the limit of a body is
that of a document, and no token of one is logged. Every case of Tests/Decisions is cli/decisions.py's, with tokens, and
DecisionCasesTests'; what a question may say next to one, and what decides, is DecisionRequestTests'.
"""
import json
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from scenario import check, finish
from tokens import Signer

#: limits.bodyBytes, unless it is set.
BODY_BYTES = 262_144
signer = Signer()
daemon = Daemon(signer).start()


def ask(connection, body, target=b"/v1/verify"):
    """The status and the members of the answer."""
    connection.send(post(body, target, b"Content-Type: application/json\r\n"))
    answer = connection.receive()
    return answer.status, json.loads(answer.body)


def question(document, resource="TNT"):
    return b'{"requestor":"REF30","resource":' + json.dumps(resource).encode() + b',"decision":' + document + b"}"


def refused(connection):
    """Nothing that is refused spends the token."""
    text = signer.issue(1, form="decision")[0]
    token = json.loads(text)["decisions"][0]["token"]["serializedToken"]
    for what, body, error in (
            ("a member twice in it", question(text[:-1] + b',"x":[{"a":1,"a":2}]}'), "bad-decision"), ("not JSON after it", question(text) + b"x", "bad-body"),
            ("another resource", question(text, "TBS"), "bad-decision"), ("no token", question(b'{"decisions":[{"resource":"TNT"}]}'), "no-token-in-decision"),
            ("too many values", question(text[:-1] + b',"x":[' + b"[]," * 3000 + b"0]}"), "bad-decision")):
        found, answer = ask(connection, body)
        check(f"a decision with {what} is {error}, and the answer shows no token",
              found in (400, 403) and answer["error"] == error and token not in json.dumps(answer), answer)
    check("no refused decision has spent the token", ask(connection, question(text))[0] == 200)


def sizes(_):
    """In the daemon the limit of the document is that of the body."""
    text = signer.issue(1, form="decision")[0]
    for length, wanted in ((BODY_BYTES + 1, 413), (BODY_BYTES, 200)):
        with daemon.connect() as connection:
            status, answer = ask(connection, question(text + b" " * (length - len(question(text)))))
        check(f"a body of {length} bytes is {wanted}", status == wanted, answer)


def prices(connection):
    """The most expensive documents, in processor time, because the machine has other work."""
    for what, values in (("as many values as there may be", b'"",' * 8150), ("many more values", b"[]," * 80_000)):
        body, begun = question(b'{"decisions":[],"x":[' + values + b"0]}"), daemon.cpu_seconds()
        statuses = [ask(connection, body)[0] for _ in range(100)]
        each = (daemon.cpu_seconds() - begun) / 100
        check(f"a decision with {what}: {len(body)} bytes in {1000 * each:.1f} ms of a processor", statuses == [400] * 100 and each < 0.05, each)


for part in (refused, sizes, prices):
    with daemon.connect() as connection:
        part(connection)
check("the daemon that was asked about decisions ends with 0", daemon.end() == 0)
check("no token is in the log of the daemon that was asked about decisions",
      "PHNpZ25hdHVy" not in daemon.said() and "<signatureInfo>" not in daemon.said())
finish()
