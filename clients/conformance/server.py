"""A server that answers as a case tells it to, and keeps what it was asked."""

import hashlib
import json
import select
import socket
import threading
import time
import urllib.parse

#: What texts of a case stand for that are too long to be written out, or are no text.
LONG = {"{half}": b"x" * 500_000, "{spaces}": b" " * 2_000_000, "{deep}": b"[" * 100_000 + b"]" * 100_000, "{ff}": b"\xff"}


def token(name):
    """A token's shape, and no more: each name has other signed bytes. No daemon would take it."""
    return f"<signatureInfo>AAAA<signatureInfo><shortAuthorization>{name}</shortAuthorization>".encode()


def identity(token):
    return hashlib.sha256(token.split(b"<signatureInfo>", 2)[-1]).hexdigest()


class Question:
    """A request that came whole. ValueError for what the article HTTPInterface does not have."""

    def __init__(self, connection, head, body):
        self.connection = connection
        line, *fields = head.decode("latin-1").split("\r\n")
        self.fields = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        if (line != "POST /v1/verify HTTP/1.1" or len(self.fields) != len(fields) or self.fields.get("host") != "localhost"
                or "expect" in self.fields or "transfer-encoding" in self.fields):
            raise ValueError(f"expected a question, found {head}")
        if self.fields["content-type"] == "application/json":
            self.names = json.loads(body)
            decision = self.names.pop("decision")
            self.token, self.decision = decision["decisions"][0]["token"]["serializedToken"].encode(), body
        else:
            pairs = urllib.parse.parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True, encoding="latin-1")
            values = {name: value.encode("latin-1") for name, value in pairs}
            if self.fields["content-type"] != "application/x-www-form-urlencoded" or len(pairs) != len(values):
                raise ValueError("expected a form with each parameter once")
            self.token, self.decision = values.pop("token"), None
            self.names = {name: value.decode() for name, value in values.items()}


def good(kind, question, header):
    """What a daemon that thinks so would answer: status, members."""
    sent = {"identity": identity(question.token), "requestID": question.fields.get(header.lower(), "88bf9150654de194")}
    return {
        "valid": (200, {
            "verdict": "VALID_TOKEN", "number": 0, "requestorID": question.names.get("requestor", "REF30"),
            "resourceID": question.names.get("resource", "TNT"), "mvpdId": "Sample_MVPD", "sessionGUID": "feedface" * 4,
            "issueTime": "2026-11-23T00:00:00.000Z", "ttl": 300000, "ttlMilliseconds": 300000, "expiresAt": "2026-11-23T00:05:00.000Z",
            "keyFingerprint": "0123456789abcdef" * 4, "unknownFields": [], "use": "first", "action": "none", "adobeCode": "VALID_TOKEN",
            "retry": False} | sent),
        "refused": (403, {
            "verdict": "TOKEN_REPLAYED", "number": 8, "reason": "already-used", "detail": "the token was used before",
            "action": "new-token", "adobeCode": "TOKEN_EXPIRED"} | sent),
        "fault": (503, {
            "fault": "REPLAY_MEMORY_FULL", "number": 66, "action": "retry", "adobeCode": "ERROR_UNKNOWN", "requestID": sent["requestID"]}),
        "error": (400, {"error": "bad-parameter", "detail": "an unknown parameter"}),
        "no-token": (403, {"error": "no-token-in-decision", "detail": "the decision has no token", "action": "new-token"}),
    }[kind]


def written(answer, question, header):
    """The bytes of an answer as a case describes it."""
    status, members = good(answer.get("answer", "valid"), question, header)
    members = {name: value for name, value in (members | answer.get("set", {})).items() if name not in answer.get("drop", [])}
    text = json.dumps(members, separators=(",", ":"), ensure_ascii=False)
    text = answer.get("body", "{good}").replace("{good}", text).replace("{inside}", text[1:-1])
    body = _expanded(text, question)
    fields = [f"Content-Type: {answer.get('type', 'application/json')}", *answer.get("fields", [])]
    if answer.get("length", "") is not None:
        fields.append(f"Content-Length: {answer.get('length', len(body))}")
    head = "\r\n".join([answer.get("line", f"HTTP/1.1 {answer.get('status', status)} X"), *fields, "", ""])
    return answer.get("before", "").encode() + _expanded(head, question) + body


def _expanded(text, question):
    data = text.encode().replace(b"{token}", question.token)
    for name, long in LONG.items():
        data = data.replace(name.encode(), long)
    return data


class Server:
    """Listens at a UNIX socket, and answers the next request of whichever connection with the next answer."""

    def __init__(self, path, answers, header="X-Request-ID"):
        self.answers, self.header, self.questions, self.problems, self.connections = list(answers), header, [], [], 0
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connected, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connected, self.connections), daemon=True).start()

    def _serve(self, connected, number):
        with connected:
            try:
                while self._answer(connected, number):
                    pass
            except OSError:
                pass
            except (ValueError, KeyError) as problem:
                self.problems.append(repr(problem))

    def _answer(self, connected, number):
        if not connected.recv(1, socket.MSG_PEEK):
            return False
        with self._lock:
            if not self.answers:
                raise ValueError("a question that the case does not expect")
            answer = self.answers.pop(0)
            end = answer.get("end", "keep")
            # On a UNIX socket what was left unread makes an end a reset.
            question = _read(connected, number, leaves_one=end == "reset")
            self.questions.append(question)
        time.sleep(answer.get("delayMilliseconds", 0) / 1000)
        data = written(answer, question, self.header)
        if "cut" in answer:
            data = data[:min(answer["cut"], len(data) - 1)]
        if "paceMilliseconds" in answer:
            for byte in data:
                connected.sendall(bytes([byte]))
                time.sleep(answer["paceMilliseconds"] / 1000)
        elif "twiceMilliseconds" in answer:
            connected.sendall(data)
            time.sleep(answer["twiceMilliseconds"] / 1000)
            connected.sendall(data)
        else:
            connected.sendall(data * (2 if answer.get("twice") else 1))
        if end == "hang":
            ended = select.poll()
            ended.register(connected, select.POLLRDHUP | select.POLLHUP)
            ended.poll(60_000)
        return end == "keep" and question.fields.get("connection", "").lower() != "close"


def _read(connected, number, leaves_one):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += _some(connected, 1)
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    body = b""
    while len(body) < length - 1:
        body += _some(connected, length - 1 - len(body))
    return Question(number, head[:-4], body + _some(connected, 1, socket.MSG_PEEK if leaves_one else 0))


def _some(connected, count, flags=0):
    data = connected.recv(count, flags)
    if not data:
        raise OSError("the question ended early")
    return data
