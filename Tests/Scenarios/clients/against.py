"""A kit's driver and a real daemon: vectors, spellings, decisions, and a daemon that ends and starts under load, also of
forked processes."""

import base64
import collections
import hashlib
import json
import random
import sys
import threading
from urllib.parse import urlencode

from scenario import ROOT, check, count, until

sys.path.insert(1, str(ROOT / "clients/conformance"))

from connection import post
from driver import FORKING, Driver, differs
from tokens import spellings
from vector_files import all_vectors

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


def judge(kit, command, daemon, signer):
    """The daemon knows the vectors' keys, too."""
    with Driver(command) as driver:
        driver.open(daemon.socket)
        for what, wrong in (
                ("each vector is refused as the daemon refuses it", vectors(driver, daemon)),
                ("fresh tokens in each spelling, a document and a channel are valid, once", fresh(driver, signer)),
                ("each decision is read as the daemon reads it", decisions(driver, signer))):
            check(f"{kit}: {what}", not wrong, wrong[:5])
        driver.open(daemon.socket, requestIDHeader="X-Request-ID")
        under_load(kit, driver, daemon, signer)


def valid(token):
    return {"outcome": "valid", "identity": hashlib.sha256(token.split(b"<signatureInfo>", 2)[2]).hexdigest(), "use": "first"}


def compared(wanted, answers):
    return [problem for each, said in zip(wanted, answers, strict=True) if (problem := differs(each, said))]


def vectors(driver, daemon):
    """A kit says what the daemon says over a bare socket."""
    def names(vector):
        kinds = {"resourceDocument": vector.document, "resourceChannel": vector.channel, "resource": vector.resource or "TNT"}
        kind = next(name for name, text in kinds.items() if text)
        return {"requestor": vector.requestor or "REF30", kind: kinds[kind]}

    def wanted(vector):
        with daemon.connect() as connection:
            connection.send(post(urlencode({"token": vector.received or b" "} | names(vector)).encode(), b"/v1/verify", FORM))
            said = json.loads(connection.receive().body)
        if "error" in said:
            return {"outcome": "unavailable", "name": said["error"]}
        return {name: said[name] for name in ("verdict", "reason", "detail", "action", "adobeCode")} | {"outcome": "refused"}

    def asked(vector):
        return compared([wanted(vector)], driver.ask(vector.received, **{"resource": ""} | names(vector)))

    # Once more where an hour began between the two: details have ages.
    return [wrong for vector in all_vectors() if asked(vector) for wrong in asked(vector)]


def fresh(driver, signer):
    tokens, document = signer.issue(30), "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
    spelt = [spellings(token)[number % 3] for number, token in enumerate(tokens)]
    first, second = signer.issue(2, resource=document.replace("'", '"'))
    return [*compared(map(valid, tokens), driver.ask(*spelt)), *compared([{"verdict": "TOKEN_REPLAYED"}] * 30, driver.ask(*spelt)),
            *compared([valid(first)], driver.ask(first, resource="", resourceDocument=document)),
            *compared([valid(second)], driver.ask(second, resource="", resourceChannel="TNT"))]


def decisions(driver, signer):
    """Documents of Tests/Decisions: a permit may be valid, no permit is refused, and what is broken is unavailable."""
    with open(ROOT / "Tests/Decisions/cases.ndjson", encoding="utf-8") as file:
        cases = [case for case in map(json.loads, file) if case.get("resource") == "TNT" and "paddedTo" not in case]
    outcomes = {"broken": {"outcome": "unavailable", "name": "bad-decision", "status": 400}, "token": "valid|refused",
                "no-token": {"outcome": "refused", "verdict": None, "reason": "no-token-in-decision", "action": "new-token"}}
    tokens, texts = iter(signer.issue(3 * len(cases), form="base64")), []
    for case in cases:
        texts.append(case["document"].encode() if "document" in case else base64.b64decode(case["documentBase64"]))
        for name in (b"@TNT@", b"@TBS@", b"@WRONG@"):
            texts[-1] = texts[-1].replace(name, next(tokens))
    return compared([outcomes[case["expect"].partition(" ")[0]] for case in cases], driver.ask(*texts, do="verifyDecision"))


def under_load(kit, driver, daemon, signer):
    """The daemon ends and starts while each of many tokens is asked about twice; each third hundred by a process that was forked."""
    questions, is_over, said = signer.issue(1500) * 2, threading.Event(), []
    random.Random(7).shuffle(questions)

    def restart():
        while not is_over.wait(0.4):
            daemon.end(random.choice([15, 9]))
            daemon.start_unready()

    restarting = threading.Thread(target=restart)
    restarting.start()
    try:
        for start in range(0, len(questions), 100):
            said += driver.ask(*questions[start:start + 100], atOnce=8, child=kit in FORKING and start % 300 == 0 or None)
    finally:
        is_over.set()
        restarting.join()
    played = [(token, each) for token, each in zip(questions, said, strict=True) if each["outcome"] == "valid"]
    wrong, outcomes = compared([valid(token) for token, _ in played], [each for _, each in played]), collections.Counter(each["outcome"] for each in said)
    count(f"{kit}: while the daemon was ended and started: {dict(outcomes)}")
    check(f"{kit}: while the daemon ends and starts, what is valid is so by its own answer, once", not wrong
          and 0 < len(played) == len({token for token, _ in played}) and outcomes["unavailable"] > 0 and outcomes["misuse"] == 0, wrong[:5])
    until(120, daemon.is_ready)
    last = signer.issue(20)
    wrong = compared(map(valid, last), driver.ask(*last))
    check(f"{kit}: and it goes on with the next daemon", not wrong, wrong[:5])
