"""Real seats in the scenario's folder: redis-server, or the program that $MEDIATOKEN_SEAT_SERVER names. Each is ended by its
process id. Part of the daemon's scenarios."""

import atexit
import os
import shutil
import signal
import socket
import subprocess

from claims import path, skip, until

SERVER = os.environ.get("MEDIATOKEN_SEAT_SERVER", "redis-server")
_running = set()


@atexit.register
def _end_all():
    for process in list(_running):
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


def need():
    if shutil.which(SERVER) is None:
        skip(f"{SERVER} is missing")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Seat:
    """A process that may be a seat. Over TCP, or over a UNIX socket with `is_local`; `more` are settings of the server."""

    def __init__(self, name, *more, password=None, is_local=False):
        self.name, self.more, self.password = name, more, password
        self.port = 0 if is_local else free_port()
        self.address = path(name + ".seat") if is_local else f"127.0.0.1:{self.port}"
        self.folder = path(name + ".data")
        os.mkdir(self.folder)
        self.process = None

    def start(self):
        place = ["--port", str(self.port)]
        place += ["--bind", "127.0.0.1"] if self.port else ["--unixsocket", self.address, "--unixsocketperm", "600"]
        secret = ["--requirepass", self.password, "--masterauth", self.password] if self.password else []
        with open(path(self.name + ".seat.log"), "ab") as log:
            self.process = subprocess.Popen(
                [SERVER, *place, "--save", "", "--appendonly", "no", "--dir", self.folder, *secret, *self.more],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        _running.add(self.process)
        if not until(20, lambda: self.is_up()):
            raise RuntimeError(f"{self.name} does not start")
        return self

    def connect(self):
        connection = socket.socket(socket.AF_INET if self.port else socket.AF_UNIX)
        connection.settimeout(5)
        try:
            connection.connect(("127.0.0.1", self.port) if self.port else self.address)
        except OSError:
            connection.close()
            raise
        return connection

    def ask(self, *words):
        """What the server says to one command, as it says it."""
        with self.connect() as connection:
            commands = [("AUTH", self.password)] if self.password else []
            for command in commands + [words]:
                parts = [str(word).encode() for word in command]
                connection.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts))
                said = connection.recv(65536)
            return said.decode(errors="replace")

    def is_up(self):
        try:
            return self.ask("PING").startswith("+PONG")
        except OSError:
            return False

    def tell(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()
        _running.discard(self.process)
