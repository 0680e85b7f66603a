#!/usr/bin/env -S python3 -B
"""Hand-overs of a running daemon: a new key is taken without a signal, a bad one is not, and no credential is in the log. What each
format mints, when a proxy or a back end gets it and what counts it, is for the unit tests; what a proxy opens for it is
proxies/segments.py's, with what deploy ships.
"""
import hashlib
import hmac
import os
import re
import signal
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from scenario import ROOT, check, finish, path, until
from tokens import Signer

PREFIX = "/live/tnt/"
ONE, ANOTHER = (os.urandom(32).hex() for _ in range(2))
signer = Signer()


def private(content, mode=0o600):
    """The key's file, put there in one step, as an operator changes a key."""
    with open(path("new"), "w", encoding="ascii") as file:
        file.write(content)
    os.chmod(path("new"), mode)
    os.rename(path("new"), path("key"))


def auth(**changes):
    return {"tokenHeader": "X-Token", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT", "handover": {
        "format": "akamai-edgeauth", "key": path("key"), "lifeSeconds": 3600, "path": PREFIX}}]} | changes


private(ONE)
daemon = Daemon(signer, auth=auth(), log={"verdicts": "all", "linesPerSecond": 100_000}).start()
#: Every credential that was given, to be looked for in the log.
given = []


def opens(key):
    """Whether a proxy gets what this key opens."""
    with daemon.connect() as connection:
        connection.send(b"GET /v1/auth/a.m3u8 HTTP/1.1\r\nHost: localhost\r\nX-Token: " + signer.issue(1)[0] + b"\r\n\r\n")
        head = connection.receive().head.decode()
    given.append(re.search(r"(?m)^X-Media-Token-Handover: (\S+~hmac=\S+)\r?$", head)[1])
    text, _, code = given[-1].partition("~hmac=")
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest() == code


check("the key that a daemon starts with mints", opens(ONE) and not opens(ANOTHER))
private(ANOTHER + "\n")
check("a new key is taken without a signal", until(60, lambda: opens(ANOTHER)) and not opens(ONE))
private(ONE, 0o644)
check("a key that others may read is refused by a reload", until(60, lambda: daemon.events("reload-failed")))
message = daemon.events("reload-failed")[-1]["message"]
check("the log names the setting and the file of a refused key, and not the key",
      path("key") in message and ONE not in message and "auth.routes[0].handover.key" in message, message)
check("after a refused key the one before it mints on", opens(ANOTHER) and not opens(ONE))
daemon.configure(auth=auth(observe=True))
private(ANOTHER)
daemon.tell(signal.SIGHUP)
check("a reload into observe mode is refused",
      until(60, lambda: "lets everything through" in daemon.events("reload-failed")[-1]["message"]))
check("the daemon ends with 0 after all handovers", daemon.end() == 0)
secrets = [part for credential in given for part in re.split(r"[.~&;= ]+", credential) if len(part) >= 20]
exposed = [secret for secret in secrets if secret in daemon.said()]
check("no part of a credential is in the log", len(secrets) > 5 and not exposed and len(daemon.events("verdict")) > 5, exposed[:3])

# The article's location asks what deploy ships asks, of one path.
article = (ROOT / "Sources/MediaTokenHandover/MediaTokenHandover.docc/HandOver.md").read_text().split("```nginx\n")[1].split("```")[0]
shipped = (ROOT / "deploy/nginx/mediatoken.conf").read_text().replace("$media_scope", PREFIX)
cookies = "$cookie_mt_md5,$cookie_mt_expires"
asked = [re.findall(r"(?m)^ *(secure_link\w*) (.*);$", text.replace(f'"{cookies}"', cookies)) for text in (article, shipped)]
check("the article HandOver has nginx check cookies as deploy/nginx does", len(asked[0]) == 2 and asked[0] == asked[1], asked)
finish()
