"""Daemons to which everything happens that an operator may want to see: one with a table, one whose callers misbehave and whose
disk is full, and two of a fleet of three seats."""

import base64
import os
import resource
import signal
import socket
import struct
import subprocess
import time
from contextlib import ExitStack, contextmanager

from connection import Unanswered, Unsent, post
from daemon import Daemon
from hosts import are_ready, begin, signer
from load import Load
from processes import free_port
from scenario import ROOT, path, scratch, until

RETRIED = b"/v1/verify?requestor=REF30&resource=TNT"
HANDED = b"/v1/verify?requestor=HANDED&resource=TNT"


def listener():
    return {"address": "127.0.0.1", "port": free_port()}


def handover():
    with open(path("handover.key"), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write((ROOT / "Tests/Fixtures/handover/hmac.key").read_text())
    return {"format": "jwt-hs256", "key": path("handover.key"), "lifeSeconds": 60, "path": "/vod/"}


def certificate():
    """A key in a certificate, which has a date."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("issuer.private.pem"), "-out",
                    path("issuer.pem"), "-days", "400", "-subj", "/CN=issuer"], check=True, capture_output=True)
    return path("issuer.pem")


class Machines:
    def __init__(self):
        route = {"prefix": "/", "requestor": "REF30", "resource": "TNT"}
        self.auth = {"tokenHeader": "X-Token", "routes": [route]}
        self.table = Daemon(signer, "table", tcp=listener(), keys=[signer.keys, certificate()], requestIDHeader="X-Request-ID",
                            auth=self.auth, tenants=[{"requestor": "REF30"}, {"requestor": "HANDED", "handover": handover()}])
        self.table.configure(replay={"address": "shared:" + self.table.table, "retryWindowMilliseconds": 60_000})
        # Root can be a user who may not ask, and who has to come to the socket.
        os.chmod(scratch, 0o711)
        self.abused = Daemon(signer, "abused", table="abused.table", tcp=listener(), threads=1, limits={"connections": 150},
                             socket={"path": path("abused.sock"), "mode": "0666"}, peers={"allowUIDs": [os.getuid()]},
                             deadlines={"requestMilliseconds": 2000}, log={"verdicts": "all", "linesPerSecond": 100_000})
        self.seats, self.one, self.two = begin()
        for host in (self.one, self.two):
            host.end()
            host.configure(tcp=listener())
        self.all = [self.table, self.abused, self.one, self.two]

    def start(self):
        self.table.start()
        with open("/dev/full", "wb") as full:
            self.abused.start(stderr=full)
        for host in (self.one, self.two):
            host.start_unready()
        return are_ready(*self.all)

    def ports(self):
        return [daemon.settings["tcp"]["port"] for daemon in self.all]

    def loads(self):
        """Callers, until it is left. Each line about one of the third's would be dropped."""
        stack = ExitStack()
        for daemon in (self.table, self.one):
            stack.enter_context(Load(daemon.socket, signer.mixed(4000), kept=2, new=1, pause=0.02))
        return stack


def unknown_field():
    """A token with a signed field of an unknown name."""
    opening, _, signed = signer.issue(1)[0].split(b"<signatureInfo>")
    end = signed.rindex(b"</")
    signed = signed[:end] + b"<later>x</later>" + signed[end:]
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", signer.private], input=signed, check=True, capture_output=True)
    return b"<signatureInfo>".join((opening, base64.b64encode(signature.stdout), signed))


def decisions(daemon):
    """A verdict of every kind besides those of the load, and what comes with one."""
    token, other, handed = signer.issue(2, form="base64") + signer.issue(1, requestor="HANDED")
    with daemon.connect() as connection:
        for _ in range(2):
            connection.send(post(token, RETRIED, b"X-Request-ID: the-first\r\n"))
            connection.receive()
        connection.ask(handed, HANDED)
        connection.ask(unknown_field())
    with daemon.connect() as connection:
        connection.send(b"HEAD /v1/auth/x HTTP/1.1\r\nHost: localhost\r\nX-Token: %b\r\n\r\n" % other)
        connection.receive(is_head=True)


@contextmanager
def strange(daemon):
    """A caller whose request has no `Host`."""
    with daemon.connect() as connection:
        connection.send(b"GET /livez\r\n\r\n")
        connection.receive()
    yield


@contextmanager
def slow(daemon):
    """A caller whose head never ends."""
    with daemon.connect() as connection:
        connection.send(b"GET /livez HTTP/1.1\r\n")
        try:
            connection.receive()
        except Unanswered:
            pass
    yield


@contextmanager
def greedy(daemon):
    """Callers whose bodies are more than a worker keeps, and who stay."""
    with ExitStack() as stack:
        for _ in range(120):
            caller = stack.enter_context(daemon.connect())
            try:
                caller.send(post(bytes(120_000))[:-1])
            except Unsent:
                pass
        yield


@contextmanager
def many(daemon):
    """More callers than may be connected."""
    with ExitStack() as stack:
        for _ in range(daemon.settings["limits"]["connections"] + 30):
            stack.enter_context(daemon.connect())
        yield


@contextmanager
def strangers(daemon):
    """Callers of a user who is not in `peers`."""
    os.seteuid(65534)
    try:
        for _ in range(5):
            daemon.connect().close()
    finally:
        os.seteuid(0)
    yield


@contextmanager
def exhausted(daemon):
    """Callers come while no descriptor is left for them."""
    def has_paused():
        try:
            return b"accept_pauses_total 0\n" not in asking.get("/metrics").body
        except (Unsent, Unanswered):
            return True  # It was closed to make place, which comes with a pause.

    most = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
    with daemon.connect() as asking:
        asking.get("/livez")
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (3, most[1]))
        try:
            with daemon.connect():
                until(20, has_paused)
        finally:
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, most)
    yield


