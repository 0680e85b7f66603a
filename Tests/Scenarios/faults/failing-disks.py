#!/usr/bin/env -S python3 -B
"""Case 128, with real file systems: a disk that is full after the table was copied, that fails or becomes read-only; frozen-disk.py
has one that is frozen. The daemon and the command line say that it is a fault of ours, and go on; no token is granted twice, whatever
was answered about it meanwhile."""
import collections
import os
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

import disks
from connection import verdict
from daemon import Daemon
from processes import MEDIATOKEN
from scenario import check, count, finish, until
from tokens import Signer

disks.in_a_namespace_of_our_own()
signer = Signer()
FAULT = "REPLAY_MEMORY_UNAVAILABLE"
#: Entries and retry words of so many tokens are on 782 pages: hardly two tokens touch the same.
CAPACITY = 100_000


class Table:
    """A table on a disk, a daemon that uses it, and each token as often as it was granted."""

    def __init__(self, disk, name):
        self.disk, self.file = disk, disk.path(name)
        self.copy = self.file + ".copy"
        self.create = ["replay", "create", "--table", self.file, "--capacity", str(CAPACITY), "--fresh"]
        made = subprocess.run([MEDIATOKEN, *self.create], capture_output=True, text=True)
        if made.returncode != 0:
            raise RuntimeError(made.stderr)
        self.daemon = Daemon(signer, f"{os.path.basename(disk.folder)}-{name}", replay={"address": "shared:" + self.file})
        self.granted, self.said = [], []

    def ask(self, tokens):
        """One answer for each token, or an exception if the daemon ended."""
        connection = self.daemon.connect()
        for token in tokens:
            answer = connection.ask(token)
            self.said.append(verdict(answer))
            if answer.status == 200:
                self.granted.append(token)
            yield answer.status
            if connection.is_closed_by_answer(answer):
                connection.close()
                connection = self.daemon.connect()
        connection.close()

    def ask_at_once(self, tokens):
        """Each token twice, by eight callers at the same time; what stopped them."""
        stopped = []

        def caller(mine):
            try:
                list(self.ask(mine))
            except Exception as error:  # pylint: disable=broad-except
                stopped.append(error)

        callers = [threading.Thread(target=caller, args=(tokens[index % 4::4],)) for index in range(8)]
        for thread in callers:
            thread.start()
        for thread in callers:
            thread.join()
        return stopped

    def copied(self):
        subprocess.run(["cp", "--reflink=always", self.file, self.copy], check=True)

    def command(self, token):
        """What the command line says about a token: its exit status, or minus a signal, and all its words."""
        command = ["verify", "--keys", signer.keys, "--allow-rsa-1024", "any", "--requestor", "REF30", "--resource", "TNT",
                   "--replay", "shared:" + self.file, "-"]
        ended = subprocess.run([MEDIATOKEN, *command], input=token, capture_output=True)
        if ended.returncode == 0:
            self.granted.append(token)
        return ended.returncode, (ended.stdout + ended.stderr).decode()

    def faults_within(self, seconds):
        """Asks about new tokens until that is a fault."""
        return until(seconds, lambda: list(self.ask(signer.issue(1))) == [503])

    def twice(self):
        return [token for token, times in collections.Counter(self.granted).items() if times != 1]


