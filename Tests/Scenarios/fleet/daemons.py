"""Hosts of a fleet that are daemons, and the signed tokens that they need. Part of the fleet's scenarios."""

import concurrent.futures
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "daemon"))

from connection import Connection, Unanswered, Unsent
from hosts import AHEAD, MAX_TTL
from ledger import Token
from servers import set_clock, with_clock

# What hosts of the command line would have said.
WORDS = {"VALID_TOKEN": "first", "TOKEN_REPLAYED": "used", "TOKEN_PREDATES_REPLAY_MEMORY": "predates"}


class Signer:
    """A weak key, as nothing but signing is slow."""

    def __init__(self, folder):
        said = subprocess.run(
            [os.environ["MEDIATOKEN"], "keys", "generate", "--out", folder, "--weak-1024-for-tests"], check=True,
            capture_output=True, text=True).stdout
        self.fingerprint = re.search(r"^fingerprint: (\w+)$", said, re.M)[1]
        self.private, self.keys = folder + "/development.private.pem", folder + "/development.pem"

    def tokens(self, issued, count):
        """Distinct ones of one second."""
        lines = subprocess.run(
            [os.environ["MEDIATOKEN"], "issue", "--key", self.private, "--requestor", "REF30", "--resource", "TNT", "--form",
             "raw", "--ttl", str(MAX_TTL * 1000), "--issue-time", str(issued * 1000), "--count", str(count)],
            check=True, capture_output=True).stdout.splitlines()
        tokens = [Token(issued, MAX_TTL) for _ in lines]
        for token, line in zip(tokens, lines):
            token.text = line
        return tokens


class DaemonHost:
    """`mediatokend`, asked on several connections at once, so that its batches have several claims."""

    signer = None

    def __init__(self, folder, name, seats, clock=0):
        self.name, self.lock, self.local = name, threading.Lock(), threading.local()
        self.callers = concurrent.futures.ThreadPoolExecutor(6)
        self.socket, self.log, clock_file = (os.path.join(folder, name + end) for end in (".sock", ".log", ".clock"))
        settings = {
            "socket": {"path": self.socket, "mode": "0600"}, "keys": [self.signer.keys], "threads": 2,
            "allowRSA1024": [self.signer.fingerprint],
            "replay": {"address": "redis:" + seats, "fleet": {"deadlineMilliseconds": 250}},
            "tenants": [{"requestor": "REF30", "maxTTLMilliseconds": MAX_TTL * 1000,
                         "futureToleranceMilliseconds": AHEAD * 1000}],
        }
        file = os.path.join(folder, name + ".json")
        with open(file, "w") as output:
            json.dump(settings, output)
        os.chmod(file, 0o600)
        set_clock(clock_file, clock)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([os.environ["MEDIATOKEND"], "--config", file], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, env=with_clock(clock_file))
        end = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < end:
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(self.socket)
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("the daemon does not start: " + self.complaint())

    def spend(self, claims):
        with self.lock:
            return list(self.callers.map(self.one, [claim.token for claim in claims]))

    def one(self, token):
        try:
            if getattr(self.local, "connection", None) is None:
                self.local.connection = Connection(self.socket)
            answer = self.local.connection.ask(token.text)
        except (Unsent, Unanswered):
            self.local.connection = None
            return "unanswered"
        body = json.loads(answer.body)
        if answer.status == 503:
            return f"error {body.get('fault')}"
        return WORDS.get(body.get("verdict"), f"{answer.status} {body.get('verdict')}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def complaint(self):
        with open(self.log, errors="replace") as log:
            return log.read()[-600:]
