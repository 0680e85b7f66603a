"""For WSGI applications (PEP 3333): lets through what has a valid token.

    application = mediatoken.wsgi.Middleware(
        application, daemon, requestor="REF30", resource=lambda environ: CHANNELS[environ["PATH_INFO"]])

Place it around what starts playback, and around nothing else: each request that it lets through uses a token up.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Callable, Iterable

from ._gate import Answer, Verifying, decide
from ._question import Requestor, Resource

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

#: The name of the ``ValidToken`` in the environment that the application is given.
TOKEN = "mediatoken.token"


class Middleware:
    """Gives the application requests with a valid token, and answers the others itself.

    ``resource`` says what a request is about to play. ``header`` is where the player sends its token; the server may join two such headers
    with a comma, and what that makes is refused.
    """

    def __init__(
        self, application: WSGIApplication, client: Verifying, *, requestor: Requestor,
        resource: Callable[[WSGIEnvironment], Resource], header: str = "X-Media-Token",
    ) -> None:
        self._application, self._client, self._requestor, self._resource = application, client, requestor, resource
        self._variable = "HTTP_" + header.upper().replace("-", "_")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        tokens, method = [environ[self._variable].encode("latin-1")] if self._variable in environ else [], environ["REQUEST_METHOD"]
        outcome = decide(self._client, method, tokens, self._requestor, lambda: self._resource(environ))
        if isinstance(outcome, Answer):
            start_response(f"{outcome.status} {HTTPStatus(outcome.status).phrase}", outcome.fields)
            # Servers send what they are given: to HEAD it would be the beginning of the next answer.
            return [] if method == "HEAD" else [outcome.body]
        environ[TOKEN] = outcome
        return self._application(environ, start_response)
