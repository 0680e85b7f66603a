#!/usr/bin/env -S python3 -B
"""Signals that a daemon gets by accident, in storms or twice: what is under way is answered, the table stays whole."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from load import Load
from processes import MEDIATOKEN
from scenario import IS_LONG, check, count, finish, until
from tokens import Signer

STORM = 20_000 if IS_LONG else 2_000
STOPS = 50 if IS_LONG else 5
signer = Signer()


def clean(load, least):
    return not load.wrong and load.ended == 0 and not load.dropped and load.cut_off == 0 and load.total() >= least


def facts(load):
    return load.total(), load.wrong[:3], load.ended, load.dropped[:3], load.cut_off


def storm():
    """SIGHUP and SIGPIPE as fast as they can be sent."""
    daemon = Daemon(signer).start()
    with Load(daemon.socket, signer.mixed(5_000)) as load:
        load.wait_for(50)
        for _ in range(STORM):
            daemon.tell(signal.SIGHUP)
            daemon.tell(signal.SIGPIPE)
        load.wait_for(200)
    # The thread that reloads may have had no processor yet.
    until(60, lambda: daemon.events("reloaded"))
    reloads = len(daemon.events("reloaded"))
    count(f"{STORM} times SIGHUP and SIGPIPE: {reloads} reloads, {load.total()} answers")
    check("a storm of SIGHUP: answered as before", clean(load, 250), facts(load))
    check("a storm of SIGHUP makes at least one reload, and no more than signals", 0 < reloads <= STORM, reloads)
    check("after a storm of SIGHUP the same process answers, and its reload was successful", daemon.is_alive() and daemon.metrics()["mediatoken_last_reload_successful"] == 1)
    again = load.granted_again()
    check("no token granted during a storm of SIGHUP is valid once more", load.granted and again == 0, again)
    check("the daemon ends with 0 after a storm of SIGHUP", daemon.end() == 0)


def core():
    """A core file would have tokens in it."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    daemon = Daemon(signer, "core").start()
    with open(f"/proc/{daemon.process.pid}/limits", encoding="ascii") as limits:
        line = next(line for line in limits if line.startswith("Max core file size"))
    check("no core file is written, whatever the shell allows", line.split()[4:6] == ["0", "0"], line)
    daemon.end()


def is_stopped(daemon):
    """Whether the kernel has stopped every thread."""
    folder = f"/proc/{daemon.process.pid}/task"
    states = []
    for thread in os.listdir(folder):
        with open(f"{folder}/{thread}/stat") as file:
            states.append(file.read().rsplit(")", 1)[1].split()[0])
    return set(states) == {"T"}


def stopped():
    """SIGSTOP and SIGCONT: no connection is lost, and questions asked meanwhile are answered."""
    daemon = Daemon(signer, "stopped", deadlines={"requestMilliseconds": 600_000}).start()
    tokens, statuses = signer.issue(STOPS * 20), []
    with Load(daemon.socket, signer.mixed(5_000)) as load:
        for round in range(STOPS):
            load.wait_for(50)
            daemon.tell(signal.SIGSTOP)
            asked = []
            if not until(60, lambda: is_stopped(daemon)):
                statuses.append("it was not stopped")
            for token in tokens[round * 20 : round * 20 + 20]:
                asked.append(daemon.connect())
                asked[-1].send(post(token))
            daemon.tell(signal.SIGCONT)
            for connection in asked:
                with connection:
                    statuses.append(connection.receive().status)
    check(f"{STOPS} times SIGSTOP: {len(tokens)} questions meanwhile are answered", statuses == [200] * len(tokens), statuses[:5])
    check("no other connection was lost while the daemon was stopped and continued", clean(load, STOPS * 50), facts(load))
    check("a daemon that is stopped when SIGTERM comes ends with 0", end_while_stopped(daemon) == 0)


def end_while_stopped(daemon):
    daemon.tell(signal.SIGSTOP)
    daemon.tell(signal.SIGTERM)
    time.sleep(0.1)
    daemon.tell(signal.SIGCONT)
    return daemon.process.wait(60)


def twice():
    """A question that takes long keeps a drain waiting; a second SIGTERM does not wait for it. What ends within the drain is answered:
    HTTPConnectionTests."""
    daemon = Daemon(signer, "twice", deadlines={"requestMilliseconds": 600_000, "drainMilliseconds": 600_000}).start()
    token = signer.issue(1)[0]
    slow = daemon.connect()
    slow.send(post(token)[:-1])
    waiting = daemon.connect()
    waiting.get("/livez")
    daemon.tell(signal.SIGTERM)
    until(60, lambda: daemon.events("stopping"))
    time.sleep(1)
    check("the first SIGTERM waits for a question under way", daemon.is_alive())
    daemon.tell(signal.SIGTERM)
    # A tenth of what the drain may take.
    check("the second SIGTERM does not wait for a question under way", daemon.process.wait(60) == 0)
    check("the log says that a second signal ended the daemon",
          any("second" in line["message"] for line in daemon.events("stopped")), daemon.events("stopped"))
    daemon.start()
    check("a question that the second SIGTERM cut off spent nothing", daemon.ask(token).status == 200)
    daemon.end()


def table_is_closed():
    """A table that its last user did not close refuses tokens for a minute after the next boot."""
    daemon = Daemon(signer, "closed", table="closed.table")

    def reload():
        daemon.tell(signal.SIGHUP)
        check("a SIGHUP makes a reload", until(60, lambda: daemon.events("reloaded")))

    for what, ask in (("has done nothing", lambda: None), ("has verified", lambda: daemon.ask(signer.issue(1)[0])),
                      ("was asked for metrics", daemon.metrics), ("reloaded", reload)):
        daemon.start()
        ask()
        status = daemon.end()
        info = json.loads(subprocess.run([MEDIATOKEN, "replay", "info", "--table", daemon.table, "--json"],
                                         check=True, capture_output=True).stdout)
        check(f"a daemon that {what} closes its table at the end", status == 0 and info["isClean"], (status, info))


def fatal():
    """Signals with their default: the end at once, a log without a crash report, which would show memory, and a table that
    the next one opens."""
    statuses = []
    daemon = Daemon(signer, "fatal")
    token = signer.issue(1)[0]
    for number in (signal.SIGUSR1, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV):
        daemon.start()
        first = daemon.ask(token).status
        statuses.append((daemon.end(number, seconds=60) == -number, first))
    check("other signals end the daemon, and no token is new again", statuses == [(True, 200)] + [(True, 403)] * 3, statuses)
    check("no crash report of a signal is in the log", all(line.startswith("{") for line in daemon.said().splitlines()),
          daemon.said()[-300:])
    daemon.start()
    check("SIGINT is as good as SIGTERM", daemon.end(signal.SIGINT) == 0)


for part in (storm, stopped, twice, table_is_closed, fatal, core):
    part()
finish()
