"""Cases with a real daemon: what the kit says is what the daemon said, of fresh tokens in every spelling and of every decision;
and answers that are lost, and daemons that end, cost no more than they must."""

import base64
import hashlib
import json
import os
import signal
import sys
from urllib.parse import quote_from_bytes

sys.path.insert(1, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Tests/Scenarios/lib"))

import misbehaving
from connection import Connection
from daemon import Daemon
from driver import TIMEOUT, encoded
from processes import free_port
from scenario import ROOT, until
from tokens import Signer

class AgainstDaemon:
    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder
        self.signer = Signer()
        self.daemon = None

    def cases(self, only):
        """Each case's group and name, and what is wrong; none if nothing is."""
        groups = {"spellings": self.spellings, "decisions": self.decisions,
                  "lost answers": self.lost_answers, "daemons": self.daemons}
        if only is not None:
            groups = {group: cases for group, cases in groups.items() if group == only}
        if not groups:
            return
        port = free_port()
        self.tcp = f"http://127.0.0.1:{port}"
        self.daemon = Daemon(self.signer, requestIDHeader="X-Request-ID", tcp={"address": "127.0.0.1", "port": port, "mayVerify": True})
        self.daemon.configure(replay=self.daemon.settings["replay"] | {"retryWindowMilliseconds": 60_000})
        self.daemon.start()
        for group, cases in groups.items():
            for name, problem in cases():
                yield group, name, problem
        self.daemon.end()

    def open(self, address=None, **settings):
        settings = {"address": address or self.daemon.socket, "timeoutMilliseconds": TIMEOUT} | settings
        said = self.driver.tell({"do": "open"} | settings)
        if said["outcome"] != "opened":
            raise SystemExit(f"the driver does not open {settings}: {said}")

    def ask(self, token, resource="TNT", **members):
        return self.driver.tell(
            {"do": "verify", "token": encoded(token), "requestor": "REF30", "resource": resource} | members)

    def spellings(self):
        """Fresh tokens in every spelling that is read. Each is valid under its name, once."""
        self.open()
        forms = spellings_of_tokens()
        tokens = self.signer.issue(40 * len(forms))
        for index, (name, spell) in enumerate(forms.items()):
            # Many, since padding and the last symbol differ from one to the next.
            problem = None
            for token in tokens[40 * index:40 * index + 40]:
                identity = hashlib.sha256(token.split(b"<signatureInfo>", 2)[2]).hexdigest()
                valid = {"outcome": "valid", "identity": identity, "use": "first", "requestorID": "REF30", "resourceID": "TNT"}
                again = {"outcome": "refused", "verdict": "TOKEN_REPLAYED", "identity": identity, "action": "new-token"}
                received = spell(token)
                first, second = self.ask(received), self.ask(received)
                problem = problem or differs(valid, first) or differs(again, second) or shown(first, received)
            yield name, problem

    def decisions(self):
        """Every document of Tests/Decisions, with fresh tokens. What is refused spends nothing."""
        self.open()
        with open(ROOT / "Tests/Decisions/cases.ndjson", encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        cases = [case for case in cases if "resource" in case and "paddedTo" not in case]
        tnt = self.signer.issue(len(cases), form="base64")
        tbs = self.signer.issue(2 * len(cases), resource="TBS", form="base64")
        for number, case in enumerate(cases):
            text = case["document"].encode() if "document" in case else base64.b64decode(case["documentBase64"])
            for name, token in (("@TNT@", tnt[number]), ("@TBS@", tbs[2 * number]), ("@WRONG@", tbs[2 * number + 1])):
                text = text.replace(name.encode(), token)
            said = self.driver.tell(
                {"do": "verifyDecision", "decision": encoded(text), "requestor": "REF30", "resource": case["resource"]})
            problem = differs(wanted_of_decision(case), said) or shown(said, text)
            if not problem and said["outcome"] != "valid" and self.ask(tnt[number])["outcome"] != "valid":
                problem = "a token is spent"
            yield case["name"], problem

    def lost_answers(self):
        """A relay hears the daemon's answer and passes nothing on."""
        for name, settings, wanted, second in (
                ("asked again within the window", {"requestIDHeader": "X-Request-ID", "retryWindowMilliseconds": 60_000},
                 {"outcome": "valid", "use": "retry"}, {"outcome": "refused", "verdict": "TOKEN_REPLAYED"}),
                ("not asked again without it", {"requestIDHeader": "X-Request-ID"}, {"outcome": "no-answer", "action": "retry"},
                 {"outcome": "refused", "verdict": "TOKEN_REPLAYED"}),
                ("asked again by the caller under its id", {"requestIDHeader": "X-Request-ID", "id": "4711-8ac1e0"},
                 {"outcome": "no-answer"}, {"outcome": "valid", "use": "retry", "requestID": "4711-8ac1e0"})):
            settings = dict(settings)
            members = {"requestID": settings.pop("id")} if "id" in settings else {}
            token = self.signer.issue(1)[0]
            self.open(Relay(self.daemon.socket, os.path.join(self.folder, f"relay{len(name)}.sock")).path, **settings)
            yield name, differs(wanted, self.ask(token, **members)) or differs(second, self.ask(token, **members))

    def daemons(self):
        """What a client meets in a daemon's life."""
        tokens = iter(self.signer.issue(20))
        valid = {"outcome": "valid", "use": "first"}
        self.open(self.tcp)
        yield "over a loopback address", differs(valid, self.ask(next(tokens)))
        self.open(self.tcp)
        many = [encoded(token) for token in self.signer.issue(200)]
        yield "200 at once over a loopback address, which takes 64", differs({"outcomes": ["valid"] * 200}, self.at_once(many))
        self.open(requestIDHeader="X-Request-ID")
        yield "an id of the caller's", differs(valid | {"requestID": "4711-9bd2"}, self.ask(next(tokens), requestID="4711-9bd2"))
        self.open(requestIDHeader="X-Correlation")
        yield "a header that the daemon does not know", differs({"outcome": "foreign"}, self.ask(next(tokens)))
        self.open()
        yield "ready", differs({"outcome": "ready"}, self.driver.tell({"do": "ready"}))
        other = {"outcome": "refused", "verdict": "INVALID_RESOURCE_ID", "reason": "other-resource"}
        yield "another resource", differs(other, self.ask(next(tokens), "TBS"))
        document = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
        mrss = self.signer.issue(2, resource=document.replace("'", '"'))
        question = {"do": "verify", "requestor": "REF30"}
        yield "a document", differs(valid, self.driver.tell(question | {"token": encoded(mrss[0]), "resourceDocument": document}))
        yield "a channel", differs(valid, self.driver.tell(question | {"token": encoded(mrss[1]), "resourceChannel": "TNT"}))
        yield "a document that cannot be read", differs(
            {"outcome": "fault", "name": "bad-parameter", "status": 400},
            self.driver.tell(question | {"token": encoded(mrss[1]), "resourceDocument": "<rss>"}))
        yield "the one requestor that is configured", differs(
            valid, self.driver.tell({"do": "verify", "token": encoded(next(tokens)), "resource": "TNT"}))
        long = {"outcome": "refused", "verdict": "INVALID_TOKEN_FORMAT", "reason": "too-long"}
        yield "a token that is longer than any", differs(long, self.ask(b"PHNpZ25hdHVyZUluZm8" + b"A" * 65_537))
        for name, number in (("ended and started", signal.SIGTERM), ("killed and started", signal.SIGKILL)):
            self.ask(next(tokens))
            self.daemon.end(number)
            gone = differs({"outcome": "no-answer"}, self.ask(next(tokens)))
            self.daemon.start_unready()
            again = differs({"outcome": "refused", "verdict": "INVALID_TOKEN_FORMAT"}, self.ask(b"nonsense"))
            yield f"a daemon that was {name}", gone or again
        yield "a daemon for other users", self.refused_peer(next(tokens))

    def at_once(self, tokens):
        """What came of each. Where the daemon is undecided, as it is after a wait for a processor, nothing is spent: it is asked again."""
        question = {"do": "atOnce", "requestor": "REF30", "resource": "TNT"}
        said = self.driver.tell(question | {"tokens": tokens})
        for _ in range(20):
            undecided = [index for index, outcome in enumerate(said["outcomes"]) if outcome == "fault"]
            if undecided:
                again = self.driver.tell(question | {"tokens": [tokens[index] for index in undecided]})
                for index, outcome in zip(undecided, again["outcomes"], strict=True):
                    said["outcomes"][index] = outcome
        return said

    def refused_peer(self, token):
        """Says 403 to who connects, and reads nothing. A kit whose library gives up at that has no answer."""
        others = Daemon(self.signer, name="others", table="others.table", peers={"allowUIDs": [os.getuid() + 1]}).spawn()
        if not until(60, lambda: os.path.exists(others.socket)):
            return "the daemon does not start"
        self.open(others.socket)
        said = self.ask(token)
        others.end()
        return None if said["outcome"] == "no-answer" else differs({"outcome": "fault", "name": "peer", "status": 403}, said)


class Relay(misbehaving.Server):
    """Passes one question on to the daemon and its answer to no one; after that it passes on everything."""

    def __init__(self, daemon, path):
        self.daemon, self.has_lost = daemon, False
        super().__init__(path, kind=Relayed)


class Relayed(misbehaving.Connection):
    def _serve_one(self):
        head, body = self._read(leaving_one=False)
        with Connection(self.server.daemon) as upstream:
            upstream.send(head + b"\r\n\r\n" + body)
            answer = upstream.receive()
        passes_on, self.server.has_lost = self.server.has_lost, True
        if passes_on:
            self.socket.sendall(answer.head + b"\r\n\r\n" + answer.body)
        return passes_on


def wanted_of_decision(case):
    """What a case of Tests/Decisions comes to for a kit."""
    kind, _, rest = case["expect"].partition(" ")
    if kind == "broken":
        return {"outcome": "fault", "name": "bad-decision", "status": 400, "action": "report"}
    if kind == "no-token":
        return {"outcome": "refused", "verdict": None, "reason": "no-token-in-decision", "action": "new-token"} | (
            {"decisionError": rest} if rest else {})
    if not rest.startswith("@"):
        return {"outcome": "refused", "verdict": "INVALID_TOKEN_FORMAT", "reason": "empty"}
    if rest == "@WRONG@" or case["resource"] not in ("TNT", "TBS"):
        return {"outcome": "refused", "verdict": "INVALID_RESOURCE_ID"}
    return {"outcome": "valid", "use": "first", "resourceID": case["resource"]}


def spellings_of_tokens():
    """The spellings that the article TokenFormat lists."""
    plain = base64.b64encode
    escaped = lambda token: plain(token).replace(b"+", b"%2B").replace(b"/", b"%2f").replace(b"=", b"%3D")
    return {
        "raw": lambda token: token,
        "raw with the other marker": lambda token: token[:15] + token[15:].replace(b"<signatureInfo>", b"</signatureInfo>", 1),
        "base64": plain,
        "base64 without padding": lambda token: plain(token).rstrip(b"="),
        "base64 for URLs": base64.urlsafe_b64encode,
        "base64 for URLs without padding": lambda token: base64.urlsafe_b64encode(token).rstrip(b"="),
        "base64 whose plus signs became spaces": lambda token: plain(token).replace(b"+", b" "),
        "percent-encoded base64": escaped,
        "percent-encoded": lambda token: quote_from_bytes(token, safe="").encode(),
        "percent-encoded in part": lambda token: b"%3c" + token[1:].replace(b"%", b"%25").replace(b"+", b"%2b").replace(b" ", b"+"),
        "white space around it": lambda token: b" \t\r\n" + token + b"\n\r\t ",
        "base64 and white space around it": lambda token: b"\r\n " + plain(token) + b"\r\n",
    }


def differs(wanted, said):
    """What is wrong with an answer; none if it has all that is wanted."""
    wrong = {name: said.get(name) for name, value in wanted.items() if name not in said or said[name] != value}
    return f"expected {wanted}, found {wrong} in {said}" if wrong else None


def shown(said, received):
    """Whether what a log would get has part of the token."""
    text = received.decode("latin-1")
    has_part = any(text[start:start + 24] in said["text"] for start in range(0, len(text) - 24, 24))
    return f"the token is shown: {said['text']}" if has_part else None
