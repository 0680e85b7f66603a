"""The client."""

from __future__ import annotations

import contextvars
import os
import re
import secrets
import time
import weakref
from typing import Any, Callable, Optional, TypeVar, Union

from . import _answer, _question
from ._errors import Fault, ForeignAnswer, NoAnswer, NotReady, NotValid
from ._http import Address, Answer, Connection, Deadline, Ended, Pool
from ._question import Requestor, Resource
from ._tokens import ValidToken

#: Over TCP the daemon takes 64 from all of its callers, and closes the others unread.
LOCAL_CONNECTIONS, TCP_CONNECTIONS = 64, 32
#: ``sun_path`` of unix(7), without the byte that ends it; and seconds, of which the system counts milliseconds in 31 bits.
_PATH_BYTES, _LEAST_SECONDS, _MOST_SECONDS = 107, 0.001, 2_147_483
_LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})")
_HEADER = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}")
_OURS = {"host", "content-type", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade",
         "accept-encoding"}  # http.client sends that
Outcome = TypeVar("Outcome")
#: The deadline of a call that was begun before it came here.
BEGUN: contextvars.ContextVar[Optional[Deadline]] = contextvars.ContextVar("BEGUN", default=None)


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
        self._address = _parsed(address)
        is_local = isinstance(self._address, str)
        self._timeout: float = _number("timeout", timeout, float, _LEAST_SECONDS)
        self._header = request_id_header
        if request_id_header is not None and (not _HEADER.fullmatch(request_id_header) or request_id_header.lower() in _OURS):
            raise ValueError("expected as request_id_header the name of a header that is free for request ids")
        if retry_window is not None and (request_id_header is None or not is_local):
            raise ValueError("a retry window needs request_id_header and a UNIX socket, as the daemon's does")
        self._window = None if retry_window is None else _number("retry_window", retry_window, float, _LEAST_SECONDS)
        most = (LOCAL_CONNECTIONS if is_local else TCP_CONNECTIONS) if connections is None else connections
        self._connections: int = _number("connections", most, int, 1)
        self._pool = Pool(_number("idle_connections", idle_connections, int, 0), self._connections)
        weakref.finalize(self, self._pool.close)  # Also where the program ends.

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
            raise Fault("no verdict: bad-decision (400)", name="bad-decision", status=400, detail="expected a JSON object, as Adobe sent it")
        return self._verify(asked, request_id)

    def check_ready(self) -> None:
        """Returns if the daemon would play the next good token. Raises ``NotReady``, ``Fault``, ``NoAnswer`` or ``ForeignAnswer``."""
        self._exchange(_answer.of_readiness, self._timeout, "GET", "/readyz", None, {})

    def close(self) -> None:
        """Closes the connections that are idle. The client can be used again."""
        self._pool.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._address!r})"

    def _verify(self, asked: _question.Asked, request_id: Optional[str]) -> ValidToken:
        fields = {"Content-Type": asked.kind}
        if self._header is not None:
            request_id = secrets.token_hex(16) if request_id is None else request_id
            if _question.REQUEST_ID.fullmatch(request_id) is None:
                raise ValueError("expected a request id of 1 to 128 letters, digits and . _ - : + / = @")
            fields[self._header] = request_id
        elif request_id is not None:
            raise ValueError("a request id needs request_id_header, the daemon's setting requestIDHeader")
        return self._exchange(
            lambda answer: _answer.of_token(answer, asked, request_id), self._window, "POST", "/v1/verify", asked.body, fields)

    def _exchange(self, read: Callable[[Answer], Outcome], window: Optional[float], *question: Any) -> Outcome:
        """Asks, at most twice, and reads the answer. For ``window`` seconds a question that was sent may be sent again; None: never."""
        deadline = BEGUN.get() or Deadline(self._timeout)
        try:
            with self._pool.turn(deadline):
                return self._ask(deadline, read, window, question)
        except (NotValid, NotReady) as error:
            failure = error
        # Programs that report their errors collect what its traceback and its context have: the answer, and texts that were not JSON.
        failure.__context__ = None
        try:
            raise failure.with_traceback(None)
        finally:
            del failure  # Else this frame and the error would have each other.

    def _ask(self, deadline: Deadline, read: Callable[[Answer], Outcome], window: Optional[float], question: Any) -> Outcome:
        start = time.monotonic()

        def is_lost(end: Ended) -> bool:
            return not end.is_unsent and (end.is_begun or window is None or time.monotonic() - start >= window)

        connection = self._pool.take() or Connection(self._address, deadline)
        try:
            try:
                answer = connection.exchange(deadline, *question)
            except Ended as end:
                if is_lost(end):
                    raise
                connection.close()
                connection = Connection(self._address, deadline)
                if is_lost(end):  # Where the listener had no room, the window may be over by now.
                    raise
                answer = connection.exchange(deadline, *question)
            return read(answer)
        except ForeignAnswer:
            connection.is_kept = False
            raise
        except Ended:
            raise NoAnswer("no answer: the connection ended before it was whole") from None
        finally:
            self._pool.give(connection)


def _parsed(value: Union[str, os.PathLike[str]]) -> Address:
    """The path of a UNIX socket, or a host and a port."""
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"expected an address as str or a path, found {type(value).__name__}")
    loopback = _LOOPBACK.fullmatch(text)
    if loopback is not None and int(loopback[2]) <= 65_535:
        return (loopback[1].strip("[]"), int(loopback[2]))
    if not text or "://" in text or "\0" in text or len(os.fsencode(text)) > _PATH_BYTES:
        raise ValueError(f"expected the path of a UNIX socket, of 1 to {_PATH_BYTES} bytes, http://127.0.0.1:PORT or http://[::1]:PORT")
    return text


def _number(name: str, value: Any, kind: type, least: float) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, kind)):
        raise TypeError(f"expected as {name} a number, found {type(value).__name__}")
    if not least <= value <= _MOST_SECONDS:
        raise ValueError(f"expected as {name} a number from {least} to {_MOST_SECONDS}")
    return value
