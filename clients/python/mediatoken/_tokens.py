"""What a valid token's answer says. Only reading such an answer makes these."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from datetime import datetime
from typing import NoReturn, Optional, Tuple, Union, final

from ._errors import Fault, Refused

#: Known to the code that reads answers, and to no other.
SEAL = object()


@dataclass(frozen=True, eq=False, repr=False)
class _Sealed:
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            raise TypeError(f"a {type(self).__name__} is made by a Client alone; call verify")

    def __reduce__(self) -> NoReturn:
        # What was pickled once would be valid for ever.
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled; pass on the members that you need")


@final
@dataclass(frozen=True, eq=False, repr=False)
class ValidToken(_Sealed):
    """A token that may play, now. It is used up."""

    #: SHA-256 of the token, 64 hexadecimal digits: its name in logs.
    identity: str
    #: What was signed.
    requestor_id: str
    resource_id: str
    mvpd_id: str
    proxy_mvpd_id: Optional[str]
    #: Names the viewer's account. Keep it out of your logs.
    session_guid: str
    issue_time: datetime
    expires_at: datetime
    #: The life that is granted.
    ttl_milliseconds: int
    #: The key that signed it.
    key_fingerprint: str
    #: Names of signed fields that the daemon does not know.
    unknown_fields: Tuple[str, ...]
    #: ``first``; ``retry``, a request of yours again; ``not-enforced``, where uses are not counted.
    use: str
    #: A pseudonym of the account that may be logged, if the daemon gives one.
    viewer_tag: Optional[str]
    #: A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs.
    handover: Optional[str]
    #: Yours, or the daemon's; its log has it too.
    request_id: str

    def __repr__(self) -> str:
        return f"<ValidToken {self.identity} use={self.use} request_id={self.request_id}>"


@final
@dataclass(frozen=True, eq=False, repr=False)
class ValidLine(_Sealed):
    """A token of a batch that may play, now. It is used up."""

    identity: str
    use: str

    def __repr__(self) -> str:
        return f"<ValidLine {self.identity} use={self.use}>"


@final
class Line:
    """What came of one question of a batch."""

    def __init__(self, outcome: Union[ValidLine, Refused, Fault]) -> None:
        self._outcome = outcome

    def token(self) -> ValidLine:
        """The valid token; raises ``Refused`` or ``Fault`` if it is not valid."""
        if isinstance(self._outcome, ValidLine):
            return self._outcome
        raise self._outcome

    def __bool__(self) -> NoReturn:
        raise TypeError("a Line is neither true nor false; call token(), which raises unless it is valid")

    def __repr__(self) -> str:
        return f"<Line {self._outcome!r}>"
