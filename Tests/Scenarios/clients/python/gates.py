"""What middleware does that no server of the scenario shows. Prints a line for each thing that holds, or fails."""

import asyncio
import sys
import warnings

import mediatoken
import mediatoken.asgi
import mediatoken.wsgi

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


def says(text, holds, found=""):
    if not holds:
        sys.exit(f"not so: {text} {found}")
    print(text, flush=True)


def in_wsgi(client, **changes):
    """What becomes of a request: "plays", the status of an answer, or the name of an exception."""
    def play(environ, start_response):
        start_response("plays", [])
        return []

    said = []
    middleware = mediatoken.wsgi.Middleware(play, client, requestor="REF30", resource=lambda environ: "TNT")
    try:
        middleware({**ENVIRON, **changes}, lambda status, fields: said.append(status))
    except Exception as error:
        return type(error).__name__
    return said[0][:5].strip()


def in_asgi(client, **changes):
    """The same."""
    said = []

    async def play(scope, receive, send):
        said.append("plays")

    async def send(message):
        said.append(str(message.get("status", message.get("code"))))

    async def receive():
        return {"type": "websocket.connect"}

    middleware = mediatoken.asgi.Middleware(play, client, requestor="REF30", resource=lambda scope: "TNT")
    try:
        asyncio.run(middleware({**SCOPE, **changes}, receive, send))
    except Exception as error:
        return type(error).__name__
    return said[0]


def only_a_valid_token_plays():
    # An awaitable that no one awaits is what this is about.
    warnings.simplefilter("ignore", RuntimeWarning)
    clients = [Awaited(), *map(StandIn, (None, True, "valid", {"verdict": "VALID_TOKEN"}, object.__new__(mediatoken.ValidToken)))]
    for name, ask, in (("WSGI", in_wsgi), ("ASGI", in_asgi)):
        found = [ask(client) for client in clients]
        says(f"{name}: what verifies must say so with a valid token", found == ["TypeError"] * len(clients), found)


def only_what_plays_is_asked():
    methods = ["HEAD", "head", "get", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "TRACK", "QUERY", "GETX", "GET ", ""]
    client = StandIn(None)
    says("WSGI: another method asks nothing", {in_wsgi(client, REQUEST_METHOD=method) for method in methods} == {"405 M"})
    says("ASGI: another method asks nothing", {in_asgi(client, method=method) for method in methods} == {"405"})
    asked = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    says("the five that play do", {ask(client, **{name: method}) for method in asked
                                   for name, ask in (("REQUEST_METHOD", in_wsgi), ("method", in_asgi))} == {"TypeError"})


def what_stops_an_iteration_is_an_error():
    """asyncio hands no StopIteration from a thread on, and the request would wait for ever."""
    async def ask():
        def resource(scope):
            raise StopIteration
        middleware = mediatoken.asgi.Middleware(None, StandIn(None), requestor="REF30", resource=resource)
        await asyncio.wait_for(middleware(SCOPE, None, None), 60)

    try:
        asyncio.run(ask())
        found = "nothing"
    except Exception as error:
        found = type(error).__name__
    says("ASGI: a resource that is not found among others is an error", found == "RuntimeError", found)


what_stops_an_iteration_is_an_error()
only_a_valid_token_plays()
only_what_plays_is_asked()
