"""Questions and answers by the standard library's HTTP client: each call has one deadline, and answers have a bound."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import os
import random
import re
import select
import socket
import threading
import time
from collections import deque
from typing import Any, Deque, Iterator, NamedTuple, Optional, Union

from ._errors import ForeignAnswer, NoAnswer, expect

#: A body has room for a token of the greatest length with every byte escaped, and a head besides.
ANSWER_BYTES, HEAD_BYTES = 1 << 20, 1 << 16
#: For how long, in seconds, a connection is kept without a question: less than the daemon keeps it.
IDLE_SECONDS = 30.0
_LENGTH = re.compile(r"[0-9]{1,7}")
Address = Union[str, "tuple[str, int]"]


class Ended(Exception):
    """The connection ended before the answer did. ``is_unsent``: before the whole question was sent; ``is_begun``: after a byte came."""

    is_unsent = is_begun = False


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
        expect(self.received <= HEAD_BYTES + ANSWER_BYTES, "it is too long")
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
        try:
            self.sock = _Socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
            self._connect(address, deadline)
        except (NoAnswer, socket.timeout):
            self.close()
            raise NoAnswer("no answer: the connection was not made in time") from None
        except OSError as error:
            self.close()
            why = os.strerror(error.errno) if error.errno else "for no reason that the system gives"
            raise NoAnswer(f"no answer: cannot connect ({why}); check the address, and whether mediatokend runs") from None

    def _connect(self, address: Address, deadline: Deadline) -> None:
        for turn in itertools.count():
            self.sock.settimeout(deadline.left())
            with contextlib.suppress(BlockingIOError):
                self.sock.connect(address)
                return None if isinstance(address, str) else self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
            time.sleep(min(0.002 * 2 ** min(turn, 5) * random.uniform(0.5, 1), deadline.left()))

    def is_old(self) -> bool:
        return time.monotonic() - self.idle_since > IDLE_SECONDS

    def is_usable(self) -> bool:
        """Whether an idle connection is young and silent: one that can be read has ended, or said what no one asked for."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return not self.is_old() and not poll.poll(0)

    def send(self, data: Any) -> None:
        self._written += data  # Head and body go out as one.

    def exchange(self, deadline: Deadline, *question: Any) -> Answer:
        """Asks (method, target, body, fields), and reads the answer; ``is_kept`` is then as it says.

        Raises ``Ended``, ``NoAnswer`` after the deadline, and ``ForeignAnswer``.
        """
        made, was_kept, is_whole, self.is_kept, self._written = self.sock, self.is_kept, True, False, b""
        made.deadline, made.received, end = deadline, 0, Ended()
        self.request(*question)
        try:
            try:
                made.sendall(self._written)
            except ConnectionError:
                # On a new connection there may be an answer that says why.
                end.is_unsent, is_whole = was_kept, False
                if was_kept:
                    raise
            with self.getresponse() as response:
                answer = self._read(response, made)
                expect(is_whole or answer.status != 200, "200 to half a question")
                self.is_kept = is_whole and not response.will_close and not made.has_ended
                return answer
        except socket.timeout:
            raise NoAnswer("no answer: none came in time") from None
        except (http.client.HTTPException, ForeignAnswer, OSError) as error:
            # What is cut may look like a different answer.
            if made.has_ended or isinstance(error, OSError):
                end.is_begun = made.received > 0
                raise end from None
            if isinstance(error, ForeignAnswer):
                raise
            raise ForeignAnswer("foreign answer: not HTTP/1.1 as the daemon has it") from None

    @staticmethod
    def _read(response: http.client.HTTPResponse, made: _Socket) -> Answer:
        fields = response.headers
        lengths, types = fields.get_all("Content-Length", []), fields.get_all("Content-Type", [])
        expect(response.version == 11 and "Transfer-Encoding" not in fields and "Content-Encoding" not in fields and len(types) < 2
               and len(lengths) == 1 and _LENGTH.fullmatch(lengths[0]) is not None, "its head can be read in two ways")
        length = int(lengths[0])
        expect(length <= ANSWER_BYTES, "it is too long")
        body = response.fp.read(length)
        expect(len(body) == length, "it is cut")
        made.deadline = None
        expect(not response.fp.peek(1), "there is more than one")
        return Answer(response.status, fields, body)


class Pool:
    """Turns to ask, and connections that are idle; the youngest is used first, so that the others grow old.

    Threads share it without a lock: a deque's ``pop`` and ``append`` are single steps. A child process begins with all turns and no
    connection, whatever other threads of its parent did as it was forked.
    """

    def __init__(self, most_idle: int, most: int) -> None:
        self._most_idle, self._most = most_idle, most
        self._idle: Deque[Connection] = deque()
        self._begin()

    def _begin(self) -> None:
        self.close()  # That says nothing to the daemon, as the parent has them, too.
        self._turns, self._process = threading.Semaphore(self._most), os.getpid()

    @contextlib.contextmanager
    def turn(self, deadline: Deadline) -> Iterator[None]:
        """Waits for a turn; raises ``NoAnswer`` if the deadline is earlier."""
        if self._process != os.getpid():
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
