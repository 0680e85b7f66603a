"""Real nodes: processes of redis-server, or of the program that $MEDIATOKEN_NODE_SERVER names, and as much of their protocol
as a scenario needs."""

import os
import socket
import subprocess

from processes import free_port, launch
from scenario import path, until

SERVER = os.environ.get("MEDIATOKEN_NODE_SERVER", "redis-server")


class Refused(Exception):
    """The server answered with an error."""


class Link:
    """A connection to a node: a command is a list of texts or bytes, an answer what the server says."""

    def __init__(self, address, timeout=60):
        is_local = isinstance(address, str)
        self.socket = socket.socket(socket.AF_UNIX if is_local else socket.AF_INET)
        self.socket.settimeout(timeout)
        try:
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
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


class Node:
    """A process that may be a node, which keeps no data of its own accord. Over TCP, or with `is_local` over a UNIX socket;
    `more` are settings of the server."""

    def __init__(self, name, *more, password=None, is_local=False, environment=None):
        self.name, self.more, self.password, self.environment = name, more, password, environment
        self.port = 0 if is_local else free_port()
        self.address = path(name + ".node") if is_local else f"127.0.0.1:{self.port}"
        self.folder = path(name + ".data")
        os.mkdir(self.folder)
        self.process = None

    def start(self):
        place = ["--port", str(self.port)]
        place += ["--bind", "127.0.0.1"] if self.port else ["--unixsocket", self.address, "--unixsocketperm", "600"]
        secret = ["--requirepass", self.password, "--masterauth", self.password] if self.password else []
        with open(path(self.name + ".node.log"), "ab") as log:
            self.process = launch(
                [SERVER, *place, "--save", "", "--appendonly", "no", "--dir", self.folder, *secret, *self.more],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)
        if not until(60, self.is_up):
            raise RuntimeError(f"{self.name} does not start")
        return self

    def ask(self, *words):
        """What the server says to one command."""
        with Link(("127.0.0.1", self.port) if self.port else self.address) as link:
            if self.password:
                link.ask("AUTH", self.password)
            return link.ask(*words)

    def is_up(self):
        try:
            return self.ask("PING") == b"PONG"
        except (OSError, Refused):
            return False

    def tell(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()
