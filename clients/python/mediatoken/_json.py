"""JSON that can be read in one way only. Anything else is a ValueError."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NoReturn, Tuple, Union


def one_object(data: bytes, levels: int) -> Dict[str, Any]:
    """The members of the object that all of these bytes are.

    Raises ValueError for bytes that are not UTF-8, a member twice, a half of a surrogate pair, numbers that JSON has not,
    and more than ``levels`` objects and arrays inside each other.
    """
    text = data.decode("utf-8")
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("too many levels") from None
    if not isinstance(value, dict):
        raise ValueError("no object")
    # Few texts have an escape that could be half a pair, or as many brackets as levels: the others need no second look.
    if "\\u" in text or text.count("[") + text.count("{") > levels:
        _check(value, levels)
    return value


def _pairs(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member twice")
    return members


def _constant(_: str) -> NoReturn:
    raise ValueError("no number of JSON")


def _integer(digits: str) -> Union[int, float]:
    """Python makes no integer of thousands of digits. No member that is read has more than twelve."""
    return int(digits) if len(digits) < 20 else float(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer)


def _check(value: Any, levels: int) -> None:
    """Texts that UTF-8 can hold, and no more levels than that."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, (dict, list)):
        if levels == 0:
            raise ValueError("too many levels")
        for element in value:
            _check(element, levels - 1)
        if isinstance(value, dict):
            for element in value.values():
                _check(element, levels - 1)
