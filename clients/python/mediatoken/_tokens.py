"""What a valid token's answer says. Only reading such an answer makes these."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Generic, NoReturn, Optional, Tuple, TypeVar, final
from weakref import WeakKeyDictionary

#: Known to the code that reads answers, and to no other.
SEAL = object()
Value = TypeVar("Value")


class _Member(Generic[Value]):
    """A member, kept apart from its token: an object that was made in another way has nothing that could be set, and says nothing."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, token: Any, owner: Any = None) -> Value:
        if not is_genuine(token):
            raise _not_made()
        value: Value = _tokens[token][self._name]
        return value

    def __set__(self, token: object, value: NoReturn) -> NoReturn:
        raise AttributeError("a ValidToken cannot be changed")


@final
class ValidToken:
    """A token that may play, now. It is used up."""

    __slots__ = ("__weakref__",)
    identity = _Member[str]("SHA-256 of the token, 64 hexadecimal digits: its name in logs.")
    requestor_id = _Member[str]("The requestor that was signed.")
    resource_id = _Member[str]("The resource that was signed.")
    mvpd_id = _Member[str]("The viewer's provider that was signed.")
    proxy_mvpd_id = _Member[Optional[str]]("The proxy of the viewer's provider, if one was signed.")
    session_guid = _Member[str]("Names the viewer's account. Keep it out of your logs.")
    issue_time = _Member[datetime]("When the token was issued.")
    expires_at = _Member[datetime]("When its life ends.")
    ttl_milliseconds = _Member[int]("The life that is granted.")
    key_fingerprint = _Member[str]("The key that signed it.")
    unknown_fields = _Member[Tuple[str, ...]]("Names of signed fields that the daemon does not know.")
    use = _Member[str]("``first``; ``retry``, a request of yours again; ``not-enforced``, where uses are not counted.")
    viewer_tag = _Member[Optional[str]]("A pseudonym of the account that may be logged, if the daemon gives one.")
    handover = _Member[Optional[str]]("A credential with which the player gets its segments, if the tenant has that. Keep it out of your logs.")
    request_id = _Member[str]("Yours, or the daemon's; its log has it too.")

    def __init__(self, seal: object, said: Dict[str, Any]) -> None:
        if seal is not SEAL:
            raise _not_made()
        _tokens[self] = said

    def __init_subclass__(cls) -> None:
        raise _not_made()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a ValidToken cannot be copied or pickled, or it would be valid for ever; pass on the members that you need")

    def __setstate__(self, state: object) -> NoReturn:
        raise _not_made()

    def __repr__(self) -> str:
        return f"<ValidToken {self.identity} use={self.use} request_id={self.request_id}>" if is_genuine(self) else "<ValidToken of no one>"


_tokens: WeakKeyDictionary[ValidToken, Dict[str, Any]] = WeakKeyDictionary()


def is_genuine(token: object) -> bool:
    """Whether a client made it. ``isinstance`` is not enough: ``object.__new__`` makes instances of any class."""
    return type(token) is ValidToken and token in _tokens


def _not_made() -> TypeError:
    return TypeError("a ValidToken is made by a Client alone; call verify")
