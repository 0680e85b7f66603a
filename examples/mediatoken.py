"""libmediatoken for Python, by ctypes and nothing else: mediatoken.h says what the calls promise.

    from mediatoken import Keys, Refused, Verifier

    keys = Keys(["/etc/mediatoken/keys"], allow_rsa_1024=["FINGERPRINT"])
    verifier = Verifier(keys, replay="shared:/var/lib/mediatoken/replay.table")
    try:
        token = verifier.verify(body, requestor="REF30", resource="TNT")
    except Refused as refusal:
        log(refusal.code, refusal.identity)  # never the token itself
    else:
        play(token.resource_id)

As a program: mediatoken.py KEYS REPLAY REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev] < token
"""

import ctypes
import os
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p


class Text(Structure):
    """mediatoken_text; keeps what it points at alive."""

    _fields_ = [("bytes", c_char_p), ("length", c_size_t)]

    def __init__(self, text=None):
        data = text.encode() if isinstance(text, str) else text
        super().__init__(data, 0 if data is None else len(data))


class Policy(Structure):
    """mediatoken_policy with its defaults. The lists of providers are left out of this example."""

    _fields_ = [("size", c_size_t), ("max_ttl_ms", c_int64), ("future_tolerance_ms", c_int64),
                ("expiry_tolerance_ms", c_int64), ("retry_window_ms", c_int64), ("unknown_fields", c_uint32),
                ("mvpds", c_uint32), ("allowed_mvpds", c_void_p), ("allowed_mvpd_count", c_size_t),
                ("denied_mvpds", c_void_p), ("denied_mvpd_count", c_size_t),
                # For redis: alone; texts are Text("/path").
                ("fleet_deadline_ms", c_int64), ("fleet_credentials", Text), ("local_table", Text),
                ("allowed_proxy_mvpds", c_void_p), ("allowed_proxy_mvpd_count", c_size_t),
                ("proxy_mvpds", c_uint32), ("reserved", c_uint32)]

    def __init__(self, **settings):
        super().__init__(size=ctypes.sizeof(Policy), max_ttl_ms=3_600_000, future_tolerance_ms=60_000)
        for name, value in settings.items():
            if name not in dict(self._fields_):
                raise TypeError(f"a policy has no {name}")
            setattr(self, name, value)


class Request(Structure):
    """mediatoken_request."""

    _fields_ = [("size", c_size_t), ("flags", c_uint32), ("caller_uid", c_uint32), ("token", Text),
                ("requestor", Text), ("resource", Text), ("now_ms", c_int64), ("request_id", Text),
                ("resource_match", c_uint32), ("reserved", c_uint32)]


