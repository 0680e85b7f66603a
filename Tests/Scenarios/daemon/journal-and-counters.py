#!/usr/bin/env -S python3 -B
"""What the daemon says about itself: priorities for systemd's journal and for nothing else, and counters of what HTTP refuses."""

import base64
import os
import socket
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, Unsent, post
from daemon import Daemon
from scenario import check, finish, path, until
from tokens import Signer

signer = Signer()


def lines_of(daemon, stream, error):
    """Starts the daemon with a JOURNAL_STREAM of this text, and returns what it says until it has ended."""
    daemon.spawn(stderr=error, env=dict(os.environ, JOURNAL_STREAM=stream))
    until(60, lambda: daemon.process.poll() is not None or daemon.is_ready())
    if daemon.is_alive():
        daemon.ask(b"nonsense")
        daemon.end()


def journal():
    """A file takes the journal's place: what counts is that JOURNAL_STREAM names it."""
    for name, shift, start in (("the journal", 0, b"<"), ("another stream", 1, b"{")):
        daemon = Daemon(signer, "journal", table="journal.table")
        with open(path("journal.txt"), "wb") as file:
            status = os.fstat(file.fileno())
            lines_of(daemon, f"{status.st_dev}:{status.st_ino + shift}", file)
        with open(path("journal.txt"), "rb") as file:
            lines = file.read().splitlines()
        check(f"{name}: a daemon's life has lines", len(lines) >= 4, lines)
        check(f"{name}: each line begins with {start.decode()}", all(line.startswith(start) for line in lines), lines)
        if shift == 0:
            wrong = [line for line in lines for level, number in ((b"info", b"6"), (b"warning", b"4"), (b"error", b"3"))
                     if b'"level":"%b"' % level in line and not line.startswith(b"<%b>{" % number)]
            check("in the journal information is 6, a warning 4, an error 3", not wrong, wrong)
    daemon.write("{")
    with open(path("journal.txt"), "wb") as file:
        status = os.fstat(file.fileno())
        lines_of(daemon, f"{status.st_dev}:{status.st_ino}", file)
    with open(path("journal.txt"), "rb") as file:
        lines = file.read().splitlines()
    check("why a daemon does not start is an error in the journal",
          bool(lines) and all(line.startswith(b"<3>mediatokend: ") for line in lines), lines)


def counters():
    daemon = Daemon(signer, "counters", limits={"connections": 8}).start()
    asking = daemon.connect()

    def metric(name):
        page = asking.get("/metrics").body.decode()
        return next(float(line.split()[1]) for line in page.splitlines() if line.startswith(f"mediatoken_http_{name} "))

    check("the metrics count the one connection that asks", until(60, lambda: metric("connections") == 1), metric("connections"))
    check("the first connection is counted as accepted", metric("connections_accepted_total") >= 1)
    check("no connection at a UNIX socket is counted as one over TCP", metric("tcp_connections") == 0)
    for name in ("accept_pauses", "crowded_out", "requests_late", "requests_malformed"):
        check(f"at first {name} is 0", metric(f"{name}_total") == 0, metric(f"{name}_total"))
    with daemon.connect() as broken:
        broken.send(b"GET /livez\r\n\r\n")
        check("a broken head is answered with 400", broken.receive().status == 400)
    check("a broken head is counted as malformed", metric("requests_malformed_total") == 1)
    crowd = []
    for _ in range(12):
        crowd.append(socket.socket(socket.AF_UNIX))
        crowd[-1].connect(daemon.socket)
        # So that the one who asks is never silent for longest.
        metric("connections")
    check("of more connections than may be open the longest silent are closed", until(60, lambda: metric("crowded_out_total") == 5),
          metric("crowded_out_total"))
    check("as many connections are open as may be", until(60, lambda: metric("connections") == 8), metric("connections"))
    for connection in crowd:
        connection.close()
    check("what is closed is counted out", until(60, lambda: metric("connections") == 1), metric("connections"))
    asking.close()
    daemon.end()


def verdicts():
    """What else comes with a verdict, and a request that does not come to its end."""
    daemon = Daemon(signer, "verdicts", table="verdicts.table", requestIDHeader="X-Request-ID", deadlines={"requestMilliseconds": 1000})
    daemon.configure(replay={"address": "shared:" + daemon.table, "retryWindowMilliseconds": 60_000})
    daemon.start()
    opening, _, signed = signer.issue(1)[0].split(b"<signatureInfo>")
    end = signed.rindex(b"</")
    signed = signed[:end] + b"<later>x</later>" + signed[end:]
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", signer.private], input=signed, check=True, capture_output=True)
    unknown, token = b"<signatureInfo>".join((opening, base64.b64encode(signature.stdout), signed)), signer.issue(1)[0]

    def happens():
        """Again where this machine was busy for longer than a request may take."""
        try:
            with daemon.connect() as connection:
                for text in (token, token, unknown):
                    connection.send(post(text, fields=b"X-Request-ID: the-first\r\n"))
                    connection.receive()
            with daemon.connect() as slow:
                slow.send(b"GET /livez HTTP/1.1\r\n")
                slow.receive()
        except (Unanswered, Unsent):
            pass
        found = daemon.metrics()
        return [name for name in wanted if found[f"mediatoken_{name}_total"] < 1]

    wanted = ("retry_answers", "unknown_fields", "weak_key_verdicts", "http_requests_late")
    check("retries, unknown fields, weak keys and late requests are counted", until(60, lambda: not happens()), happens())
    daemon.end()


for part in (journal, counters, verdicts):
    part()
finish()
