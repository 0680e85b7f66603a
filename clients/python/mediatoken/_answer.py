"""What an answer means, read by the letter (clients/README.md, "How an answer is read"). What is not so is a ``ForeignAnswer``."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Dict, Optional

from ._errors import Fault, ForeignAnswer, NotReady, NotValid, Refused, expect
from ._http import Answer
from ._question import REQUEST_ID, Asked, one_object
from ._tokens import SEAL, ValidToken

_NAME, _WORD, _DIGEST = re.compile(r"[A-Z_]{1,64}"), re.compile(r"[a-z0-9-]{1,64}"), re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
_USE, _SECONDS = re.compile("first|retry|not-enforced"), re.compile(r"[0-9]{1,5}")
#: A token's ttl has at most twelve digits.
_LONGEST_LIFE = 999_999_999_999
_TEXTS = {"requestor_id": "requestorID", "resource_id": "resourceID", "mvpd_id": "mvpdId", "session_guid": "sessionGUID"}
_OPTIONAL = {"proxy_mvpd_id": "proxyMvpdId", "viewer_tag": "viewerTag", "handover": "handover"}


def of_token(answer: Answer, asked: Asked, request_id: Optional[str]) -> ValidToken:
    """The valid token; raises ``Refused``, ``Fault`` or ``ForeignAnswer``. ``request_id``: what was sent; None if the daemon chooses."""
    said = _Said(answer)
    if said.kind() == "error":
        raise said.error(asked.kind == "application/json")
    common: Dict[str, Any] = {"request_id": said.text("requestID", REQUEST_ID)}
    expect(request_id in (None, common["request_id"]), "another request id; is the header the daemon's requestIDHeader?")
    if said.kind() == "fault":
        expect(answer.status == 503 and 64 <= said.number("number", 127), "a fault that its status or number contradicts")
        name = said.text("fault", _NAME)
        raise Fault(f"no verdict: {name}", name=name, status=503, action=said.action(), retry_after=said.retry_after(), **common)
    common["identity"] = said.text("identity", _DIGEST) if "identity" in said.members else None
    expect(common["identity"] is None or common["identity"] in asked.identities, "about a different token from the one that was sent")
    verdict, number, code = said.text("verdict", _NAME), said.number("number", 63), said.text("adobeCode", _NAME)
    if verdict != "VALID_TOKEN":
        expect(answer.status == 403 and number > 0 and code != "VALID_TOKEN", "a verdict that its status, number or code contradicts")
        reason = said.text("reason", _WORD)
        raise Refused(f"{verdict}: {reason}", verdict=verdict, reason=reason, detail=said.text("detail"), action=said.action(),
                      adobe_code=code, **common)
    expect((answer.status, number, code, said.text("action")) == (200, 0, "VALID_TOKEN", "none"),
            "a verdict that its status, number, code or action contradicts")
    expect(common["identity"] is not None, "a valid token without a name")
    members: Dict[str, Optional[str]] = {name: said.text(member) for name, member in _TEXTS.items()}
    members |= {name: said.optional(member) for name, member in _OPTIONAL.items()}
    unknown = said.members.get("unknownFields")
    expect(asked.names.get("requestor") in (None, members["requestor_id"]), "a valid token for another requestor")
    expect(asked.names.get("resource") in (None, members["resource_id"]), "a valid token for another resource")
    expect(isinstance(unknown, list) and all(isinstance(name, str) for name in unknown), "a member unknownFields of another type")
    return ValidToken(SEAL, {
        **members, **common, "unknown_fields": tuple(unknown or ()), "use": said.text("use", _USE),
        "issue_time": said.time("issueTime"), "expires_at": said.time("expiresAt"), "key_fingerprint": said.text("keyFingerprint", _DIGEST),
        "ttl_milliseconds": said.number("ttlMilliseconds", _LONGEST_LIFE)})


def of_readiness(answer: Answer) -> None:
    """Returns if it is ready; raises ``NotReady``, ``Fault`` or ``ForeignAnswer``."""
    said = _Said(answer)
    if "status" not in said.members:
        expect(said.kind() == "error", "no status")
        raise said.error(is_decision=False)
    expect(not {"verdict", "fault", "error"} & said.members.keys(), "two outcomes")
    status = (answer.status, said.members["status"])
    if status == (503, "not-ready"):
        reason, detail, cure = said.text("reason", _WORD), said.text("detail"), said.text("cure")
        raise NotReady(f"not ready: {reason}", reason=reason, detail=detail, cure=cure, retry_after=said.retry_after())
    expect(status == (200, "ready"), "a status that is neither, or that the member contradicts")


class _Said:
    """The members of an answer, each of its form."""

    def __init__(self, answer: Answer) -> None:
        expect(answer.fields.get("Content-Type") == "application/json", "another content type")
        self.answer = answer
        try:
            self.members = one_object(answer.body)
        except ValueError:
            raise ForeignAnswer("foreign answer: not one JSON object that can be read in one way only") from None

    def kind(self) -> str:
        kinds = [name for name in ("verdict", "fault", "error") if name in self.members]
        expect(len(kinds) == 1, "neither one verdict nor one fault nor one error")
        return kinds[0]

    def error(self, is_decision: bool) -> NotValid:
        name, status, action = self.text("error", _WORD), self.answer.status, self.action() if "action" in self.members else "report"
        common = {"detail": self.text("detail"), "action": action}
        expect(400 <= status <= 599, "an error that its status contradicts")
        if name == "no-token-in-decision":
            expect(is_decision and status == 403, "about a decision that was not sent")
            return Refused(name, reason=name, decision_error=self.optional("decisionError"), **common)
        return Fault(f"no verdict: {name} ({status})", name=name, status=status, retry_after=self.retry_after(), **common)

    def action(self) -> str:
        action = self.text("action", _WORD)
        expect(action != "none", "an outcome that its action contradicts")
        return action

    def retry_after(self) -> Optional[int]:
        value = self.answer.fields.get("Retry-After", "")
        return int(value) if _SECONDS.fullmatch(value) else None

    def text(self, name: str, form: Optional[re.Pattern[str]] = None) -> str:
        value = self.members.get(name)
        expect(isinstance(value, str) and (form is None or form.fullmatch(value) is not None), f"without a member {name} of its form")
        return str(value)

    def optional(self, name: str) -> Optional[str]:
        return self.text(name) if name in self.members else None

    def number(self, name: str, most: int) -> int:
        value = self.members.get(name)
        expect(type(value) is int and 0 <= value <= most, f"without a member {name} of its form")
        return int(value or 0)

    def time(self, name: str) -> datetime:
        try:
            return datetime.fromisoformat(self.text(name, _TIME)[:-1] + "+00:00")
        except ValueError:
            raise ForeignAnswer(f"foreign answer: without a member {name} of its form") from None
