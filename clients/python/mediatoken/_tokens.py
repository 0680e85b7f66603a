"""What a valid token's answer says. Only reading such an answer makes these."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn, Optional, Tuple, final
from weakref import WeakKeyDictionary

#: Known to the code that reads answers, and to no other.
SEAL = object()


@dataclass(frozen=True, repr=False)
class Said:
    """The members of a valid token."""

    identity: str
    requestor_id: str
    resource_id: str
    mvpd_id: str
    proxy_mvpd_id: Optional[str]
    session_guid: str
    issue_time: datetime
    expires_at: datetime
    ttl_milliseconds: int
    key_fingerprint: str
    unknown_fields: Tuple[str, ...]
    use: str
    viewer_tag: Optional[str]
    handover: Optional[str]
    request_id: str


@final
class ValidToken:
    """A token that may play, now. It is used up.

    What it says is kept apart from it: an object that was made in another way has nothing that could be set, and says nothing.
    """

    __slots__ = ("__weakref__",)

    def __init_subclass__(cls) -> None:
        raise _not_made()

    def __init__(self, seal: object, said: Said) -> None:
        if seal is not SEAL:
            raise _not_made()
        _tokens[self] = said

    # What was copied or pickled once would be valid for ever.

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a ValidToken cannot be copied or pickled; pass on the members that you need")

    def __setstate__(self, state: object) -> NoReturn:
        raise _not_made()

    @property
    def identity(self) -> str:
        """SHA-256 of the token, 64 hexadecimal digits: its name in logs."""
        return _said(self).identity

    @property
    def requestor_id(self) -> str:
        """The requestor that was signed."""
        return _said(self).requestor_id

    @property
    def resource_id(self) -> str:
        """The resource that was signed."""
        return _said(self).resource_id

    @property
    def mvpd_id(self) -> str:
        """The viewer's provider that was signed."""
        return _said(self).mvpd_id

    @property
    def proxy_mvpd_id(self) -> Optional[str]:
        """The proxy of the viewer's provider, if one was signed."""
        return _said(self).proxy_mvpd_id

    @property
    def session_guid(self) -> str:
        """Names the viewer's account. Keep it out of your logs."""
        return _said(self).session_guid

    @property
    def issue_time(self) -> datetime:
        """When the token was issued."""
        return _said(self).issue_time

    @property
    def expires_at(self) -> datetime:
        """When its life ends."""
        return _said(self).expires_at

    @property
    def ttl_milliseconds(self) -> int:
        """The life that is granted."""
        return _said(self).ttl_milliseconds

    @property
    def key_fingerprint(self) -> str:
        """The key that signed it."""
        return _said(self).key_fingerprint

    @property
    def unknown_fields(self) -> Tuple[str, ...]:
        """Names of signed fields that the daemon does not know."""
        return _said(self).unknown_fields

    @property
    def use(self) -> str:
        """``first``; ``retry``, a request of yours again; ``not-enforced``, where uses are not counted."""
        return _said(self).use

    @property
    def viewer_tag(self) -> Optional[str]:
        """A pseudonym of the account that may be logged, if the daemon gives one."""
        return _said(self).viewer_tag

    @property
    def handover(self) -> Optional[str]:
        """A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs."""
        return _said(self).handover

    @property
    def request_id(self) -> str:
        """Yours, or the daemon's; its log has it too."""
        return _said(self).request_id

    def __repr__(self) -> str:
        said = _tokens.get(self)
        return f"<ValidToken {said.identity} use={said.use} request_id={said.request_id}>" if said else "<ValidToken of no one>"


_tokens: WeakKeyDictionary[ValidToken, Said] = WeakKeyDictionary()


def is_genuine(token: object) -> bool:
    """Whether a client made it. ``isinstance`` is not enough: ``object.__new__`` makes instances of any class."""
    return type(token) is ValidToken and token in _tokens


def _said(token: ValidToken) -> Said:
    said = _tokens.get(token)
    if said is None:
        raise _not_made()
    return said


def _not_made() -> TypeError:
    return TypeError("a ValidToken is made by a Client alone; call verify")
