"""Everything that is not a valid token. None of these texts has a byte of a token or of an answer that is not ours."""

from __future__ import annotations

from typing import Optional


class NotValid(Exception):
    """There is no valid token: do not play.

    ``action`` is what the player does next: ``new-token``, ``retry`` with the same one, or ``report``, as a new one would not help.
    """

    action: str = "report"


class Refused(NotValid):
    """The daemon says no. ``verdict`` is None of a decision that has no token; its reason is ``no-token-in-decision``."""

    def __init__(
        self, message: str, *, verdict: Optional[str] = None, reason: str = "", detail: str = "", action: str = "report",
        adobe_code: str = "ERROR_UNKNOWN", identity: Optional[str] = None, decision_error: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.verdict, self.reason, self.detail, self.action = verdict, reason, detail, action
        self.adobe_code, self.identity = adobe_code, identity
        self.decision_error, self.request_id = decision_error, request_id


class Fault(NotValid):
    """The daemon has no verdict: something is wrong on its side, or with the question. ``retry_after`` is in seconds."""

    def __init__(
        self, message: str, *, name: str = "", status: int = 0, detail: str = "", action: str = "report",
        retry_after: Optional[int] = None, request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.name, self.status, self.detail, self.action = name, status, detail, action
        self.retry_after, self.request_id = retry_after, request_id


class NoAnswer(NotValid):
    """No one listens, or no whole answer came in time. The token may be used up."""

    action = "retry"


class ForeignAnswer(NotValid):
    """What came is not an answer of mediatokend to this question. The token may be used up."""

    action = "report"


class NotReady(Exception):
    """The daemon would not play the next good token. ``reason`` is for programs, ``detail`` and ``cure`` for people."""

    def __init__(
        self, message: str, *, reason: str = "", detail: str = "", cure: str = "", retry_after: Optional[int] = None
    ) -> None:
        super().__init__(message)
        self.reason, self.detail, self.cure, self.retry_after = reason, detail, cure, retry_after
