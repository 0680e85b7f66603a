"""Verifies tokens in this process, without a daemon.

    verifier = mediatoken.inprocess.Verifier(["/etc/mediatoken/keys"], replay="shared:/var/lib/mediatoken/replay.table")
    token = verifier.verify(received, requestor="REF30", resource="TNT")

All processes of a host share the table, and with it all tokens that were used. The same ``ValidToken`` and errors as a ``Client``'s."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import byref, c_int64
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterable, Optional, Union

from . import NotValid, Refused, Requestor, Resource, Unavailable, ValidToken, _library, _wanted

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MATCHES = {"resource": 0, "resourceDocument": 1, "resourceChannel": 2}
_c, _lock = _library.load(), threading.Lock()


class SetupError(Exception):
    """Keys, replay memory or policy cannot be used; the text says what to do. ``code`` is mediatoken.h's name for it."""
    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Verifier:
    """Keys, a policy and a replay memory. Make one for the process; all of its threads may use it.

    - ``keys``: files and folders of public keys, read now. ``allow_rsa_1024`` has the fingerprints of keys of less than 2048 bits, such as
      Adobe's.
    - ``replay``: ``shared:PATH``, ``redis:FLEET@NODE,...``, ``postgres:FLEET@HOST/DATABASE``, or ``none:``, with which one use is not enforced.
    - Times are in seconds; defaults are those of mediatoken.h. ``retry_window`` is for ``verify``'s ``request_id``.
    - ``allowed_mvpds`` and ``allowed_proxy_mvpds`` are lists of the only ones that may be; None: all.

    A child that is forked from this process opens the replay memory for itself, at its first question. Fork while no other thread verifies:
    the locks that it held would never be released in the child."""

    def __init__(
        self, keys: Iterable[Union[str, os.PathLike[str]]], *, replay: str, allow_rsa_1024: Iterable[str] = (),
        allow_development_key: bool = False, max_ttl: float = 3600, future_tolerance: float = 60, expiry_tolerance: float = 0,
        retry_window: float = 0, reject_unknown_fields: bool = False, allowed_mvpds: Optional[Iterable[str]] = None,
        denied_mvpds: Iterable[str] = (), allowed_proxy_mvpds: Optional[Iterable[str]] = None, fleet_deadline: float = 0,
        fleet_credentials: Optional[str] = None, fleet_grace: int = 0, local_table: Optional[str] = None,
    ) -> None:
        lists = [_library.Texts(names or ()) for names in (allowed_mvpds, denied_mvpds, allowed_proxy_mvpds)]
        policy = _library.Policy(
            ctypes.sizeof(_library.Policy), *(round(seconds * 1000) for seconds in (max_ttl, future_tolerance, expiry_tolerance, retry_window)),
            int(reject_unknown_fields), int(allowed_mvpds is not None), *lists[:2], round(fleet_deadline * 1000),
            _library.Text(fleet_credentials), _library.Text(local_table), lists[2], int(allowed_proxy_mvpds is not None), fleet_grace)
        self._handle = _library.Handle(_c.mediatoken_verifier_free)
        address, trusted = replay.encode(), _keys(keys, allow_rsa_1024, allow_development_key)
        _explained(_c.mediatoken_verifier_new, byref(self._handle.pointer), trusted.pointer, byref(policy), address, len(address))
        self._process = os.getpid()

    def verify(self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None,
               caller_uid: int = 0) -> ValidToken:
        """Verifies a token as it was received, and uses it up. Raises ``Refused`` or ``Unavailable``.

        ``requestor`` and ``resource`` are what you are about to play, never what the viewer or the token says; not ``CONFIGURED``. With
        ``retry_window`` the same ``request_id`` of the same ``caller_uid`` gets its first answer again."""
        received, names = _wanted(token, requestor, resource)
        kind = next((name for name in _MATCHES if name in names), None)
        if "requestor" not in names or kind is None:
            raise TypeError("expected a requestor and a resource; there is no configuration here that has them")
        request = _library.Request(
            ctypes.sizeof(_library.Request), 0, caller_uid, _library.Text(received), _library.Text(names["requestor"].encode()), _library.Text(names[kind].encode()), 0,
            _library.Text(request_id), _MATCHES[kind], 0)
        try:
            self._open_after_fork()
        except SetupError as error:
            raise Unavailable(f"no verdict: {error.code}", name=error.code, detail=str(error)) from None
        result = _library.Handle(_c.mediatoken_result_free)
        code = _c.mediatoken_result_new(byref(result.pointer)) or _c.mediatoken_verify(self._handle.pointer, byref(request), result.pointer)
        if code != 0:
            raise _not_valid(code, result, request_id)
        return _valid(result, request_id)

    def set_keys(self, keys: Iterable[Union[str, os.PathLike[str]]], *, allow_rsa_1024: Iterable[str] = (),
                 allow_development_key: bool = False) -> None:
        """Exchanges the keys while other threads verify. If that fails, the verifier keeps those that it has."""
        trusted = _keys(keys, allow_rsa_1024, allow_development_key)
        self._open_after_fork()
        _explained(_c.mediatoken_verifier_set_keys, self._handle.pointer, trusted.pointer)

    def _open_after_fork(self) -> None:
        # Not everyone who forks tells Python, as os.fork does: uWSGI does not, unless it is told to.
        if self._process == os.getpid():
            return
        with _lock:
            if self._process != os.getpid():
                _explained(_c.mediatoken_verifier_after_fork, self._handle.pointer)
                self._process = os.getpid()


