"""The cases of cases.json: questions to a server that misbehaves."""

import json
import os
import socket
import time

import at_once
import changed
import crowded
from answers import Question, about, identity, written
from driver import PATIENCE, TIMEOUT, matches, question, token_bytes
from misbehaving import Server

CASES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "cases.json")
#: Groups, and what has cases of theirs that are no lines of cases.json.
OTHERS = {"asking again": crowded, "at once": at_once, "changed": changed}
#: A busy machine may let a client's deadline pass before it has asked, if that is below so many milliseconds. Then there are
#: more, up to so many times.
HASTY, MORE, TIMES = 1_000, 10_000, 4


class Late(str):
    """What is wrong if a client's time is over too soon: there is no answer, or no question."""


class Scripted:
    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder
        self.servers = {"unix": Server(os.path.join(folder, "misbehaving.sock")), "tcp": Server()}
        with socket.socket(socket.AF_UNIX) as deserted:
            deserted.bind(os.path.join(folder, "deserted.sock"))

    def cases(self, only):
        """Each case's group and name, and what is wrong; none if nothing is."""
        with open(CASES, encoding="utf-8") as file:
            groups = json.load(file)
        for group, cases in groups.items():
            for case in cases if only in (None, group) else []:
                for name, variant in variants(case):
                    yield group, name, self.problem(variant)
        for group, module in OTHERS.items():
            if only in (None, group):
                for name, problem in module.cases(self.driver, self.folder):
                    yield group, name, problem

    def problem(self, case):
        """Plays a case, and says what is wrong; again with more time if all that is wrong is that a short one was over."""
        problem, client = self.played(case), case.get("client", {})
        is_hasty = client.get("timeoutMilliseconds", TIMEOUT) < HASTY
        for _ in range(TIMES if is_hasty else 0):
            if isinstance(problem, Late):
                problem = self.played(case | {"client": client | {"timeoutMilliseconds": MORE}})
        return problem

    def played(self, case):
        transport = case.get("transport", "unix")
        server = self.servers.get(transport, self.servers["unix"])
        address = case.get("address", server.address)
        if transport in ("absent", "deserted"):
            address = os.path.join(self.folder, transport + ".sock")
        answers = case.get("answers", [{}])
        if case.get("each"):
            answers = [answers[0] | {"cut": length} for length in range(case.get("from", 0), self.length(case))]
        server.expect(answers)
        opened = self.driver.tell({"do": "open", "address": address, "timeoutMilliseconds": TIMEOUT} | case.get("client", {}))
        if opened["outcome"] != case.get("opens", "opened"):
            return f"opening is {opened}"
        asks = case.get("ask", [{}]) * (len(answers) if case.get("each") else 1)
        expected = case["expect"] if isinstance(case.get("expect"), list) else [case.get("expect")] * len(asks)
        for ask, expectation in zip(asks, expected, strict=True):
            if ask.get("after") == "push" and not server.pushed.wait(PATIENCE):
                return "the server pushed nothing"
            if ask.get("after") in ("end", "sent"):
                server.take()
                if not server.connections:
                    return Late("nothing was asked before")
                if not server.connections[0].is_over.wait(PATIENCE):
                    return "the server's connection does not end"
            start = time.monotonic()
            said = self.driver.tell(question(ask))
            if time.monotonic() - start > case.get("withinMilliseconds", float("inf")) / 1000:
                return f"expected an answer within {case['withinMilliseconds']} ms, found one after {time.monotonic() - start:.1f} s"
            if not matches(expectation, said):
                return (Late if said["outcome"] == "no-answer" else str)(f"expected {expectation}, found {said}")
            if case.get("says", "") not in said["text"]:
                return f"expected {case['says']!r} in its text, found {said['text']}"
            for secret in ("<signatureInfo", "feedface", "serializedToken"):
                if secret in said["text"]:
                    return f"a secret is said: {said['text']}"
            if said["outcome"] == "valid" and said["identity"] != identity(token_bytes(ask)) and "decisionText" not in ask:
                return "another identity"
        return self.wrong_questions(case, server, len(answers))

    def wrong_questions(self, case, server, answers):
        """What is wrong with what the server was asked."""
        # A question that its client gave up may be read later, but not after the end of its connection.
        server.take()
        wanted, end = case.get("requests", answers), time.monotonic() + PATIENCE
        while len(server.questions) < wanted and not server.is_over() and time.monotonic() < end:
            time.sleep(0.01)
        if server.problems:
            return f"the server was asked wrongly: {server.problems}"
        if len(server.questions) != wanted:
            return (Late if len(server.questions) < wanted else str)(f"expected {wanted} requests, found {len(server.questions)}")
        if len(server.connections) != case.get("connections", len(server.connections)):
            return f"expected {case['connections']} connections, found {len(server.connections)}"
        header = case.get("client", {}).get("requestIDHeader", "X-Request-ID")
        ids = {each.field(header) for each in server.questions}
        if "ids" in case and (None in ids or len(ids) != (1 if case["ids"] == "same" else len(server.questions))):
            return f"expected {case['ids']} ids, found {ids}"
        if "ids" not in case and "requestIDHeader" not in case.get("client", {}) and ids - {None}:
            return "an id was sent that no setting asks for"
        if "saw" in case:
            saw = case["saw"]
            expected = {name: value.encode() for name, value in saw.items() if not name.startswith("token")}
            expected["token"] = token_bytes(saw)
            if server.questions[0].values != expected:
                return f"expected the question {expected}, found {server.questions[0].values}"
        if "sawInside" in case and case["sawInside"].encode() not in server.questions[0].body:
            return "the decision did not arrive as it came"
        for each in server.questions:
            if each.version != "HTTP/1.1" or each.field("host") != "localhost" or each.field("expect"):
                return f"expected HTTP/1.1 to localhost that expects nothing, found {each.version} {each.fields}"
        return None

    def length(self, case):
        """How many bytes the whole answer has."""
        ask = question(case.get("ask", [{}])[0])
        if ask["do"] == "ready":
            return len(written(case["answers"][0], Question(b"GET /readyz HTTP/1.1", b"", None)))
        return len(written(case["answers"][0], about(token_bytes(case.get("ask", [{}])[0]))))


def variants(case):
    """A case's variants, each by its own name."""
    if "variants" in case:
        for variant in case["variants"]:
            yield f"{case['name']}: {json.dumps(variant)[:200]}", case | {"answers": [variant]}
    elif "asks" in case:
        for ask in case["asks"]:
            yield f"{case['name']}: {json.dumps(ask)[:200]}", case | {"ask": [ask]}
    elif "addresses" in case:
        for address in case["addresses"]:
            yield f"{case['name']}: {address!r}", case | {"address": address}
    elif "clients" in case:
        for client in case["clients"]:
            yield f"{case['name']}: {client}", case | {"client": client}
    else:
        yield case["name"], case
