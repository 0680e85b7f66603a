"""What a caller sets, looked at before anything is asked. What cannot be is a TypeError or a ValueError."""

from __future__ import annotations

import os
import re
from typing import Optional, Union

from ._connection import Address

_LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\]):([1-9][0-9]{0,4})")
_HEADER = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}")
_OURS = {"host", "content-type", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade"}
#: ``sun_path`` of unix(7), without the byte that ends it.
_PATH_BYTES = 107
#: The system counts milliseconds in 31 bits.
_MOST_SECONDS = 2_147_483


def address(value: Union[str, os.PathLike[str]]) -> Address:
    """The path of a UNIX socket, or a host and a port."""
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"expected an address as str or a path, found {type(value).__name__}")
    if "://" not in text:
        if not text or "\0" in text or len(os.fsencode(text)) > _PATH_BYTES:
            raise ValueError(f"expected the path of a UNIX socket, of 1 to {_PATH_BYTES} bytes")
        return text
    loopback = _LOOPBACK.fullmatch(text)
    if loopback is None or int(loopback[2]) > 65_535:
        raise ValueError("expected the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT")
    return (loopback[1].strip("[]"), int(loopback[2]))


def seconds(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"expected a {name} in seconds, found {type(value).__name__}")
    if not 0 < value <= _MOST_SECONDS:
        raise ValueError(f"expected a {name} of more than 0 s, and at most {_MOST_SECONDS} s")
    return value


def count(name: str, value: int, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expected as {name} a number of connections, found {type(value).__name__}")
    if value < least:
        raise ValueError(f"expected as {name} a number of connections from {least}")
    return value


def header(name: Optional[str]) -> Optional[str]:
    """A header that is free for request ids."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"expected as request_id_header the name of a header, found {type(name).__name__}")
    if name is not None and (_HEADER.fullmatch(name) is None or name.lower() in _OURS):
        raise ValueError("expected the name of a header that is free for request ids")
    return name


def window(value: Optional[float], with_header: Optional[str], where: Address) -> Optional[float]:
    """A retry window, in seconds; None where the daemon has none."""
    if value is None:
        return None
    if with_header is None or not isinstance(where, str):
        raise ValueError("a retry window needs request_id_header and a UNIX socket, as the daemon's does")
    return seconds("retry window", value)