@contextmanager
def many_over_tcp(daemon):
    """More than the 64 that may be connected over TCP."""
    with ExitStack() as stack:
        for _ in range(80):
            stack.enter_context(socket.create_connection(("127.0.0.1", daemon.settings["tcp"]["port"]), 60))
        yield


@contextmanager
def gone(daemon):
    """A caller that leaves while it is answered: more answers than it reads."""
    with daemon.connect() as connection:
        connection.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        connection.receive()
    yield


@contextmanager
def unlogged(daemon):
    """Verdicts whose lines the log cannot take."""
    for token in signer.issue(20):
        daemon.ask(token)
    yield


def misbehaviour(daemon, sees):
    """Callers that are many, slow, strange or greedy, and a log that takes no line."""
    for query, event in (
            ("mediatoken_http_requests_malformed_total > 0", strange),
            ("mediatoken_http_requests_late_total > 0", slow),
            ("mediatoken_log_dropped_total > 0", unlogged),
            ("mediatoken_http_crowded_out_total > 0", greedy),
            ("mediatoken_http_crowded_out_total > 20", many),
            ("mediatoken_http_accept_pauses_total > 0", exhausted),
            ("mediatoken_http_tcp_connections > 50", many_over_tcp)):
        sees(query, event, daemon)
    if os.getuid() == 0:
        sees("mediatoken_http_connections_refused_total > 0", strangers, daemon)


def clock(daemon, sees):
    """A table that was used with a clock that was ahead, and its cure."""
    for lead, seen in ((1800, "> 1000"), (0, "< 1000")):
        with open(daemon.table, "r+b") as file:
            file.seek(16)
            file.write(struct.pack("<Q", int(time.time()) + lead))
        daemon.ask(signer.issue(1)[0])
        sees(f"max(mediatoken_replay_clock_lead_seconds) {seen}")


def reload(daemon, **settings):
    failed, done = (len(daemon.events(event)) for event in ("reload-failed", "reloaded"))
    daemon.configure(**settings)
    daemon.tell(signal.SIGHUP)
    until(60, lambda: len(daemon.events("reload-failed")) + len(daemon.events("reloaded")) > failed + done)


def lost_seats(machines, sees):
    """One seat begins again; then one is away, and one does not take the fleet's password."""
    one, two = machines.one, machines.two
    for token in signer.issue(20):
        one.ask(token)
        two.ask(token)
    sees("mediatoken_answers_undelivered_total > 0", gone, one)
    born = one.metrics()['mediatoken_fleet_births_total{seat="1"}']
    machines.seats[0].kill()
    machines.seats[0].start()
    sees(f'mediatoken_fleet_births_total{{seat="1"}} > {born}')
    for seat in machines.seats[1:]:
        seat.kill()
    machines.seats[2].password = "another"
    machines.seats[2].start()
    for seat, state in ((2, "down"), (3, "refused")):
        sees(f'mediatoken_fleet_seat_state{{seat="{seat}",state="{state}"}} == 1')
    for token in signer.issue(20):
        one.ask(token)
    sees('mediatoken_not_ready{reason="seats-missing"} == 1')


def happen(machines, sees):
    """Everything, and it stays so: a reload that failed, a daemon that is gone, a fleet without a majority. `sees` waits until
    Prometheus has an answer to a query, and lets an event happen to a daemon again until it has."""
    decisions(machines.table)
    misbehaviour(machines.abused, sees)
    clock(machines.table, sees)
    reload(machines.table, auth=machines.auth | {"observe": True})
    sees("mediatoken_observe_mode == 1")
    reload(machines.table, keys=[machines.table.table])
    lost_seats(machines, sees)
    machines.two.end()
    sees("up == 0")
