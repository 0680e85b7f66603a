"""Runs abuses of the daemon, and the parts of which they are made.

Each abuse is a generator: it does one round after another, and yields how many requests that were and what was answered
otherwise than it had to be. It runs in a process of its own, so that honest callers do not wait for its Python.
"""

import multiprocessing
import os
import socket
from collections import namedtuple

from connection import Connection, Unanswered, Unsent

# Where to go: the path of a UNIX socket, a port of the loopback interface, and the inspector's. And how many descriptors the
# daemon has, and had before the first caller came.
Target = namedtuple("Target", "path port inspector descriptors idle")


class Abuser:
    """Runs an abuse in a process, from entering to leaving; `requests` and `wrong` are known afterwards."""

    def __init__(self, abuse, target):
        context = multiprocessing.get_context("fork")
        self._ours, theirs = context.Pipe()
        self._stop, self.rounds = context.Event(), context.Value("q", 0)
        self._process = context.Process(target=self._run, args=[abuse, target, theirs], daemon=True)
        self.requests, self.wrong = 0, []

    def __enter__(self):
        self._process.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        if self._ours.poll(600):
            self.requests, self.wrong = self._ours.recv()
        else:
            self.wrong = ["the abuse did not end"]
            self._process.kill()
        self._process.join()

    def is_over(self):
        return not self._process.is_alive()

    def _run(self, abuse, target, theirs):
        requests, wrong = 0, []
        try:
            for number, problem in abuse(target):
                requests += number
                self.rounds.value += 1
                if problem:
                    wrong.append(str(problem)[:200])
                if self._stop.is_set():
                    break
        except Exception as error:  # Whatever it is belongs into the report.
            wrong.append(repr(error))
        theirs.send((requests, wrong[:5]))


def tcp(target, timeout=60):
    return Connection.over(socket.create_connection(("127.0.0.1", target.port), timeout))


def inspector(target):
    return tcp(target._replace(port=target.inspector))


#: Whose connections an abuser's are, where root runs the tests: no honest caller's. The number of the user nobody.
STRANGER = 65534


def local(target):
    """As another user: the kernel says who connects (unix(7), SO_PEERCRED)."""
    if os.geteuid() != 0:
        return Connection(target.path)
    os.seteuid(STRANGER)
    try:
        return Connection(target.path)
    finally:
        os.seteuid(0)


def quietly(act, *arguments):
    """The daemon may end a connection before everything is sent."""
    try:
        return act(*arguments)
    except (Unsent, Unanswered):
        return None


def unlike(answer, *statuses):
    """What is wrong with an answer that had to have one of these statuses."""
    return None if answer and answer.status in statuses else answer and answer.head or "no answer"
