#!/usr/bin/env -S python3 -B
"""A log that is not read: verdicts go on, what is dropped is counted, and the log goes on when it is read again."""

import json
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from load import Load
from scenario import check, count, finish, path, until
from tokens import Signer

TALKATIVE = {"verdicts": "all", "linesPerSecond": 100_000}
DROPPED = "mediatoken_log_dropped_total"
signer = Signer()


def goes_on(name, daemon):
    """Asks for a while, and says how many lines were dropped."""
    with Load(daemon.socket, signer.mixed(10_000), pause=0) as load:
        load.wait_for(4_000)
    dropped = daemon.metrics()[DROPPED]
    count(f"{name}: {load.total()} answers, the slowest in {load.slowest * 1000:.0f} ms, {dropped:.0f} lines dropped")
    # A caller that waited for the log would wait for ever, until its own time limit.
    check(f"{name}: verdicts go on, and no caller waits for the log",
          not load.wrong and load.cut_off == 0 and load.total() >= 4_000, (load.wrong[:3], load.cut_off, load.total()))
    return dropped


def drops(name, daemon):
    """Asks until lines must have been dropped."""
    before = daemon.metrics()[DROPPED]
    dropped = goes_on(name, daemon)
    check(f"{name}: what is dropped is counted", dropped > before, dropped)


def keeps_lines(daemon):
    """Whether a few lines, which always have room, are written: none of them is dropped."""
    before = daemon.metrics()[DROPPED]
    for _ in range(10):
        daemon.ask(b"nonsense")
    return daemon.metrics()[DROPPED] == before


def full_pipe():
    reading, writing = os.pipe()
    daemon = Daemon(signer, "pipe", log=TALKATIVE).start(stderr=writing)
    os.close(writing)
    drops("a pipe that is not read", daemon)
    # Now it is read: whole lines come out, and new ones too.
    os.set_blocking(reading, False)
    text = bytearray()

    def read():
        try:
            text.extend(os.read(reading, 1 << 20))
        except BlockingIOError:
            pass
        return b'"requestID"' in text and daemon.ask(b"nonsense").status == 403 and len(text) > 400_000

    comes = until(600, read)
    lines = bytes(text).split(b"\n")[:-1]
    whole = sum(is_json(line) for line in lines)
    check("whole lines come when a pipe is read again", comes and len(lines) > 1000 and whole == len(lines),
          (len(text), whole, len(lines)))
    # Its last lines go nowhere.
    drops("a pipe that is not read any more", daemon)
    check("a pipe that is not read any more: the daemon ends with 0", daemon.end() == 0)
    os.close(reading)


def closed():
    daemon = Daemon(signer, "closed", log=TALKATIVE)
    daemon.start(preexec_fn=lambda: os.close(2))
    goes_on("closed standard error", daemon)
    # Lines may come faster than a busy machine lets them be written, but not for ever.
    check("closed standard error: lines are written, where no one sees them", until(60, lambda: keeps_lines(daemon)))
    check("closed standard error: the daemon ends with 0", daemon.end() == 0)
    with open(daemon.table, "rb") as table:
        check("closed standard error: nothing is written into the file that has its number", b'"event"' not in table.read())


def full_disk():
    mount = path("disk")
    os.mkdir(mount)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", mount],
                                           capture_output=True).returncode != 0:
        count("no small disk here: only a root that may mount can have one")
        return
    try:
        daemon = Daemon(signer, "disk-full", log=TALKATIVE)
        with open(mount + "/log", "ab") as log:
            daemon.start(stderr=log)
        drops("a disk that is full", daemon)
        size = os.path.getsize(mount + "/log")
        os.truncate(mount + "/log", 0)
        token = signer.issue(1)[0]
        check("lines come when there is room on a full disk again", daemon.ask(token).status == 200 and until(
            60, lambda: sum(is_json(line) for line in open(mount + "/log", "rb").read().split(b"\n")) > 0), size)
        check("a disk that is full: the daemon ends with 0", daemon.end() == 0)
    finally:
        subprocess.run(["umount", "-l", mount], check=True)


def is_json(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


for part in (full_pipe, closed, full_disk):
    part()
finish()
