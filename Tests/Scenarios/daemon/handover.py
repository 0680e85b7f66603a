"""Hand-overs of the daemon: other people's code accepts what a proxy and a back end get for a used token, nothing else yields a
credential, a new key is taken while the daemon runs, and bad terms and keys are refused at the start."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from handovers import HOST, KEY_ID, PREFIX, SEGMENT, VERIFIERS, Key, cookies, is_let_through, judge, judge_nginx, key_file
from processes import MEDIATOKEND
from scenario import check, count, finish, needs, path, until
from tokens import GUID, Signer

needs("nginx")
FORMATS = ["nginx-secure-link", *VERIFIERS]
LIFE = 3600
#: What browsers keep each format under.
NAMES = {"nginx-secure-link": ["mt_md5", "mt_expires"], "akamai-edgeauth": ["hdnts"], "cat": ["CTA-Common-Access-Token"],
         "cloudfront-cookie": [f"CloudFront-{name}" for name in ("Policy", "Signature", "Key-Pair-Id", "Hash-Algorithm")],
         "jwt-hs256": ["mt_jwt"], "jwt-es256": ["mt_jwt"]}
signer = Signer()
one, another = Key("one"), Key("another")


def handover(format, **changes):
    terms = {"format": format, "key": one.files[format], "lifeSeconds": LIFE, "path": PREFIX}
    terms |= {"keyID": KEY_ID} if format in ("cloudfront-cookie", "cat", "jwt-hs256") else {}
    terms |= {"host": HOST} if format == "cloudfront-cookie" else {}
    return terms | changes


def route(format, **changes):
    return {"prefix": "/" + format, "requestor": "REF30", "resource": "TNT", "handover": handover(format, **changes)}


def auth(*routes, **changes):
    return {"tokenHeader": "X-Token", "routes": list(routes)} | changes


SETTINGS = {
    "tenants": [{"requestor": "REF30"}] + [{"requestor": format, "handover": handover(format)} for format in FORMATS],
    "auth": auth({"prefix": "/", "requestor": "REF30", "resource": "TNT"}, *(route(format) for format in FORMATS)),
    "log": {"verdicts": "all", "linesPerSecond": 100_000},
    "requestIDHeader": "X-Request-ID",
}
daemon = Daemon(signer, **SETTINGS)
daemon.configure(replay={"address": "shared:" + daemon.table, "retryWindowMilliseconds": 60_000})
daemon.start()
#: Every credential that was given, to be looked for in the log.
given = []


def fresh(**options):
    return signer.issue(1, guid=GUID + os.urandom(8).hex(), **options)[0]


class Answer:
    """An answer to a proxy."""

    def __init__(self, format, token, method="GET", id=None):
        head = f"{method} /v1/auth/{format}/a.m3u8 HTTP/1.1\r\nHost: localhost\r\n" + (f"X-Request-ID: {id}\r\n" if id else "")
        with daemon.connect() as connection:
            connection.send(head.encode() + b"X-Token: " + token + b"\r\n\r\n")
            answer = connection.receive(is_head=method == "HEAD")
        fields = [line.split(": ", 1) for line in answer.head.decode().split("\r\n")[1:]]
        self.status = answer.status
        self.use = dict(fields)["X-Media-Token-Use"]
        credentials = [value for name, value in fields if name == "X-Media-Token-Handover"]
        self.cookies = [value for name, value in fields if name == "Set-Cookie"]
        self.credential = credentials[0] if len(credentials) == 1 else None
        if self.credential != "-":
            given.append(self.credential)

    def brings_nothing(self):
        return self.credential == "-" and not self.cookies


def timed(ask):
    """What is answered, and between which seconds."""
    earliest = int(time.time())
    return ask(), earliest, int(time.time())


def as_cookies(format, credential):
    """What a browser keeps of a credential."""
    if format == "cloudfront-cookie":
        return credential.split("; ")
    if format == "nginx-secure-link":
        return cookies(credential).split("; ")
    return [f"{NAMES[format][0]}={credential}"]


def judged(name, format, credential, span):
    judging = judge_nginx if format == "nginx-secure-link" else lambda name, *rest: judge(name, format, *rest)
    judging(name, credential, one, another, *span, LIFE)


def to_proxies():
    for format in FORMATS:
        token = fresh()
        head = Answer(format, token, "HEAD")
        check(f"{format}: a HEAD brings nothing", head.status == 204 and head.brings_nothing(), vars(head))
        answer, *span = timed(lambda: Answer(format, token))
        check(f"{format}: a first use brings one credential", answer.status == 200 and answer.use == "first", vars(answer))
        judged(f"{format} to a proxy", format, answer.credential, span)
        jar = [list(SimpleCookie(cookie).values()) for cookie in answer.cookies]
        check(f"{format}: each Set-Cookie is one cookie, with a name that its verifier knows",
              [len(cookie) for cookie in jar] == [1] * len(NAMES[format])
              and [cookie[0].key for cookie in jar] == NAMES[format], answer.cookies)
        check(f"{format}: the cookies say the same as the credential", [cookie.split("; ")[0] for cookie in answer.cookies]
              == as_cookies(format, answer.credential), answer.cookies)
        check(f"{format}: a browser keeps each cookie as it should", all(
            (cookie["path"], cookie["max-age"], cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["domain"])
            == (PREFIX, str(LIFE), True, True, "Lax", "") for (cookie,) in jar), answer.cookies)
        again = Answer(format, token)
        check(f"{format}: a second use brings nothing", again.status == 403 and again.brings_nothing(), vars(again))


def to_back_ends():
    for format in FORMATS:
        target = f"/v1/verify?requestor={format}&resource=TNT".encode()
        token = fresh(requestor=format)
        answer, *span = timed(lambda: daemon.ask(token, target=target))
        said = json.loads(answer.body)
        given.append(said.get("handover"))
        check(f"{format}: a back end gets a member, and no cookie",
              said["verdict"] == "VALID_TOKEN" and "handover" in said and b"Set-Cookie" not in answer.head, said)
        judged(f"{format} to a back end", format, said["handover"], span)
        again = daemon.ask(token, target=target)
        check(f"{format}: a back end gets no member for a token that was used",
              again.status == 403 and b"handover" not in again.body)


def to_no_others():
    plain = daemon.ask(fresh())
    check("a tenant without a handover gets no credential", plain.status == 200 and b"handover" not in plain.body, plain.body)
    answer = Answer("elsewhere", fresh())
    check("a route without a handover gives no credential", answer.status == 200 and answer.brings_nothing(), vars(answer))
    for name, token in (("no token", b""), ("garbage", b"garbage"), ("another resource", fresh(resource="TBS")),
                        ("an ended token", fresh(ttl=1000, age=600_000)), ("a changed token", fresh().replace(b"TNT", b"TBS"))):
        answer = Answer("jwt-hs256", token)
        check(f"{name} brings no credential", answer.status in (401, 403) and answer.brings_nothing(), vars(answer))


def retried():
    token = fresh()
    answers = [Answer("jwt-es256", token, id="request-1") for _ in range(2)]
    check("the same request again brings another credential", [answer.use for answer in answers] == ["first", "retry"]
          and answers[0].credential != answers[1].credential
          and all(is_let_through("jwt-es256", answer.credential, one, SEGMENT, int(time.time())) for answer in answers), answers)
    other = Answer("jwt-es256", token, id="request-2")
    check("another request with the same token brings no credential", other.status == 403 and other.brings_nothing(), vars(other))


def at_once():
    """Eight callers share one key's state, and one signer's."""
    for format in ("jwt-hs256", "jwt-es256"):
        with ThreadPoolExecutor(8) as callers:
            answers = list(callers.map(lambda token: Answer(format, token), signer.issue(200)))
        now = int(time.time())
        good = [is_let_through(format, answer.credential, one, SEGMENT, now) for answer in answers]
        check(f"{format}: each of 200 at once gets a good credential", all(good), good.count(False))


def opens(key):
    answer = Answer("akamai-edgeauth", fresh())
    return is_let_through("akamai-edgeauth", answer.credential, key, SEGMENT, int(time.time()))


def replace(file, content, mode=0o600):
    """As an operator changes a key: in one step."""
    os.chmod(key_file("new", content), mode)
    os.rename(path("new"), file)


def key_changes():
    file = one.files["akamai-edgeauth"]
    check("the first key mints", opens(one) and not opens(another))
    replace(file, another.bytes["akamai-edgeauth"].hex() + "\n")
    check("a new key is taken without a signal", until(60, lambda: opens(another)) and not opens(one))
    digits = one.bytes["akamai-edgeauth"].hex()
    for name, content, mode in (("that others may read", digits, 0o644), ("that is too short", "0" * 63, 0o600)):
        before = len(daemon.events("reload-failed"))
        replace(file, content, mode)
        daemon.tell(signal.SIGHUP)
        check(f"a key {name} is refused by a reload", until(60, lambda: len(daemon.events("reload-failed")) > before))
        message = daemon.events("reload-failed")[-1]["message"]
        check(f"a key {name}: the setting and the file are named, and not the key", file in message and content not in message
              and re.search(r"tenants\[\d\]\.handover\.key", message), message)
        check(f"a key {name}: the key before it mints on", opens(another) and not opens(one))
    daemon.configure(auth=auth(route("akamai-edgeauth"), observe=True))
    daemon.tell(signal.SIGHUP)
    check("a reload into observe mode is refused",
          until(60, lambda: "lets everything through" in daemon.events("reload-failed")[-1]["message"]))
    replace(file, digits + "\n")
    daemon.configure(auth=SETTINGS["auth"])
    check("the first key mints again", until(60, lambda: opens(one)))


def refused_at_the_start():
    usual = daemon.settings
    shared = key_file("shared.key", one.bytes["cat"].hex())
    os.chmod(shared, 0o644)
    copy = key_file("copy.key", one.bytes["jwt-hs256"].hex().upper())
    open_folder = path("open")
    os.mkdir(open_folder, 0o777)
    os.chmod(open_folder, 0o777)
    shutil.copyfile(one.files["cat"], open_folder + "/key")
    os.chmod(open_folder + "/key", 0o600)
    first = "auth.routes[0].handover"
    for name, place, changes in (
            ("observe mode", first, {"auth": auth(route("cat"), observe=True)}),
            ("no memory", "handover", {"replay": {"address": "none:"}, "auth": auth(route("cat"))}),
            ("no token", first, {"auth": auth({"prefix": "/x", "unprotected": True, "handover": handover("cat")})}),
            ("no use", first, {"auth": auth(route("cat") | {"methods": ["HEAD", "OPTIONS"]})}),
            ("a pattern", first + ".path", {"auth": auth(route("cat", path="/live/*/"))}),
            ("dots", first + ".path", {"auth": auth(route("cat", path="/live/../"))}),
            ("an escape", first + ".path", {"auth": auth(route("cat", path="/live%2f/"))}),
            ("a line feed", first + ".path", {"auth": auth(route("cat", path="/live\r\nSet-Cookie: a=b/"))}),
            ("a wildcard for a host", first + ".host", {"auth": auth(route("cloudfront-cookie", host="*"))}),
            ("no host", first + ".host", {"auth": auth(route("cloudfront-cookie", host=None))}),
            ("no key id", first + ".keyID", {"auth": auth(route("cat", keyID=None))}),
            ("a needless key id", first + ".keyID", {"auth": auth(route("akamai-edgeauth", keyID="k"))}),
            ("two days", first + ".lifeSeconds", {"auth": auth(route("cat", lifeSeconds=172_800))}),
            ("a key that others may read", first + ".key", {"auth": auth(route("cat", key=shared))}),
            ("a key in a folder that others may change", first + ".key", {"auth": auth(route("cat", key=open_folder + "/key"))}),
            ("a key that is not there", first + ".key", {"auth": auth(route("cat", key=path("none")))}),
            ("a key of another kind", first + ".key", {"auth": auth(route("cat", key=another.files["jwt-es256"]))}),
            ("the key of another format", first + ".key", {"auth": auth(route("cat", key=one.files["jwt-hs256"]))}),
            ("a copy of another format's key", first + ".key", {"auth": auth(route("cat", key=copy))}),
            ("the key of pseudonyms", first + ".key",
             {"auth": auth(route("jwt-hs256")), "viewerTag": {"key": one.files["jwt-hs256"], "rotateHours": 24},
              "tenants": [{"requestor": "REF30"}]}),
            ("a domain with an attribute", first + ".cookie.domain", {"auth": auth(route("cat", cookie={"domain": "a; Path=/"}))}),
            ("SameSite=None without Secure", first + ".cookie.secure",
             {"auth": auth(route("cat", cookie={"sameSite": "None", "secure": False}))}),
            ("a head that is too long", first + ": ", {"auth": auth(route("cloudfront-cookie", path=f"/{'p' * 500}/"))})):
        text = json.dumps(usual | changes, indent=1)
        # A member that is left out is one that is null here.
        file = key_file("check.json", re.sub(r',?\s*"\w+": null', "", text))
        said = subprocess.run([MEDIATOKEND, "--check-config", "--config", file], capture_output=True, text=True)
        check(f"a handover with {name} is refused, by the name of its setting", said.returncode == 3 and place in said.stderr
              and said.stdout == "" and said.stderr.count("\n") == 1, said.stderr)
        shown = any(key.hex()[:20] in said.stderr.lower() for key in one.bytes.values())
        check(f"a handover with {name}: no key is shown", not shown and "BEGIN" not in said.stderr, said.stderr)


to_proxies()
to_back_ends()
to_no_others()
retried()
at_once()
key_changes()
refused_at_the_start()
minted = daemon.metrics()["mediatoken_handovers_total"]
check("the metrics count each credential that was given", minted == len(given), (minted, len(given)))
check("the daemon ends with 0 after all handovers", daemon.end() == 0)
log = daemon.said()
secrets = [part for credential in given for part in re.split(r"[.~&;= ]+", credential) if len(part) >= 20 and part not in NAMES["cat"]
           and not part.startswith("CloudFront-")]
exposed = [secret for secret in secrets if secret in log]
count(f"{len(secrets)} parts of {len(given)} credentials looked for in {len(log)} bytes of log")
check("no part of a credential is in the log", secrets and not exposed and len(daemon.events("verdict")) > 50, exposed[:3])
finish()