def full_after_a_copy(disk):
    table = Table(disk, "full")
    daemon, tokens = table.daemon.start(), signer.issue(400)
    # What was never written to is not shared: tokens on nearly every page.
    check("before the copy each token is granted", list(table.ask(signer.issue(3000) + tokens[:1])) == [200] * 3001)
    disk.fill(leaving=8 << 20)
    # Stopped, or a lease that is renewed just between both would part the table from its copy.
    daemon.tell(signal.SIGSTOP)
    table.copied()
    disk.fill()
    daemon.tell(signal.SIGCONT)
    stopped = table.ask_at_once(tokens[1:])
    check("after a copy and on a full disk every question is answered", not stopped, stopped)
    count(f"{len(table.granted) - 3001} tokens granted on the way")
    check("after a copy and on a full disk every question meets a fault in the end",
          list(table.ask(signer.issue(20))) == [503] * 20, table.said[-3:])
    check("after a copy and on a full disk the daemon is not ready", until(60, lambda: daemon.get("/readyz").status == 503))
    check("after a copy and on a full disk the daemon ends with 0", daemon.end() == 0, daemon.said())
    status, words = table.command(tokens[-1])
    check("the command line does not open a table that shares its blocks with a copy",
          status == 3 and "shares its blocks with a copy" in words, (status, words))
    status = daemon.spawn().process.wait(60)
    check("the daemon does not open a table that shares its blocks with a copy, and says why",
          status == 3 and "shares its blocks with a copy" in daemon.said(),
          (status, daemon.said()))
    disk.make_room()
    daemon.start()
    check("with room the daemon opens the table again, in blocks of its own", not disks.shares_blocks(table.file))
    disk.fill()
    table.said.clear()
    stopped = table.ask_at_once(table.granted + tokens)
    check("to a table in blocks of its own a full disk does not matter", not stopped and FAULT not in table.said, stopped)
    check("after a copy and full disks no token is granted twice", len(table.granted) == 3400 and not table.twice(), table.twice())
    disk.make_room()
    os.unlink(table.copy)
    table.copied()
    check("a copy that is made while the table is open shares its blocks", disks.shares_blocks(table.file))
    check("an open table is parted from its copy with the lease", until(60, lambda: not disks.shares_blocks(table.file)))
    disk.fill()
    more = signer.issue(100)
    check("a table that was parted from its copy grants tokens on a full disk",
          list(table.ask(more)) == [200] * 100, table.said[-3:])
    daemon.end()
    disk.make_room()


def fails(disk, name, failing, words):
    table = Table(disk, name)
    daemon = table.daemon.start()
    tokens = signer.issue(200)
    check(f"{name}: before it each token is granted", list(table.ask(tokens[:100])) == [200] * 100)
    failing()
    stopped = table.ask_at_once(tokens)
    check(f"{name}: every question is answered", not stopped, stopped)
    check(f"{name}: questions soon meet a fault", table.faults_within(60), table.said[-3:])
    time.sleep(1.1)  # the clock is looked at whenever it reaches a new second
    check(f"{name}: questions meet a fault later, too", list(table.ask(signer.issue(20))) == [503] * 20, table.said[-3:])
    check(f"{name}: no token is granted twice", len(table.granted) >= 100 and not table.twice(), table.twice())
    status, said = table.command(signer.issue(1)[0])
    check(f"{name}: the command line says that the table cannot be used, and why", status == 3 and words in said, (status, said))
    check(f"{name}: the daemon ends with 0", daemon.end() == 0, daemon.said())
    disk.unmount()
    disk.mount()
    daemon.start_unready()
    stopped = table.ask_at_once(tokens)
    check(f"{name}: no token is granted twice after the disk was mounted again",
          not stopped and not table.twice(), (stopped, len(table.twice())))
    check(f"{name}: a new token is too early after the disk was mounted again",
          list(table.ask(signer.issue(1))) == [403], table.said[-1])
    daemon.end()


def read_only(disk):
    table = Table(disk, "read-only")
    disk.unmount()
    disk.mount("loop,ro")
    status, said = table.command(signer.issue(1)[0])
    check("a disk that is mounted read-only is named", status == 3 and "mounted read-only" in said, (status, said))
    disk.unmount()
    disk.mount()


xfs = disks.Disk("xfs", "-m", "reflink=1")
full_after_a_copy(xfs)
read_only(xfs)
fails(xfs, "shutdown of XFS", xfs.shut_down, "input/output error")
ext4 = disks.Disk("ext4")
fails(ext4, "remount of ext4 after an error", lambda: ext4.remount("abort"), "read-only")
fails(ext4, "shutdown of ext4", ext4.shut_down, "input/output error")
finish()
