"""What can be asked, and how it is written."""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import Dict, Final, FrozenSet, Optional, Union

from . import _identity


class Configured(enum.Enum):
    """In place of a requestor or resource: the one of the daemon's configuration."""

    CONFIGURED = "configured"


CONFIGURED: Final = Configured.CONFIGURED


@dataclass(frozen=True)
class Document:
    """A Media RSS document that the token's resource must be the same as, however it is spelled."""

    text: str


@dataclass(frozen=True)
class Channel:
    """A channel: the token's resource must be this id, or a document whose channel has this title."""

    id: str


_RESERVED = re.compile(rb"[^A-Za-z0-9_.~-]")

Requestor = Union[str, Configured]
Resource = Union[str, Document, Channel, Configured]


@dataclass(frozen=True, repr=False)
class Asked:
    """A question as it is sent, and what its answer must be about."""

    target: str
    kind: str
    body: bytes
    #: The names of what was sent, one of which the answer has; none of what is no token.
    identities: FrozenSet[Optional[str]]
    #: None: whatever the daemon chose.
    requestor: Optional[str]
    resource: Optional[str]
    is_decision: bool = False


def about_token(token: Union[str, bytes], requestor: Requestor, resource: Resource) -> Asked:
    """A form, which carries every byte of a token."""
    received = received_bytes(token)
    names = wanted_names(requestor, resource)
    parameters = [("token", received), *((name, text.encode()) for name, text in names.items())]
    body = b"&".join(name.encode() + b"=" + _percent_encoded(value) for name, value in parameters)
    return Asked(
        "/v1/verify", "application/x-www-form-urlencoded", body, frozenset({_identity.of_token(received)}),
        names.get("requestor"), names.get("resource"))


def about_decision(decision: Union[str, bytes], requestor: Requestor, resource: Resource) -> Optional[Asked]:
    """The decision's own bytes inside an object of ours. None of what is not one JSON object, around which more could be read."""
    received = decision.encode("utf-8", "surrogatepass") if isinstance(decision, str) else bytes(decision)
    names = wanted_names(requestor, resource)
    try:
        identities = _identity.of_decision(received)
    except ValueError:
        return None
    head = json.dumps(names)[:-1].encode()
    body = head + (b", " if names else b"") + b'"decision": ' + received + b"}"
    return Asked(
        "/v1/verify", "application/json", body, identities, names.get("requestor"), names.get("resource"), is_decision=True)


def _percent_encoded(value: bytes) -> bytes:
    # Nearly all of a token is plain, and urllib looks at each byte of it.
    return _RESERVED.sub(lambda byte: b"%%%02X" % byte[0][0], value)


def received_bytes(token: Union[str, bytes]) -> bytes:
    # What UTF-8 cannot hold is no token, and the daemon says so. One that is empty is sent as one space, which it trims.
    if isinstance(token, str):
        return token.encode("utf-8", "surrogatepass") or b" "
    if isinstance(token, (bytes, bytearray, memoryview)):
        return bytes(token) or b" "
    raise TypeError(f"expected a token as str or bytes, found {type(token).__name__}")


def wanted_names(requestor: Requestor, resource: Resource) -> Dict[str, str]:
    names = {}
    if requestor is not CONFIGURED:
        names["requestor"] = _text("requestor", requestor)
    if isinstance(resource, Document):
        names["resourceDocument"] = _text("document", resource.text)
    elif isinstance(resource, Channel):
        names["resourceChannel"] = _text("channel", resource.id)
    elif resource is not CONFIGURED:
        names["resource"] = _text("resource", resource)
    return names


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a {what} as str, found {type(value).__name__}; CONFIGURED is the daemon's own")
    if not value:
        raise ValueError(f"expected a {what}, found an empty text; CONFIGURED is the daemon's own")
    value.encode()  # A half of a surrogate pair is a UnicodeEncodeError, which is a ValueError.
    return value
