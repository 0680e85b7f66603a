"""Questions as a daemon reads them, and the answers that it would give: what the misbehaving server starts from."""

import hashlib
import json
import urllib.parse

#: Of synthetic tokens: 64 digits that name no token.
OTHER = "0123456789abcdef" * 4


def token(name):
    """A token's shape, and no more: each name has other signed bytes. No daemon would take it."""
    return f"<signatureInfo>AAAA<signatureInfo><shortAuthorization>{name}</shortAuthorization>".encode()


def identity(token):
    """The name of a raw token: SHA-256 of the signed bytes."""
    parts = token.split(b"<signatureInfo>", 2)
    return hashlib.sha256(parts[2]).hexdigest() if len(parts) == 3 else OTHER


class Question:
    """A request that came whole."""

    def __init__(self, head, body, connection):
        self.connection, self.body = connection, body
        line, *fields = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = line.split(" ")
        self.fields = [(name.lower(), value.strip()) for name, _, value in (field.partition(":") for field in fields)]
        self.values, self.decision = {}, None
        kind = self.field("content-type")
        if self.target == "/v1/verify" and kind == "application/x-www-form-urlencoded":
            pairs = urllib.parse.parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True,
                                           encoding="latin-1")
            self.values = {name: value.encode("latin-1") for name, value in pairs}
            if len(pairs) != len(self.values):
                raise ValueError("expected each parameter once")
        elif self.target == "/v1/verify" and kind == "application/json":
            members = json.loads(body)
            self.decision = members.pop("decision")
            self.values = {name: value.encode() for name, value in members.items()}
        elif self.target != "/readyz":
            raise ValueError(f"expected a question, found {line} of the type {kind}")

    def field(self, name):
        """The only field of this name, or None."""
        values = [value for field, value in self.fields if field == name.lower()]
        if len(values) > 1:
            raise ValueError(f"expected one {name}, found {len(values)}")
        return values[0] if values else None

    def token(self):
        """The token that is asked about, raw as all are here."""
        if self.decision is None:
            return self.values["token"]
        return self.decision["decisions"][0]["token"]["serializedToken"].encode()

    def text(self, name, default):
        return self.values.get(name, default.encode()).decode(errors="replace")


def about(token):
    """The question that a kit asks about this token, REF30 and TNT."""
    head = b"POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded"
    question = Question(head, b"token=x&requestor=REF30&resource=TNT", None)
    question.values["token"] = token
    return question


def good(kind, question):
    """What a daemon that thinks so would answer: status, content type, members."""
    request_id = question.field("x-request-id") or "88bf9150654de194"
    if kind == "valid":
        return 200, "application/json", {
            "verdict": "VALID_TOKEN", "number": 0, "identity": identity(question.token()),
            "requestorID": question.text("requestor", "REF30"), "resourceID": question.text("resource", "TNT"),
            "mvpdId": "Sample_MVPD", "sessionGUID": "feedfacefeedfacefeedfacefeedface",
            "issueTime": "2026-11-23T00:00:00.000Z", "ttl": 300000, "ttlMilliseconds": 300000,
            "expiresAt": "2026-11-23T00:05:00.000Z", "keyFingerprint": OTHER, "unknownFields": [], "use": "first",
            "action": "none", "adobeCode": "VALID_TOKEN", "retry": False, "requestID": request_id}
    if kind == "refused":
        return 403, "application/json", {
            "verdict": "TOKEN_REPLAYED", "number": 8, "reason": "already-used", "detail": "the token was used before",
            "action": "new-token", "adobeCode": "TOKEN_EXPIRED", "identity": identity(question.token()),
            "requestID": request_id}
    if kind == "fault":
        return 503, "application/json", {
            "fault": "REPLAY_MEMORY_FULL", "number": 66, "action": "retry", "adobeCode": "ERROR_UNKNOWN",
            "requestID": request_id}
    if kind == "error":
        return 400, "application/json", {"error": "bad-parameter", "detail": "an unknown parameter"}
    if kind == "ready":
        return 200, "application/json", {"status": "ready"}
    if kind == "not-ready":
        return 503, "application/json", {
            "status": "not-ready", "reason": "replay-memory-full", "detail": "the table is full", "cure": "make it larger"}
    raise ValueError(f"no answer is called {kind}")


#: What texts of a case stand for that are too long to be written out.
LONG = {"{half}": "x" * 500_000, "{endless}": "x" * 1_000_000, "{spaces}": " " * 2_000_000}


def expanded(value):
    """A case's member with its long texts written out."""
    if isinstance(value, dict):
        return {name: expanded(member) for name, member in value.items()}
    if isinstance(value, list):
        return [expanded(element) for element in value]
    if isinstance(value, str):
        for short, long in LONG.items():
            value = value.replace(short, long)
    return value


def written(answer, question):
    """The bytes of an answer as a case describes it."""
    answer = expanded(answer)
    status, kind, members = good(answer.get("answer", "valid"), question)
    members.update(answer.get("set", {}))
    members = {name: value for name, value in members.items() if name not in answer.get("drop", [])}
    text = json.dumps(members, separators=(",", ":"))
    if "body" in answer:
        text = answer["body"].replace("{good}", text).replace("{inside}", text[1:-1])
    # What is written as Latin-1 here goes out as these bytes: bodies need not be UTF-8.
    body = text.encode("latin-1" if answer.get("latin1") else "utf-8") * answer.get("times", 1)
    line = answer.get("line", f"HTTP/1.1 {answer.get('status', status)} X")
    spaces = 0
    if "bytes" in answer:
        # More than once, as the length may get another digit.
        for _ in range(3):
            spaces += answer["bytes"] - len(with_head(answer, line, kind, body + b" " * spaces))
    whole = with_head(answer, line, kind, body + b" " * spaces) + answer.get("after", "").encode("latin-1")
    return answer.get("before", "").encode("latin-1") + whole * answer.get("times-over", 1)


def with_head(answer, line, kind, body):
    """A body and its head."""
    fields = [] if answer.get("type", kind) is None else [f"Content-Type: {answer.get('type', kind)}"]
    length = answer.get("length", "{length}")
    fields += [] if length is None else [f"Content-Length: {length}".replace("{length}", str(len(body)))]
    fields += [field.replace("{length}", str(len(body))) for field in answer.get("fields", [])]
    return answer.get("newline", "\r\n").join([line, *fields, "", ""]).encode("latin-1") + body
