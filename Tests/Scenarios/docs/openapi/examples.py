"""Brings about the answers that the document describes, from every operation that has them."""
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
#: Requestor and resource may be left out.
ONE_RESOURCE = [{"requestor": "REF30", "resources": ["TNT"]}]
#: A resource that no answer's head has room for.
LONG = "long" * 800


def secret(name):
    with open(path(name), "w", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(os.urandom(32).hex())
    return path(name)


def token(signer, **options):
    return signer.issue(1, form="base64", **options)[0].decode()


class Answers:
    """One daemon with all that answers can have, two with settings of their own, and what callers of them get."""

    def __init__(self, document, signer):
        self.document, self.signer = document, signer
        handover = {"format": "nginx-secure-link", "key": secret("handover.key"), "lifeSeconds": 14400, "path": "/live/tnt/"}
        routes = [{"prefix": "/live", "requestor": "REF30", "resource": "TNT", "methods": ["GET", "HEAD", "OPTIONS"], "handover": handover},
                  {"prefix": "/any", "requestor": "REF30"}]
        self.daemon = Daemon(
            signer, "whole", requestIDHeader="X-Request-ID", tenants=[{"requestor": "REF30", "handover": handover}],
            viewerTag={"key": secret("viewers.key"), "rotateHours": 24},
            auth={"tokenHeader": "X-Media-Token", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method",
                  "resourceHeader": "X-Resource", "routes": routes})
        self.daemon.configure(replay={"address": "shared:" + self.daemon.table, "retryWindowMilliseconds": 60_000})
        self.caller = Caller(document, self.daemon.start().socket)
        self.status = [operation for operation in document.operations if operation.path in ("/v1/keys", "/livez", "/readyz", "/metrics")]
        self.viewers = [operation for operation in document.operations if operation.path.startswith("/v1/auth")]
        # Times of issue, in milliseconds, each a second before the last. They begin here: what was installed before took its time.
        self.times = itertools.count(int(time.time()) * 1000, -1000)

    def example_token(self, resource="TNT"):
        """A token of which the examples are true; no two are the same."""
        return token(self.signer, resource=resource, guid="feedface" * 4, proxy="Sample_Proxy", ttl=300_000, at=next(self.times))

    def bring_about(self):
        for part in (self.examples, self.questions, self.for_viewers, self.broken_http, self.observed, self.by_strangers,
                     self.on_loopback, self.at_the_end):
            part()
            problems, self.caller.problems = self.caller.problems, []
            check(f"{part.__name__.replace('_', ' ')}: all answers are as documented", not problems, "\n".join(problems[:20]))

    def other(self, daemon, address=None):
        """A caller of another daemon, or at another address, whose answers count as all others do."""
        caller = Caller(self.document, address or daemon.socket)
        caller.problems = self.caller.problems
        return caller

    def examples(self):
        """Sends every example of a request."""
        query = urllib.parse.urlencode([self.document.parameter("Requestor"), self.document.parameter("Resource")])
        for operation, media_type, name, value in self.document.requests():
            resource = value.get("resourceDocument", "TNT") if isinstance(value, dict) else "TNT"

            def put(text):
                return text.replace(PLACEHOLDER, self.example_token(resource))

            # Where the body says what is about to be played, the query must not.
            target = operation.path
            if media_type == "application/json":
                body = put(json.dumps(value, ensure_ascii=False))
            elif media_type == "application/x-www-form-urlencoded":
                body = urllib.parse.urlencode({member: put(text) for member, text in value.items()})
            else:
                body, target = put(value), f"{operation.path}?{query}"
            fields = [("Content-Type", media_type), self.document.parameter("RequestID")]
            wanted = [403] * 3 if name == "denial" else [200, 200, 403]
            found = [self.caller.ask(operation, target, given, body.encode())[0] for given in (fields, fields, fields[:1])]
            check(f"the example {name} of {operation.path}, sent twice with its id and once without, is answered {wanted}", found == wanted, found)

    def questions(self):
        query = "/v1/verify?requestor=REF30&resource="
        is_json = [("Content-Type", "application/json")]
        for name in ("ResourceDocument", "ResourceChannel"):
            target = "/v1/verify?" + urllib.parse.urlencode([self.document.parameter("Requestor"), self.document.parameter(name)])
            status, _, answer = self.caller.ask(VERIFY, target, body=token(self.signer, resource=self.document.parameter(name)[1]).encode())
            check(f"{name} in the query is what a token must be for", status == 200, answer)
        for target, fields, body in (
                (query + "TNT", [], b"nonsense"), ("/v1/verify?requester=REF30", [], b"nonsense"), (query + "TNT", is_json, b"{}"),
                (query + "TBS", is_json, b'{"decision":{"decisions":[{"resource":"TNT"}]}}'),
                (query + "TNT", [("X-Request-ID", "two words")], b"nonsense"), (query + "TNT", [("Content-Type", "image/png")], b"nonsense")):
            self.caller.ask(VERIFY, target, fields, body)
        self.caller.ask(VERIFY, query + "TNT", announced=262_145)

    def viewer(self, *fields, method="GET", uri=None):
        """The fields with which a proxy asks for a viewer."""
        name, path = self.document.parameter("OriginalURI")
        return [(name, uri or path), (self.document.parameter("OriginalMethod")[0], method), *fields]

    def for_viewers(self):
        name, viewer, statuses = self.document.parameter("Token")[0], self.viewer, set()
        expired, long = token(self.signer, ttl=60_000, age=600_000), token(self.signer, resource=LONG)
        for operation in self.viewers:
            for fields in (
                    viewer((name, self.example_token())), viewer((name, token(self.signer)), method="HEAD"), viewer(method="OPTIONS"), viewer(),
                    viewer((name, expired)), viewer((name, "x"), uri="/live/../premium"), viewer((name, "x"), uri="/other"),
                    viewer((name, "x"), method="DELETE"), viewer((name, "x"), (name, "y")), viewer((name, "x"), ("X-Request-ID", "two words")),
                    viewer((name, "x"), uri="/any"), viewer((name, long), ("X-Resource", LONG), uri="/any")):
                statuses.add(self.caller.ask(operation, fields=fields)[0])
        check("questions about viewers are answered with every status", statuses == {200, 204, 400, 401, 403, 503}, statuses)

    def broken_http(self):
        """What is wrong with a request as HTTP is said alike everywhere."""
        for operation in self.document.operations:
            method, target = operation.method.upper(), self.caller.target(operation)
            start, host = f"{method} {target} HTTP/1.1\r\n", "Host: localhost\r\n"
            length = "Content-Length: 0\r\n" if method == "POST" else ""
            for request in (
                    f"{start}{length}\r\n", f"{method} {target} HTTP/2.0\r\n{host}{length}\r\n",
                    f"{start}{host}\r\n" if method == "POST" else f"{start}{host}Transfer-Encoding: chunked\r\n\r\n",
                    f"{start}{host}Expect: patience\r\n{length}\r\n", f"{method} {target}?{'x' * 17_000} HTTP/1.1\r\n{host}\r\n",
                    f"{start}{host}X-Long: {'x' * 17_000}\r\n\r\n"):
                self.caller.exchange(operation, request.encode())
            if "405" in self.document.responses(operation):
                self.caller.ask(operation, method="BREW")

    def observed(self):
        daemon = Daemon(self.signer, "observing", auth={"tokenHeader": "X-Media-Token", "observe": True}, tenants=ONE_RESOURCE).start()
        for operation in self.viewers:
            status, headers, _ = self.other(daemon).ask(operation)
            expected = {"head": "401", "get": "401"}.get(operation.method, "403")
            check(f"observed {operation.method} {operation.path}: 200, with {expected} in a header",
                  (status, dict(headers).get("x-media-token-observe")) == (200, expected), (status, headers))
        daemon.end()

    def by_strangers(self):
        daemon = Daemon(self.signer, "private", peers={"allowUIDs": [os.getuid() + 4711]}, auth={"tokenHeader": "X-Media-Token"},
                        tenants=ONE_RESOURCE).spawn()
        check("a daemon that is for another user starts", until(60, lambda: os.path.exists(daemon.socket)))
        for operation in self.document.operations:
            self.other(daemon).ask(operation)
        daemon.end()

    def on_loopback(self):
        """And from a daemon that no proxy asks."""
        port = free_port()
        daemon = Daemon(self.signer, "loopback", tcp={"address": "127.0.0.1", "port": port}).start()
        loopback, local = self.other(daemon, port), self.other(daemon)
        for operation in [VERIFY, *self.status, *self.viewers]:
            loopback.ask(operation)
            loopback.ask(operation, fields=[("Origin", "http://tv.example")])
        for operation in self.viewers:
            local.ask(operation)
        for operation in self.status:
            local.ask(operation)
            local.ask(operation, operation.path + "?verbose")
        daemon.end()

    def at_the_end(self):
        """Without its replay memory, and when it stops."""
        ready = [operation for operation in self.status if operation.path == "/readyz"]
        tokens = [token(self.signer) for _ in self.viewers]
        os.unlink(self.daemon.table)
        check("a replay memory that is lost is noticed", until(60, lambda: self.daemon.get("/readyz").status == 503))
        for operation in ready:
            self.caller.ask(operation)
        self.caller.ask(VERIFY, "/v1/verify?requestor=REF30&resource=TNT", body=token(self.signer).encode())
        for operation, text in zip(self.viewers, tokens):
            self.caller.ask(operation, fields=self.viewer((self.document.parameter("Token")[0], text)))
        waiting = [(operation, self.caller.connect()) for operation in ready]
        for operation, connection in waiting:
            connection.send(f"{operation.method.upper()} /readyz HTTP/1.1\r\nHost: localhost\r\n".encode())
        check("unfinished questions are taken before the daemon stops", until(60, lambda: self.daemon.get("/livez").status == 200))
        self.daemon.tell(signal.SIGTERM)
        check("a daemon with unfinished questions says that it stops", until(60, lambda: self.daemon.events("stopping")))
        for operation, connection in waiting:
            with connection:
                connection.send(b"\r\n")
                self.caller.receive(operation, connection)
        check("the daemon that was asked for all answers ends with 0", self.daemon.end() == 0)
