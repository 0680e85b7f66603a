#!/usr/bin/env -S python3 -B
"""A known GUID, known tokens in all their spellings and a private key are absent from everything that the daemon writes or shows
to others. The places searched are counted, and searched for text that must be there too."""

import base64
import json
import signal
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, post
from daemon import Daemon
from scenario import check, count, finish, until
from tokens import GUID, Signer, spellings

signer = Signer()
settings = {
    "log": {"verdicts": "all", "linesPerSecond": 100_000},
    "requestIDHeader": "X-Request-ID",
    "auth": {"tokenHeader": "X-Media-Token", "uriHeader": "X-Original-URI",
             "methodHeader": "X-Original-Method", "queryParameter": "media_token",
             "routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"}]},
}
daemon = Daemon(signer, **settings).start()
exposed = []


def show(name, connection, own=False):
    """Reads an answer; `own` if it is to the caller whose token is valid, and may hold that token's GUID."""
    try:
        answer = connection.receive()
    except Unanswered:
        return None
    if not own:
        exposed.append((name, answer.head + b"\r\n\r\n" + answer.body))
    return answer


def ask(name, bytes, own=False):
    with daemon.connect() as connection:
        connection.send(bytes)
        return show(name, connection, own)


def auth(name, *fields, target=b"/v1/auth"):
    return ask(name, b"\r\n".join([b"GET %b HTTP/1.1" % target, b"Host: localhost", b"X-Original-Method: GET", *fields]) + b"\r\n\r\n")


# One GUID: what makes these tokens distinct is their life.
raw = [signer.issue(1, guid=GUID, ttl=3_600_000 - number)[0] for number in range(10)]
secrets = {GUID.encode(), base64.b64encode(GUID.encode())}
for text in raw:
    secrets.update(spellings(text))
    secrets.add(text[60:120])
    secrets.update(piece[40:100] for piece in spellings(text)[1:])

# Valid, in three spellings and again.
told = []
for number, text in enumerate(raw[:6]):
    spelling = spellings(text)[number % 3]
    told.append(ask("valid", post(spelling), own=True).status)
    told.append(ask("replayed", post(spelling)).status)
check("six tokens in three spellings are valid once", told == [200, 403] * 6, told)

# Refused, malformed, in the wrong place.
text = raw[6]
quoted = spellings(text)[2]
for name, bytes in {
    "signature": post(text.replace(b"TNT", b"TNU")),
    "signature of base64": post(base64.b64encode(text.replace(b"TNT", b"TNU"))),
    "cut": post(text[:-5]),
    "twice": post(text + text),
    "other resource": post(text, b"/v1/verify?requestor=REF30&resource=TBS"),
    "other requestor": post(text, b"/v1/verify?requestor=" + quoted + b"&resource=TNT"),
    "resource is the token": post(text, b"/v1/verify?requestor=REF30&resource=" + quoted),
    "unknown parameter": post(text, b"/v1/verify?" + quoted + b"=1"),
    "parameter twice": post(text, b"/v1/verify?requestor=" + quoted + b"&requestor=" + quoted),
    "broken JSON": post(b'{"token": "' + text, fields=b"Content-Type: application/json\r\n"),
    "unknown member": post(json.dumps({text.decode(): GUID}).encode(), fields=b"Content-Type: application/json\r\n"),
    "JSON of a wrong type": post(json.dumps({"token": [text.decode()]}).encode(), fields=b"Content-Type: application/json\r\n"),
    "duplicate member": post(b'{"token": "%b", "token": "%b"}' % (GUID.encode(), GUID.encode()),
                             fields=b"Content-Type: application/json\r\n"),
    "broken form": post(b"token=%zz" + quoted, fields=b"Content-Type: application/x-www-form-urlencoded\r\n"),
    "media type": post(text, fields=b"Content-Type: text/" + GUID.encode() + b"\r\n"),
    "request id": post(text, fields=b"X-Request-ID: " + quoted[:200] + b"\r\n"),
    "path": post(text, b"/" + quoted),
    "method": GUID.encode() + b" /v1/verify HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "header name": post(text, fields=GUID.encode() + b" : x\r\n"),
    "header value": post(text, fields=b"X-A: " + quoted + b"\x01\r\n"),
    "too large": post(text * 500),
}.items():
    ask(name, bytes)
auth("auth: valid", b"X-Original-URI: /live/1", b"X-Media-Token: " + raw[7])
auth("auth: replayed", b"X-Original-URI: /live/1", b"X-Media-Token: " + raw[7])
auth("auth: valid by parameter", b"X-Original-URI: /live/1?media_token=" + spellings(raw[8])[2])
auth("auth: replayed by parameter", b"X-Original-URI: /live/1?media_token=" + spellings(raw[8])[2])
auth("auth: both", b"X-Original-URI: /live/1?media_token=" + quoted, b"X-Media-Token: " + text)
auth("auth: no route", b"X-Original-URI: /" + quoted)
auth("auth: broken escape", b"X-Original-URI: /live/%zz" + quoted)
auth("auth: broken token", b"X-Original-URI: /live/1", b"X-Media-Token: " + text[:-9])
auth("auth: twice", b"X-Original-URI: /live/1", b"X-Media-Token: " + text, b"X-Media-Token: " + text)
valid_by_auth = [bytes for name, bytes in exposed if name.startswith("auth: valid") and b" 200 " in bytes[:16]]
check("two tokens are valid for a proxy", len(valid_by_auth) == 2, [bytes[:200] for name, bytes in exposed if "auth: valid" in name])

# A client that leaves in the middle, a reload that fails, a table that is lost, and the end.
with daemon.connect() as connection:
    connection.send(post(text)[:-20])
daemon.write(json.dumps(daemon.settings | {"keys": [signer.private]}))
daemon.tell(signal.SIGHUP)
check("a reload with a private key fails", until(60, lambda: len(daemon.events("reload-failed")) == 1))
for target in ("/metrics", "/v1/keys", "/readyz", "/livez", "/nowhere"):
    exposed.append((target, daemon.get(target).body))
with open(f"/proc/{daemon.process.pid}/cmdline", "rb") as file:
    exposed.append(("its command line", file.read()))
check("the daemon ends with 0 after all questions with secrets", daemon.end() == 0)
exposed.append(("the log", daemon.said().encode()))
with open(daemon.table, "rb") as file:
    exposed.append(("the table", file.read()))
with open(signer.private, "rb") as file:
    secrets.update(line for line in file.read().splitlines() if len(line) > 40)

found = [(name, secret[:20]) for name, bytes in exposed for secret in secrets if secret in bytes]
lines = len(daemon.said().splitlines())
count(f"{len(secrets)} secrets looked for in {len(exposed)} texts of {sum(len(bytes) for _, bytes in exposed)} bytes, "
      f"among them {lines} log lines")
check("no token, GUID or key in anything that was logged or shown", not found, found[:5])
check("more than 40 texts and 25 log lines were searched for secrets", len(exposed) > 40 and lines > 25, (len(exposed), lines))
check("the log names tokens by their identity", sum("token" in line for line in daemon.events("verdict")) > 10)
fresh = Daemon(signer, "fresh", **settings).start()
with fresh.connect() as connection:
    answer = connection.ask(raw[9])
check("the caller of a valid token is told its GUID", GUID.encode() in answer.body, answer.body)
check("the other daemon ends with 0", fresh.end() == 0)
finish()
