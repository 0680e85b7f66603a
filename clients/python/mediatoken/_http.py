"""Questions and answers by the standard library's HTTP client: each call has one deadline, and answers have a bound."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import socket
import threading
import time
from collections import deque
from typing import Any, Deque, Iterator, NamedTuple, Optional, Union

from ._errors import ForeignAnswer, NoAnswer

#: A body has room for a token of the greatest length with every byte escaped, and a head besides.
ANSWER_BYTES, HEAD_BYTES = 1 << 20, 1 << 16
#: For how long, in seconds, a connection is kept without a question: less than the daemon keeps it.
IDLE_SECONDS = 30.0
#: Between two tries to connect to a listener that has no room, in seconds.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.002, 0.064
_LENGTH = re.compile(r"[0-9]{1,7}")
Address = Union[str, "tuple[str, int]"]


class Unsent(Exception):
    """A kept connection was over before the whole question was sent: the daemon has not heard it."""


class Ended(Exception):
    """The connection ended before the answer did. Its argument: whether a byte of it had come."""


class Answer(NamedTuple):
    status: int
    fields: http.client.HTTPMessage
    body: bytes


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


class _Socket(socket.socket):
    """Waits until the call's deadline, however few bytes come at a time; None: not at all."""

    deadline: Optional[Deadline] = None
    received, has_ended = 0, False

    def sendall(self, data: Any, flags: int = 0) -> None:
        self.settimeout(self.deadline.left() if self.deadline else 0)
        super().sendall(data, flags | socket.MSG_NOSIGNAL)

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        self.settimeout(self.deadline.left() if self.deadline else 0)
        count = super().recv_into(buffer, nbytes, flags)
        self.received, self.has_ended = self.received + count, count == 0
        if self.received > HEAD_BYTES + ANSWER_BYTES:
            raise ForeignAnswer("foreign answer: it is too long")
        return count


class Connection(http.client.HTTPConnection):
    """It belongs to one thread at a time, and to the process that made it."""

    debuglevel = 0  # By the one of the class above a program prints what is sent.
    sock: _Socket
    #: Whether another question may be asked on it, and since when it waits for one.
    is_kept, idle_since = False, 0.0

    def __init__(self, address: Address, deadline: Deadline) -> None:
        """Raises ``NoAnswer`` if there is no connection before the deadline."""
        super().__init__("localhost")
        self._process, self._written = os.getpid(), b""
        try:
            self.sock = _Socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
            self._connect(address, deadline)
            if not isinstance(address, str):
                self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (OSError, NoAnswer) as error:
            self.close()
            if isinstance(error, (NoAnswer, socket.timeout)):
                raise NoAnswer("no answer: the connection was not made in time") from None
            why = os.strerror(error.errno) if error.errno else "for no reason that the system gives"
            raise NoAnswer(f"no answer: cannot connect ({why}); check the address, and whether mediatokend runs") from None

    def _connect(self, address: Address, deadline: Deadline) -> None:
        pause = SHORTEST_PAUSE
        while True:
            self.sock.settimeout(deadline.left())
            try:
                return self.sock.connect(address)
            except BlockingIOError:
                # As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
                time.sleep(min(pause * random.uniform(0.5, 1), deadline.left()))
                pause = min(2 * pause, LONGEST_PAUSE)

    def is_old(self) -> bool:
        return time.monotonic() - self.idle_since > IDLE_SECONDS

    def is_usable(self) -> bool:
        """Whether an idle connection is ours, young, and silent: one that can be read has ended, or said what no one asked for."""
        if self._process != os.getpid() or self.is_old():
            return False
        try:
            self.sock.settimeout(0)
            self.sock.recv(1, socket.MSG_PEEK)
        except OSError as error:
            return isinstance(error, BlockingIOError)
        return False

    def send(self, data: Any) -> None:
        # Head and body go out as one.
        self._written += data

    def exchange(self, deadline: Deadline, *question: Any) -> Answer:
        """Asks (method, target, body, fields), and reads the answer; ``is_kept`` is then as it says.

        Raises ``Unsent``, ``Ended``, ``NoAnswer`` after the deadline, and ``ForeignAnswer``.
        """
        made, was_kept, is_whole, self.is_kept, self._written = self.sock, self.is_kept, True, False, b""
        made.deadline, made.received = deadline, 0
        self.request(*question)
        try:
            try:
                made.sendall(self._written)
            except ConnectionError:
                if was_kept:
                    raise Unsent from None
                # There may be an answer that says why.
                is_whole = False
            with self.getresponse() as response:
                answer = self._read(response, made)
                _expect(is_whole or answer.status != 200, "200 to half a question")
                self.is_kept = is_whole and not response.will_close and not made.has_ended
                return answer
        except socket.timeout:
            raise NoAnswer("no answer: none came in time") from None
        except (http.client.HTTPException, ForeignAnswer, OSError) as error:
            # What is cut may look like a different answer.
            if made.has_ended or isinstance(error, OSError):
                raise Ended(made.received > 0) from None
            if isinstance(error, ForeignAnswer):
                raise
            raise ForeignAnswer("foreign answer: not HTTP/1.1 as the daemon has it") from None

    @staticmethod
    def _read(response: http.client.HTTPResponse, made: _Socket) -> Answer:
        fields = response.headers
        lengths, types = fields.get_all("Content-Length", []), fields.get_all("Content-Type", [])
        _expect(response.version == 11 and "Transfer-Encoding" not in fields and "Content-Encoding" not in fields and len(types) < 2
                and len(lengths) == 1 and _LENGTH.fullmatch(lengths[0]) is not None, "its head can be read in two ways")
        length = int(lengths[0])
        _expect(length <= ANSWER_BYTES, "it is too long")
        body = response.fp.read(length)
        _expect(len(body) == length, "it is cut")
        made.deadline = None
        _expect(not response.fp.peek(1), "there is more than one")
        return Answer(response.status, fields, body)


class Pool:
    """Turns to ask, and connections that are idle; the youngest is used first, so that the others grow old.

    Threads share it without a lock: a deque's ``pop`` and ``append`` are single steps. A child process begins with all turns and no
    connection, whatever other threads of its parent did as it was forked.
    """

    def __init__(self, most_idle: int, most: int) -> None:
        self._most_idle, self._most = most_idle, most
        self._begin()

    def _begin(self) -> None:
        self._turns = threading.Semaphore(self._most)
        self._idle: Deque[Connection] = deque()
        self._process = os.getpid()

    @contextlib.contextmanager
    def turn(self, deadline: Deadline) -> Iterator[None]:
        """Waits for a turn; raises ``NoAnswer`` if the deadline is earlier."""
        if self._process != os.getpid():
            # That says nothing to the daemon, as the parent has them, too.
            self.close()
            self._begin()
        turns = self._turns
        if not turns.acquire(timeout=deadline.left()):
            raise NoAnswer("no answer: all connections of this client were in use; nothing was asked")
        try:
            yield
        finally:
            turns.release()

    def take(self) -> Optional[Connection]:
        """An idle connection that can be used, or None."""
        with contextlib.suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if connection.is_usable():
                    return connection
                connection.close()
        return None

    def give(self, connection: Connection) -> None:
        """Takes a connection back, and closes those that cannot be used again, and are too many or too old."""
        if not connection.is_kept:
            return connection.close()
        connection.idle_since = time.monotonic()
        self._idle.append(connection)
        with contextlib.suppress(IndexError):
            while len(self._idle) > self._most_idle or self._idle[0].is_old():
                self._idle.popleft().close()

    def close(self) -> None:
        """Closes those that are idle."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ForeignAnswer(f"foreign answer: {otherwise}")
