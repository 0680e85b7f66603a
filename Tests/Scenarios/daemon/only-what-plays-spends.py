#!/usr/bin/env -S python3 -B
"""What a viewer's browser and player ask before they play uses no token up: OPTIONS, HEAD, and what a route does not let
through; then the GET plays, once. Over real connections, for proxies that say the method in a header and for those that ask
by it. Cases 199 and 200.
"""

import sys
import threading
from collections import Counter

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import check, count, finish
from tokens import Signer

CALLERS = 8
signer = Signer()
ROUTES = {"routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"},
                     {"prefix": "/form", "requestor": "REF30", "resource": "TNT", "methods": ["POST", "OPTIONS"]},
                     {"prefix": "/", "unprotected": True}]}
LOGS = {"log": {"verdicts": "all", "linesPerSecond": 10_000}}


def ask(daemon, method, path="/live/index.m3u8", *tokens, fields=()):
    """One question as the daemon's proxy would put it."""
    lines = [b"X-Media-Token: " + token for token in tokens] + list(fields)
    if "methodHeader" in daemon.settings["auth"]:
        asked, target = b"GET", b"/v1/auth"
        lines += [b"X-Original-URI: " + path.encode(), b"X-Original-Method: " + method.encode()]
    else:
        asked, target = method.encode(), b"/v1/auth" + path.encode()
        lines += [b"Content-Length: 0"] if method == "POST" else []
    with daemon.connect() as connection:
        connection.send(b"\r\n".join([b"%b %b HTTP/1.1" % (asked, target), b"Host: localhost", *lines]) + b"\r\n\r\n")
        return connection.receive(is_head=asked == b"HEAD")


def header(answer, name):
    values = [line.split(b": ", 1)[1].decode() for line in answer.head.split(b"\r\n")
              if line.lower().startswith(b"x-media-token-" + name.encode() + b": ")]
    return values[0] if len(values) == 1 else None


def judge(name, daemon):
    base64 = signer.issue(12, form="base64")
    token = base64[0]
    for method in ("OPTIONS", "POST", "PUT", "DELETE", "TRACE", "PURGE", "get"):
        found = [ask(daemon, method).status, ask(daemon, method, "/live/index.m3u8", token).status]
        check(f"{name}: {method} is not let through, with a token or without", found == [403, 403], found)
    preflight = ask(daemon, "OPTIONS")
    check(f"{name}: a preflight is refused for its method, and asked for no token",
          header(preflight, "reason") == "method-refused" and b"WWW-Authenticate" not in preflight.head, preflight)
    check(f"{name}: HEAD without a token is 401", ask(daemon, "HEAD").status == 401)
    heads = [ask(daemon, "HEAD", "/live/index.m3u8", token) for _ in range(3)]
    check(f"{name}: HEAD with a token goes through as often as it is asked", [one.status for one in heads] == [204] * 3)
    check(f"{name}: HEAD with a token says that it is no verdict",
          all((header(one, "use"), header(one, "verdict")) == ("not-spent", "-") and not one.body
              and b"content-length" not in one.head.lower() for one in heads), heads[0])
    check(f"{name}: GET plays once after HEADs with its token",
          [ask(daemon, "GET", "/live/index.m3u8", token).status for _ in range(2)] == [200, 403])
    check(f"{name}: HEAD promises nothing: its answer is the same after the use",
          ask(daemon, "HEAD", "/live/index.m3u8", token).status == 204)
    other = signer.issue(1, form="base64", resource="TBS")[0]
    check(f"{name}: HEAD with another programme's token is refused as GET is",
          [ask(daemon, method, "/live/a", other).status for method in ("HEAD", "GET")] == [403, 403])
    found = [ask(daemon, "OPTIONS", "/form/a").status, ask(daemon, "HEAD", "/form/a", base64[1]).status,
             ask(daemon, "POST", "/form/a", base64[1]).status, ask(daemon, "POST", "/form/a", base64[1]).status]
    check(f"{name}: a route's own list lets OPTIONS through without a token, and POST once", found == [204, 403, 200, 403], found)
    found = [ask(daemon, method, "/free/a").status for method in ("GET", "HEAD", "OPTIONS", "DELETE")]
    check(f"{name}: an unprotected route has the same list", found == [200, 200, 403, 403], found)
    race(name, daemon, base64[2:])


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
by_header = Daemon(signer, "header", table="header.table", capacity=1000, auth=auth, **LOGS).start()
judge("method in a header", by_header)
plain = {"tokenHeader": "X-Media-Token"} | ROUTES
by_itself = Daemon(signer, "itself", table="itself.table", capacity=1000, auth=plain, **LOGS).start()
judge("the question's own method", by_itself)

