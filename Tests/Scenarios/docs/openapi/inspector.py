"""Brings about what the inspector's document describes."""

import json

from caller import Caller
from daemon import Daemon
from document import Operation
from processes import free_port
from scenario import check

EXPLAIN = Operation("/v1/explain", "post")
ASKED = "/v1/explain?requestor=REF30&resource=TNT"


class InspectorCaller(Caller):
    """Asks by the inspector's own name."""

    host = b"localhost"

    def target(self, operation):
        return operation.path

    def exchange(self, operation, request):
        return super().exchange(operation, request.replace(b"Host: localhost", b"Host: " + self.host, 1))


def inspect(document, signer):
    """Asks a daemon's inspector; returns the statuses of the document that were not seen."""
    port = free_port()
    daemon = Daemon(signer, "inspected", "inspected.table", inspector=f"127.0.0.1:{port}").start()
    caller = InspectorCaller(document, port)
    caller.host = b"127.0.0.1:%d" % port
    as_json = [("Content-Type", "application/json")]
    token = signer.issue(1)[0]
    fresh = signer.issue(1, form="base64")[0].decode()
    decision = {"decisions": [{"resource": "TNT", "serviceProvider": "OTHER", "authorized": True,
                               "token": {"issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": fresh}}]}
    said = [caller.ask(EXPLAIN, ASKED, body=body) for body in (
        token, b"nonsense", signer.issue(1, resource="TBS")[0], signer.issue(1, ttl=60_000, age=600_000)[0])]
    said.append(caller.ask(EXPLAIN, "/v1/explain", as_json, json.dumps({"decision": decision}).encode()))
    said.append(caller.ask(EXPLAIN, "/v1/explain", body=token))
    said.append(caller.ask(EXPLAIN, "/v1/explain", [("Content-Type", "application/x-www-form-urlencoded")], b"token=x&requestor=REF30"))
    check("the inspector answers seven questions with 200", [one[0] for one in said] == [200] * 7, said)
    check("an explanation that was asked for no resource says that the resource is not checked",
          b'"notChecked":["resource"]' in said[-2][2], said[-2])
    caller.ask(EXPLAIN, "/v1/explain?x=1", body=token)
    caller.ask(EXPLAIN, "/v1/explain", as_json, b"{}")
    caller.ask(EXPLAIN, "/v1/explain", as_json, b'{"decision":{"decisions":[]}}')
    caller.ask(EXPLAIN, "/v1/explain", as_json, b'{"decision":{"decisions":[{"resource":"TNT"}]}}')
    caller.ask(EXPLAIN, ASKED, [("Origin", "http://evil.example")], token)
    caller.ask(EXPLAIN, ASKED, [("Content-Type", "image/png")], token)
    caller.ask(EXPLAIN, ASKED, announced=262_145)
    for operation in document.operations:
        caller.ask(operation, method="DELETE")
        if operation != EXPLAIN:
            check(f"the inspector answers {operation.method} {operation.path} with 200", caller.ask(operation)[0] == 200)
            caller.ask(operation, operation.path + "?x")
        name = operation.method.upper().encode()
        for target, version, lines in ((operation.path, b"2.0", b""), (operation.path, b"1.1", b"Expect: x\r\nContent-Length: 0\r\n"),
                                       (operation.path, b"1.1", b"X: " + b"x" * 20_000 + b"\r\n"), ("/" + "x" * 20_000, b"1.1", b""),
                                       (operation.path, b"1.1", b"Transfer-Encoding: chunked\r\n"), (operation.path, b"1.1", b"Bad Name: x\r\n")):
            caller.exchange(operation, name + b" %b HTTP/%b\r\nHost: localhost\r\n%b\r\n" % (target.encode(), version, lines))
        caller.host = b"evil.example"
        caller.ask(operation)
        caller.host = b"127.0.0.1:%d" % port
    check("the inspector's answers are as documented", not caller.problems, "\n".join(caller.problems[:20]))
    daemon.end()
    listed = {("status", operation, status) for operation in document.operations for status in document.responses(operation)}
    return {(operation.path, status) for _, operation, status in listed - document.seen}
