"""For the tests of an application: an object with a ``Client``'s interface, and no daemon.

    daemon = mediatoken.testing.FakeClient()
    application = make_application(daemon)
    application.play(daemon.valid())
    application.play(daemon.refused("TOKEN_REPLAYED", "already-used"))
"""

import threading
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Optional, Union

from . import Channel, Document, NotValid, Refused, Requestor, Resource, Unavailable, ValidToken


class FakeClient:
    """Says about a token what the token was made to say; any other is ``INVALID_TOKEN_FORMAT``."""

    def __init__(self) -> None:
        self._outcomes: Dict[str, Union[Dict[str, Any], NotValid]] = {}
        self._lock = threading.Lock()

    def valid(self, **members: Any) -> str:
        """A token that plays once, for the requestor and resource that are asked for. Members are those of a ``ValidToken``."""
        return self._made(members)

    def refused(self, verdict: str, reason: str, action: str = "new-token") -> str:
        return self._made(_refused(verdict, reason, action))

    def unavailable(self, name: str, action: str = "retry") -> str:
        return self._made(Unavailable(f"no verdict: {name} (503)", name=name, status=503, action=action, detail="a fake", request_id="fake"))

    def verify(self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None) -> ValidToken:
        name = token if isinstance(token, str) else token.decode("latin-1")
        with self._lock:
            outcome = self._outcomes.get(name, _refused("INVALID_TOKEN_FORMAT", "unknown-form", "new-token"))
            if isinstance(outcome, NotValid):
                raise outcome
            self._outcomes[name] = _refused("TOKEN_REPLAYED", "already-used", "new-token")
        now = datetime.now(timezone.utc)
        named = resource[0] if isinstance(resource, (Document, Channel)) else str(resource)
        return ValidToken(**{
            "identity": "0" * 64, "requestor_id": str(requestor), "resource_id": named, "mvpd_id": "Sample_MVPD", "session_guid": "an account",
            "issue_time": now, "expires_at": now + timedelta(hours=1), "ttl_milliseconds": 3_600_000, "key_fingerprint": "0" * 64,
            "unknown_fields": (), "use": "first", "request_id": request_id or "fake", **outcome})

    verify_decision = verify

    def _made(self, outcome: Union[Dict[str, Any], NotValid]) -> str:
        with self._lock:
            name = f"fake {len(self._outcomes) + 1}"
            self._outcomes[name] = outcome
        return name


def _refused(verdict: str, reason: str, action: str) -> Refused:
    return Refused(f"{verdict}: {reason}", verdict=verdict, reason=reason, action=action, detail="a fake", adobe_code="ERROR_UNKNOWN",
                   request_id="fake")
