"""One connection: a question is sent, and one answer is read by the letter (clients/README.md, "How an answer is read")."""

from __future__ import annotations

import os
import random
import re
import socket
import time
from dataclasses import dataclass
from typing import Dict, Union

from ._errors import ForeignAnswer, NoAnswer

HEAD_BYTES = 16_384
#: For how long, in seconds, a connection is kept without a question: less than the daemon keeps it.
IDLE_SECONDS = 30.0
#: Between two tries to connect to a listener that has no room, in seconds.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.002, 0.064

_STATUS_LINE = re.compile(rb"HTTP/1\.1 ([0-9]{3}) [\t\x20-\x7e\x80-\xff]*")
# There is one way to match it, so that no field takes long; the space around a value is taken away afterwards.
_FIELD = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)")
_LENGTH = re.compile(rb"[0-9]{1,9}")
#: Fields that say how an answer is to be read: each at most once.
_SINGLE = {b"content-length", b"content-type", b"connection", b"retry-after"}
#: Fields with which a body is not what its bytes say.
_FORBIDDEN = {b"transfer-encoding", b"content-encoding"}

Address = Union[str, "tuple[str, int]"]


class Unsent(Exception):
    """The connection was over before a byte of the question was sent."""


class Ended(Exception):
    """The connection ended before the answer did. ``began``: a byte of it had come."""

    def __init__(self, began: bool) -> None:
        super().__init__()
        self.began = began


@dataclass(frozen=True, repr=False)
class Answer:
    """What came back."""

    status: int
    fields: Dict[bytes, bytes]
    body: bytes
    #: Whether another question may be asked on the connection.
    is_kept: bool


class Deadline:
    """One instant for a whole call."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds; raises ``NoAnswer`` if it has passed."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise NoAnswer("no answer: none came in time")
        return left


class Connection:
    """A connected socket. It belongs to one thread at a time, and to the process that made it."""

    def __init__(self, address: Address, deadline: Deadline) -> None:
        self._socket = _connected(address, deadline)
        self._process = os.getpid()
        self._idle_since = 0.0

    def close(self) -> None:
        # In a child of the process that made it this closes the child's copy, and says nothing to the daemon.
        self._socket.close()

    def rest(self) -> None:
        """Says that it is idle from now on."""
        self._idle_since = time.monotonic()

    def is_old(self) -> bool:
        """Whether it is idle for longer than the daemon is sure to keep it."""
        return time.monotonic() - self._idle_since > IDLE_SECONDS

    def is_usable(self) -> bool:
        """Whether an idle connection is ours, young, and silent: one that can be read has ended, or said what no one asked for."""
        if self._process != os.getpid() or self.is_old():
            return False
        self._socket.settimeout(0)
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def exchange(self, question: bytes, deadline: Deadline, body_bytes: int) -> Answer:
        """Asks, and reads the answer.

        Raises ``Unsent``, ``Ended``, ``NoAnswer`` after the deadline, and ``ForeignAnswer`` for what is not HTTP as the daemon writes it.
        """
        is_whole = self._send(question, deadline)
        head, rest = self._head(deadline)
        status, fields = _parsed(head)
        if status == 200 and not is_whole:
            raise ForeignAnswer("foreign answer: 200 to half a question")
        length = int(fields[b"content-length"])
        if length > body_bytes:
            raise ForeignAnswer("foreign answer: it is too long")
        body = bytearray(rest)
        while len(body) < length:
            body += self._receive(deadline, began=True)
        if len(body) > length:
            raise ForeignAnswer("foreign answer: there is more than one")
        return Answer(status, fields, bytes(body), is_whole and b"connection" not in fields)

    def _send(self, question: bytes, deadline: Deadline) -> bool:
        """Whether all of it went out. Where it did not, there may be an answer that says why."""
        sent = 0
        try:
            while sent < len(question):
                self._socket.settimeout(deadline.left())
                sent += self._socket.send(question[sent:], socket.MSG_NOSIGNAL)
        except socket.timeout:
            raise NoAnswer("no answer: the question was not taken in time") from None
        except OSError:
            if sent == 0 and self._idle_since:
                raise Unsent from None
            return False
        return True

    def _head(self, deadline: Deadline) -> tuple[bytes, bytes]:
        """The head without its last line's end, and what came after it."""
        received = bytearray()
        while True:
            received += self._receive(deadline, began=bool(received))
            end = received.find(b"\r\n\r\n")
            if max(end, 0) > HEAD_BYTES or (end < 0 and len(received) > HEAD_BYTES):
                raise ForeignAnswer("foreign answer: its head is too long")
            if end >= 0:
                return bytes(received[:end]), bytes(received[end + 4:])

    def _receive(self, deadline: Deadline, began: bool) -> bytes:
        self._socket.settimeout(deadline.left())
        try:
            data = self._socket.recv(65_536)
        except socket.timeout:
            raise NoAnswer("no answer: none came in time") from None
        except OSError:
            raise Ended(began) from None
        if not data:
            raise Ended(began)
        return data


def _connected(address: Address, deadline: Deadline) -> socket.socket:
    """Raises ``NoAnswer`` if there is no connection before the deadline."""
    try:
        made = socket.socket(socket.AF_UNIX if isinstance(address, str) else _family(address))
        try:
            _connect(made, address, deadline)
        except BaseException:
            made.close()
            raise
        return made
    except socket.timeout:
        raise NoAnswer("no answer: the connection was not made in time") from None
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else "for no reason that the system gives"
        raise NoAnswer(f"no answer: cannot connect ({why}); check the address, and whether mediatokend runs") from None


def _connect(made: socket.socket, address: Address, deadline: Deadline) -> None:
    pause = SHORTEST_PAUSE
    while True:
        made.settimeout(deadline.left())
        try:
            return made.connect(address)
        except BlockingIOError:
            # As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
            time.sleep(min(pause * random.uniform(0.5, 1), deadline.left()))
            pause = min(2 * pause, LONGEST_PAUSE)


def _family(address: tuple[str, int]) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address[0] else socket.AF_INET


def _parsed(head: bytes) -> tuple[int, Dict[bytes, bytes]]:
    line, *lines = head.split(b"\r\n")
    start = _STATUS_LINE.fullmatch(line)
    if start is None:
        raise ForeignAnswer("foreign answer: no status line of HTTP/1.1")
    fields: Dict[bytes, bytes] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise ForeignAnswer("foreign answer: a broken field in its head")
        name = field[1].lower()
        if name in _FORBIDDEN or (name in _SINGLE and name in fields):
            raise ForeignAnswer("foreign answer: its head can be read in two ways")
        fields[name] = field[2].strip(b" \t")
    if int(start[1]) < 200 or _LENGTH.fullmatch(fields.get(b"content-length", b"")) is None:
        raise ForeignAnswer("foreign answer: expected one with a Content-Length")
    return int(start[1]), fields
