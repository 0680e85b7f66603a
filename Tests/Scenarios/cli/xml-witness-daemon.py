"""Called by xml-witness.sh: of a forged token no byte reaches libxml2, whichever listener and endpoint of a daemon is asked, and in whatever
form; nor does one when a client names the token that it sent.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, post, verdict
from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path
from tokens import Signer, spellings

LIBRARY = sys.argv[1]
BOTH = "requestor=REF30&resource=TNT"
JSON = b"Content-Type: application/json\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


def environment(name):
    witnessed, present = Path(path(name + ".bytes")), Path(path(name + ".present"))
    return witnessed, present, {**os.environ, "LD_PRELOAD": LIBRARY, "XML_WITNESS": str(witnessed), "XML_WITNESS_PRESENT": str(present)}


def as_json(text, **more):
    return json.dumps({"token": text.decode(), **more}).encode()


def as_decision(text, **more):
    return json.dumps({"decision": {"decisions": [{"resource": "TNT", "authorized": True, "token": {"serializedToken": text.decode()}}]},
                       **more}).encode()


def questions(token):
    """Every way in which a token can be asked about: the listener, and the request."""
    text = spellings(token)[1]
    names = "", "?requestor=REF30", "?resource=TNT", "?requestor=OTHER", "?resource=OTHER", f"?{BOTH}"
    for query in names:
        yield "inspector", post(token, f"/v1/explain{query}".encode())
        yield "inspector", post(as_json(text), f"/v1/explain{query}".encode(), JSON)
        yield "inspector", post(b"token=" + quote(text, safe="").encode(), f"/v1/explain{query}".encode(), FORM)
        yield "inspector", post(as_decision(text), f"/v1/explain{query}".encode(), JSON)
    for listener in "socket", "tcp":
        yield listener, post(token, f"/v1/verify?{BOTH}".encode())
        yield listener, post(as_json(text, requestor="REF30", resource="TNT"), b"/v1/verify", JSON)
        yield listener, post(as_decision(text, requestor="REF30", resource="TNT"), b"/v1/verify", JSON)
        yield listener, b"GET /v1/auth/x HTTP/1.1\r\nHost: localhost\r\nX-Token: %b\r\n\r\n" % text


def forged(token):
    """Another resource in a token that was signed for TNT."""
    return token.replace(b"<resourceID>TNT<", b"<resourceID>TBS<")


signer = Signer()
ports = {"inspector": free_port(), "tcp": free_port()}
witnessed, present, env = environment("daemon")
daemon = Daemon(
    signer, inspector=f"127.0.0.1:{ports['inspector']}", tcp={"address": "127.0.0.1", "port": ports["tcp"], "mayVerify": True},
    tenants=[{"requestor": "REF30"}, {"requestor": "OTHER", "resources": ["TNT"]}],
    auth={"tokenHeader": "X-Token", "routes": [{"prefix": "/x", "requestor": "REF30", "resource": "TNT"}]}).start(env=env)


def ask(listener, request):
    if listener == "socket":
        connection = daemon.connect()
    else:
        connection = Connection.over(socket.create_connection(("127.0.0.1", ports[listener]), 60))
        request = request.replace(b"Host: localhost", b"Host: 127.0.0.1:%d" % ports[listener], 1)
    with connection:
        connection.send(request)
        return connection.receive()


try:
    check("the witness is in the daemon", present.exists())
    good = signer.issue(1)[0]
    answers = [(listener, request[:60], ask(listener, request)) for listener, request in questions(forged(good))]
    # A decision for a resource that was not asked for is not looked into.
    wrong = [one for one in answers if b"INVALID_SIGNATURE" not in one[2].head + one[2].body and verdict(one[2]) != "bad-decision"]
    check(f"a forged token is refused for its signature in {len(answers)} questions", not wrong and len(answers) > 30, wrong[:2])
    check("no byte of a forged token reaches libxml2 in a daemon", not witnessed.exists(), witnessed.exists() and witnessed.read_bytes()[:300])
    # Otherwise the check before would say nothing.
    said = ask("inspector", post(good, b"/v1/explain"))
    signed = good.split(b"<signatureInfo>")[2]
    check("of a genuine token the signed bytes reach libxml2 once for its names and once for its explanation",
          said.status == 200 and witnessed.exists() and witnessed.read_bytes() == signed * 2, said)
finally:
    daemon.end()

witnessed, present, env = environment("query")
other = Daemon(signer, "plain", "plain.table").start()
try:
    said = subprocess.run([MEDIATOKEN, "query", "--socket", other.socket, "--requestor", "REF30", "--resource", "TNT",
                           "--timeout", "60000", "-"], input=forged(good), capture_output=True, env=env)
    check("nothing reaches libxml2 in a client that asks a daemon", said.returncode == 1 and b"INVALID_SIGNATURE" in said.stdout and present.exists()
          and not witnessed.exists(), said)
finally:
    other.end()
finish()
