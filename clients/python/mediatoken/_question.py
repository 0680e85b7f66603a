"""What can be asked, how it is written, and the names of the tokens in it, by which the answer to another question is noticed.

A name is the SHA-256 of the bytes that are signed. Nothing is verified here, and spellings that the daemon refuses are read too: it
gives those tokens no name.
"""

from __future__ import annotations

import base64
import binascii
import enum
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Final, FrozenSet, List, NamedTuple, NoReturn, Optional, Tuple, Union
from urllib.parse import unquote_to_bytes, urlencode


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


Requestor = Union[str, Configured]
Resource = Union[str, Document, Channel, Configured]
REQUEST_ID = re.compile(r"[A-Za-z0-9._:+/=@-]{1,128}")
_SPACE = b" \t\r\n"
#: Opening marker, signature, second marker, signed bytes.
_TOKEN = re.compile(rb"<signatureInfo>[^<]+</?signatureInfo>(.+)", re.DOTALL)
_ESCAPES = re.compile(rb"%(?:2[BbFf]|3[Dd])")


class Asked(NamedTuple):
    """A question as it is sent, and what its answer must be about."""

    kind: str
    body: bytes
    #: The names of what was sent, one of which the answer has; none of what is no token.
    identities: FrozenSet[Optional[str]]
    #: The requestor and the resource by their parameters.
    names: Dict[str, str]


def about_token(token: Union[str, bytes], requestor: Requestor, resource: Resource) -> Asked:
    """A form, which carries every byte of a token."""
    received, names = received_bytes(token), wanted_names(requestor, resource)
    body = urlencode({"token": received, **names}).encode()
    return Asked("application/x-www-form-urlencoded", body, frozenset({_identity(received)}), names)


def about_decision(decision: Union[str, bytes], requestor: Requestor, resource: Resource) -> Optional[Asked]:
    """The decision's own bytes inside an object of ours. None of what is not one JSON object, around which more could be read."""
    received = decision.encode("utf-8", "surrogatepass") if isinstance(decision, str) else bytes(decision)
    names = wanted_names(requestor, resource)
    try:
        decisions = one_object(received).get("decisions")
        tokens = [each.get("token") for each in decisions if isinstance(each, dict)] if isinstance(decisions, list) else []
        texts = [token.get("serializedToken") for token in tokens if isinstance(token, dict)]
        identities = frozenset(_identity(text.encode()) for text in texts if isinstance(text, str))
    except ValueError:
        return None
    body = json.dumps(names)[:-1].encode() + (b", " if names else b"") + b'"decision": ' + received + b"}"
    return Asked("application/json", body, identities, names)


def received_bytes(token: Union[str, bytes]) -> bytes:
    # What UTF-8 cannot hold is no token, and the daemon says so. One that is empty is sent as one space, which it trims.
    if isinstance(token, str):
        return token.encode("utf-8", "surrogatepass") or b" "
    if isinstance(token, (bytes, bytearray, memoryview)):
        return bytes(token) or b" "
    raise TypeError(f"expected a token as str or bytes, found {type(token).__name__}")


def wanted_names(requestor: Requestor, resource: Resource) -> Dict[str, str]:
    """The parameters; what is left out is for the daemon's configuration to say."""
    wanted: Dict[str, Any] = {"requestor": requestor}
    if isinstance(resource, Document):
        wanted["resourceDocument"] = resource.text
    elif isinstance(resource, Channel):
        wanted["resourceChannel"] = resource.id
    else:
        wanted["resource"] = resource
    names = {name: text for name, text in wanted.items() if text is not CONFIGURED}
    for name, text in names.items():
        if not isinstance(text, str):
            raise TypeError(f"expected a {name} as str, found {type(text).__name__}; CONFIGURED is the daemon's own")
        if not text:
            raise ValueError(f"expected a {name}, found an empty text; CONFIGURED is the daemon's own")
        text.encode()  # A half of a surrogate pair is a UnicodeEncodeError, which is a ValueError.
    return names


def _identity(received: bytes) -> Optional[str]:
    """The name; None of what is no token."""
    parts = _TOKEN.fullmatch(_without_armor(received))
    return hashlib.sha256(parts[1]).hexdigest() if parts else None


def _without_armor(received: bytes) -> bytes:
    text = received.strip(_SPACE)
    if text.startswith(b"<signatureInfo>"):
        return text
    if text.startswith((b"%3C", b"%3c")):
        return unquote_to_bytes(text.replace(b"+", b" "))
    if not text.startswith(b"PHNpZ25hdHVyZUluZm8"):
        return b""
    # A form turns `+` into a space; one at the end was then trimmed.
    end = len(received) - len(received.lstrip(_SPACE)) + len(text)
    if len(text) % 4 == 3 and b"%" not in text and received[end:end + 1] == b" ":
        text += b" "
    text = _ESCAPES.sub(lambda escape: unquote_to_bytes(escape[0]), text).translate(bytes.maketrans(b"-_ ", b"+/+")).rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4))
    except binascii.Error:
        return b""


def one_object(data: bytes) -> Dict[str, Any]:
    """The members of the object in UTF-8 that all of these bytes are. ValueError for anything else, and a member twice."""
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("too many levels") from None
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _pairs(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member twice")
    return members


def _no_number(_: str) -> NoReturn:
    raise ValueError("no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_number)
