#!/usr/bin/env -S python3 -B
"""Hand-overs of a running daemon: what a proxy and a back end get for a used token, a new key that is taken without a signal, and that no
credential is in the log. What each format mints, for whom, by other people's vectors, is for the unit tests, and what a proxy opens for
it is proxies/segments.py's, with what deploy ships.
"""
import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from processes import MEDIATOKEND
from scenario import ROOT, check, finish, path, until
from tokens import Signer

PREFIX = "/live/tnt/"
signer = Signer()


def private(name, content, mode=0o600):
    """A file of this content, put there in one step, as an operator changes a key."""
    with open(path("new"), "w", encoding="ascii") as file:
        file.write(content)
    os.chmod(path("new"), mode)
    os.rename(path("new"), path(name))
    return path(name)


SECRET, ONE, ANOTHER = (os.urandom(32).hex() for _ in range(3))
CURVE = (ROOT / "Tests/Fixtures/handover/ec.private.pem").read_text()
KEYS = {"nginx-secure-link": private("nginx", SECRET), "akamai-edgeauth": private("akamai", ONE), "jwt-es256": private("curve", CURVE)}


def route(format, **changes):
    return {"prefix": "/" + format, "requestor": "REF30", "resource": "TNT",
            "handover": {"format": format, "key": KEYS[format], "lifeSeconds": 3600, "path": PREFIX} | changes}


def auth(*routes, **changes):
    return {"tokenHeader": "X-Token", "routes": list(routes)} | changes


daemon = Daemon(
    signer, auth=auth(*(route(format) for format in KEYS)), log={"verdicts": "all", "linesPerSecond": 100_000},
    tenants=[{"requestor": "REF30"}] + [{"requestor": format, "handover": route(format)["handover"]} for format in KEYS]).start()
#: Every credential that was given, to be looked for in the log.
given = []


def to_proxy(format, token, method="GET"):
    """The status, the credential and the cookies that a proxy gets."""
    with daemon.connect() as connection:
        connection.send(f"{method} /v1/auth/{format}/a.m3u8 HTTP/1.1\r\nHost: localhost\r\n".encode() + b"X-Token: " + token + b"\r\n\r\n")
        answer = connection.receive(is_head=method == "HEAD")
    fields = [line.split(": ", 1) for line in answer.head.decode().split("\r\n")[1:]]
    credential = dict(fields)["X-Media-Token-Handover"]
    given.extend([credential] if credential != "-" else [])
    return answer.status, credential, [value.split(";")[0] for name, value in fields if name == "Set-Cookie"]


def to_back_end(format, token):
    said = json.loads(daemon.ask(token, target=f"/v1/verify?requestor={format}&resource=TNT".encode()).body)
    given.extend([said["handover"]] if "handover" in said else [])
    return said


# MARK: parts


def given_once():
    for format in KEYS:
        token = signer.issue(1)[0]
        head, (status, credential, cookies), again = to_proxy(format, token, "HEAD"), to_proxy(format, token), to_proxy(format, token)
        check(f"{format}: a first use brings a proxy a credential and cookies", status == 200 and credential != "-" and cookies, status)
        check(f"{format}: neither HEAD nor a second use brings a proxy anything", (head, again) == ((204, "-", []), (403, "-", [])), (head, again))
        token = signer.issue(1, requestor=format)[0]
        said = [to_back_end(format, token) for _ in range(2)]
        check(f"{format}: a back end gets a credential for a first use alone", ["handover" in one for one in said] == [True, False], said)
    check("a tenant without a handover gets no credential", b"handover" not in daemon.ask(signer.issue(1)[0]).body)


def shown():
    """The article's location asks what deploy ships asks, of one path."""
    article = (ROOT / "Sources/MediaTokenHandover/MediaTokenHandover.docc/HandOver.md").read_text().split("```nginx\n")[1].split("```")[0]
    shipped = (ROOT / "deploy/nginx/mediatoken.conf").read_text().replace("$media_scope", PREFIX)
    asked = [re.findall(r"(?m)^ *(secure_link\w*) (.*);$", text.replace('"$cookie_mt_md5,$cookie_mt_expires"', "$cookie_mt_md5,$cookie_mt_expires"))
             for text in (article, shipped)]
    check("the article HandOver has nginx check cookies as deploy/nginx does", len(asked[0]) == 2 and asked[0] == asked[1], asked)


def opens(key):
    text, _, code = to_proxy("akamai-edgeauth", signer.issue(1)[0])[1].partition("~hmac=")
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest() == code


def key_changes():
    file = KEYS["akamai-edgeauth"]
    check("the first key mints", opens(ONE) and not opens(ANOTHER))
    private("akamai", ANOTHER + "\n")
    check("a new key is taken without a signal", until(60, lambda: opens(ANOTHER)) and not opens(ONE))
    private("akamai", ONE, 0o644)
    check("a key that others may read is refused by a reload", until(60, lambda: daemon.events("reload-failed")))
    message = daemon.events("reload-failed")[-1]["message"]
    check("the log names the setting and the file of a refused key, and not the key",
          file in message and ONE not in message and re.search(r"tenants\[\d\]\.handover\.key", message), message)
    check("after a refused key the one before it mints on", opens(ANOTHER) and not opens(ONE))
    daemon.configure(auth=auth(route("akamai-edgeauth"), observe=True))
    private("akamai", ANOTHER)
    daemon.tell(signal.SIGHUP)
    check("a reload into observe mode is refused",
          until(60, lambda: "lets everything through" in daemon.events("reload-failed")[-1]["message"]))
    said = subprocess.run([MEDIATOKEND, "--check-config", "--config", daemon.file], capture_output=True, text=True)
    check("a hand-over in observe mode is refused at the start, by the name of its setting",
          said.returncode == 3 and "auth.routes[0].handover" in said.stderr and not said.stdout, said)


given_once()
shown()
key_changes()
minted = daemon.metrics()["mediatoken_handovers_total"]
check("the metrics count each credential that was given", minted == len(given), (minted, len(given)))
check("the daemon ends with 0 after all handovers", daemon.end() == 0)
log = daemon.said()
secrets = [part for credential in given for part in re.split(r"[.~&;= ]+", credential) if len(part) >= 20]
exposed = [secret for secret in secrets if secret in log]
check("no part of a credential is in the log", len(secrets) > 10 and not exposed and len(daemon.events("verdict")) > 20, exposed[:3])
finish()
