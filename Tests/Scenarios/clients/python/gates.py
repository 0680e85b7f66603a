"""What middleware does that no server of the scenario shows."""

import asyncio
import warnings

import mediatoken
import mediatoken.asgi
import mediatoken.wsgi
from says import raised, says

ENVIRON = {"REQUEST_METHOD": "GET", "HTTP_X_MEDIA_TOKEN": "nonsense"}
SCOPE = {"type": "http", "method": "GET", "headers": [(b"x-media-token", b"nonsense")]}


class StandIn:
    """In place of a client; its outcome is what verify returns."""

    def __init__(self, outcome):
        self.outcome = outcome

    def verify(self, token, *, requestor, resource):
        return self.outcome


class Awaited:
    async def verify(self, token, *, requestor, resource):
        return None


def in_wsgi(client, **changes):
    """What becomes of a request: "plays", the status of an answer, or the name of an exception."""
    said = []
    middleware = mediatoken.wsgi.Middleware(
        lambda environ, start_response: start_response("plays", []) or [], client, requestor="REF30", resource=lambda environ: "TNT")
    error = raised(middleware, {**ENVIRON, **changes}, lambda status, fields: said.append(status))
    return type(error).__name__ if error else said[0].split()[0]


def in_asgi(client, resource=lambda scope: "TNT", **changes):
    """The same."""
    said = []

    async def play(scope, receive, send):
        said.append("plays")

    async def send(message):
        said.append(str(message.get("status", message.get("code"))))

    async def ask():
        middleware = mediatoken.asgi.Middleware(play, client, requestor="REF30", resource=resource)
        await asyncio.wait_for(middleware({**SCOPE, **changes}, None, send), 60)

    error = raised(asyncio.run, ask())
    return type(error).__name__ if error else said[0]


# An awaitable that no one awaits is what this is about.
warnings.simplefilter("ignore", RuntimeWarning)
clients = [Awaited(), *map(StandIn, (None, True, "valid", {"verdict": "VALID_TOKEN"}, object.__new__(mediatoken.ValidToken)))]
for name, ask, method in (("WSGI", in_wsgi, "REQUEST_METHOD"), ("ASGI", in_asgi, "method")):
    found = [ask(client) for client in clients]
    says(f"{name}: what verifies must say so with a valid token", found == ["TypeError"] * len(clients), found)
    found = {ask(StandIn(None), **{method: other}) for other in ("HEAD", "get", "OPTIONS", "CONNECT", "PROPFIND", "GETX", "GET ", "")}
    says(f"{name}: another method asks nothing", found == {"405"}, found)
    found = {ask(StandIn(None), **{method: other}) for other in ("GET", "POST", "PUT", "PATCH", "DELETE")}
    says(f"{name}: the five that play do", found == {"TypeError"}, found)
# asyncio hands no StopIteration from a thread on, and the request would wait for ever.
found = in_asgi(StandIn(None), resource=lambda scope: next(iter(())))
says("ASGI: a resource that is not found among others is an error", found == "RuntimeError", found)
