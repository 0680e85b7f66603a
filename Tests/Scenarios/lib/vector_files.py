"""The files of Tests/Vectors and the command line that asks for their verdict."""

import base64
import functools
import json
import re
import subprocess
from collections import defaultdict
from types import SimpleNamespace
from urllib.parse import unquote

from configurations import config_of
from processes import MEDIATOKEN
from scenario import ROOT

VECTORS = ROOT / "Tests/Vectors"
POLICY = {"unknown-fields", "allow-mvpd", "allow-proxy-mvpd", "deny-mvpd"}
NAMES = {"allow-mvpd", "allow-proxy-mvpd", "deny-mvpd"}
#: What only a configuration has.
TIMES = {"max-ttl": "maxTTLMilliseconds", "expiry-tolerance": "expiryToleranceMilliseconds", "future-tolerance": "futureToleranceMilliseconds"}


@functools.cache
def configuration(keys, times):
    return config_of("none:", SimpleNamespace(keys=keys, fingerprint=None), tenant=dict(times))


class Vector:
    def __init__(self, path):
        self.name = f"{path.parent.name}/{path.stem}"
        head, self.received = path.read_bytes().split(b"\n\n", 1)
        self.header = defaultdict(list)
        for line in head.decode().split("\n"):
            name, _, value = line.partition(":")
            self.header[name].append(value.strip(" "))
        self.expect = self.one("expect")
        self.reason = self.one("reason")
        self.now = self.one("now")
        self.requestor = self.text("requestor")
        self.resource = self.text("resource")
        self.document, self.channel = self.text("resource-document"), self.text("resource-channel")
        self.group = f"{path.parent.name}/{path.stem.partition('-')[0]}"
        # Every option but the expectations: vectors that share these share a batch.
        keys = [str(VECTORS / "shared" / "keys" / key.strip()) for key in self.one("keys").split(",")]
        self.options, self.anything = ["--allow-rsa-1024", "any"], ["--any-requestor", "--any-resource"]
        for key in keys:
            self.options += ["--keys", key]
        if times := tuple((TIMES[name], int(self.one(name))) for name in TIMES if name in self.header):
            # Of a requestor and a resource, by one key of ordinary length, and no more.
            self.options, self.anything = ["--config", configuration(*keys, times)], ["--requestor", self.requestor, "--resource", self.resource]
        for name in sorted(POLICY & self.header.keys()):
            for value in self.header[name]:
                self.options += ["--" + name, unquote(value) if name in NAMES else value]

    def one(self, name):
        return self.header[name][0] if name in self.header else None

    def text(self, name):
        value = self.one(name)
        return None if value is None else unquote(value, errors="strict")

    def cannot_be_said(self):
        """Why a command line cannot ask this: the Swift tests do."""
        if not 0 <= int(self.now) < 10 ** 15:
            return "a clock before 1970 or beyond 15 digits"
        if any("\0" in (text or "") for text in (self.requestor, self.resource)):
            return "an expectation with NUL"
        if "" in (self.requestor, self.resource):
            return "an empty expectation, which is a usage error"
        if int(self.one("max-ttl") or 3_600_000) < 2000:
            return "a longest life in which no token may arrive, which is a usage error"
        if "" in self.options:
            return "an empty name on a list"
        return None

    def asking(self):
        """The command line that verifies the vector from standard input."""
        command = [MEDIATOKEN, "verify", "-", *self.options, "--at", self.now]
        command += ["--any-requestor"] if self.requestor is None else ["--requestor", self.requestor]
        for option, value in (("--resource", self.resource), ("--resource-document", self.document),
                              ("--resource-channel", self.channel)):
            if value is not None:
                return command + [option, value]
        return command + ["--any-resource"]

    def line(self):
        """The vector as a line of a batch."""
        line = {"id": self.name, "tokenBase64": base64.b64encode(self.received).decode(), "at": self.now}
        if self.requestor is not None:
            line["requestor"] = self.requestor
        if self.resource is not None:
            line["resource"] = self.resource
        if self.document is not None:
            line["resourceDocument"] = self.document
        if self.channel is not None:
            line["resourceChannel"] = self.channel
        return json.dumps(line) + "\n"

    def secrets(self):
        return [guid for guid in re.findall(rb"<sessionGUID>([0-9a-f]{8,})</", self.received)]


def all_vectors():
    return [Vector(path) for part in ("shared", "own") for path in sorted((VECTORS / part).glob("*.token"))]


def by_options(vectors):
    """Vectors that can share a batch."""
    batches = defaultdict(list)
    for vector in vectors:
        batches[tuple(vector.options)].append(vector)
    return batches.values()


def run_batch(vectors, prefix=(), **more):
    """One run of `verify --batch` over vectors of the same options."""
    command = [*prefix, MEDIATOKEN, "verify", "--batch", "-", *vectors[0].options, *vectors[0].anything]
    lines = "".join(vector.line() for vector in vectors).encode()
    return subprocess.run(command, input=lines, capture_output=True, **more)
