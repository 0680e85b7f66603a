"""Configurations that no daemon runs with: for `mediatoken … --config`, and for `spend`."""

import itertools
import json
import os

from scenario import path

_numbers = itertools.count(1)


def config_of(address, signer=None, window=0, tenant=None, **fleet):
    """The path of a new one with this replay memory. `fleet` is its section of that name, and `tenant` what its only tenant has besides a
    name. With a signer there is all that a verdict needs; else no more than looking after nodes does."""
    whole = {"replay": {"address": address, "retryWindowMilliseconds": window}, "requestIDHeader": "X-Request-ID",
             "tenants": [{"requestor": "REF30"} | (tenant or {})]}
    if fleet:
        whole["replay"]["fleet"] = fleet
    if signer:
        whole |= {"socket": {"path": path("none.sock")}, "keys": [signer.keys], "allowRSA1024": [signer.fingerprint] if signer.fingerprint else []}
    file = path(f"configuration-{next(_numbers)}.json")
    with open(file, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as opened:
        json.dump(whole, opened)
    return file
