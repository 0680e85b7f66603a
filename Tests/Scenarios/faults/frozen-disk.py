#!/usr/bin/env -S python3 -B
"""A disk that is frozen, as a snapshot does for seconds. All who touch the table wait until it is thawed, and no signal ends
that: health and metrics are answered all the same, a question gets a fault at once and never a verdict that is not on the disk,
and of those who gave up none has lost a token."""
import os
import re
import signal
import socket
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

import disks
from connection import Connection, Unanswered, Unsent, post, verdict
from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, count, finish, until
from tokens import Signer

disks.in_a_namespace_of_our_own()
signer = Signer()
FAULT = "REPLAY_MEMORY_UNAVAILABLE"
THREADS, CALLERS, LEAVING = 2, 8, 40
#: A disk is thawed after so many seconds, whatever is not answered by then.
PATIENCE = 60


class Frozen:
    """A daemon whose table is on a disk that is frozen, while it is asked."""

    def __init__(self, disk):
        self.disk, self.name = disk, os.path.basename(disk.folder)
        self.port = free_port()
        disks.run(MEDIATOKEN, "replay", "create", "--table", disk.path("table"), "--capacity", "100000", "--fresh")
        self.daemon = Daemon(
            signer, self.name, replay={"address": "shared:" + disk.path("table")}, threads=THREADS,
            tcp={"address": "127.0.0.1", "port": self.port}).start()

    def check(self, name, holds, *found):
        check(f"{self.name}: {name}", holds, *found)

    def get(self, target):
        """The answer on a new connection, within the patience; None: there is no answer."""
        try:
            with self.daemon.connect(timeout=PATIENCE) as connection:
                return connection.get(target)
        except (Unsent, Unanswered):
            return None

    def waiting(self):
        """How many threads of the daemon wait for the disk."""
        states, folder = [], f"/proc/{self.daemon.process.pid}/task"
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/stat") as file:
                states.append(file.read().rsplit(")", 1)[1].split()[0])
        return states.count("D")

    def ask(self, token):
        """The status of an answer about this token, and what it says."""
        with self.daemon.connect(timeout=PATIENCE) as connection:
            answer = connection.ask(token)
        return answer.status, verdict(answer)

    def reason(self):
        """Why the daemon is not ready; None if it is ready or does not answer."""
        found = re.search(rb'"reason":"([^"]*)"', (self.get("/readyz") or Unready).body)
        return found and found[1].decode()

    def quickest(self, target, times=3):
        """How long the quickest of some answers took, in seconds; all are 200."""
        taken = []
        for _ in range(times):
            begun = time.monotonic()
            answer = self.get(target)
            self.check(f"{target} is answered while the disk is frozen", answer and answer.status == 200, answer)
            taken.append(time.monotonic() - begun)
        return min(taken)

    def run(self):
        stuck, leaving, others = (signer.issue(number) for number in (THREADS, LEAVING, CALLERS))
        scraper = Connection.over(socket.create_connection(("127.0.0.1", self.port), PATIENCE))
        kept, well = [], [scraper.get("/livez").status]
        for _ in stuck + leaving:
            kept.append(self.daemon.connect(timeout=4 * PATIENCE))
            well.append(kept[-1].get("/livez").status)
        self.check("before the disk is frozen each connection is answered", set(well) == {200}, well)
        self.disk.freeze()
        begun = time.monotonic()
        thaw = threading.Timer(2 * PATIENCE, self.disk.thaw)
        thaw.start()
        try:
            self.while_frozen(begun, stuck, leaving, others, scraper, kept)
        finally:
            thaw.cancel()
            self.disk.thaw()
        self.check("the daemon is ready again by itself when the disk is thawed",
                   until(PATIENCE, lambda: self.daemon.is_ready()), self.reason())
        answers = [connection.receive() for connection in kept[:THREADS]]
        self.check("the callers who waited have a fault", {verdict(answer) for answer in answers} == {FAULT}, answers)
        answers = [self.ask(token) for token in stuck + leaving + others]
        self.check("no one who waited, left or was refused has lost a token", set(answers) == {(200, "VALID_TOKEN")},
                   [answer for answer in answers if answer[0] != 200])
        answers = [self.ask(token) for token in stuck + leaving + others]
        self.check("no token that was asked about while the disk was frozen is granted twice",
                   {status for status, _ in answers} == {403}, answers)
        self.check("the daemon whose disk was frozen ends with 0", self.daemon.end() == 0, self.daemon.said())

    def while_frozen(self, begun, stuck, leaving, others, scraper, kept):
        self.check("/readyz says within seconds that the disk is stalled",
                   until(PATIENCE, lambda: self.reason() == "disk-stalled"), self.reason())
        count(f"{self.name}: after {time.monotonic() - begun:.1f} s")
        # Each worker finds all of its connections ready, those that come first first, and is stuck with one of those.
        self.daemon.tell(signal.SIGSTOP)
        for connection, token in zip(kept, stuck + leaving):
            connection.send(post(token))
        self.daemon.tell(signal.SIGCONT)
        self.check("all workers wait for the disk, and what watches it", until(PATIENCE, lambda: self.waiting() == THREADS + 1),
                   self.waiting())
        answer = self.get("/livez")
        self.check("/livez is answered while all workers wait for the disk", answer and answer.status == 200, answer)
        taken = {target: self.quickest(target) for target in ("/livez", "/metrics")}
        self.check("health and metrics are answered within a second while all workers wait", max(taken.values()) < 1, taken)
        self.check("the metrics say that the disk is stalled",
                   self.daemon.metrics().get('mediatoken_not_ready{reason="disk-stalled"}') == 1)
        self.check("the metrics on a kept connection say that the disk is stalled",
                   b"disk-stalled\"} 1" in scraper.get("/metrics").body)
        self.check("the log says that the disk is stalled",
                   until(PATIENCE, lambda: self.daemon.events("not-ready")[-1]["reason"] == "disk-stalled"),
                   self.daemon.events("not-ready"))
        answers = [self.ask(token) for token in others]
        self.check("a question gets a fault while the disk is frozen", answers == [(503, FAULT)] * CALLERS, answers)
        time.sleep(max(0.0, begun + 6 - time.monotonic()))
        self.check("/livez is answered as long as the disk is frozen", self.get("/livez").status == 200)
        for connection in kept[THREADS:]:
            connection.close()
        self.check("all workers wait for the disk as long as it is frozen", self.waiting() == THREADS + 1, self.waiting())


class Unready:
    """In place of an answer that did not come."""
    body = b""


for disk in (disks.Disk("xfs"), disks.Disk("ext4")):
    Frozen(disk).run()
finish()
