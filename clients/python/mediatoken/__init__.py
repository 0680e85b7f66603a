"""Asks mediatokend whether an Adobe Pass short media token may play: ``Client.verify`` returns a ``ValidToken``, or raises ``NotValid``."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import secrets
import select
import socket
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Type, Union
from urllib.parse import urlencode

__version__ = "0.2.0"
__all__ = ["CONFIGURED", "Channel", "Client", "Document", "NotValid", "Refused", "Requestor", "Resource", "Unavailable", "ValidToken"]
#: Names of members of answers by those of a ValidToken.
_MEMBERS = {re.sub("([a-z])([A-Z])", r"\1_\2", name).lower(): name for name in (
    "identity use requestID requestorID resourceID mvpdId proxyMvpdId sessionGUID issueTime expiresAt ttlMilliseconds keyFingerprint "
    "unknownFields viewerTag handover").split()}


class CONFIGURED:
    """In place of a requestor or resource: the one of the daemon's configuration."""


class Document(NamedTuple):
    """A Media RSS document that the token's resource must be the same as, however it is spelled."""
    text: str


class Channel(NamedTuple):
    """A channel: the token's resource must be this id, or a document whose channel has this title."""
    id: str


Requestor = Union[str, Type[CONFIGURED]]
Resource = Union[str, Document, Channel, Type[CONFIGURED]]


@dataclass(frozen=True)
class ValidToken:
    """A token that may play, now. It is used up. ``verify`` makes these; their text has what may be logged."""
    identity: str  #: SHA-256 of the token, 64 hexadecimal digits: its name in logs.
    use: str  #: ``first``; ``retry``, a request of yours again; ``not-enforced``, where uses are not counted.
    request_id: str  #: Yours, or the daemon's; its log has it too.
    requestor_id: str = field(repr=False)
    resource_id: str = field(repr=False)
    mvpd_id: str = field(repr=False)
    session_guid: str = field(repr=False)  #: Names the viewer's account. Keep it out of your logs.
    issue_time: datetime = field(repr=False)
    expires_at: datetime = field(repr=False)
    ttl_milliseconds: int = field(repr=False)  #: The life that is granted.
    key_fingerprint: str = field(repr=False)  #: The key that signed it.
    unknown_fields: Tuple[str, ...] = field(repr=False)  #: Names of signed fields that the daemon does not know.
    proxy_mvpd_id: Optional[str] = field(default=None, repr=False)
    viewer_tag: Optional[str] = field(default=None, repr=False)  #: A pseudonym of the account that may be logged.
    handover: Optional[str] = field(default=None, repr=False)  #: A credential for the segments. Keep it out of your logs.


class NotValid(Exception):
    """Do not play. ``action`` is what the player does next: ``new-token``, ``retry`` with the same one, or ``report``: no other helps."""
    action: str = "retry"
    detail: str = ""  #: For people.
    request_id: Optional[str] = None  #: Yours, or the daemon's.

    def __init__(self, message: str, **members: Any) -> None:
        super().__init__(message)
        vars(self).update(members)


class Refused(NotValid):
    """The daemon says no. ``verdict`` is None of a decision that has no token; its reason is ``no-token-in-decision``."""
    verdict: Optional[str] = None
    reason: str = ""
    adobe_code: str = "ERROR_UNKNOWN"


class Unavailable(NotValid):
    """There is no verdict: the daemon does not answer or cannot decide, or the question is wrong. The token may be used up."""
    name: str = "NO_ANSWER"  #: The daemon's fault or error, if it said one.
    status: Optional[int] = None  #: The answer's, if there was one.
    retry_after: Optional[int] = None  #: Seconds.


class _Socket(socket.socket):
    """Waits until the call's deadline, however few bytes come at a time."""
    end = 0.0

    def recv_into(self, *arguments: Any) -> int:
        self.settimeout(max(self.end - time.monotonic(), 1e-6))
        return super().recv_into(*arguments)


