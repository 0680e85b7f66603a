#!/usr/bin/env -S python3 -B
"""The inspector: a listener of its own, off by default, on the loopback interface or at a socket with the other socket's mode.
POST /v1/explain says about every vector what /v1/verify says, spends nothing and shows no session GUID; other sites and other names
are refused; a crowd there costs no verdict and fills no log.
"""

import collections
import contextlib
import json
import os
import re
import socket
import stat
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, Unanswered, Unsent, post, verdict
from daemon import Daemon
from processes import MEDIATOKEN, MEDIATOKEND, free_port, launch
from scenario import ROOT, check, count, finish, path, until
from tokens import GUID, Signer, spellings
from vector_files import VECTORS, all_vectors

ASKED = "/v1/explain?requestor=REF30&resource=TNT"
POLICY = (b"content-security-policy: default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
          b"img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'")
HEADS = [POLICY, b"x-content-type-options: nosniff", b"referrer-policy: no-referrer", b"cache-control: no-store",
         b"cross-origin-opener-policy: same-origin", b"cross-origin-resource-policy: same-origin"]


@contextlib.contextmanager
def running(daemon):
    """A daemon until the end of a block."""
    try:
        yield daemon.start()
    finally:
        daemon.end()


class Inspector:
    """Asks at a port of the loopback interface, or at a socket."""

    def __init__(self, place):
        self.place = place
        self.host = place.encode() if isinstance(place, str) and place[0] != "/" else b"localhost"

    def connect(self):
        if self.place[0] == "/":
            return Connection(self.place)
        host, port = self.place.rsplit(":", 1)
        return Connection.over(socket.create_connection((host.strip("[]"), int(port)), 60))

    def ask(self, method, target, body=b"", fields=(), host=None):
        host = self.host if host is None else host
        lines = [b"%b %b HTTP/1.1" % (method.encode(), target.encode()), b"Host: " + host, *fields]
        if method == "POST":
            lines.append(b"Content-Length: %d" % len(body))
        with self.connect() as connection:
            connection.send(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            return connection.receive(is_head=method == "HEAD")

    def explain(self, token, target=ASKED, fields=()):
        return self.ask("POST", target, token, fields)


def is_kept_to_itself(answer):
    head = answer.head.lower()
    return all(b"\r\n" + line + b"\r\n" in head + b"\r\n" for line in HEADS) and b"set-cookie" not in head


signer = Signer()
port = free_port()
logs = {"log": {"verdicts": "all", "linesPerSecond": 10_000}}

# Off by default.
with running(Daemon(signer, "off", "off.table")) as plain:
    found = [plain.get(target).status for target in ("/", "/inspector.css", "/inspector.js", "/v1/explain")]
    check("without the setting there is no inspector", found == [404] * 4, found)

with running(Daemon(signer, inspector=f"127.0.0.1:{port}", **logs)) as daemon:
    inspector = Inspector(f"127.0.0.1:{port}")

    # What it serves.
    page = inspector.ask("GET", "/")
    check("the inspector's page is HTML that needs nothing from elsewhere",
          page.status == 200 and b"content-type: text/html; charset=utf-8" in page.head.lower()
          and b"https://" not in page.body and b"<noscript>" in page.body, page)
    for target, name, kind in (("/", "page.html", b"text/html"), ("/inspector.css", "inspector.css", b"text/css"),
                               ("/inspector.js", "inspector.js", b"text/javascript")):
        answer = inspector.ask("GET", target)
        file = (ROOT / "Sources/MediaTokenService/Inspector" / name).read_bytes()
        check(f"the inspector's {target} is the file as it is", answer.body == file and kind in answer.head.lower())
        check(f"HEAD {target} has its length and no body", inspector.ask("HEAD", target).status == 200)
        check(f"the inspector's {target} is for no other site, and kept nowhere", is_kept_to_itself(answer), answer.head)
    found = [inspector.ask(method, target).status for method in ("GET", "POST")
             for target in ("/v1/verify", "/v1/auth", "/v1/keys", "/livez", "/readyz", "/metrics", "/x")]
    check("the inspector serves nothing of the verify listener", found == [404] * 14, found)
    found = [daemon.get(target).status for target in ("/", "/inspector.css", "/inspector.js", "/v1/explain")]
    check("the verify listener serves nothing of the inspector", found == [404] * 4, found)
    refused = inspector.ask("GET", "/v1/explain"), inspector.ask("DELETE", "/")
    check("the inspector answers other methods with 405", [one.status for one in refused] == [405, 405]
          and b"allow: post" in refused[0].head.lower() and b"allow: get, head" in refused[1].head.lower(), refused)

    # Who may ask.
    for host in (b"127.0.0.1:%d" % port, b"localhost:%d" % port, b"[::1]:%d" % port):
        check(f"a question to the host {host.decode()} is answered", inspector.ask("GET", "/", host=host).status == 200)
    for host in (b"127.0.0.1", b"evil.example:%d" % port, b"localhost.evil.example:%d" % port, b"localhost:1", b"0.0.0.0:%d" % port):
        answer = inspector.ask("GET", "/", host=host)
        check(f"the name {host.decode()} is refused, whatever leads it here",
              (answer.status, verdict(answer)) == (403, "foreign-host") and is_kept_to_itself(answer), answer)
    token = signer.issue(1)[0]
    ours = b"Origin: http://127.0.0.1:%d" % port
    check("the page's own request is answered",
          inspector.explain(token, fields=[ours, b"Sec-Fetch-Site: same-origin"]).status == 200)
    for field in (b"Origin: http://evil.example", b"Origin: null", b"Origin: https://127.0.0.1:%d" % port,
                  b"Origin: http://127.0.0.1:1", b"Sec-Fetch-Site: cross-site", b"Sec-Fetch-Site: same-site"):
        answer = inspector.explain(token, fields=[field])
        check(f"another site is refused: {field.decode()}",
              (answer.status, verdict(answer)) == (403, "foreign-site") and b"VALID" not in answer.body, answer)

    # What it says, and that it spends nothing.
    answers = [inspector.explain(one) for one in spellings(token) * 2]
    bodies = [json.loads(one.body) for one in answers]
    check("a good token is explained as often as it is asked about",
          [(one.status, verdict(one)) for one in answers] == [(200, "VALID_TOKEN")] * 6
          and all(one["use"] == {"state": "unused"} and one["action"] == "none" for one in bodies), answers[0].body)
    check("every answer says that it lets no one play",
          all(one["notice"] == "nothing here lets anyone play; no token was used up" for one in bodies))
    check("every explanation is for no other site", all(is_kept_to_itself(one) for one in answers))
    check("the token can still be used", daemon.ask(token).status == 200)
    used = json.loads(inspector.explain(token).body)
    check("a token that was used is explained as used",
          (used["verdict"], used["reason"], used["use"]["state"]) == ("TOKEN_REPLAYED", "already-used", "used"), used)
    seen = {one["step"]: one["outcome"] for one in used["steps"]}
    check("a token that was used is explained by the step that failed", list(seen.values()) == ["passed"] * 6 + ["failed"], seen)
    tokens = signer.mixed(60)
    explained = [inspector.explain(one.text) for one in tokens]
    check("refusals of six kinds are explained as /v1/verify judges them",
          [verdict(one) for one in explained] == [one.verdict for one in tokens]
          and all(one.status == 200 for one in explained))
    check("each refusal of six kinds has a sentence for the viewer",
          all(json.loads(one.body)["viewer"].endswith(".") for one in explained))
    check("no token of six kinds of refusals was used up by its explanation",
          all(daemon.ask(one.text).status == one.status for one in tokens))

    # A question that does not say what the token is for.
    open_ = json.loads(inspector.explain(signer.issue(1, resource="TBS")[0], "/v1/explain").body)
    check("a resource that is not asked for is not checked, and shown as the token has it",
          open_["binding"] == [
              {"name": "requestor", "outcome": "passed", "expected": "REF30", "found": "REF30"},
              {"name": "resource", "outcome": "not-checked", "expected": "not asked", "found": "TBS"}], open_["binding"])
    check("where the resource is not checked there is no verdict, nor anything that reads like one",
          open_["notChecked"] == ["resource"]
          and not {"verdict", "number", "action", "adobeCode", "viewer"} & set(open_) and open_["steps"][5]["outcome"] == "not-checked", open_)
    as_json = [b"Content-Type: application/json"]
    signed = json.dumps({"token": spellings(token)[1].decode(), "requestor": "REF30", "resource": "TNT"}).encode()
    check("JSON is taken as at /v1/verify", verdict(inspector.explain(signed, "/v1/explain", as_json)) == "TOKEN_REPLAYED")
    fresh = spellings(signer.issue(1)[0])[1].decode()
    decision = {"decisions": [{"resource": "TNT", "serviceProvider": "OTHER", "authorized": True,
                               "token": {"issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": fresh}}]}
    answer = inspector.explain(json.dumps({"decision": decision, "resource": "TNT"}).encode(), "/v1/explain", as_json)
    said = json.loads(answer.body)
    check("a decision's unsigned members are compared with what is signed",
          said.get("verdict") == "VALID_TOKEN" and said["decision"]["outcome"] == "differs"
          and {"member": "serviceProvider", "signed": "REF30", "unsigned": "OTHER"} in said["decision"]["differences"], said)
    wrong = [inspector.explain(b"{", "/v1/explain", as_json), inspector.explain(token, "/v1/explain?tenant=x"),
             inspector.explain(token, fields=[b"Content-Type: image/png"]), inspector.explain(b"x" * 300_000)]
    check("a question that cannot be read is an error", [one.status for one in wrong] == [400, 400, 415, 413], wrong)

    # What it leaves behind.
    hostile = signer.issue(1, mvpd="\u202eM<script>\u2028", guid=GUID)[0]
    answer = inspector.explain(hostile)
    check("what a token says is escaped for terminals", not any(one.encode() in answer.body for one in "\u202e\u2028"))
    check("a session GUID is never in an answer", GUID.encode() not in answer.body and b"present, not shown" in answer.body)

    def logged(text):
        """The log as far as this token's verdict."""
        name = json.loads(daemon.ask(text).body)["identity"][:16]
        check("a verdict is logged", until(60, lambda: any(line.get("token") == name for line in daemon.events("verdict"))))
        return daemon.said()

    first, last = signer.issue(2)
    before = logged(first)
    counted = daemon.get("/metrics").body
    for one in signer.issue(20):
        inspector.explain(one)
    uncounted = daemon.get("/metrics").body
    lines = logged(last)[len(before):].splitlines()
    check("no explanation is logged", len(lines) == 1, lines)
    before, after = ([line for line in page.splitlines() if b"_total{" in line and b"verdict" in line]
                     for page in (counted, uncounted))
    check("no explanation is counted as a verdict", before == after, after)

    # A crowd.
    stop, done = threading.Event(), collections.Counter()

    def crowd():
        while not stop.is_set():
            try:
                with inspector.connect() as connection:
                    while not stop.is_set():
                        connection.send(post(hostile, ASKED.encode()).replace(b"Host: localhost", b"Host: " + inspector.host))
                        done[connection.receive().status] += 1
            except (Unanswered, Unsent, OSError):
                done["closed"] += 1

    callers = [threading.Thread(target=crowd) for _ in range(64)]
    started = time.monotonic()
    for caller in callers:
        caller.start()
    good = signer.good(1500)
    found = [daemon.ask(one.text).status for one in good]
    seconds = time.monotonic() - started
    stop.set()
    asked = done[200]
    for caller in callers:
        caller.join(90)
    check("while a crowd asks the inspector every verdict is given", found == [200] * 1500)
    check("a crowd at the inspector gets no more than 200 answers per second", 0 < asked <= 200 * seconds + 64, (asked, seconds))
    count(f"{asked} explanations and 1500 verdicts in {seconds:.1f} s")

# Every vector.
keys = sorted(str(key) for key in (VECTORS / "shared/keys").iterdir() if key.suffix == ".pem" and ".private" not in key.name)
vectors = all_vectors()
place = path("inspector.sock")
listed = subprocess.run([MEDIATOKEN, "keys", "list", "--allow-rsa-1024", "any"] + [word for key in keys for word in ("--keys", key)],
                        capture_output=True, text=True, check=True).stdout
weak = sorted(set(re.findall(r"\b[0-9a-f]{64}\b", listed)))
vectored = Daemon(signer, "vectors", "vectors.table", inspector=place, socket={"path": path("vectors.sock"), "mode": "0660"},
                  keys=[signer.keys, *keys], allowRSA1024=[signer.fingerprint, *weak])
with running(vectored) as daemon:
    check("at a path alone the inspector is for the daemon's user", stat.S_IMODE(os.stat(place).st_mode) == 0o600)
    inspector = Inspector(place)
    differing, leaked, verdicts = [], [], collections.Counter()
    with daemon.connect() as verifying:
        for vector in vectors:
            if not vector.received:
                continue
            # On a connection of its own: one that says nothing for five seconds is ended.
            explained = inspector.explain(vector.received)
            verified = verifying.ask(vector.received)
            said, judged = json.loads(explained.body), json.loads(verified.body)
            verdicts[said.get("verdict")] += 1
            members = ("verdict", "number", "reason", "detail", "action", "adobeCode", "identity", "error")
            # By how much a limit was missed is another number each time.
            pairs = [[re.sub(r"\d+ ms", "", str(body.get(name))) for name in members] for body in (said, judged)]
            if pairs[0] != pairs[1]:
                differing.append((vector.name, *pairs))
            leaked += [vector.name for guid in vector.secrets() if guid in explained.body]
    check("every vector is explained as it is judged", not differing, differing[:3])
    check("no explanation of a vector shows a session GUID", not leaked, leaked[:5])
    check("many vectors of several verdicts were asked", sum(verdicts.values()) > 1500 and len(verdicts) >= 4, verdicts)
    count(f"{sum(verdicts.values())} vectors: {dict(verdicts)}")

# The support desk's people: in a group of their own, and not in that of the callers.
if os.geteuid() == 0:
    desk, callers = 61_001, 61_002
    os.chmod(path(""), 0o711)
    place = path("desk.sock")
    daemon = Daemon(signer, "desk", "desk.table", inspector={"path": place, "mode": "0660", "group": desk},
                    socket={"path": path("callers.sock"), "mode": "0660", "group": callers})
    with running(daemon):
        token = signer.issue(1)[0]

        def as_desk(where):
            return subprocess.run(["curl", "-sS", "--unix-socket", where, "-H", "Content-Type: text/plain", "--data-binary", "@-",
                                   "http://localhost" + ASKED], input=token, capture_output=True, user=61_000, group=desk,
                                  extra_groups=[], cwd="/")

        explained, refused = as_desk(place), as_desk(daemon.socket)
        check("a person of the support desk has an answer", b'"verdict":"VALID_TOKEN"' in explained.stdout, explained)
        check("a person of the support desk is refused where tokens are used up",
              refused.returncode == 7 and refused.stdout == b"", refused)
        check("a token that the support desk asked about can still be used", daemon.ask(token).status == 200)
else:
    print("  the support desk's group needs root")
common = Daemon(signer, "common", "common.table", inspector={"path": path("common.inspector"), "mode": "0660"},
                socket={"path": path("common.sock"), "mode": "0660"}).spawn()
check("a group that may use tokens up may not be the inspector's", common.process.wait(60) == 3 and "a group of its own" in common.said(),
      common.said())

# Other addresses.
for address in ("0.0.0.0:8099", "localhost:8099", "192.0.2.1:8099", "[::]:8099", "8099", "127.0.0.1", "127.0.0.1:0"):
    common.configure(inspector=address)
    said = subprocess.run([MEDIATOKEND, "--check-config", "--config", common.file], capture_output=True, text=True, timeout=60)
    check(f"the inspector {address} is refused with what to write", said.returncode == 3 and "127.0.0.1:PORT" in said.stderr
          and ": inspector: " in said.stderr, said)
# To try it: a key for development, and a page.
port = free_port()
os.mkdir(path("trial"))
for place, told in ((f"127.0.0.1:{port}", f"open http://127.0.0.1:{port}/"), ("./explain.sock", "curl --unix-socket './explain.sock'")):
    trial = launch([MEDIATOKEND, "--dev", "--inspector", place], cwd=path("trial"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said = ""
    while (line := trial.stdout.readline()) not in ("Stop with Ctrl-C.\n", ""):
        said += line
    issued = re.search(r"--data-binary '([^'@]+)'", said)[1].encode()
    answer = Inspector(place if place[0] != "." else path("trial/explain.sock")).explain(issued)
    check(f"--dev explains at {place}, and says so", told in said and verdict(answer) == "VALID_TOKEN", (said, answer))
    trial.terminate()
    check("--dev with an inspector ends with 0", trial.wait(60) == 0)
wrong = subprocess.run([MEDIATOKEND, "--dev", "--inspector", "0.0.0.0:8099"], cwd=path("trial"), capture_output=True, text=True, timeout=60)
check("--dev takes no other address for the inspector",
      wrong.returncode == 2 and "--inspector" in wrong.stderr and "127.0.0.1:PORT" in wrong.stderr, wrong)
taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()
busy = Daemon(signer, "busy", "busy.table", inspector="127.0.0.1:%d" % taken.getsockname()[1]).spawn()
check("a port that is taken ends the start, and names the setting", busy.process.wait(60) == 3 and "inspector" in busy.said())
finish()
