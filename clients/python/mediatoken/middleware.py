"""Gives the application requests with a valid token, as ``mediatoken.token`` in the environment or scope, and answers the others itself.

Place it around what starts playback: each request that it lets through uses a token up."""

import asyncio
import json
from http import HTTPStatus
from typing import Any, Callable, Dict, Iterable, List, Tuple, Union

from . import Refused, Requestor, Resource, Unavailable, ValidToken

#: Methods that may start playback, byte for byte. No token is used up for another.
_PLAYS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class _Gate:
    def __init__(self, application: Any, client: Any, *, requestor: Requestor, resource: Callable[[Any], Resource],
                 header: str = "X-Media-Token") -> None:
        """``client`` has a method ``verify``; ``resource`` tells what a request is about to play by its environment or scope."""
        self._application, self._client, self._requestor, self._resource, self._header = application, client, requestor, resource, header

    def _decide(self, request: Any, method: str, tokens: List[bytes]) -> Union[ValidToken, Tuple[int, List[Tuple[str, str]], bytes]]:
        fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        if method not in _PLAYS:
            status, members, more = 405, {"error": "method-not-allowed", "action": "report"}, [("Allow", ", ".join(_PLAYS))]
        elif not any(tokens):
            status, members, more = 401, {"error": "no-token", "action": "new-token"}, [("WWW-Authenticate", "MediaToken")]
        elif len(tokens) > 1:
            status, members, more = 403, {"error": "ambiguous", "action": "new-token"}, []
        else:
            try:
                return self._client.verify(tokens[0], requestor=self._requestor, resource=self._resource(request))  # type: ignore[no-any-return]
            except Refused as no:
                said = {"verdict": no.verdict or "", "reason": no.reason, "action": no.action, "adobeCode": no.adobe_code}
                status, members, more = 403, said, []
            except Unavailable as no:
                more = [] if no.retry_after is None else [("Retry-After", str(no.retry_after))]
                status, members = 503, {"fault": no.name, "action": no.action}
        # Servers send what they are given: a body to HEAD would be the beginning of the next answer.
        body = b"" if method == "HEAD" else json.dumps(members, separators=(",", ":")).encode()
        return status, fields + more, body


class WSGI(_Gate):
    """For WSGI applications (PEP 3333). A server may join two headers with a comma; what that makes is refused."""
    def __call__(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        received = environ.get("HTTP_" + self._header.upper().replace("-", "_"), "").encode("latin-1")
        outcome = self._decide(environ, environ["REQUEST_METHOD"], [received])
        if isinstance(outcome, ValidToken):
            environ["mediatoken.token"] = outcome
            return self._application(environ, start_response)  # type: ignore[no-any-return]
        status, fields, body = outcome
        start_response(f"{status} {HTTPStatus(status).phrase}", fields)
        return [body]


class ASGI(_Gate):
    """For ASGI applications (version 3): requests and WebSockets. The question is asked in a thread, and ``resource`` with it."""
    async def __call__(self, scope: Dict[str, Any], receive: Callable[[], Any], send: Callable[[Dict[str, Any]], Any]) -> None:
        if scope["type"] == "lifespan":
            return await self._application(scope, receive, send)  # type: ignore[no-any-return]
        tokens = [value for name, value in scope["headers"] if name.lower() == self._header.lower().encode()]
        outcome = await asyncio.to_thread(self._decide, scope, scope.get("method", "GET"), tokens)  # A WebSocket begins with a GET.
        if isinstance(outcome, ValidToken):
            return await self._application({**scope, "mediatoken.token": outcome}, receive, send)  # type: ignore[no-any-return]
        status, fields, body = outcome
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 1008})  # type: ignore[no-any-return]
        await send({"type": "http.response.start", "status": status, "headers": [(a.lower().encode(), b.encode()) for a, b in fields]})
        await send({"type": "http.response.body", "body": body})