class Client:
    """Asks one daemon. All threads of a process may use it, and so may processes that are forked from it.

    ``address`` is the path of the daemon's UNIX socket; ``timeout`` has the seconds for a whole call. ``request_id_header`` is the daemon's
    setting ``requestIDHeader``: each question then has an id, which must come back. ``connections`` is how many are kept between questions."""

    def __init__(self, address: Union[str, os.PathLike[str]], *, timeout: float = 5.0, request_id_header: Optional[str] = None,
                 connections: int = 64) -> None:
        self._address, self._timeout, self._header, self._connections = os.fspath(address), timeout, request_id_header, connections
        self._process, self._idle = os.getpid(), []  # type: int, List[http.client.HTTPConnection]

    def verify(self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None) -> ValidToken:
        """Asks about a token as it was received, and uses it up. Raises ``Refused`` or ``Unavailable``.

        ``requestor`` and ``resource`` are what you are about to play, never what the viewer or the token says. ``request_id`` is an id of
        yours, a new one for each playback that cannot be guessed; without it the client makes one."""
        received, names = _wanted(token, requestor, resource)
        # A form has no empty values; the daemon trims the space.
        body = urlencode({"token": received or b" ", **names}).encode()
        return self._ask("application/x-www-form-urlencoded", body, names, request_id)

    def verify_decision(self, decision: Union[str, bytes], *, requestor: Requestor, resource: Resource,
                        request_id: Optional[str] = None) -> ValidToken:
        """The same with a whole answer of ``decisions/authorize`` of Adobe's REST API v2, as it came."""
        received, names = _wanted(decision, requestor, resource)
        # What follows an object could say a requestor or a resource of its own.
        if _object(received) is None:
            raise Unavailable("no verdict: bad-decision (400)", name="bad-decision", status=400, detail="expected one JSON object")
        body = json.dumps(names)[:-1].encode() + (b", " if names else b"") + b'"decision": ' + received + b"}"
        return self._ask("application/json", body, names, request_id)

    def _ask(self, kind: str, body: bytes, names: Dict[str, str], request_id: Optional[str]) -> ValidToken:
        end, fields = time.monotonic() + self._timeout, {"Content-Type": kind}
        if self._header is not None:
            request_id = secrets.token_hex(16) if request_id is None else request_id
            fields[self._header] = request_id
        if request_id is not None and (self._header is None or not re.fullmatch("[A-Za-z0-9._:+/=@-]{1,128}", request_id)):
            raise ValueError("a request id has 1 to 128 letters, digits and . _ - : + / = @, and needs request_id_header")
        outcome = _outcome(*self._exchange(end, body, fields), names, request_id)
        if isinstance(outcome, NotValid):
            raise outcome
        return outcome

    def _exchange(self, end: float, body: bytes, fields: Dict[str, str]) -> Tuple[Optional[int], Dict[str, Any], str]:
        """Status and members of an answer, and its Retry-After or what is wrong. Only a connection whose answer came whole is kept."""
        connection, is_kept = self._kept(), False
        try:
            is_new, waits = connection.sock is None, connection.sock or _Socket(socket.AF_UNIX)  # type: bool, Any
            connection.sock, waits.end = waits, end
            waits.settimeout(max(end - time.monotonic(), 1e-6))
            if is_new:
                waits.connect(self._address)
            connection.request("POST", "/v1/verify", body, fields)
            response = connection.getresponse()
            said = _object(response.read(1 << 20))
            # A response is closed after its last byte, and the connection has no socket if it says that it ends.
            if said is None or not response.isclosed():
                return response.status, {}, ""
            is_kept = connection.sock is not None and len(self._idle) < self._connections
            return response.status, said, response.headers.get("Retry-After", "")
        except socket.timeout:
            return None, {}, "none came in time"
        except (OSError, ValueError, http.client.HTTPException) as error:
            is_absent = isinstance(error, (FileNotFoundError, ConnectionRefusedError, PermissionError))
            return None, {}, "check the address, and whether mediatokend runs" if is_absent else "the connection ended before it was whole"
        finally:
            self._idle.append(connection) if is_kept else connection.close()

    def _kept(self) -> http.client.HTTPConnection:
        """A connection that is idle and silent, or a new one. What can be read has ended, or says what no question asked for."""
        if self._process != os.getpid():
            self._idle, self._process = [], os.getpid()  # Those of before are the parent's.
        with contextlib.suppress(IndexError):
            while True:
                connection, poll = self._idle.pop(), select.poll()
                poll.register(connection.sock, select.POLLIN)
                if not poll.poll(0):
                    return connection
                connection.close()
        return http.client.HTTPConnection("localhost")


def _object(data: bytes) -> Optional[Dict[str, Any]]:
    """The members of one JSON object, and None of anything else."""
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _outcome(status: Optional[int], said: Dict[str, Any], rest: str, names: Dict[str, str],
             request_id: Optional[str]) -> Union[ValidToken, NotValid]:
    """Valid is 200 with the verdict and about what was asked, and nothing else."""
    wanted = {"verdict": "VALID_TOKEN", "requestorID": names.get("requestor"), "resourceID": names.get("resource"), "requestID": request_id}
    if status == 200 and all(value in (None, said.get(name)) for name, value in wanted.items()):
        with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
            return _valid(said)
    texts = {name: text for name, text in said.items() if isinstance(text, str)}
    verdict, error, reason, sent = texts.get("verdict"), texts.get("error"), texts.get("reason", ""), texts.get("requestID")
    common = {"detail": texts.get("detail", ""), "action": texts.get("action", "retry"), "request_id": request_id or sent}
    if status == 403 and error == "no-token-in-decision":
        return Refused(error, reason=error, **common)
    if status == 403 and request_id in (None, sent) and verdict not in (None, "", "VALID_TOKEN"):
        return Refused(f"{verdict}: {reason}", verdict=verdict, reason=reason, adobe_code=texts.get("adobeCode", ""), **common)
    name = texts.get("fault", error)
    if status in (None, 200) or name is None:
        why = "what answered is not mediatokend" if status else rest
        return Unavailable(f"no verdict: NO_ANSWER ({why})", status=status, detail=why, request_id=request_id)
    after = int(rest) if re.fullmatch("[0-9]{1,5}", rest) else None
    return Unavailable(f"no verdict: {name} ({status})", name=name, status=status, retry_after=after, **common)


def _valid(said: Dict[str, Any]) -> ValidToken:
    members = {name: said[member] for name, member in _MEMBERS.items() if member in said}
    for name in ("issue_time", "expires_at"):
        members[name] = datetime.fromisoformat(members[name].replace("Z", "+00:00"))
    members["unknown_fields"] = tuple(members["unknown_fields"])
    return ValidToken(**members)


def _wanted(text: Union[str, bytes], requestor: Requestor, resource: Resource) -> Tuple[bytes, Dict[str, str]]:
    """What was received, and the parameters of a question. What is left out of them is for the daemon's configuration to say."""
    wanted: Dict[str, Any] = {"requestor": requestor, "resource": resource}
    if isinstance(resource, (Document, Channel)):
        wanted = {"requestor": requestor, f"resource{type(resource).__name__}": resource[0]}
    names = {name: value for name, value in wanted.items() if value is not CONFIGURED}
    for name, value in names.items():
        if not isinstance(value, str) or not value:
            raise (ValueError if value == "" else TypeError)(f"expected as {name} a text that is not empty, or CONFIGURED")
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(memoryview(text)), names
