"""The C interface of libmediatoken (mediatoken.h), by ctypes. Its calls release the interpreter's lock."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any, Iterable, Union

NAME = "libmediatoken.so.0"


class Text(ctypes.Structure):
    """mediatoken_text; keeps what it points at alive."""
    _fields_ = [("bytes", c_char_p), ("length", c_size_t)]

    def __init__(self, text: Union[str, bytes, None] = None) -> None:
        data = os.fsencode(text) if isinstance(text, str) else text
        super().__init__(data, 0 if data is None else len(data))


class Texts(ctypes.Structure):
    """A list of names and its count, which follow one another in the structures."""
    _fields_ = [("texts", POINTER(Text)), ("count", c_size_t)]

    def __init__(self, values: Iterable[str] = ()) -> None:
        if isinstance(values, (str, bytes)):
            raise TypeError("expected a list of names, found one text")
        self._alive = [Text(value) for value in values]
        self._array = (Text * len(self._alive))(*self._alive)
        super().__init__(ctypes.cast(self._array, POINTER(Text)) if self._alive else None, len(self._alive))


class Policy(ctypes.Structure):
    """mediatoken_policy. Lists live as long as what is given for them."""
    _fields_ = [
        ("size", c_size_t), ("max_ttl_ms", c_int64), ("future_tolerance_ms", c_int64), ("expiry_tolerance_ms", c_int64),
        ("retry_window_ms", c_int64), ("unknown_fields", c_uint32), ("mvpds", c_uint32), ("allowed_mvpds", Texts), ("denied_mvpds", Texts),
        ("fleet_deadline_ms", c_int64), ("fleet_credentials", Text), ("local_table", Text), ("allowed_proxy_mvpds", Texts),
        ("proxy_mvpds", c_uint32), ("fleet_grace_seconds", c_uint32)]


class Request(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("flags", c_uint32), ("caller_uid", c_uint32), ("token", Text), ("requestor", Text),
        ("resource", Text), ("now_ms", c_int64), ("request_id", Text), ("resource_match", c_uint32), ("reserved", c_uint32)]


_BYTES = [c_char_p, c_size_t]
SAID = ("reason", "detail", "action", "adobe_code", "identity", "requestor_id", "resource_id", "mvpd_id", "proxy_mvpd_id", "session_guid",
         "key_fingerprint")
_FUNCTIONS = [
    ("abi_version", c_uint32, []), ("code_name", c_char_p, [c_int]), ("keys_new", c_int, [POINTER(c_void_p)]),
    ("keys_free", None, [c_void_p]), ("keys_add_path", c_int, [c_void_p, *_BYTES, *_BYTES]),
    ("keys_allow_rsa_1024", c_int, [c_void_p, *_BYTES]), ("keys_allow_development_key", c_int, [c_void_p]),
    ("verifier_new", c_int, [POINTER(c_void_p), c_void_p, POINTER(Policy), *_BYTES, *_BYTES]), ("verifier_free", None, [c_void_p]),
    ("verifier_set_keys", c_int, [c_void_p, c_void_p, *_BYTES]), ("verifier_after_fork", c_int, [c_void_p, *_BYTES]),
    ("result_new", c_int, [POINTER(c_void_p)]), ("result_free", None, [c_void_p]), ("result_use", c_int, [c_void_p]),
    ("verify", c_int, [c_void_p, POINTER(Request), c_void_p]), ("result_unknown_field_count", c_size_t, [c_void_p]),
    ("result_unknown_field", c_char_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    *((f"result_{name}", c_char_p, [c_void_p, POINTER(c_size_t)]) for name in SAID),
    *((f"result_{name}", c_int, [c_void_p, POINTER(c_int64)]) for name in ("issue_time_ms", "ttl_ms", "expires_at_ms")),
]


def load(path: str = "") -> ctypes.CDLL:
    """The library at a path, that came with this package, or else the system's."""
    bundled = pathlib.Path(__file__).with_name(NAME)
    try:
        library = ctypes.CDLL(path or (str(bundled) if bundled.exists() else NAME))
    except OSError as error:
        raise ImportError(
            f"{NAME} cannot be loaded; install the wheel that is for this platform, or Debian's libmediatoken0: {error}") from None
    for name, result, arguments in _FUNCTIONS:
        function = getattr(library, "mediatoken_" + name)
        function.restype, function.argtypes = result, arguments
    if library.mediatoken_abi_version() != 0:
        raise ImportError(f"expected version 0 of {NAME}'s interface, found {library.mediatoken_abi_version()}")
    return library


class Handle:
    def __init__(self, free: Any) -> None:
        self.pointer, self._free = c_void_p(), free

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
