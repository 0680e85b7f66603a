"""For the tests of an application: a daemon that says about each token what the token was made to say.

    with mediatoken.testing.FakeDaemon() as fake:
        application = make_application(mediatoken.Client(fake.address))
        application.play(fake.valid())
        application.play(fake.refused("TOKEN_REPLAYED", "already-used"))

The client is the real one: in the application nothing changes but an address. A real daemon refuses all of these tokens.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import secrets
import threading
from typing import Any, Dict, Optional, Set, Tuple
from urllib.parse import parse_qsl

_MARK = "<signatureInfo>fake</signatureInfo>"


class FakeDaemon:
    """Listens on the loopback interface until it is closed. ``request_id_header`` is the client's."""

    def __init__(self, request_id_header: Optional[str] = None) -> None:
        self._used: Set[str] = set()
        said = self._said

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.answer(200, {"status": "ready"})

            def do_POST(self) -> None:
                form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                status, members = said(form)
                self.answer(status, members | {"requestID": self.headers.get(request_id_header or "", "fake")})

            def answer(self, status: int, members: Dict[str, Any]) -> None:
                body = json.dumps(members).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @staticmethod
    def valid(**members: Any) -> str:
        """A token that plays once, for the requestor and resource that are asked for. Members are those of the daemon's answer."""
        return _made(200, {
            "verdict": "VALID_TOKEN", "number": 0, "mvpdId": "Sample_MVPD", "sessionGUID": "fake", "issueTime": "2026-01-01T00:00:00.000Z",
            "expiresAt": "2026-01-01T01:00:00.000Z", "ttlMilliseconds": 3_600_000, "keyFingerprint": "0" * 64, "unknownFields": [],
            "use": "first", "action": "none", "adobeCode": "VALID_TOKEN"} | members)

    @staticmethod
    def refused(verdict: str, reason: str, action: str = "new-token") -> str:
        """A token that is refused."""
        return _made(403, {
            "verdict": verdict, "number": 1, "reason": reason, "detail": "a fake", "action": action, "adobeCode": "ERROR_UNKNOWN"})

    @staticmethod
    def fault(name: str, action: str = "retry") -> str:
        """A token about which there is no verdict."""
        return _made(503, {"fault": name, "number": 64, "detail": "a fake", "action": action})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> FakeDaemon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _said(self, form: Dict[str, str]) -> Tuple[int, Dict[str, Any]]:
        token = form.get("token", "")
        text = token
        if not token.startswith(_MARK):
            text = self.refused("INVALID_TOKEN_FORMAT", "unknown-form")
        elif token in self._used:
            text = self.refused("TOKEN_REPLAYED", "already-used")
        status, _, said = text[len(_MARK):].split(" ", 2)
        members: Dict[str, Any] = json.loads(said)
        if token.startswith(_MARK):
            members["identity"] = hashlib.sha256(token[len(_MARK):].encode()).hexdigest()
        if status == "200":
            self._used.add(token)
            members = {"requestorID": form.get("requestor", "FAKE"), "resourceID": form.get("resource", "fake")} | members
        return int(status), members


def _made(status: int, members: Dict[str, Any]) -> str:
    return f"{_MARK}{status} {secrets.token_hex(16)} {json.dumps(members)}"