# What a proxy forgets, or does too much.
token = signer.issue(1, form="base64")[0]
with by_header.connect() as connection:
    connection.send(b"GET /v1/auth HTTP/1.1\r\nHost: localhost\r\nX-Original-URI: /live/a\r\nX-Media-Token: " + token + b"\r\n\r\n")
    check("a question without the method is refused", verdict(connection.receive()) == "ambiguous")
for fields in ([b"X-Original-Method: GET"], [b"X-Original-Method: HEAD"]):
    check("a question with the method twice is refused", verdict(ask(by_header, "GET", "/live/a", token, fields=fields)) == "ambiguous")
check("two tokens in two headers are refused", verdict(ask(by_header, "GET", "/live/a", token, token)) == "ambiguous")
joined = ask(by_header, "GET", "/live/a", token + b", " + token)
check("two tokens in one header, as nginx joins them, are refused", verdict(joined) == "ambiguous", joined)
for path in ("/live;x/a", "/a/;/live", "/liv%3Be/a", "/%256cive/a", "/live./a", "/live%20/a", "/live%3f/a", "/%c0%afa", "/LIVE/a"):
    found = [ask(daemon, "GET", path, token).status for daemon in (by_header, by_itself)]
    check(f"{path} is refused", found == [403, 403], found)
check("the token is good after all questions that were refused", ask(by_header, "GET", "/live/a", token).status == 200)

# What fits no header is known before the token is spent.
long = signer.issue(1, form="base64", mvpd="m" * 3064)[0]
found = [ask(by_header, method, "/live/a", long).status for method in ("GET", "HEAD", "GET")]
check("a provider that fits no header is refused every time", found == [503] * 3, found)
check("a provider that fits no header did not spend the token", by_header.ask(long).status == 200)
check("a provider of the greatest length plays",
      ask(by_header, "GET", "/live/a", signer.issue(1, form="base64", mvpd="m" * 3063)[0]).status == 200)

for name, daemon in (("header", by_header), ("itself", by_itself)):
    metrics = daemon.metrics()
    valid = metrics['mediatoken_verdicts_total{verdict="VALID_TOKEN",reason="none"}']
    count(f"{name}: {valid:.0f} spent, {metrics['mediatoken_not_spent_total']:.0f} not spent")
    check(f"{name}: the table has what was spent and nothing else", metrics["mediatoken_replay_entries"] == valid, metrics)
    check(f"{name}: the answers 204 are tokens that were not spent, and one OPTIONS", metrics["mediatoken_not_spent_total"]
          == metrics['mediatoken_http_responses_total{code="204"}'] - 1 + (3 if daemon is by_header else 0), metrics)
    check(f"{name}: the daemon ends with 0", daemon.end() == 0)
    # Its log is whole now.
    lines = [line for line in daemon.events("verdict") if line.get("use") == "not-spent"]
    check(f"{name}: the log says which tokens were not spent, and calls none a verdict",
          len(lines) == metrics["mediatoken_not_spent_total"] and not any("verdict" in line for line in lines), len(lines))
finish()
