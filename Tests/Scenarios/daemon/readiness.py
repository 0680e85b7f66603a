#!/usr/bin/env -S python3 -B
"""Ready means able: whenever /readyz says 200 the next genuine token is played, and whenever it says 503 it is not, with a
reason. The service manager, the log and the metrics say the same. Every reason by itself is ReadinessTests'; the
runbooks walk through most of them, such as a table that is lost, and a clock that is behind."""

import json
import os
import re
import signal
import socket
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from managers import ServiceManager
from scenario import check, finish, path, until
from tokens import Signer

signer = Signer()


def readiness(daemon):
    """The reason; None: ready. Its body is checked on the way."""
    answer = daemon.get("/readyz")
    body = json.loads(answer.body)
    if answer.status == 200:
        return None if body == {"status": "ready"} else f"200 with {body}"
    if answer.status != 503 or set(body) != {"status", "reason", "detail", "cure"} or body["status"] != "not-ready":
        return f"{answer.status} with {body}"
    if body["reason"] == "replay-memory-new" and not re.fullmatch(r"wait: ready at \d\d:\d\d:\d\dZ, in \d+ s", body["cure"]):
        return f"no time from which it is ready: {body}"
    return body["reason"]


def started(daemon, manager):
    return daemon.start_unready(env=dict(os.environ, NOTIFY_SOCKET=manager.address))


def differences(daemon, manager, reason):
    """What else does not say the same as /readyz."""
    metrics = daemon.metrics()
    true = [sample for sample, value in metrics.items() if sample.startswith("mediatoken_not_ready{") and value == 1]
    wanted = [f'mediatoken_not_ready{{reason="{reason}"}}'] if reason else []
    wrong = {} if true == wanted and metrics["mediatoken_ready"] == (0 if reason else 1) else {"metrics": true}
    expected = f"not ready: {reason}: " if reason else "answering requests"
    if not until(60, lambda: (manager.status() or "").startswith(expected)):
        wrong["status"] = manager.status()
    event = "not-ready" if reason else "ready"
    if not until(60, lambda: any(line.get("reason") == reason for line in daemon.events(event))):
        wrong["log"] = daemon.said()[-600:]
    return wrong


def warming():
    """A table that the daemon makes: it vouches for what is issued from 6 s on, and the tolerance for the future."""
    # What a busy machine did not do in these six seconds is done with another table, and more time.
    for seconds in (0, 10, 60, 240):
        name = f"warming-{seconds}"
        manager = ServiceManager(name + ".notify")
        daemon = Daemon(signer, name, replay={"address": f"shared:{path(name)}.table?capacity=1000"},
                        tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 1000 * seconds}])
        started(daemon, manager)
        answer = daemon.ask(signer.issue(1)[0])
        reason = readiness(daemon)
        wrong = differences(daemon, manager, reason)
        if time.monotonic() - daemon.started < 6 + seconds:
            break
        daemon.end()
    check("a new table is not ready, and says that it is new", reason == "replay-memory-new", reason)
    check("metrics, the service manager's status and the log call a new table not ready", not wrong, wrong)
    check("a table that is not ready plays no token", answer.status == 403, answer)
    # It answers before it says so.
    check("READY=1 says that the daemon serves", until(60, lambda: any("READY=1" in message for message in manager.heard())),
          manager.messages)
    wrong, played, end = [], 0, time.monotonic() + seconds + 120
    while played < 3 and time.monotonic() < end:
        before = readiness(daemon)
        answer = daemon.ask(signer.issue(1)[0])
        after = readiness(daemon)
        if before == after:
            wrong += [] if (answer.status == 200) == (before is None) else [(before, answer)]
        played += answer.status == 200
        time.sleep(0.05)
    check("a new table plays no token until it is ready, and from then on every one",
          not wrong and played == 3, (wrong[:2], played))
    wrong = differences(daemon, manager, None)
    check("metrics, the service manager's status and the log call a table that is no longer new ready", not wrong, wrong)
    daemon.end()


def fill(address):
    """Says something until no one could say more there; how often that was. Each sender may leave only so many bytes unread, and
    under systemd a socket takes more messages than that."""
    filled = 0
    while True:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.setblocking(False)
            before = filled
            try:
                while True:
                    other.sendto(b"X=1\n", address)
                    filled += 1
            except BlockingIOError:
                pass
        if filled == before:
            return filled


def deaf_manager():
    """systemd ends a service that it does not hear of, and at boot its socket may be full."""
    manager = ServiceManager("deaf.notify")
    filled = fill(manager.address)
    daemon = started(Daemon(signer, "deaf", table="deaf.table"), manager)
    # It answers before it says so; a reload comes after that, and says it again.
    daemon.tell(signal.SIGHUP)
    until(60, lambda: daemon.events("reloaded"))
    check("a manager whose socket is full hears nothing", filled > 0 and fill(manager.address) == 0
          and manager.heard()[:filled] == ["X=1\n"] * filled, (filled, manager.messages[:20]))
    check("a manager whose socket was full hears that the daemon is ready as soon as it reads",
          until(60, lambda: any("READY=1" in message for message in manager.heard())), manager.messages[filled:])
    check("a manager whose socket was full hears the status", manager.status() == "answering requests", manager.status())
    daemon.end()


for part in (warming, deaf_manager):
    part()
finish()
