#!/usr/bin/env -S python3 -B
"""The inspector: a listener of its own on the loopback interface or at a socket. A crowd there costs no verdict and fills no log. What one
request comes to, what is in its answer, who may ask and which addresses there are, is in Cases/endpoints/inspector.txt, InspectorTests and
cli/by-configuration.py; every vector, in ExplainedVectorTests; the page, in inspector.py.
"""

import collections
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, Unanswered, Unsent, post, verdict
from daemon import Daemon
from processes import MEDIATOKEND, free_port, launch
from scenario import check, count, finish, path, until
from tokens import Signer

ASKED = b"/v1/explain?requestor=REF30&resource=TNT"


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
        self.host = place.encode() if place[0] != "/" else b"localhost"

    def connect(self):
        if self.place[0] == "/":
            return Connection(self.place)
        return Connection.over(socket.create_connection(self.place.rsplit(":", 1), 60))

    def question(self, token):
        return post(token, ASKED).replace(b"Host: localhost", b"Host: " + self.host)

    def explain(self, token):
        with self.connect() as connection:
            connection.send(self.question(token))
            return connection.receive()


signer = Signer()
port = free_port()
with running(Daemon(signer, inspector=f"127.0.0.1:{port}", log={"verdicts": "all", "linesPerSecond": 10_000})) as daemon:
    inspector = Inspector(f"127.0.0.1:{port}")
    token, known = signer.issue(2)
    check("a token is explained as unused", json.loads(inspector.explain(token).body)["use"] == {"state": "unused"})
    check("the token can still be used", daemon.ask(token).status == 200)

    # A crowd.
    stop, done = threading.Event(), collections.Counter()

    def crowd():
        while not stop.is_set():
            try:
                with inspector.connect() as connection:
                    while not stop.is_set():
                        connection.send(inspector.question(known))
                        done[connection.receive().status] += 1
            except (Unanswered, Unsent, OSError):
                done["closed"] += 1

    callers = [threading.Thread(target=crowd) for _ in range(64)]
    started = time.monotonic()
    for caller in callers:
        caller.start()
    found = [daemon.ask(one.text).status for one in signer.good(1500)]
    seconds = time.monotonic() - started
    stop.set()
    asked = done[200]
    for caller in callers:
        caller.join(90)
    check("while a crowd asks the inspector every verdict is given", found == [200] * 1500)
    check("a crowd at the inspector gets no more than 200 answers per second", 0 < asked <= 200 * seconds + 64, (asked, seconds))
    check("no explanation is counted as a verdict, or logged as one", daemon.spent() == 1501
          and until(60, lambda: len(daemon.events("verdict")) >= 1501) and len(daemon.events("verdict")) == 1501, daemon.said()[-600:])
    count(f"{asked} explanations and 1500 verdicts in {seconds:.1f} s")

# The support desk's people: in a group of their own, and not in that of the callers.
if os.geteuid() == 0:
    desk, callers = 61_001, 61_002
    os.chmod(path(""), 0o711)
    place = path("desk.sock")
    with running(Daemon(signer, "desk", "desk.table", inspector={"path": place, "mode": "0660", "group": desk},
                        socket={"path": path("callers.sock"), "mode": "0660", "group": callers})) as daemon:
        token = signer.issue(1)[0]
        explained, refused = (subprocess.run(
            ["curl", "-sS", "--unix-socket", where, "-H", "Content-Type: text/plain", "--data-binary", "@-", "http://localhost" + ASKED.decode()],
            input=token, capture_output=True, user=61_000, group=desk, extra_groups=[], cwd="/") for where in (place, daemon.socket))
        check("a person of the support desk has an answer", b'"verdict":"VALID_TOKEN"' in explained.stdout, explained)
        check("a person of the support desk is refused where tokens are used up", refused.returncode == 7 and refused.stdout == b"", refused)
else:
    print("  the support desk's group needs root")
# A setting that is refused, and to try it.
said = subprocess.run([MEDIATOKEND, "--dev", "--inspector", "0.0.0.0:8099"], capture_output=True, text=True, timeout=60, cwd=path(""))
check("an inspector on all interfaces is refused with what to write", said.returncode == 2 and "127.0.0.1:PORT" in said.stderr, said)
os.mkdir(path("trial"))
for place, told in ((f"127.0.0.1:{free_port()}", "open http://127.0.0.1:"), ("./explain.sock", "curl --unix-socket './explain.sock'")):
    trial = launch([MEDIATOKEND, "--dev", "--inspector", place], cwd=path("trial"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said = ""
    while (line := trial.stdout.readline()) not in ("Stop with Ctrl-C.\n", ""):
        said += line
    issued = re.search(r"--data-binary '([^'@]+)'", said)[1].encode()
    answer = Inspector(place if place[0] != "." else path("trial/explain.sock")).explain(issued)
    check(f"--dev explains at {place}, and says so", told in said and verdict(answer) == "VALID_TOKEN", (said, answer))
    if place[0] == ".":
        with open(path("trial/token.txt"), "wb") as file:
            file.write(issued)
        shown = subprocess.run(re.search(r"refused:\n\n(curl .*)\n", said)[1], shell=True, cwd=path("trial"), capture_output=True)
        check("the command that --dev shows explains a token", b'"verdict":"VALID_TOKEN"' in shown.stdout, shown)
    trial.terminate()
    check("--dev with an inspector ends with 0", trial.wait(60) == 0)
with socket.create_server(("127.0.0.1", 0)) as taken:
    busy = Daemon(signer, "busy", "busy.table", inspector="127.0.0.1:%d" % taken.getsockname()[1]).spawn()
    check("a port that is taken ends the start, and names the setting", busy.process.wait(60) == 3 and "inspector" in busy.said())
finish()
