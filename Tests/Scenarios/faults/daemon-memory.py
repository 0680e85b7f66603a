#!/usr/bin/env -S python3 -B
"""Wherever libcrypto, libxml2 or libjansson gets no memory in the daemon, the answer is the one that there is with memory, or 503
with a fault, also while an expected document or a decision is read. A token without an answer was not used up.

Every allocation that a question leads to fails once, each in a question of its own.
"""
import json
import mmap
import os
import struct
import subprocess
import sys
import urllib.parse

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from scenario import check, count, finish, needs, path
from tokens import Signer

needs("gcc")
HERE = os.path.dirname(os.path.realpath(__file__))
DOCUMENT = '<rss version="2.0"><channel><title>TNT</title><item><title>one</title></item></channel></rss>'
#: The same in other bytes.
SAME = DOCUMENT.replace("><", ">\n<")
#: What is said about a failed allocation, and where that is counted.
FAULTS = {fault: 'mediatoken_undecided_total{fault="%s"}' % fault for fault in ("OUT_OF_MEMORY", "INTERNAL_FAULT")}
#: What a question of each kind leads to has more allocations than this.
FEW = 20


class Failures:
    """Which allocation of the daemon's fails, and how many there were, in memory that both have."""

    def __init__(self):
        self.file, self.library = path("numbers"), path("failing.so")
        with open(self.file, "wb") as file:
            file.write(bytes(16))
        with open(self.file, "r+b") as file:
            self._numbers = mmap.mmap(file.fileno(), 16)

    def compile(self):
        command = ["gcc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1", "-o", self.library,
                   f"{HERE}/allocation-failure.c"]
        return subprocess.run(command, capture_output=True, text=True)

    def arm(self, number):
        self._numbers[:] = struct.pack("=qq", 0, 0)
        self._numbers[:] = struct.pack("=qq", number, 0)

    def disarm(self):
        """How many allocations there were."""
        made = struct.unpack("=qq", self._numbers[:])[1]
        self._numbers[:] = bytes(16)
        return made


def as_text(token):
    return f"/v1/verify?requestor=REF30&resourceDocument={urllib.parse.quote(SAME)}", "text/plain", token


def as_channel(token):
    return "/v1/verify?requestor=REF30&resourceChannel=TNT", "text/plain", token


def as_decision(token):
    decisions = [{"resource": "other", "authorized": True, "token": {"serializedToken": "x"}},
                 {"resource": DOCUMENT, "authorized": True, "token": {"serializedToken": token.decode()}}]
    question = {"requestor": "REF30", "resourceDocument": SAME, "decision": {"decisions": decisions}}
    return "/v1/verify", "application/json", json.dumps(question).encode()


def ask(daemon, question):
    target, kind, body = question
    with daemon.connect() as connection:
        connection.send(f"POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = connection.receive()
    said = json.loads(answer.body)
    return answer.status, said.get("verdict"), said.get("fault") or said.get("error")


def every_allocation(daemon, failures, signer, name, question):
    tokens = iter(signer.issue(400, resource=DOCUMENT))
    fine = (200, "VALID_TOKEN", None)
    # OpenSSL does not always say why it failed.
    without = [(503, None, fault) for fault in FAULTS]
    check(f"{name}: with memory the token is valid", ask(daemon, question(next(tokens))) == fine)
    counted = daemon.metrics()
    answered, undecided, wrong, spent = 0, 0, [], []
    for number in range(1, 400):
        asked = question(next(tokens))
        failures.arm(number)
        answer = ask(daemon, asked)
        if failures.disarm() < number:
            break
        if answer == fine:
            answered += 1
            continue
        if answer not in without:
            wrong.append((number, answer))
            continue
        undecided += 1
        if ask(daemon, asked) != fine:
            spent.append(number)
    count(f"{name}: {number - 1} failures: {answered} answered, {undecided} undecided")
    check(f"{name}: the last question was asked with memory", answer == fine, answer)
    check(f"{name}: whichever allocation fails, the answer is valid, or a fault",
          undecided + answered > FEW and undecided > 0 and not wrong, wrong)
    check(f"{name}: no token without an answer was used up", not spent, spent)
    faults = sum(daemon.metrics()[sample] - counted[sample] for sample in FAULTS.values())
    check(f"{name}: each fault is counted", faults == undecided, (faults, undecided))


def main():
    failures = Failures()
    compiled = failures.compile()
    if not check("the library that lets allocations fail compiles", compiled.returncode == 0, compiled.stderr):
        finish()
    signer = Signer()
    daemon = Daemon(signer, threads=1)
    environment = {**os.environ, "LD_PRELOAD": failures.library, "FAILING_ALLOCATION_SHARED": failures.file}
    daemon.start(env=environment)
    for name, question in (("a document", as_text), ("a channel", as_channel), ("a decision", as_decision)):
        every_allocation(daemon, failures, signer, name, question)
    check("the daemon ends with 0 after all failures", daemon.end() == 0, daemon.said()[-2000:])
    finish()


main()
