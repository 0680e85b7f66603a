#!/usr/bin/env -S python3 -B
"""Decisions of Adobe's REST API v2 in the daemon's JSON: a document that is refused costs little, the limit of a body is that of a
document, and no token of one is logged. Every case of Tests/Decisions is DecisionCasesTests'; what a question may say next to one, what
decides, and that what is refused uses no token up is DecisionRequestTests'.
"""
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


def ask(connection, body):
    """The status of the answer."""
    connection.send(post(body, b"/v1/verify", b"Content-Type: application/json\r\n"))
    return connection.receive().status


def question(document):
    return b'{"requestor":"REF30","resource":"TNT","decision":' + document + b"}"


def sizes():
    """In the daemon the limit of the document is that of the body."""
    text = signer.issue(1, form="decision")[0]
    for length, wanted in ((BODY_BYTES + 1, 413), (BODY_BYTES, 200)):
        with daemon.connect() as connection:
            status = ask(connection, question(text + b" " * (length - len(question(text)))))
        check(f"a body of {length} bytes is {wanted}", status == wanted, status)


def prices():
    """The most expensive documents, in processor time, because the machine has other work."""
    for what, values in (("as many values as there may be", b'"",' * 8150), ("many more values", b"[]," * 80_000)):
        body, begun = question(b'{"decisions":[],"x":[' + values + b"0]}"), daemon.cpu_seconds()
        with daemon.connect() as connection:
            statuses = [ask(connection, body) for _ in range(100)]
        each = (daemon.cpu_seconds() - begun) / 100
        check(f"a decision with {what}: {len(body)} bytes in {1000 * each:.1f} ms of a processor", statuses == [400] * 100 and each < 0.05, each)


sizes()
prices()
check("the daemon that was asked about decisions ends with 0", daemon.end() == 0)
check("no token is in the log of the daemon that was asked about decisions",
      "PHNpZ25hdHVy" not in daemon.said() and "<signatureInfo>" not in daemon.said())
finish()
