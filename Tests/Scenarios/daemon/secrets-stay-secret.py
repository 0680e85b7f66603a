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
daemon = Daemon(
    signer, log={"verdicts": "all", "linesPerSecond": 100_000}, requestIDHeader="X-Request-ID",
    auth={"tokenHeader": "X-Media-Token", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "queryParameter": "media_token",
          "routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"}]}).start()
exposed = []


def ask(name, bytes, own=False):
    """An answer; `own` if it is to the caller whose token is valid, and may hold that token's GUID."""
    with daemon.connect() as connection:
        connection.send(bytes)
        try:
            answer = connection.receive()
        except Unanswered:
            return None
    exposed.extend([] if own else [(name, answer.head + b"\r\n\r\n" + answer.body)])
    return answer


# One GUID: what makes these tokens distinct is their life.
raw = [signer.issue(1, guid=GUID, ttl=3_600_000 - number)[0] for number in range(9)]
secrets = {GUID.encode(), base64.b64encode(GUID.encode())}
for text in raw:
    secrets.update([*spellings(text), text[60:120], *(piece[40:100] for piece in spellings(text)[1:])])

# Valid, in three spellings and again.
told = []
for number, text in enumerate(raw[:6]):
    spelling = spellings(text)[number % 3]
    told += [ask("valid", post(spelling), own=True), ask("replayed", post(spelling))]
check("six tokens in three spellings are valid once", [answer.status for answer in told] == [200, 403] * 6, told)
check("the caller of a valid token is told its GUID", GUID.encode() in told[0].body, told[0].body)

# Refused, malformed, in the wrong place.
text, guid = raw[6], GUID.encode()
quoted = spellings(text)[2]
JSON, FORM = b"Content-Type: application/json\r\n", b"Content-Type: application/x-www-form-urlencoded\r\n"
VERIFY = b"/v1/verify?requestor="
DECISION = json.dumps({"decisions": [{"resource": name, "authorized": True, "token": {"serializedToken": spellings(text)[1].decode()}}
                                     for name in ("TNT", "TBS")]}).encode()
for name, bytes in {
    "signature": post(text.replace(b"TNT", b"TNU")),
    "signature of base64": post(base64.b64encode(text.replace(b"TNT", b"TNU"))),
    "cut": post(text[:-5]),
    "twice": post(text + text),
    "other resource": post(text, VERIFY + b"REF30&resource=TBS"),
    "other requestor": post(text, VERIFY + quoted + b"&resource=TNT"),
    "resource is the token": post(text, VERIFY + b"REF30&resource=" + quoted),
    "unknown parameter": post(text, b"/v1/verify?" + quoted + b"=1"),
    "parameter twice": post(text, VERIFY + quoted + b"&requestor=" + quoted),
    "broken JSON": post(b'{"token": "' + text, fields=JSON),
    "unknown member": post(json.dumps({text.decode(): GUID}).encode(), fields=JSON),
    "JSON of a wrong type": post(json.dumps({"token": [text.decode()]}).encode(), fields=JSON),
    "duplicate member": post(b'{"token": "%b", "token": "%b"}' % (guid, guid), fields=JSON),
    "decision": post(b'{"resource": "TBS", "decision": %b}' % DECISION, fields=JSON),
    "half a decision": post(b'{"decision": %b' % DECISION[:-3], fields=JSON),
    "broken form": post(b"token=%zz" + quoted, fields=FORM),
    "media type": post(text, fields=b"Content-Type: text/" + guid + b"\r\n"),
    "request id": post(text, fields=b"X-Request-ID: " + quoted[:200] + b"\r\n"),
    "path": post(text, b"/" + quoted),
    "method": guid + b" /v1/verify HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "header name": post(text, fields=guid + b" : x\r\n"),
    "header value": post(text, fields=b"X-A: " + quoted + b"\x01\r\n"),
    "too large": post(text * 500),
}.items():
    ask(name, bytes)
statuses = []
for uri, *tokens in (
        (b"/live/1", raw[7]), (b"/live/1", raw[7]), (b"/live/1?media_token=" + spellings(raw[8])[2],), (b"/live/1?media_token=" + spellings(raw[8])[2],),
        (b"/live/1?media_token=" + quoted, text), (b"/" + quoted,), (b"/live/%zz" + quoted,), (b"/live/1", text[:-9]), (b"/live/1", text, text)):
    fields = b"".join(b"X-Media-Token: " + token + b"\r\n" for token in tokens)
    head = b"GET /v1/auth HTTP/1.1\r\nHost: localhost\r\nX-Original-Method: GET\r\nX-Original-URI: " + uri + b"\r\n"
    statuses.append(ask("auth", head + fields + b"\r\n").status)
check("of the questions of a proxy two are valid, once each", statuses[:4] == [200, 403] * 2 and 200 not in statuses[4:], statuses)

# A client that leaves in the middle, a reload that fails, and the end.
with daemon.connect() as connection:
    connection.send(post(text)[:-20])
daemon.write(json.dumps(daemon.settings | {"keys": [signer.private]}))
daemon.tell(signal.SIGHUP)
check("a reload with a private key fails", until(60, lambda: len(daemon.events("reload-failed")) == 1))
exposed += [(target, daemon.get(target).body) for target in ("/metrics", "/v1/keys", "/readyz", "/livez", "/nowhere")]
command_line = open(f"/proc/{daemon.process.pid}/cmdline", "rb").read()
check("the daemon ends with 0 after all questions with secrets", daemon.end() == 0)
exposed += [("its command line", command_line), ("the log", daemon.said().encode()), ("the table", open(daemon.table, "rb").read())]
secrets.update(line for line in open(signer.private, "rb").read().splitlines() if len(line) > 40)

found = [(name, secret[:20]) for name, bytes in exposed for secret in secrets if secret in bytes]
lines = len(daemon.said().splitlines())
count(f"{len(secrets)} secrets looked for in {len(exposed)} texts of {sum(len(bytes) for _, bytes in exposed)} bytes, "
      f"among them {lines} log lines")
check("no token, GUID or key in anything that was logged or shown", not found, found[:5])
check("more than 40 texts and 25 log lines were searched for secrets", len(exposed) > 40 and lines > 25, (len(exposed), lines))
check("the log names tokens by their identity", sum("token" in line for line in daemon.events("verdict")) > 10)
finish()
