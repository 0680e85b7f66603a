"""A kit's driver: a program that is told what to ask in lines of JSON, and says in such lines what came of it."""

import base64
import json
import queue
import subprocess
import threading

from answers import token

#: How long a driver may take for one line, in seconds: no case has a deadline near it, and no machine is that busy.
PATIENCE = 900
#: For a client whose deadline is not what is looked at, in milliseconds: longer than any question needs.
TIMEOUT = 120_000
TOKEN_BYTES = {"all": bytes(range(256))}


class Driver:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def tell(self, line):
        """One line, and what it says to that."""
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        try:
            answer = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise SystemExit(f"the driver says nothing for {PATIENCE} s, asked {json.dumps(line)[:300]}") from None
        if answer is None:
            raise SystemExit(f"the driver ended, asked {json.dumps(line)[:300]}")
        return json.loads(answer)


def token_bytes(ask):
    """The token of a case's question: a synthetic one by its name, a text, or bytes."""
    if "tokenText" in ask:
        return ask["tokenText"].encode()
    if "tokenBytes" in ask:
        return TOKEN_BYTES.get(ask["tokenBytes"]) or ask["tokenBytes"]
    return token(ask.get("token", "A"))


def question(ask):
    """A case's question as a driver is told it. Unless said otherwise, it is about REF30 and TNT."""
    do = ask.get("do", "verify")
    if do == "ready":
        return {"do": do}
    line = {"do": do, "requestor": ask.get("requestor", "REF30"), "resource": ask.get("resource", "TNT")}
    line |= {name: ask[name] for name in ("resourceDocument", "resourceChannel", "requestID") if name in ask}
    if do == "verify":
        line["token"] = encoded(token_bytes(ask))
    elif "decisionText" in ask:
        line["decision"] = encoded(ask["decisionText"].encode())
    else:
        decision = {"decisions": [{"resource": line["resource"], "authorized": True,
                                   "token": {"serializedToken": token_bytes(ask).decode()}}]}
        line["decision"] = encoded(json.dumps(decision).encode() + b" " * ask.get("filler", 0))
    return {name: value for name, value in line.items() if value is not None}


def encoded(data):
    return base64.b64encode(data).decode()


def matches(expected, said):
    """Whether an answer is as expected: an outcome by its name, one of several, or members that it must have."""
    if isinstance(expected, str):
        return said.get("outcome") == expected
    if isinstance(expected, list):
        return any(matches(each, said) for each in expected)
    return all(name in said and said[name] == value and type(said[name]) is type(value) for name, value in expected.items())
