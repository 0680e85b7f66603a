"""Everything that is not a valid token. None of these texts has a byte of a token or of an answer that is not ours."""

from __future__ import annotations

from typing import Any, Optional


class _Error(Exception):
    def __init__(self, message: str, **members: Any) -> None:
        super().__init__(message)
        vars(self).update(members)


class NotValid(_Error):
    """Do not play. ``action`` is what the player does next: ``new-token``, ``retry`` with the same one, or ``report``: no other helps."""

    action: str = "report"


class Refused(NotValid):
    """The daemon says no. ``verdict`` is None of a decision that has no token; its reason is ``no-token-in-decision``."""

    verdict: Optional[str] = None
    reason: str = ""
    detail: str = ""
    adobe_code: str = "ERROR_UNKNOWN"
    identity: Optional[str] = None
    decision_error: Optional[str] = None
    request_id: Optional[str] = None


class Fault(NotValid):
    """The daemon has no verdict: something is wrong on its side, or with the question. ``retry_after`` is in seconds."""

    name: str = ""
    status: int = 0
    detail: str = ""
    retry_after: Optional[int] = None
    request_id: Optional[str] = None


class NoAnswer(NotValid):
    """No one listens, or no whole answer came in time. The token may be used up."""

    action = "retry"


class ForeignAnswer(NotValid):
    """What came is not an answer of mediatokend to this question. The token may be used up."""


class NotReady(_Error):
    """The daemon would not play the next good token. ``reason`` is for programs, ``detail`` and ``cure`` for people."""

    reason: str = ""
    detail: str = ""
    cure: str = ""
    retry_after: Optional[int] = None


def expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ForeignAnswer(f"foreign answer: {otherwise}")
