"""For ASGI applications (version 3): lets through what has a valid token.

    application = mediatoken.asgi.Middleware(
        application, daemon, requestor="REF30", resource=lambda scope: CHANNELS[scope["path"]])

Place it around what starts playback, and around nothing else: each request that it lets through uses a token up.
"""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, List, MutableMapping, Union

from ._gate import Answer, Verifying, decide
from ._question import Requestor, Resource
from ._tokens import ValidToken

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
#: The name of the ``ValidToken`` in the scope that the application is given.
TOKEN = "mediatoken.token"
#: RFC 6455, 7.4.1: the message breaks a policy.
_POLICY_VIOLATION = 1008


class Middleware:
    """Gives the application requests and WebSockets with a valid token, and answers the others itself.

    ``resource`` says what a request is about to play. ``header`` is where the player sends its token. The question is asked in a thread.
    """

    def __init__(
        self, application: Application, client: Verifying, *, requestor: Requestor, resource: Callable[[Scope], Resource],
        header: str = "X-Media-Token",
    ) -> None:
        self._application, self._client, self._requestor, self._resource = application, client, requestor, resource
        self._header = header.lower().encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._application(scope, receive, send)
        tokens = [bytes(value) for name, value in scope["headers"] if bytes(name).lower() == self._header]
        outcome = await asyncio.to_thread(self._decide, scope, tokens)
        if not isinstance(outcome, Answer):
            await self._application({**scope, TOKEN: outcome}, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            fields = [(name.lower().encode(), value.encode()) for name, value in outcome.fields]
            await send({"type": "http.response.start", "status": outcome.status, "headers": fields})
            await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else outcome.body})

    def _decide(self, scope: Scope, tokens: List[bytes]) -> Union[ValidToken, Answer]:
        try:
            # A WebSocket begins with a GET.
            return decide(self._client, scope.get("method", "GET"), tokens, self._requestor, lambda: self._resource(scope))
        except StopIteration as error:
            # asyncio would not hand it on, and wait for ever (before Python 3.11.8 and 3.12.2).
            raise RuntimeError("resource or verify raised StopIteration") from error
