"""Hosts: processes that ask a store about many tokens at once, each through one door of the product.

A host is told with `prepare` what to ask, and asks it all at once in `play`, which gives an answer for each question."""

import json
import os
import subprocess
import sys
import threading

from configurations import config_of
from connection import Unanswered, Unsent, post, verdict
from daemon import Daemon
from processes import MEDIATOKEN, launch
from scenario import ROOT, path
from tokens import Signer

FIRST, USED, RETRY, FAULT = "first", "used", "retry", "fault"
#: What programs call these answers. Any other is not meant to be.
_NAMES = {"VALID_TOKEN": FIRST, "TOKEN_REPLAYED": USED, "REPLAY_MEMORY_UNAVAILABLE": FAULT}
signer = Signer()


def answer(said):
    return _NAMES.get(said, said)


class Lines:
    """A program that reads a question per line, and answers with a line for each."""

    #: Whether a question may name a request, and a user who asks: without, it is the user who runs this.
    names_requests = names_callers = True
    #: What follows the last question.
    end_of_questions = b""

    def __init__(self, store, name):
        with open(path(name + ".log"), "ab") as log:
            self.process = launch(self.command(store), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=self.environment())

    def environment(self):
        return None

    def line(self, ask):
        return b"%d %b %b\n" % (ask.uid, (ask.request or "-").encode(), ask.token.text)

    def answer(self, line):
        return answer(line.decode().rstrip("\n"))

    def prepare(self, asks):
        self.number, self.text = len(asks), b"".join(map(self.line, asks)) + self.end_of_questions if asks else b""

    def play(self):
        # It may answer before it has read everything.
        writer = threading.Thread(target=self.write)
        writer.start()
        said = [self.answer(self.process.stdout.readline()) for _ in range(self.number)]
        writer.join()
        return said

    def write(self):
        self.process.stdin.write(self.text)
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Batch(Lines):
    """`mediatoken verify --batch`: 64 lines at a time for each processor."""

    names_requests = names_callers = False

    def command(self, store):
        file = config_of(store.address, signer, **store.settings.get("fleet", {}))
        return [MEDIATOKEN, "verify", "--batch", "-", "--config", file, "--spend", "--requestor", "REF30", "--resource", "TNT"]

    def line(self, ask):
        return ask.token.text + b"\n"

    def answer(self, line):
        said = json.loads(line) if line else {}
        return answer(said.get("verdict") or said.get("fault") or "no answer")


class Library(Lines):
    """The C library, by threads of one process."""

    end_of_questions = b"\n"

    def command(self, store):
        return [sys.executable, "-B", ROOT / "Tests/Scenarios/stores/library_host.py", store.text, signer.keys, signer.fingerprint,
                str(store.window), store.table]

    def environment(self):
        return os.environ | {"PYTHONPATH": str(ROOT / "clients/python"),
                             "LD_LIBRARY_PATH": os.environ["MEDIATOKEN_LIBRARY"] + "/usr/local/lib"}


class SwiftThreads(Lines):
    """The Swift library, by threads that wait."""

    end_of_questions, way = b"\n", "sync"

    def command(self, store):
        return [os.environ["MEDIATOKEN_STORE_HOST"], self.way, store.text, signer.keys, signer.fingerprint, str(store.window), store.table]


class SwiftTasks(SwiftThreads):
    """The Swift library, by a task for each question."""

    way = "async"


class DaemonHost:
    """mediatokend, with a connection for each question: half of them were used before, and half are new."""

    names_requests = names_callers = True

    def __init__(self, store, name):
        replay = {"address": store.address, "retryWindowMilliseconds": store.window * 1000} | store.settings
        self.daemon = Daemon(signer, name, replay=replay, requestIDHeader="X-Request-ID", socket={"path": path(name + ".sock"), "mode": "0666"})
        self.daemon.start()
        self.used = []

    def prepare(self, asks):
        self.calls = [(ask.uid, self.connect(ask.uid), self.question(ask)) for ask in asks]
        for _, connection, question in self.calls:
            connection.send(question[:-1])

    def connect(self, uid):
        for index, (caller, connection) in enumerate(self.used):
            if caller == uid:
                return self.used.pop(index)[1]
        # The kernel says who connects (unix(7), SO_PEERCRED).
        own = os.geteuid()
        try:
            os.seteuid(uid)
            return self.daemon.connect()
        finally:
            os.seteuid(own)

    def question(self, ask):
        field = b"X-Request-ID: %b\r\n" % ask.request.encode() if ask.request else b""
        return post(ask.token.text, fields=field)

    def play(self):
        for _, connection, question in self.calls:
            connection.send(question[-1:])
        return [self.hear(index, uid, connection) for index, (uid, connection, _) in enumerate(self.calls)]

    def hear(self, index, uid, connection):
        try:
            received = connection.receive()
        except (Unsent, Unanswered) as error:
            connection.close()
            return f"no answer: {error}"
        if index % 2 and not connection.is_closed_by_answer(received):
            self.used.append((uid, connection))
        else:
            connection.close()
        if received.status == 200:
            return RETRY if json.loads(received.body)["retry"] else FIRST
        return answer(verdict(received))

    def end(self):
        for _, connection in self.used:
            connection.close()
        if self.daemon.end() != 0:
            raise RuntimeError(f"the daemon does not end well: {self.daemon.said()[-2000:]}")
