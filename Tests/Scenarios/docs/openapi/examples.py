"""Brings about every answer that the document describes, from every operation that has it."""

import itertools
import json
import os
import signal
import time
import urllib.parse

from caller import Caller
from daemon import Daemon
from document import PLACEHOLDER, Operation
from processes import free_port
from scenario import check, path, until

VERIFY = Operation("/v1/verify", "post")
GUID = "feedfacefeedfacefeedfacefeedface"
NONSENSE = b"nonsense"
#: Requestor and resource may be left out.
ONE_RESOURCE = [{"requestor": "REF30", "resources": ["TNT"]}]


def secret(name):
    with open(path(name), "w", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(os.urandom(32).hex())
    return path(name)


def example_token(signer, times, resource="TNT"):
    """A token of which the examples are true, issued at the next of the times; no two are the same."""
    return signer.issue(1, resource=resource, guid=GUID, proxy="Sample_Proxy", form="base64", ttl=300_000, at=next(times))[0].decode()


def token(signer, **options):
    return signer.issue(1, form="base64", **options)[0].decode()


def whole(document, signer):
    """A daemon with all that answers can have."""
    handover = {"format": "nginx-secure-link", "key": secret("handover.key"), "lifeSeconds": 14400, "path": "/live/tnt/"}
    routes = [{"prefix": "/live", "requestor": "REF30", "resource": "TNT", "methods": ["GET", "HEAD", "OPTIONS"], "handover": handover},
              {"prefix": "/any", "requestor": "REF30"}]
    daemon = Daemon(
        signer, "whole", requestIDHeader="X-Request-ID", tenants=[{"requestor": "REF30", "handover": handover}],
        viewerTag={"key": secret("viewers.key"), "rotateHours": 24},
        auth={"tokenHeader": "X-Media-Token", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method",
              "resourceHeader": "X-Resource", "routes": routes})
    daemon.configure(replay={"address": "shared:" + daemon.table, "retryWindowMilliseconds": 60_000})
    return daemon.start()


def bring_about(document, signer):
    daemon = whole(document, signer)
    status = [operation for operation in document.operations if operation.path in ("/v1/keys", "/livez", "/readyz", "/metrics")]
    viewers = [operation for operation in document.operations if operation.path.startswith("/v1/auth")]
    # Times of issue, in milliseconds, each a second before the last. They begin here: what was installed before took its time.
    times = itertools.count(int(time.time()) * 1000, -1000)
    ask_questions(document, signer, Caller(document, daemon.socket), times)
    ask_for_viewers(document, signer, Caller(document, daemon.socket), viewers, times)
    observe(document, signer, viewers)
    break_http(document, signer)
    ask_too_late(document, signer)
    ask_as_strangers(document, signer)
    ask_on_loopback(document, signer, status, viewers)
    ask_at_the_end(document, signer, Caller(document, daemon.socket), viewers, daemon)


def hold(caller, what):
    check(f"{what}: answers are as documented", not caller.problems, "\n".join(caller.problems[:20]))


def encoded(media_type, value, put):
    """The body of an example, with tokens in it."""
    if media_type == "application/json":
        return put(json.dumps(value, ensure_ascii=False)).encode()
    if media_type == "application/x-www-form-urlencoded":
        return urllib.parse.urlencode({name: put(text) for name, text in value.items()}).encode()
    return put(value).encode()


def ask_examples(document, signer, caller, statuses, times):
    """Sends every example of a request."""
    query = urllib.parse.urlencode([document.parameter("Requestor"), document.parameter("Resource")])
    for operation, media_type, name, value in document.requests():
        resource = value.get("resourceDocument", "TNT") if isinstance(value, dict) else "TNT"
        body = encoded(media_type, value, lambda text: text.replace(PLACEHOLDER, example_token(signer, times, resource)))
        # Where the body says what is about to be played, the query must not.
        target = operation.path if media_type in ("application/json", "application/x-www-form-urlencoded") else f"{operation.path}?{query}"
        fields = [("Content-Type", media_type), document.parameter("RequestID")]
        status, _, answer = caller.ask(operation, target, fields, body)
        check(f"the example {name} of {operation.path} is answered {statuses.get(name, 200)}", status == statuses.get(name, 200), answer)
        if status == 200:
            again = caller.ask(operation, target, fields, body)
            check(f"an example that is sent again with its id is a retry: {name}", json.loads(again[2])["use"] == "retry", again)
            replayed = caller.ask(operation, target, fields[:1], body)
            check(f"an example that is sent again without its id is a replay: {name}",
                  json.loads(replayed[2])["verdict"] == "TOKEN_REPLAYED", replayed)


def ask_questions(document, signer, caller, times):
    ask_examples(document, signer, caller, {"denial": 403}, times)
    query = "/v1/verify?requestor=REF30&resource="
    is_json = [("Content-Type", "application/json")]
    for name in ("ResourceDocument", "ResourceChannel"):
        target = "/v1/verify?" + urllib.parse.urlencode([document.parameter("Requestor"), document.parameter(name)])
        status, _, answer = caller.ask(VERIFY, target, body=token(signer, resource=document.parameter(name)[1]).encode())
        check(f"{name} in the query is what a token must be for", status == 200, answer)
    caller.ask(VERIFY, query + "TNT", body=NONSENSE)
    caller.ask(VERIFY, "/v1/verify?requester=REF30", body=NONSENSE)
    caller.ask(VERIFY, query + "TNT", is_json, b"{}")
    caller.ask(VERIFY, query + "TBS", is_json, b'{"decision":{"decisions":[{"resource":"TNT"}]}}')
    caller.ask(VERIFY, query + "TNT", [("X-Request-ID", "two words")], NONSENSE)
    caller.ask(VERIFY, query + "TNT", [("Content-Type", "image/png")], NONSENSE)
    caller.ask(VERIFY, query + "TNT", announced=262_145)
    hold(caller, "questions")


def viewer(document, *fields, method="GET", uri=None):
    """The fields with which a proxy asks for a viewer."""
    name, path = document.parameter("OriginalURI")
    return [(name, uri or path), (document.parameter("OriginalMethod")[0], method), *fields]


#: A resource that no answer's head has room for.
LONG = "long" * 800


def ask_for_viewers(document, signer, caller, operations, times):
    name = document.parameter("Token")[0]
    expired = token(signer, ttl=60_000, age=600_000)
    long = token(signer, resource=LONG)
    statuses = set()
    full = {header.lower() for header in document.resolved(document.responses(operations[0])["204"][1])["headers"]}
    check("the full set of headers for a viewer is twelve, and Cache-Control", len(full) == 13, full)
    for operation in operations:
        for fields in (
                viewer(document, (name, example_token(signer, times))),
                viewer(document, (name, token(signer)), method="HEAD"),
                viewer(document, method="OPTIONS"),
                viewer(document),
                viewer(document, (name, expired)),
                viewer(document, (name, "x"), uri="/live/../premium"),
                viewer(document, (name, "x"), uri="/other"),
                viewer(document, (name, "x"), method="DELETE"),
                viewer(document, (name, "x"), (name, "y")),
                viewer(document, (name, "x"), ("X-Request-ID", "two words")),
                viewer(document, (name, "x"), uri="/any"),
                viewer(document, (name, long), ("X-Resource", LONG), uri="/any")):
            status, headers, _ = caller.ask(operation, fields=fields)
            statuses.add(status)
            missing = full - {header for header, _ in headers}
            caller.problems += [f"{operation}: {status}: {missing} is missing"] if missing else []
    check("questions about viewers are answered with every status", statuses == {200, 204, 400, 401, 403, 503}, statuses)
    hold(caller, "viewers")


def observe(document, signer, operations):
    daemon = Daemon(signer, "observing", auth={"tokenHeader": "X-Media-Token", "observe": True}, tenants=ONE_RESOURCE)
    caller = Caller(document, daemon.start().socket)
    for operation in operations:
        status, headers, _ = caller.ask(operation)
        expected = {"options": "403", "head": "401", "get": "401"}.get(operation.method, "403")
        check(f"observed {operation.method} {operation.path}: 200, with {expected} in a header",
              (status, dict(headers).get("x-media-token-observe")) == (200, expected), (status, headers))
    hold(caller, "observing")
    daemon.end()


def break_http(document, signer):
    """What is wrong with a request as HTTP is said alike everywhere."""
    daemon = Daemon(signer, "strict", auth={"tokenHeader": "X-Media-Token"}, tenants=ONE_RESOURCE)
    caller = Caller(document, daemon.start().socket)
    for operation in document.operations:
        method, target = operation.method.upper(), caller.target(operation)
        start = f"{method} {target} HTTP/1.1\r\n"
        length = "Content-Length: 0\r\n" if method == "POST" else ""
        for request in (
                f"{start}{length}\r\n",
                f"{method} {target} HTTP/2.0\r\nHost: localhost\r\n{length}\r\n",
                f"{start}Host: localhost\r\n\r\n" if method == "POST" else f"{start}Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
                f"{start}Host: localhost\r\nExpect: patience\r\n{length}\r\n",
                f"{method} {target}?{'x' * 17_000} HTTP/1.1\r\nHost: localhost\r\n\r\n",
                f"{start}Host: localhost\r\nX-Long: {'x' * 17_000}\r\n\r\n"):
            caller.exchange(operation, request.encode())
        if "405" in document.responses(operation):
            caller.ask(operation, method="BREW")
    hold(caller, "broken HTTP")
    daemon.end()


def ask_too_late(document, signer):
    """What was whole in time, and has its turn after it: of a daemon that was stopped."""
    # With more patience where a machine is too busy to have all of them begin in time.
    for seconds in (5, 30, 120):
        daemon = Daemon(signer, f"stopped-{seconds}", deadlines={"requestMilliseconds": 1000 * seconds},
                        auth={"tokenHeader": "X-Media-Token"}, tenants=ONE_RESOURCE, threads=1)
        caller, waiting = Caller(document, daemon.start().socket), []
        begun = time.monotonic()
        for operation in document.operations:
            connection = caller.connect()
            connection.sendall(f"{operation.method.upper()} {caller.target(operation)} HTTP/1.1\r\nHost: localhost\r\n".encode())
            waiting.append((operation, connection))
        # Its one thread has read what came before, and has no other reason to look at its clock: an end would be one.
        other = daemon.connect()
        status = other.get("/livez").status
        daemon.tell(signal.SIGSTOP)
        stopped = time.monotonic()
        if stopped < begun + seconds:
            break
        daemon.end(signal.SIGKILL)
    check("a daemon answers until SIGSTOP", status == 200)
    until(seconds + 60, lambda: time.monotonic() > stopped + seconds)
    for operation, connection in waiting:
        connection.sendall(b"Content-Length: 0\r\n\r\n" if operation.method == "post" else b"\r\n")
    daemon.tell(signal.SIGCONT)
    other.close()
    for operation, connection in waiting:
        with connection:
            caller.receive(operation, connection)
    hold(caller, "too late")
    daemon.end()


def ask_as_strangers(document, signer):
    daemon = Daemon(signer, "private", peers={"allowUIDs": [os.getuid() + 4711]}, auth={"tokenHeader": "X-Media-Token"},
                    tenants=ONE_RESOURCE).spawn()
    caller = Caller(document, daemon.socket)
    check("a daemon that is for another user starts", until(60, caller.is_taken))
    for operation in document.operations:
        caller.ask(operation)
    hold(caller, "strangers")
    daemon.end()


def ask_on_loopback(document, signer, status, viewers):
    port = free_port()
    daemon = Daemon(signer, "loopback", tcp={"address": "127.0.0.1", "port": port}).start()
    local, loopback = Caller(document, daemon.socket), Caller(document, port)
    for operation in [VERIFY, *status, *viewers]:
        loopback.ask(operation)
        loopback.ask(operation, fields=[("Origin", "http://tv.example")])
    for operation in viewers:
        local.ask(operation)
    for operation in status:
        local.ask(operation)
        local.ask(operation, operation.path + "?verbose")
    hold(local, "status")
    hold(loopback, "loopback")
    daemon.end()


def ask_at_the_end(document, signer, caller, viewers, daemon):
    ready = [operation for operation in document.operations if operation.path == "/readyz"]
    name = document.parameter("Token")[0]
    tokens = [token(signer) for _ in viewers]
    os.unlink(daemon.table)
    check("a replay memory that is lost is noticed", until(60, lambda: daemon.get("/readyz").status == 503))
    for operation in ready:
        caller.ask(operation)
    caller.ask(VERIFY, "/v1/verify?requestor=REF30&resource=TNT", body=token(signer).encode())
    for operation, viewers_token in zip(viewers, tokens):
        caller.ask(operation, fields=viewer(document, (name, viewers_token)))
    waiting = [(operation, caller.connect()) for operation in ready]
    for operation, connection in waiting:
        connection.sendall(f"{operation.method.upper()} /readyz HTTP/1.1\r\nHost: localhost\r\n".encode())
    check("connections with unfinished questions are taken before the daemon stops",
          until(60, lambda: daemon.get("/livez").status == 200))
    daemon.tell(signal.SIGTERM)
    check("a daemon with unfinished questions says after SIGTERM that it stops", until(60, lambda: daemon.events("stopping")))
    for operation, connection in waiting:
        with connection:
            connection.sendall(b"\r\n")
            caller.receive(operation, connection)
    check("a daemon with unfinished questions ends with 0", daemon.end() == 0)
    hold(caller, "at the end")
