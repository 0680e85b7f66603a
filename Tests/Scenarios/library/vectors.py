#!/usr/bin/env -S python3 -B
"""Every vector through the C interface: examples/mediatoken.py and the library that is installed in $MEDIATOKEN_LIBRARY."""

import ctypes
import hashlib
import os
import sys
from collections import defaultdict
from urllib.parse import unquote

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/../../../examples")
os.environ["LIBMEDIATOKEN"] = os.environ["MEDIATOKEN_LIBRARY"] + "/usr/local/lib/libmediatoken.so.0"

import mediatoken
from scenario import check, count, finish
from vector_files import VECTORS, all_vectors

ANY_REQUESTOR, ANY_RESOURCE = 1, 2
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


def names(values):
    """A list of providers as C has it, and what must live as long."""
    array = (mediatoken.Text * len(values))(*(mediatoken.Text(unquote(value)) for value in values))
    return ctypes.cast(array, ctypes.c_void_p), len(values), array


def policy(vector):
    settings = {TIMES[name]: int(vector.one(name)) for name in TIMES if vector.one(name) is not None}
    settings["unknown_fields"] = {"report": 0, "reject": 1}[vector.one("unknown-fields") or "report"]
    kept = []
    for name, field in (("allow-mvpd", "allowed_mvpd"), ("allow-proxy-mvpd", "allowed_proxy_mvpd"),
                        ("deny-mvpd", "denied_mvpd")):
        if name in vector.header:
            settings[field + "s"], settings[field + "_count"], array = names(vector.header[name])
            kept.append(array)
    for name, field in (("allow-mvpd", "mvpds"), ("allow-proxy-mvpd", "proxy_mvpds")):
        if name in vector.header:
            settings[field] = 1
    return mediatoken.Policy(**settings), kept


def verifier(vector):
    """One for every set of keys and policy."""
    place = tuple(sorted((name, tuple(values)) for name, values in vector.header.items()
                         if name not in ("comment", "expect", "reason", "requestor", "resource", "resource-document",
                                      "resource-channel", "now")))
    if place not in verifiers:
        paths = [VECTORS / "shared/keys" / key.strip() for key in vector.one("keys").split(",")]
        keys = mediatoken.Keys(paths, [fingerprint(path) for path in paths])
        choices, _kept = policy(vector)
        verifiers[place] = mediatoken.Verifier(keys, "none:", choices)
    return verifiers[place]


def problem(vector):
    """What is wrong with the answer, or None."""
    # A time of 0 means now, and an empty expectation is a mistake: the verdict of these is the Swift tests'.
    resource, match = next(((text, match) for match, text in enumerate((vector.resource, vector.document, vector.channel))
                            if text is not None), (None, 0))
    flags = ANY_REQUESTOR * (vector.requestor is None) | ANY_RESOURCE * (resource is None)
    empty = "" in (vector.requestor, vector.resource)
    expect = "BAD_ARGUMENT" if empty else vector.expect
    try:
        token = verifier(vector).verify(
            vector.received, vector.requestor, resource, int(vector.now), flags=flags, resource_match=match)
    except mediatoken.Refused as refusal:
        if refusal.code != expect:
            return f"{vector.name}: {refusal.code}, expected {expect}"
        if vector.reason and not empty and refusal.reason != vector.reason:
            return f"{vector.name}: {refusal.reason}, expected {vector.reason}"
        if any(secret.decode() in refusal.detail for secret in vector.secrets()):
            return f"{vector.name}: the detail shows the session GUID"
        return None
    if expect != "VALID_TOKEN":
        return f"{vector.name}: VALID_TOKEN, expected {expect}"
    if vector.requestor not in (None, token.requestor_id) or vector.resource not in (None, token.resource_id):
        return f"{vector.name}: valid for another requestor or resource"
    if token.use != "not-enforced" or len(token.identity) != 64 or token.expires_at_ms <= int(vector.now):
        return f"{vector.name}: valid, but {vars(token)}"
    return None


def main():
    vectors = all_vectors()
    unknown = {name for vector in vectors for name in vector.header} - KNOWN
    check("every header is understood here", not unknown, unknown)
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