def _after_fork_in_child() -> None:
    global _lock
    _lock = threading.Lock()  # Another thread of the parent may have held it.


os.register_at_fork(after_in_child=_after_fork_in_child)


def _keys(paths: Iterable[Union[str, os.PathLike[str]]], weak: Iterable[str], allow_development_key: bool) -> _library.Handle:
    if isinstance(paths, (str, bytes)):
        raise TypeError("expected a list of files and folders, found one text")
    keys = _library.Handle(_c.mediatoken_keys_free)
    _done(_c.mediatoken_keys_new(byref(keys.pointer)), "no memory for keys")
    for fingerprint in weak:
        code = _c.mediatoken_keys_allow_rsa_1024(keys.pointer, fingerprint.encode(), len(fingerprint.encode()))
        _done(code, "expected a fingerprint of 64 hexadecimal digits")
    if not isinstance(allow_development_key, bool):
        raise TypeError("expected True or False in allow_development_key")
    if allow_development_key:
        _done(_c.mediatoken_keys_allow_development_key(keys.pointer), "no memory for keys")
    for path in paths:
        data = os.fsencode(path)
        _explained(_c.mediatoken_keys_add_path, keys.pointer, data, len(data))
    return keys


def _done(code: int, otherwise: str) -> None:
    if code != 0:
        raise SetupError(otherwise, code=_c.mediatoken_code_name(code).decode())


def _explained(function: Any, *arguments: Any) -> None:
    """A call that says at its end what went wrong."""
    message = ctypes.create_string_buffer(512)
    _done(function(*arguments, message, len(message)), message.value.decode(errors="replace"))


def _not_valid(code: int, result: _library.Handle, request_id: Optional[str]) -> NotValid:
    name, reason = str(_c.mediatoken_code_name(code).decode()), _said(result, "reason") or ""
    common = {"detail": _said(result, "detail") or "", "action": _said(result, "action") or "report", "request_id": request_id}
    if not 0 < code < 64:
        return Unavailable(f"no verdict: {name}", name=name, **common)
    return Refused(f"{name}: {reason}", verdict=name, reason=reason, adobe_code=_said(result, "adobe_code") or "ERROR_UNKNOWN", **common)


def _valid(result: _library.Handle, request_id: Optional[str]) -> ValidToken:
    texts: Dict[str, Any] = {name: _said(result, name) for name in _library.SAID[4:]}
    times = {name: c_int64() for name in ("issue_time_ms", "expires_at_ms", "ttl_ms")}
    failures = [getattr(_c, "mediatoken_result_" + name)(result.pointer, byref(value)) for name, value in times.items()]
    use = {1: "first", 2: "retry", 3: "not-enforced"}.get(_c.mediatoken_result_use(result.pointer))
    if texts["identity"] is None or any(failures) or use is None:
        raise Unavailable("no verdict: INTERNAL_FAULT", name="INTERNAL_FAULT", action="report")
    count = _c.mediatoken_result_unknown_field_count(result.pointer)
    issue_time, expires_at = (_EPOCH + timedelta(milliseconds=times[name].value) for name in ("issue_time_ms", "expires_at_ms"))
    return ValidToken(
        **texts, issue_time=issue_time, expires_at=expires_at, ttl_milliseconds=times["ttl_ms"].value, use=use, request_id=request_id or "",
        unknown_fields=tuple(_c.mediatoken_result_unknown_field(result.pointer, index, None).decode() for index in range(count)))


def _said(result: _library.Handle, name: str) -> Optional[str]:
    value = getattr(_c, "mediatoken_result_" + name)(result.pointer, None)
    return None if value is None else str(value.decode())
