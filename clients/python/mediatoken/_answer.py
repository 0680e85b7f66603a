"""What an answer means, read by the letter (clients/README.md, "How an answer is read"). What is not so is a ``ForeignAnswer``."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Dict, FrozenSet, Optional, Union

from . import _json
from ._connection import Answer
from ._errors import Fault, ForeignAnswer, NotReady, Refused
from ._question import Asked
from ._tokens import SEAL, Said, ValidToken

LEVELS = 16
_NAME = re.compile(r"[A-Z_]{1,64}")
_WORD = re.compile(r"[a-z0-9-]{1,64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:+/=@-]{1,128}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
#: The bound of a token's ttl, which has at most twelve digits.
_LONGEST_LIFE = 999_999_999_999
_SECONDS = re.compile(rb"[0-9]{1,5}")
_USES = ("first", "retry", "not-enforced")

Members = Dict[str, Any]


def of_token(answer: Answer, asked: Asked, request_id: Optional[str]) -> ValidToken:
    """The valid token; raises ``Refused``, ``Fault`` or ``ForeignAnswer``.

    ``request_id`` is the one that was sent; None if the daemon chooses one.
    """
    members = _members(answer)
    kind = _kind(members)
    if kind == "error":
        raise _error(answer, members, asked.is_decision)
    named = _text(members, "requestID", _REQUEST_ID)
    if request_id is not None and named != request_id:
        raise _foreign("another request id; is the header the daemon's requestIDHeader?")
    if kind == "fault":
        _expect(answer.status == 503 and _number(members, 64, 127), "a fault that its status or number contradicts")
        raise _fault(members, answer, named)
    identity = _identity(members, asked.identities)
    if members["verdict"] != "VALID_TOKEN":
        _expect(answer.status == 403 and _number(members, 1, 63), "a verdict that its status or number contradicts")
        raise _refused(members, identity, named)
    _expect(answer.status == 200 and _number(members, 0, 0), "a verdict that its status or number contradicts")
    use = _use(members, identity)
    requestor, resource = _text(members, "requestorID"), _text(members, "resourceID")
    _expect(asked.requestor in (None, requestor), "a valid token for another requestor")
    _expect(asked.resource in (None, resource), "a valid token for another resource")
    unknown = members.get("unknownFields")
    if not isinstance(unknown, list) or not all(isinstance(name, str) for name in unknown):
        raise _foreign("a member unknownFields of another type")
    ttl = members.get("ttlMilliseconds")
    if type(ttl) is not int or not 0 <= ttl <= _LONGEST_LIFE:
        raise _foreign("a member ttlMilliseconds of another type")
    return ValidToken(SEAL, Said(
        identity=identity or "", requestor_id=requestor, resource_id=resource, mvpd_id=_text(members, "mvpdId"),
        proxy_mvpd_id=_optional(members, "proxyMvpdId"), session_guid=_text(members, "sessionGUID"),
        issue_time=_time(members, "issueTime"), expires_at=_time(members, "expiresAt"), ttl_milliseconds=ttl,
        key_fingerprint=_text(members, "keyFingerprint", _DIGEST), unknown_fields=tuple(unknown), use=use,
        viewer_tag=_optional(members, "viewerTag"), handover=_optional(members, "handover"), request_id=named))


def of_readiness(answer: Answer) -> None:
    """Returns if it is ready; raises ``NotReady``, ``Fault`` or ``ForeignAnswer``."""
    members = _members(answer)
    if "status" not in members:
        _expect(_kind(members) == "error", "no status")
        raise _error(answer, members, is_decision=False)
    _expect(not {"verdict", "fault", "error"} & members.keys(), "two outcomes")
    if members["status"] == "not-ready":
        _expect(answer.status == 503, "a status that the member contradicts")
        reason = _text(members, "reason", _WORD)
        raise NotReady(
            f"not ready: {reason}", reason=reason, detail=_text(members, "detail"), cure=_text(members, "cure"),
            retry_after=_retry_after(answer))
    _expect(members["status"] == "ready" and answer.status == 200, "no status")


def _members(answer: Answer) -> Members:
    _expect(answer.fields.get(b"content-type") == b"application/json", "another content type")
    try:
        return _json.one_object(answer.body, LEVELS)
    except ValueError:
        raise _foreign("not one JSON object that can be read in one way only") from None


def _kind(members: Members) -> str:
    kinds = [name for name in ("verdict", "fault", "error") if name in members]
    _expect(len(kinds) == 1, "neither one verdict nor one fault nor one error")
    return kinds[0]


def _identity(members: Members, expected: FrozenSet[Optional[str]]) -> Optional[str]:
    if "identity" not in members:
        return None
    identity = _text(members, "identity", _DIGEST)
    _expect(identity in expected, "about a different token from the one that was sent")
    return identity


def _use(members: Members, identity: Optional[str]) -> str:
    _expect(identity is not None, "a valid token without a name")
    _expect(members.get("action") == "none" and members.get("adobeCode") == "VALID_TOKEN", "a verdict that its action contradicts")
    use = _text(members, "use")
    _expect(use in _USES, "an unknown use")
    return use


def _refused(members: Members, identity: Optional[str], request_id: str) -> Refused:
    verdict, reason = _text(members, "verdict", _NAME), _text(members, "reason", _WORD)
    action, code = _text(members, "action", _WORD), _text(members, "adobeCode", _NAME)
    _expect(action != "none" and code != "VALID_TOKEN", "a verdict that its action contradicts")
    return Refused(
        f"{verdict}: {reason}", verdict=verdict, reason=reason, detail=_text(members, "detail"), action=action, adobe_code=code,
        identity=identity, request_id=request_id)


def _fault(members: Members, answer: Answer, request_id: str) -> Fault:
    name, action = _text(members, "fault", _NAME), _text(members, "action", _WORD)
    _expect(action != "none", "a fault that its action contradicts")
    return Fault(
        f"no verdict: {name}", name=name, status=answer.status, action=action, retry_after=_retry_after(answer), request_id=request_id)


def _error(answer: Answer, members: Members, is_decision: bool) -> Union[Refused, Fault]:
    name, detail = _text(members, "error", _WORD), _text(members, "detail")
    _expect(400 <= answer.status <= 599, "an error that its status contradicts")
    action = _text(members, "action", _WORD) if "action" in members else "report"
    _expect(action != "none", "an error that its action contradicts")
    if name == "no-token-in-decision":
        _expect(is_decision and answer.status == 403, "about a decision that was not sent")
        return Refused(name, reason=name, detail=detail, action=action, decision_error=_optional(members, "decisionError"))
    return Fault(
        f"no verdict: {name} ({answer.status})", name=name, status=answer.status, detail=detail, action=action,
        retry_after=_retry_after(answer))


def _retry_after(answer: Answer) -> Optional[int]:
    value = answer.fields.get(b"retry-after", b"")
    return int(value) if _SECONDS.fullmatch(value) else None


def _text(members: Members, name: str, form: Optional[re.Pattern[str]] = None) -> str:
    value = members.get(name)
    if not isinstance(value, str) or (form is not None and form.fullmatch(value) is None):
        raise _foreign(f"without a member {name} of its form")
    return value


def _optional(members: Members, name: str) -> Optional[str]:
    return _text(members, name) if name in members else None


def _number(members: Members, least: int, most: int) -> bool:
    value = members.get("number")
    return type(value) is int and least <= value <= most


def _time(members: Members, name: str) -> datetime:
    text = _text(members, name, _TIME)
    try:
        return datetime.fromisoformat(text[:-1] + "+00:00")
    except ValueError:
        raise _foreign(f"without a member {name} of its form") from None


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _foreign(otherwise)


def _foreign(what: str) -> ForeignAnswer:
    return ForeignAnswer(f"foreign answer: {what}")
