"""Redis or Valkey processes that are seats, and as much of their protocol as a scenario needs. Part of the fleet's scenarios."""

import atexit
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

_running = set()
_scratch = tempfile.mkdtemp(prefix="fleet-clock-")
atexit.register(shutil.rmtree, _scratch, True)
CLOCK = os.path.join(_scratch, "clock.so")
subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", CLOCK,
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")], check=True)


@atexit.register
def _end_all():
    for process in list(_running):
        process.kill()
        process.wait()


def with_clock(file):
    """The environment of a process whose clock is off by what the file says, now and whenever that changes."""
    return dict(os.environ, LD_PRELOAD=CLOCK, CLOCK_OFF=file)


def set_clock(file, seconds):
    """In place, because the process has the file mapped."""
    with open(file, "r+b" if os.path.exists(file) else "wb") as clock:
        clock.write(struct.pack("q", seconds))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Refused(Exception):
    """The server answered with an error."""


class Redis:
    """One connection: a command is a list of texts or bytes, an answer what the server says."""

    def __init__(self, path, timeout=2):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def ask(self, *words):
        self.socket.sendall(command(*words))
        return self.answer()

    def answer(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise Refused(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.answer() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest


def command(*words):
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


class Server:
    """A process and its folder. It keeps no data of its own accord."""

    def __init__(self, program, folder):
        os.makedirs(folder)
        self.program, self.folder = program, folder
        self.path, self.clock = os.path.join(folder, "socket"), os.path.join(folder, "clock")
        self.port, self.process = free_port(), None
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
        self.process = subprocess.Popen(
            [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", self.path, "--save", "",
             "--appendonly", "no", "--dir", self.folder, "--repl-diskless-sync-delay", "0", "--logfile", "log"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=with_clock(self.clock))
        _running.add(self.process)
        self.wait(lambda: self.ask("PING") == b"PONG")

    def wait(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if holds():
                    return
            except (OSError, Refused, ConnectionError):
                pass
            time.sleep(0.01)
        raise TimeoutError(f"{self.folder}: still not so after {seconds} s; see its log")

    def ask(self, *words):
        with Redis(self.path) as connection:
            return connection.ask(*words)

    def kill(self):
        self.process.kill()
        self.process.wait()
        _running.discard(self.process)

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

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
        self.ask("REPLICAOF", "127.0.0.1", port)
        self.wait(lambda: b"master_link_status:up" in self.ask("INFO", "replication"))

    def stand_alone(self):
        self.ask("REPLICAOF", "NO", "ONE")
