"""The client."""

from __future__ import annotations

import os
import re
import secrets
import time
import weakref
from types import TracebackType
from typing import Callable, List, Optional, Type, TypeVar, Union

from . import _answer, _question, _settings
from ._connection import Answer, Connection, Deadline, Ended, Unsent
from ._errors import Fault, NoAnswer, NotReady, NotValid, Refused
from ._pool import Pool
from ._question import Requestor, Resource
from ._tokens import ValidToken
from ._turns import Turns

#: Room for a token of the greatest length with every byte escaped.
ANSWER_BYTES = 1 << 20
#: Over TCP the daemon takes 64 from all of its callers, and closes the others unread.
LOCAL_CONNECTIONS, TCP_CONNECTIONS = 64, 32

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:+/=@-]{1,128}")

Outcome = TypeVar("Outcome")


class Client:
    """Asks one daemon. All threads of a process may use it, and so may processes that are forked from it.

    - ``address``: path of the daemon's UNIX socket, or ``http://127.0.0.1:PORT`` or ``http://[::1]:PORT``.
    - ``timeout``: seconds for a whole call.
    - ``request_id_header``: the daemon's setting ``requestIDHeader``. Each question then has an id, which must come back.
    - ``retry_window``: the daemon's ``replay.retryWindowMilliseconds``, in seconds. A question whose answer was lost is asked once more
      with the same id within that time. Only with ``request_id_header``, at a UNIX socket.
    - ``idle_connections``: the most that are kept open between questions.
    - ``connections``: the most questions of a process that are on the way at once, each on a connection of its own: 64, or 32 over TCP,
      unless it is set. Others wait for their turn until their deadline.
    """

    def __init__(
        self, address: Union[str, os.PathLike[str]], *, timeout: float = 5.0, request_id_header: Optional[str] = None,
        retry_window: Optional[float] = None, idle_connections: int = 8, connections: Optional[int] = None,
    ) -> None:
        self._address = _settings.address(address)
        self._timeout, self._header = _settings.seconds("timeout", timeout), _settings.header(request_id_header)
        self._window = _settings.window(retry_window, self._header, self._address)
        usual = LOCAL_CONNECTIONS if isinstance(self._address, str) else TCP_CONNECTIONS
        self._turns = Turns(usual if connections is None else _settings.count("connections", connections, 1))
        self._pool = Pool(_settings.count("idle_connections", idle_connections, 0))
        # Also where the program ends.
        weakref.finalize(self, self._pool.close)

    def verify(
        self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None
    ) -> ValidToken:
        """Asks about a token as it was received, and uses it up.

        ``requestor`` and ``resource`` are what you are about to play, never what the viewer or the token says. ``request_id`` is an id of
        yours, a new one for each playback that no one can guess; without it the client makes one.

        Raises ``Refused``, ``Fault``, ``NoAnswer`` or ``ForeignAnswer``, each of them a ``NotValid``.
        """
        return self._verify(_question.about_token(token, requestor, resource), request_id)

    def verify_decision(
        self, decision: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None
    ) -> ValidToken:
        """The same with a whole answer of ``decisions/authorize`` of Adobe's REST API v2, as it came."""
        asked = _question.about_decision(decision, requestor, resource)
        if asked is None:
            raise Fault("no verdict: bad-decision (400)", name="bad-decision", status=400,
                        detail="expected one JSON object, as Adobe sent it")
        return self._verify(asked, request_id)

    def check_ready(self) -> None:
        """Returns if the daemon would play the next good token. Raises ``NotReady``, ``Fault``, ``NoAnswer`` or ``ForeignAnswer``."""
        self._exchange(_written("GET /readyz", []), _answer.of_readiness, repeats_within=self._timeout)

    def close(self) -> None:
        """Closes the connections that are idle. The client can be used again."""
        self._pool.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._address!r})"

    def _verify(self, asked: _question.Asked, request_id: Optional[str]) -> ValidToken:
        fields = [("Content-Type", asked.kind)]
        if self._header is None:
            if request_id is not None:
                raise ValueError("a request id needs request_id_header, the daemon's setting requestIDHeader")
        else:
            request_id = secrets.token_hex(16) if request_id is None else request_id
            if _REQUEST_ID.fullmatch(request_id) is None:
                raise ValueError("expected a request id of 1 to 128 letters, digits and . _ - : + / = @")
            fields.append((self._header, request_id))
        return self._exchange(
            _written(f"POST {asked.target}", fields, asked.body), lambda answer: _answer.of_token(answer, asked, request_id),
            repeats_within=self._window)

    def _exchange(self, question: bytes, read: Callable[[Answer], Outcome], repeats_within: Optional[float]) -> Outcome:
        """Asks, at most twice, and reads the answer.

        ``repeats_within`` is for how many seconds a question that was sent may be sent again; None: never.
        """
        deadline = Deadline(self._timeout)
        try:
            with self._turns.take(deadline):
                return self._exchange_now(question, read, repeats_within, deadline)
        except (NotValid, NotReady) as error:
            failure = error
        # Programs that report their errors collect what its traceback and its context have: the answer, and texts that were not JSON.
        failure.__context__ = None
        try:
            raise failure.with_traceback(None)
        finally:
            # Else this frame and the error would have each other.
            del failure

    def _exchange_now(
        self, question: bytes, read: Callable[[Answer], Outcome], repeats_within: Optional[float], deadline: Deadline
    ) -> Outcome:
        start = time.monotonic()
        connection = self._pool.take() or Connection(self._address, deadline)
        try:
            try:
                answer = connection.exchange(question, deadline, ANSWER_BYTES)
            except (Unsent, Ended) as end:
                if not _may_repeat(end, start, repeats_within):
                    raise
                connection.close()
                connection = Connection(self._address, deadline)
                # Where the listener had no room, the window may be over by now.
                if not _may_repeat(end, start, repeats_within):
                    raise
                answer = connection.exchange(question, deadline, ANSWER_BYTES)
            outcome = read(answer)
        except Ended:
            connection.close()
            raise NoAnswer("no answer: the connection ended before it was whole") from None
        except (Fault, NotReady, Refused):
            self._keep(connection, answer)
            raise
        except BaseException:
            connection.close()
            raise
        self._keep(connection, answer)
        return outcome

    def _keep(self, connection: Connection, answer: Answer) -> None:
        if answer.is_kept:
            self._pool.give(connection)
        else:
            connection.close()


def _may_repeat(end: Union[Unsent, Ended], start: float, within: Optional[float]) -> bool:
    """Whether a question goes to a new connection: nothing of it was sent, or it was, is unanswered, and the time is not over."""
    return isinstance(end, Unsent) or (not end.began and within is not None and time.monotonic() - start < within)


def _written(line: str, fields: List["tuple[str, str]"], body: Optional[bytes] = None) -> bytes:
    head = f"{line} HTTP/1.1\r\nHost: localhost\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
    return (head + ("\r\n" if body is None else f"Content-Length: {len(body)}\r\n\r\n")).encode("ascii") + (body or b"")
