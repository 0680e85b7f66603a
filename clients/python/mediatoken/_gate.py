"""What both kinds of middleware decide, and what they answer in the application's place."""

from __future__ import annotations

import json
from typing import Callable, Dict, List, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

from ._errors import Fault, NoAnswer, NotValid, Refused
from ._question import Requestor, Resource
from ._tokens import ValidToken, is_genuine

#: Methods that may start playback, byte for byte. No token is used up for another.
_PLAYS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Verifying(Protocol):
    """A ``Client``, a ``Verifier`` of ``mediatoken.inprocess``, or an object that asks one. Nothing but a ``ValidToken`` plays."""

    def verify(self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource) -> ValidToken:
        """The valid token; raises ``NotValid``."""


class Answer(NamedTuple):
    """An answer that lets no one play."""

    status: int
    fields: List[Tuple[str, str]]
    body: bytes


def decide(
    client: Verifying, method: str, tokens: Sequence[bytes], requestor: Requestor, resource: Callable[[], Resource]
) -> Union[ValidToken, Answer]:
    """The valid token of a request that has just one, or the answer to the viewer. ``resource`` is asked only if there is one."""
    if method not in _PLAYS:
        return _answer(405, {"error": "method-not-allowed", "action": "report"}, ("Allow", ", ".join(_PLAYS)))
    if not any(tokens):
        return _answer(401, {"error": "no-token", "action": "new-token"}, ("WWW-Authenticate", "MediaToken"))
    if len(tokens) > 1:
        return _answer(403, {"error": "ambiguous", "action": "new-token"})
    try:
        token = client.verify(tokens[0], requestor=requestor, resource=resource())
    except Refused as no:
        return _answer(403, {"verdict": no.verdict or "", "reason": no.reason, "action": no.action, "adobeCode": no.adobe_code})
    except Fault as fault:
        after = None if fault.retry_after is None else ("Retry-After", str(fault.retry_after))
        return _answer(503, {"fault": fault.name, "action": fault.action}, after)
    except NotValid as problem:
        return _answer(503, {"fault": "NO_ANSWER" if isinstance(problem, NoAnswer) else "FOREIGN_ANSWER", "action": problem.action})
    if not is_genuine(token):
        raise TypeError("verify must return a ValidToken; a client that is awaited cannot be used")
    return token


def _answer(status: int, members: Dict[str, str], field: Optional[Tuple[str, str]] = None) -> Answer:
    body = json.dumps(members, separators=(",", ":")).encode()
    fields = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
    return Answer(status, fields + ([field] if field else []), body)
