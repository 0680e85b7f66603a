#!/usr/bin/env -S python3 -B
"""Every vector through the C interface: by the declarations of the kit for Python, and the library that is installed in
$MEDIATOKEN_LIBRARY."""

import ctypes
import hashlib
import os
import sys
from collections import defaultdict
from ctypes import byref
from urllib.parse import unquote

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/../../../clients/python")

from mediatoken import _library as library
from scenario import check, count, finish
from vector_files import VECTORS, all_vectors

C = library.load(os.environ["MEDIATOKEN_LIBRARY"] + "/usr/local/lib/libmediatoken.so.0")
ANY_REQUESTOR, ANY_RESOURCE, NOT_ENFORCED = 1, 2, 3
TIMES = {"max-ttl": "max_ttl_ms", "future-tolerance": "future_tolerance_ms",
         "expiry-tolerance": "expiry_tolerance_ms"}
KNOWN = {"comment", "expect", "reason", "keys", "requestor", "resource", "resource-document", "resource-channel", "now",
         "unknown-fields", "allow-mvpd", "allow-proxy-mvpd", "deny-mvpd", *TIMES}
verifiers = {}


def fingerprint(path):
    """What the key is called, by code that is not ours."""
    run = os.popen(f"openssl pkey -pubin -in '{path}' -outform DER 2>/dev/null || "
                   f"openssl x509 -in '{path}' -noout -pubkey | openssl pkey -pubin -outform DER")
    return hashlib.sha256(run.buffer.read()).hexdigest()


def policy(vector):
    settings = {TIMES[name]: int(vector.one(name)) for name in TIMES if vector.one(name) is not None}
    settings["unknown_fields"] = {"report": 0, "reject": 1}[vector.one("unknown-fields") or "report"]
    for name, field in (("allow-mvpd", "allowed_mvpds"), ("allow-proxy-mvpd", "allowed_proxy_mvpds"), ("deny-mvpd", "denied_mvpds")):
        if name in vector.header:
            settings[field] = library.Texts([unquote(value) for value in vector.header[name]])
    for name, field in (("allow-mvpd", "mvpds"), ("allow-proxy-mvpd", "proxy_mvpds")):
        if name in vector.header:
            settings[field] = 1
    usual = {"size": ctypes.sizeof(library.Policy), "max_ttl_ms": 3_600_000, "future_tolerance_ms": 60_000}
    return library.Policy(**(usual | settings))


def verifier(vector):
    """One for every set of keys and policy."""
    place = tuple(sorted((name, tuple(values)) for name, values in vector.header.items()
                         if name not in ("comment", "expect", "reason", "requestor", "resource", "resource-document",
                                      "resource-channel", "now")))
    if place not in verifiers:
        keys, made = library.Handle(C.mediatoken_keys_free), library.Handle(C.mediatoken_verifier_free)
        assert C.mediatoken_keys_new(byref(keys.pointer)) == 0
        message = ctypes.create_string_buffer(library.MESSAGE_BYTES)
        for path in [str(VECTORS / "shared/keys" / key.strip()) for key in vector.one("keys").split(",")]:
            weak, data = fingerprint(path).encode(), path.encode()
            assert C.mediatoken_keys_allow_rsa_1024(keys.pointer, weak, len(weak)) == 0
            assert C.mediatoken_keys_add_path(keys.pointer, data, len(data), message, len(message)) == 0, message.value
        choices = policy(vector)
        code = C.mediatoken_verifier_new(
            byref(made.pointer), keys.pointer, byref(choices), b"none:", len(b"none:"), message, len(message))
        assert code == 0, message.value
        verifiers[place] = made
    return verifiers[place]


def text(result, name):
    value = getattr(C, "mediatoken_result_" + name)(result, None)
    return None if value is None else value.decode()


def problem(vector):
    """What is wrong with the answer, or None."""
    # A time of 0 means now, and an empty expectation is a mistake: the verdict of these is the Swift tests'.
    resource, match = next(((text, match) for match, text in enumerate((vector.resource, vector.document, vector.channel))
                            if text is not None), (None, 0))
    flags = ANY_REQUESTOR * (vector.requestor is None) | ANY_RESOURCE * (resource is None)
    empty = "" in (vector.requestor, vector.resource)
    expect = "BAD_ARGUMENT" if empty else vector.expect
    asked = [library.Text(value.encode() if isinstance(value, str) else value) for value in (vector.received, vector.requestor, resource)]
    request = library.Request(ctypes.sizeof(library.Request), flags, 0, *asked, int(vector.now), library.Text(), match, 0)
    handle = library.Handle(C.mediatoken_result_free)
    assert C.mediatoken_result_new(byref(handle.pointer)) == 0
    result, found = handle.pointer, C.mediatoken_code_name(C.mediatoken_verify(verifier(vector).pointer, byref(request), handle.pointer)).decode()
    if found != expect:
        return f"{vector.name}: {found}, expected {expect}"
    if found != "VALID_TOKEN":
        if vector.reason and not empty and text(result, "reason") != vector.reason:
            return f"{vector.name}: {text(result, 'reason')}, expected {vector.reason}"
        if any(secret.decode() in (text(result, "detail") or "") for secret in vector.secrets()):
            return f"{vector.name}: the detail shows the session GUID"
        return None
    if vector.requestor not in (None, text(result, "requestor_id")) or vector.resource not in (None, text(result, "resource_id")):
        return f"{vector.name}: valid for another requestor or resource"
    expires_at = ctypes.c_int64()
    C.mediatoken_result_expires_at_ms(result, byref(expires_at))
    if C.mediatoken_result_use(result) != NOT_ENFORCED or len(text(result, "identity")) != 64 or expires_at.value <= int(vector.now):
        return f"{vector.name}: valid, but used, without a name or over"
    return None


def main():
    vectors = all_vectors()
    unknown = {name for vector in vectors for name in vector.header} - KNOWN
    check("every header of the vectors is understood here", not unknown, unknown)
    groups, agreed = defaultdict(list), 0
    asked = [vector for vector in vectors if int(vector.now) != 0]
    for vector in asked:
        groups[vector.group].append(vector)
    for group, members in groups.items():
        wrong = [text for text in map(problem, members) if text]
        agreed += len(members) - len(wrong)
        check(f"the C interface agrees with {len(members)} vectors {group}-*", not wrong, wrong)
    if len(asked) < len(vectors):
        count(f"not asked: {len(vectors) - len(asked)} vectors whose time is 0, which here means now")
    valid = sum(vector.expect == "VALID_TOKEN" for vector in asked)
    count(f"{agreed} of {len(vectors)} agree ({valid} of them valid), {len(verifiers)} verifiers")
    check("all but a handful of the vectors were asked", len(asked) > len(vectors) - 5 and valid > 100, (len(asked), valid))
    finish()


main()
