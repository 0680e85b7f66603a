"""A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed.

Nothing is verified here, and spellings that the daemon refuses are read too: it gives those tokens no name.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import FrozenSet, Optional
from urllib.parse import unquote_to_bytes

from . import _json

_SPACE = b" \t\r\n"
#: Opening marker, signature, second marker, signed bytes.
_TOKEN = re.compile(rb"<signatureInfo>[^<]+</?signatureInfo>(.+)", re.DOTALL)
_ESCAPES = re.compile(rb"%(?:2[BbFf]|3[Dd])")
#: As many as the daemon reads of a decision.
DECISION_LEVELS = 32


def of_token(received: bytes) -> Optional[str]:
    """The name; None of what is no token."""
    token = _without_armor(received)
    parts = _TOKEN.fullmatch(token) if token else None
    return hashlib.sha256(parts[1]).hexdigest() if parts else None


def of_decision(decision: bytes) -> FrozenSet[Optional[str]]:
    """The names of all tokens in an answer of ``decisions/authorize``.

    Raises ValueError if it is not one JSON object, and nothing else, that can be read in one way only.
    """
    found = set()
    decisions = _json.one_object(decision, DECISION_LEVELS).get("decisions")
    for each in decisions if isinstance(decisions, list) else []:
        token = each.get("token") if isinstance(each, dict) else None
        text = token.get("serializedToken") if isinstance(token, dict) else None
        if isinstance(text, str):
            found.add(of_token(text.encode()))
    return frozenset(found)


def _without_armor(received: bytes) -> Optional[bytes]:
    text = received.strip(_SPACE)
    if text.startswith(b"<signatureInfo>"):
        return text
    if text.startswith((b"%3C", b"%3c")):
        return unquote_to_bytes(text.replace(b"+", b" "))
    if not text.startswith(b"PHNpZ25hdHVyZUluZm8"):
        return None
    # A form turns `+` into a space; one at the end was then trimmed.
    end = len(received) - len(received.lstrip(_SPACE)) + len(text)
    if len(text) % 4 == 3 and b"%" not in text and received[end:end + 1] == b" ":
        text += b" "
    text = _ESCAPES.sub(lambda escape: unquote_to_bytes(escape[0]), text)
    text = text.translate(bytes.maketrans(b"-_ ", b"+/+")).rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4))
    except binascii.Error:
        return None
