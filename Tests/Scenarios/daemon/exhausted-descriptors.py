#!/usr/bin/env -S python3 -B
"""A daemon whose callers take every descriptor that they can get: it keeps what it needs itself. Who asks is answered, in the place
of one who has been silent for longest, nothing spins, keys are exchanged, metrics are reported, and the service manager hears that it
is alive, even if no descriptor is left at all. When there are some again, everything resumes by itself."""

import os
import resource
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Unanswered, Unsent, post, verdict
from daemon import Daemon
from managers import ServiceManager
from scenario import IS_LONG, check, count, finish, until
from tokens import Signer

LIMIT, LATE = 128, 200
ROUNDS = 50 if IS_LONG else 3
SECONDS = 2
signer = Signer()


def watched_by(manager, process):
    """Called in the child: a service with a watchdog."""
    os.environ |= {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": str(process)}


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
    watched_by(manager, os.getpid())


def allow(number):
    resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (number, LIMIT))


manager = ServiceManager("notify")
daemon = Daemon(signer).start(preexec_fn=few_descriptors)
normal = daemon.open_descriptors()
check("the log says that there are fewer connections than were asked for",
      until(60, lambda: len(daemon.events("descriptors")) == 1))


def round_of_callers(name, least, most):
    """Callers take all that they can get, so that so many descriptors are open, and then others come that ask."""
    silent = [daemon.connect() for _ in range(LIMIT)]
    # Where connections came faster than its workers closed others, it closes some dozens at once, and there is room for more callers.
    check(f"{name}: callers have what they can get",
          until(60, lambda: least <= daemon.open_descriptors() <= most or silent.append(daemon.connect())), (daemon.open_descriptors(), most))
    late = []
    for text in signer.issue(LATE):
        late.append(daemon.connect())
        late[-1].send(post(text))
    answered = 0
    for connection in late:
        try:
            answer = connection.receive()
            answered += (answer.status, verdict(answer)) == (200, "VALID_TOKEN")
        except Unanswered:
            pass
    check(f"{name}: all callers that come late have a verdict", answered == LATE, answered)
    pings = manager.lines().count("WATCHDOG=1")
    cpu, begun = daemon.cpu_seconds(), time.monotonic()
    time.sleep(SECONDS)
    busy = (daemon.cpu_seconds() - cpu) / (time.monotonic() - begun)
    check(f"{name}: waiting needs less than a tenth of a processor", busy < 0.1, busy)
    # Once a second, and a machine may be slow; without a descriptor of its own there would be none.
    check(f"{name}: the service manager hears that the daemon is alive", until(60, lambda: manager.lines().count("WATCHDOG=1") > pings))
    return silent + late


def ask(connections, token):
    """The status of an answer on the latest of them that is left: one that is silent may have made a place."""
    for connection in reversed(connections):
        try:
            return connection.ask(token).status
        except (Unsent, Unanswered):
            pass
    return None


def end(name, connections):
    for connection in connections:
        connection.close()
    check(f"{name}: the daemon's descriptors come back", until(60, lambda: daemon.open_descriptors() <= normal + 1),
          daemon.open_descriptors())


for number in range(ROUNDS):
    # As many as it has in all, but what it keeps for itself: 32, and those of its workers are open already, except of the spare one.
    connections = round_of_callers("many callers", LIMIT - 38, LIMIT - 32)
    reloads = len(daemon.events("reloaded"))
    daemon.tell(signal.SIGHUP)
    check("many callers: keys are exchanged", until(60, lambda: len(daemon.events("reloaded")) == reloads + 1))
    page = daemon.get("/metrics").body.decode()
    check("many callers: metrics say how many descriptors are open",
          f"\nprocess_max_fds {LIMIT}\n" in page and "\nprocess_open_fds " in page)
    end("many callers", connections)

# As where the whole system has none left.
allow(normal + 40)
for number in range(ROUNDS):
    # Some dozens are closed at once where not one can be accepted.
    connections = round_of_callers("no descriptor", normal + 1, normal + 40)
    # Those that came late have made places. Now no descriptor can be had, whichever is free.
    allow(3)
    failures = len(daemon.events("reload-failed"))
    daemon.tell(signal.SIGHUP)
    check("no descriptor: a reload fails and says so", until(60, lambda: len(daemon.events("reload-failed")) > failures))
    check("no descriptor: what was loaded before stays in use", ask(connections, signer.issue(1)[0]) == 200)
    allow(normal + 40)
    end("no descriptor", connections)
allow(LIMIT)
reloads = len(daemon.events("reloaded"))
daemon.tell(signal.SIGHUP)
check("a reload works when there are descriptors again", until(60, lambda: len(daemon.events("reloaded")) > reloads))
count(f"{2 * ROUNDS} rounds of {LATE} callers that came late")
check("pauses without a descriptor are counted", daemon.metrics()["mediatoken_http_accept_pauses_total"] > 0)
check("the daemon ends with 0 after it had no descriptor", daemon.end() == 0)
other_manager = ServiceManager("other.notify")
other = Daemon(signer, "other").start(preexec_fn=lambda: watched_by(other_manager, 1))
other.tell(signal.SIGHUP)
check("a daemon whose manager watches another process reloads, and ends with 0",
      until(60, lambda: other.events("reloaded")) and other.end() == 0)
heard = other_manager.lines()
check("a daemon does not tell a manager who watches another process that it is alive",
      "STOPPING=1" in heard and "WATCHDOG=1" not in heard, heard)
few = Daemon(signer, "few")
few.spawn(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
check("with far too few descriptors a daemon does not start, and says what to raise",
      few.end(0) == 3 and "LimitNOFILE" in few.said(), few.said()[-300:])
finish()