def _load():
    library = ctypes.CDLL(os.environ.get("LIBMEDIATOKEN", "libmediatoken.so.0"))
    if library.mediatoken_abi_version() != 0:
        raise ImportError("expected version 0 of libmediatoken's interface")
    message = [c_char_p, c_size_t]
    text = [c_void_p, POINTER(c_size_t)]
    number = [c_void_p, POINTER(c_int64)]
    for name, result, arguments in [
        ("code_name", c_char_p, [c_int]), ("strerror", c_char_p, [c_int]), ("http_status", c_int, [c_int]),
        ("keys_new", c_int, [POINTER(c_void_p)]), ("keys_free", None, [c_void_p]),
        ("keys_add_path", c_int, [c_void_p, c_char_p, c_size_t, *message]),
        ("keys_allow_rsa_1024", c_int, [c_void_p, c_char_p, c_size_t]),
        ("keys_allow_development_key", c_int, [c_void_p]),
        ("verifier_new", c_int, [POINTER(c_void_p), c_void_p, POINTER(Policy), c_char_p, c_size_t, *message]),
        ("verifier_free", None, [c_void_p]), ("verifier_set_keys", c_int, [c_void_p, c_void_p, *message]),
        ("verifier_after_fork", c_int, [c_void_p, *message]),
        ("result_new", c_int, [POINTER(c_void_p)]), ("result_free", None, [c_void_p]),
        ("verify", c_int, [c_void_p, POINTER(Request), c_void_p]),
        *((f"result_{name}", c_char_p, text) for name in (
            "reason", "detail", "action", "adobe_code", "identity", "requestor_id", "resource_id", "mvpd_id", "proxy_mvpd_id",
            "session_guid", "key_fingerprint")),
        *((f"result_{name}_ms", c_int, number) for name in ("issue_time", "ttl", "expires_at")),
        ("result_use", c_int, [c_void_p]), ("result_unknown_field_count", c_size_t, [c_void_p]),
        ("result_unknown_field", c_char_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    ]:
        function = getattr(library, "mediatoken_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


class Refused(Exception):
    """Not MEDIATOKEN_OK: `number` and `code` say what, `detail` is for people and logs."""

    def __init__(self, number, detail="", reason=None, identity=None, action=None):
        self.number, self.code = number, _library.mediatoken_code_name(number).decode()
        self.detail = detail or _library.mediatoken_strerror(number).decode()
        self.reason, self.identity, self.action = reason, identity, action
        self.http_status = _library.mediatoken_http_status(number)
        super().__init__(f"{self.code}: {self.detail}")


def _checked(function, *arguments):
    """A call that explains itself at its end."""
    message = ctypes.create_string_buffer(512)
    number = function(*arguments, message, len(message))
    if number != 0:
        raise Refused(number, message.value.decode())


class _Handle:
    """Owner of a handle."""

    def __init__(self, free):
        self.pointer, self._free = c_void_p(), free

    def __del__(self):
        if getattr(self, "pointer", None):
            self._free(self.pointer)


class Keys(_Handle):
    """A set of trusted keys."""

    def __init__(self, paths, allow_rsa_1024=(), allow_development_key=False):
        if not isinstance(allow_development_key, bool):
            raise TypeError("expected True or False in allow_development_key")
        super().__init__(_library.mediatoken_keys_free)
        self._check(_library.mediatoken_keys_new(byref(self.pointer)))
        for fingerprint in allow_rsa_1024:
            data = fingerprint.encode()
            self._check(_library.mediatoken_keys_allow_rsa_1024(self.pointer, data, len(data)))
        if allow_development_key:
            self._check(_library.mediatoken_keys_allow_development_key(self.pointer))
        for path in paths:
            data = os.fsencode(path)
            _checked(_library.mediatoken_keys_add_path, self.pointer, data, len(data))

    @staticmethod
    def _check(number):
        if number != 0:
            raise Refused(number)


class Token:
    """What a valid token says. Only `Verifier.verify` makes one."""

    def __init__(self, result):
        for name in ("identity", "requestor_id", "resource_id", "mvpd_id", "proxy_mvpd_id", "session_guid",
                     "key_fingerprint"):
            setattr(self, name, _text(result, name))
        for name in ("issue_time_ms", "ttl_ms", "expires_at_ms"):
            value = c_int64()
            if getattr(_library, "mediatoken_result_" + name)(result, byref(value)) != 0:
                raise RuntimeError(f"a valid token without {name}")
            setattr(self, name, value.value)
        self.use = (None, "first", "retry", "not-enforced")[_library.mediatoken_result_use(result)]
        self.unknown_fields = [
            _library.mediatoken_result_unknown_field(result, index, None).decode()
            for index in range(_library.mediatoken_result_unknown_field_count(result))]


def _text(result, name):
    value = getattr(_library, "mediatoken_result_" + name)(result, None)
    return None if value is None else value.decode()


class Verifier(_Handle):
    """Serves any number of threads; after os.fork() see after_fork()."""

    def __init__(self, keys, replay, policy=None):
        super().__init__(_library.mediatoken_verifier_free)
        address = os.fsencode(replay)
        _checked(_library.mediatoken_verifier_new, byref(self.pointer), keys.pointer,
                 None if policy is None else byref(policy), address, len(address))

    def set_keys(self, keys):
        """Exchanges the keys while others verify."""
        _checked(_library.mediatoken_verifier_set_keys, self.pointer, keys.pointer)

    def after_fork(self):
        """For a child, before it verifies."""
        _checked(_library.mediatoken_verifier_after_fork, self.pointer)

    def verify(self, token, requestor, resource, now_ms=0, request_id=None, flags=0, caller_uid=0,
               resource_match=0):
        """The token, which counts as used from now on. Raises Refused for everything else."""
        request = Request(ctypes.sizeof(Request), flags, caller_uid, Text(token), Text(requestor), Text(resource),
                          now_ms, Text(request_id), resource_match, 0)
        result = _Handle(_library.mediatoken_result_free)
        if _library.mediatoken_result_new(byref(result.pointer)) != 0:
            raise Refused(68)
        number = _library.mediatoken_verify(self.pointer, byref(request), result.pointer)
        if number != 0:
            raise Refused(number, *(_text(result.pointer, name) for name in ("detail", "reason", "identity", "action")))
        return Token(result.pointer)


def _main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    path, replay, requestor, resource = sys.argv[1:5]
    consent = sys.argv[5] if len(sys.argv) == 6 else None
    try:
        keys = Keys([path], [] if consent in (None, "dev") else [consent], allow_development_key=consent == "dev")
        token = Verifier(keys, replay).verify(sys.stdin.buffer.read(), requestor, resource)
    except Refused as refusal:
        print(refusal)
        sys.exit(1 if refusal.http_status == 403 else 3)
    print(f"VALID_TOKEN\nmvpd: {token.mvpd_id}")


if __name__ == "__main__":
    _main()
