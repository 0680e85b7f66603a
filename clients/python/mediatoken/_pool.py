"""Connections that wait for the next question."""

from __future__ import annotations

import os
from collections import deque
from typing import Deque, Optional

from ._connection import Connection


class Pool:
    """The youngest connection is used first, so that the others grow old.

    Threads share a pool without a lock: a deque's ``pop`` and ``append`` are single steps. So a child process begins with an empty one,
    whatever other threads of its parent did as it was forked.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._process = os.getpid()
        self._idle: Deque[Connection] = deque()

    def take(self) -> Optional[Connection]:
        """An idle connection that can be used, or None."""
        if self._process != os.getpid():
            self._process, inherited, self._idle = os.getpid(), self._idle, deque()
            _close(inherited)
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if connection.is_usable():
                return connection
            connection.close()

    def give(self, connection: Connection) -> None:
        """Takes a connection whose answer was read whole, and closes those that are too many or too old."""
        connection.rest()
        self._idle.append(connection)
        try:
            while len(self._idle) > self._most or self._idle[0].is_old():
                self._idle.popleft().close()
        except IndexError:
            # Other threads took the last one.
            return

    def close(self) -> None:
        """Closes those that are idle."""
        _close(self._idle)


def _close(idle: Deque[Connection]) -> None:
    while True:
        try:
            idle.pop().close()
        except IndexError:
            return
