"""A client that knows exactly how far it came."""

import json
import socket
import time
from collections import namedtuple

Answer = namedtuple("Answer", "status head body")
VERIFY = b"/v1/verify?requestor=REF30&resource=TNT"


class Unsent(Exception):
    """The request did not go out whole: the daemon has not read all of it."""


class Unanswered(Exception):
    """The request went out whole, and no whole answer came."""


class Connection:
    """One connection to a UNIX socket, for requests one after another."""

    def __init__(self, address, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.rest = b""
        self.begun = time.monotonic()
        end = self.begun + timeout
        while True:
            try:
                return self.socket.connect(address)
            except BlockingIOError as error:
                # As many wait as the listener has room for: a client without a time limit would wait here.
                if time.monotonic() > end:
                    self.socket.close()
                    raise Unsent(f"connect: {error}") from error
                time.sleep(0.005)
            except OSError as error:
                self.socket.close()
                raise Unsent(f"connect: {error}") from error

    @classmethod
    def over(cls, socket):
        """The same over a socket that is connected already."""
        connection = cls.__new__(cls)
        connection.socket, connection.rest = socket, b""
        return connection

    def send(self, bytes):
        try:
            self.socket.sendall(bytes)
        except OSError as error:
            raise Unsent(f"send: {error}") from error

    def receive(self):
        """The next answer, whole."""
        while b"\r\n\r\n" not in self.rest:
            self._read()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status = int(head[9:12])
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        if status < 200:
            length = 0
        while len(self.rest) < length:
            self._read()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(status, head, body)

    def _read(self):
        try:
            bytes = self.socket.recv(65536)
        except OSError as error:
            raise Unanswered(f"receive: {error}") from error
        if not bytes:
            raise Unanswered("the connection ended")
        self.rest += bytes

    def ask(self, token, target=VERIFY):
        self.send(post(token, target))
        return self.receive()

    def get(self, target):
        self.send(b"GET " + target.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return self.receive()

    def is_closed_by_answer(self, answer):
        return b"\nconnection: close" in answer.head.lower()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def listens(address):
    """Whether a UNIX socket takes connections: between bind(2) and listen(2) it has a name already."""
    try:
        Connection(address).close()
    except Unsent:
        return False
    return True


def post(body, target=VERIFY, fields=b""):
    return b"POST %b HTTP/1.1\r\nHost: localhost\r\n%bContent-Length: %d\r\n\r\n%b" % (target, fields, len(body), body)


def verdict(answer):
    """The answer's verdict, fault or error; None if the body is not ours."""
    try:
        body = json.loads(answer.body)
        return body.get("verdict") or body.get("fault") or body.get("error")
    except (ValueError, AttributeError):
        return None
