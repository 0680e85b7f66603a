"""A kit's driver: a program that is told what to ask in lines of JSON, and says in such lines what came of it."""

import base64
import json
import re
import subprocess
import sys
import tempfile
from datetime import datetime

#: For a client whose deadline is not what is looked at, in milliseconds: longer than any question needs.
TIMEOUT = 60_000
#: Of what a log would get, no part may be in these: tokens in each spelling, the account and the credential of server.py.
SECRET = ("signatureInfo", "PHNpZ25hdHVyZUluZm8", "feedface", "5ec3e7")
#: Kits of languages whose programs fork.
FORKING = ("php", "python")
OUTCOMES = {"ValidToken": "valid", "Refused": "refused", "Unavailable": "unavailable"}
#: Names of members that a driver may spell as its language does.
NAMES = {name.lower(): name for name in (
    "requestorID resourceID mvpdId proxyMvpdId sessionGUID issueTime expiresAt ttlMilliseconds keyFingerprint unknownFields viewerTag "
    "requestID adobeCode retryAfter").split()}


class Driver:
    def __init__(self, command):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.log.seek(0)
        said = self.log.read().decode(errors="replace")
        sys.stderr.write(said)
        if any(secret in said for secret in SECRET):
            raise SystemExit("what the driver logs has a token or an account")

    def tell(self, **line):
        """One line, and what it says to that."""
        self.process.stdin.write(json.dumps({name: value for name, value in line.items() if value is not None}).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the driver ended, asked {json.dumps(line)[:300]}")
        return json.loads(answer)

    def open(self, address, **settings):
        """A new client in place of the last one, for a socket."""
        said = self.tell(do="open", address=address, **{"timeoutMilliseconds": TIMEOUT} | settings)
        if "text" not in said:
            raise SystemExit(f"the driver does not open {settings}: {said}")

    def ask(self, *texts, do="verify", **members):
        """What came of a question about each of these tokens or decisions, REF30 and TNT."""
        members = {"requestor": "REF30", "resource": "TNT"} | members
        said = self.tell(do=do, texts=[base64.b64encode(text).decode() for text in texts], **members)
        return [_plain(answer) for answer in said["answers"]]


def _plain(answer):
    """An outcome of the table's, and its members by their names in JSON."""
    members = {NAMES.get(name.replace("_", "").lower(), name[0].lower() + name[1:]): value
               for name, value in (answer.pop("members", None) or {}).items()}
    for name in ("issueTime", "expiresAt") if "issueTime" in members else ():
        members[name] = round(datetime.fromisoformat(members[name]).timestamp() * 1000)
    return members | answer | {"outcome": OUTCOMES.get(re.split(r"\W", answer["outcome"])[-1], "misuse"), "verdict": members.get("verdict") or None}


def differs(expected, said):
    """What is wrong with an answer; None if nothing. Expected is an outcome, several with `|` between them, or members."""
    if isinstance(expected, str):
        expected = {"outcome": expected}
    wrong = {name: said.get(name) for name, value in expected.items()
             if said.get(name) not in (value.split("|") if name == "outcome" else [value])}
    if wrong:
        return f"expected {expected}, found {wrong} in {said}"
    secrets = [*SECRET, said.get("sessionGUID"), said.get("handover")]
    shown = [secret for secret in secrets if secret and secret in said["text"]]
    return f"it shows {shown}: {said['text']}" if shown else None
