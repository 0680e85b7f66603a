#!/usr/bin/env -S python3 -B
"""Hand-overs of a running daemon: nginx with the article's location and OpenSSL accept what a proxy and a back end get for a used
token, a new key is taken without a signal, and no credential is in the log. What each format mints, for whom, and which terms are
refused, is for the unit tests: other people's code made their vectors."""
import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from processes import MEDIATOKEND, free_port, launch
from scenario import ROOT, check, finish, needs, path, until
from tokens import Signer

needs("nginx", "openssl")
PREFIX = "/live/tnt/"
ARTICLE = ROOT / "Sources/MediaTokenHandover/MediaTokenHandover.docc/HandOver.md"
LOCATION = ARTICLE.read_text().split("```nginx\n")[1].split("```")[0]
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


# MARK: who verifies


class Nginx:
    """nginx with the secret and the article's location, once more for another path."""

    def __init__(self):
        self.port = free_port()
        places = "\n".join(f"{kind}_temp_path {path(kind)};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(path("nginx.conf"), "w", encoding="ascii") as file:
            file.write(f"""
                daemon off; master_process off; pid {path("nginx.pid")}; error_log stderr warn;
                events {{}}
                http {{
                  access_log off;
                  {places}
                  map $host $media_key {{ default {SECRET}; }}
                  upstream media {{ server unix:{path("media")}; }}
                  server {{ listen unix:{path("media")}; location / {{ return 200 segment; }} }}
                  server {{ listen 127.0.0.1:{self.port}; {LOCATION} {LOCATION.replace(PREFIX, "/live/tbs/")} }}
                }}""")
        launch(["nginx", "-c", path("nginx.conf"), "-e", "stderr"], stderr=subprocess.DEVNULL)
        if not until(60, lambda: self.answers("") == 403):
            sys.exit("expected nginx to start")

    def answers(self, cookie, address=PREFIX + "hd/part0.ts"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request("GET", address, headers={"Cookie": cookie} if cookie else {})
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_signed(credential, name="signature"):
    """Whether OpenSSL finds the signature of a JSON Web Token good: r and s of 32 bytes (RFC 7518, section 3.4), here in DER."""
    text, _, signature = credential.rpartition(".")
    numbers = [decoded(signature)[place:place + 32].lstrip(b"\0") for place in (0, 32)]
    numbers = [b"\0" * (number[0] >> 7) + number for number in numbers]
    der = b"".join(bytes([2, len(number)]) + number for number in numbers)
    with open(path(name), "wb") as file:
        file.write(bytes([0x30, len(der)]) + der)
    return subprocess.run(["openssl", "dgst", "-sha256", "-prverify", KEYS["jwt-es256"], "-signature", path(name)], input=text.encode(),
                          capture_output=True).returncode == 0


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


def verified():
    nginx = Nginx()
    _, credential, cookies = to_proxy("nginx-secure-link", signer.issue(1)[0])
    cookie = "; ".join(cookies)
    check("nginx opens what is under the path for the cookies of a first use", nginx.answers(cookie) == 200, credential)
    check("nginx opens no other path for those cookies", nginx.answers(cookie, "/live/tbs/part0.ts") == 403)
    expires = credential.partition("&expires=")[2]
    check("nginx opens nothing for cookies with a longer life", nginx.answers(cookie.replace(expires, str(int(expires) + 1))) == 403)
    daemon.configure(auth=auth(route("nginx-secure-link", lifeSeconds=1), *(route(format) for format in list(KEYS)[1:])))
    daemon.tell(signal.SIGHUP)
    check("a shorter life is taken by a reload", until(60, lambda: daemon.events("reloaded")))
    short = "; ".join(to_proxy("nginx-secure-link", signer.issue(1)[0])[2])
    check("nginx says 410 for cookies whose life is over", until(60, lambda: nginx.answers(short) == 410))

    with ThreadPoolExecutor(8) as callers:
        credentials = list(callers.map(lambda token: to_proxy("jwt-es256", token)[1], signer.issue(200)))
        good = list(callers.map(is_signed, credentials, map(str, range(200))))
    check("OpenSSL verifies each of 200 web tokens that were minted at once", all(good), good.count(False))
    head, claims, signature = credentials[0].split(".")
    claims = json.loads(decoded(claims))
    check("the claims of a web token are its path and its life",
          claims == {"iat": claims["iat"], "exp": claims["iat"] + 3600, "path": PREFIX}, claims)
    check("OpenSSL refuses a web token whose claims were changed", not is_signed(f"{head}.{credentials[1].split('.')[1]}x.{signature}"))


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
verified()
key_changes()
minted = daemon.metrics()["mediatoken_handovers_total"]
check("the metrics count each credential that was given", minted == len(given), (minted, len(given)))
check("the daemon ends with 0 after all handovers", daemon.end() == 0)
log = daemon.said()
secrets = [part for credential in given for part in re.split(r"[.~&;= ]+", credential) if len(part) >= 20]
exposed = [secret for secret in secrets if secret in log]
check("no part of a credential is in the log", len(secrets) > 200 and not exposed and len(daemon.events("verdict")) > 50, exposed[:3])
finish()
