"""How many questions are on the way at once."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import Optional, Type

from ._connection import Deadline
from ._errors import NoAnswer


class Turns:
    """Each question has a connection, of which there are not more than a number. A child process begins with all of them free."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = threading.Semaphore(most)
        self._process = os.getpid()

    def take(self, deadline: Deadline) -> Turn:
        """Waits for a turn; raises ``NoAnswer`` if the deadline is earlier."""
        if self._process != os.getpid():
            # Another thread of the parent may have held the lock inside of it. It is there before the process is known to have one.
            self._free = threading.Semaphore(self._most)
            self._process = os.getpid()
        free = self._free
        if not free.acquire(timeout=deadline.left()):
            raise NoAnswer("no answer: all connections of this client were in use; nothing was asked")
        return Turn(free)


class Turn:
    """Is over at the end of its ``with``."""

    def __init__(self, free: threading.Semaphore) -> None:
        self._free = free

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self._free.release()
