#!/usr/bin/env -S python3 -B
"""What a viewer's browser and player ask before they play uses no token up: then the GET plays, once. Over real connections, for proxies
that say the method in a header and for those that ask by it. Cases 199 and 200. Methods, paths and headers one by one, and what log and
metrics say about what was not spent, are AuthMethodTests' and AuthPathTests'.
"""

import sys
import threading
from collections import Counter

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from scenario import check, count, finish
from tokens import Signer

CALLERS = 8
signer = Signer()
ROUTES = {"routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"},
                     {"prefix": "/", "unprotected": True}]}


def ask(daemon, method, path="/live/index.m3u8", *tokens):
    """One question as the daemon's proxy would put it."""
    lines = [b"X-Media-Token: " + token for token in tokens]
    if "methodHeader" in daemon.settings["auth"]:
        asked, target = b"GET", b"/v1/auth"
        lines += [b"X-Original-URI: " + path.encode(), b"X-Original-Method: " + method.encode()]
    else:
        asked, target = method.encode(), b"/v1/auth" + path.encode()
    with daemon.connect() as connection:
        connection.send(b"\r\n".join([b"%b %b HTTP/1.1" % (asked, target), b"Host: localhost", *lines]) + b"\r\n\r\n")
        return connection.receive(is_head=asked == b"HEAD")


def judge(name, daemon):
    token, *others = signer.issue(11, form="base64")
    heads = [ask(daemon, "HEAD", "/live/index.m3u8", token) for _ in range(3)]
    check(f"{name}: HEAD with a token goes through as often as it is asked", [one.status for one in heads] == [204] * 3)
    check(f"{name}: GET plays once after HEADs with its token",
          [ask(daemon, "GET", "/live/index.m3u8", token).status for _ in range(2)] == [200, 403])
    check(f"{name}: HEAD promises nothing: its answer is the same after the use",
          ask(daemon, "HEAD", "/live/index.m3u8", token).status == 204)
    race(name, daemon, others)


def race(name, daemon, tokens):
    """HEADs of all kinds at the same time as the GETs of one token: the GETs are answered as they would be alone."""
    told = []
    for token in tokens:
        gate = threading.Barrier(2 * CALLERS)

        def call(method):
            gate.wait()
            told.append((method, ask(daemon, method, "/live/index.m3u8", token).status))

        threads = [threading.Thread(target=call, args=[method]) for method in ("GET", "HEAD") * CALLERS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    number = len(tokens)
    check(f"{name}: of {CALLERS} GETs next to {CALLERS} HEADs of one token one plays, {number} times", Counter(told) == {
        ("GET", 200): number, ("GET", 403): number * (CALLERS - 1), ("HEAD", 204): number * CALLERS}, Counter(told))


auth = {"tokenHeader": "X-Media-Token", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method"} | ROUTES
by_header = Daemon(signer, "header", table="header.table", capacity=1000, auth=auth).start()
judge("method in a header", by_header)
plain = {"tokenHeader": "X-Media-Token"} | ROUTES
by_itself = Daemon(signer, "itself", table="itself.table", capacity=1000, auth=plain).start()
judge("the question's own method", by_itself)

for name, daemon in (("header", by_header), ("itself", by_itself)):
    metrics = daemon.metrics()
    valid = metrics['mediatoken_verdicts_total{verdict="VALID_TOKEN",reason="none"}']
    count(f"{name}: {valid:.0f} spent, {metrics['mediatoken_not_spent_total']:.0f} not spent")
    check(f"{name}: the table has what was spent and nothing else", metrics["mediatoken_replay_entries"] == valid, metrics)
    check(f"{name}: the daemon ends with 0", daemon.end() == 0)
finish()
