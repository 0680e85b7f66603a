"""The servers of nodes under proof: nodes whose clock can be off, whose data can be older, and which can copy each other."""

import os
import shutil
import struct
import subprocess

from scenario import path, until
from nodes import Refused, Node

CLOCK = path("clock.so")
subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", CLOCK,
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")], check=True)


def with_clock(file):
    """The environment of a process whose clock is off by what the file says, now and whenever that changes."""
    return dict(os.environ, LD_PRELOAD=CLOCK, CLOCK_OFF=file)


def set_clock(file, seconds):
    """In place, because the process has the file mapped."""
    with open(file, "r+b" if os.path.exists(file) else "wb") as clock:
        clock.write(struct.pack("q", seconds))


class Server(Node):
    """Serves a UNIX socket, `path`, for the hosts, and a port for other servers."""

    def __init__(self, name):
        self.path, self.clock = path(name + ".socket"), path(name + ".clock")
        super().__init__(name, "--unixsocket", self.path, "--repl-diskless-sync-delay", "0",
                         environment=with_clock(self.clock))
        self.set_clock(0)
        self.start()

    def start(self, rdb=None):
        """With the data of a file, or with none."""
        dump = os.path.join(self.folder, "dump.rdb")
        if rdb:
            shutil.copyfile(rdb, dump)
        elif os.path.exists(dump):
            os.remove(dump)
        if os.path.exists(self.path):
            os.remove(self.path)
        return super().start()

    def save(self):
        """A copy of the data as they are now."""
        self.ask("SAVE")
        copy = os.path.join(self.folder, "old.rdb")
        shutil.copyfile(os.path.join(self.folder, "dump.rdb"), copy)
        return copy

    def set_clock(self, seconds):
        set_clock(self.clock, seconds)

    def copy_of(self, port):
        """Begins to copy another server, and waits until it has everything."""
        def has_everything():
            try:
                return b"master_link_status:up" in self.ask("INFO", "replication")
            except (OSError, Refused):
                return False
        self.ask("REPLICAOF", "127.0.0.1", port)
        if not until(60, has_everything):
            raise TimeoutError(f"{self.name}: no copy of {port} after 20 s; see its log")

    def stand_alone(self):
        self.ask("REPLICAOF", "NO", "ONE")
