"""What gunicorn (`application`) and uvicorn (`asynchronous`) serve: says who played. Its client or verifier has asked before workers were
forked."""

import os

import mediatoken
from mediatoken.middleware import ASGI, WSGI

if "DAEMON" in os.environ:
    asked = mediatoken.Client(os.environ["DAEMON"], timeout=300)
else:
    import mediatoken.inprocess
    asked = mediatoken.inprocess.Verifier([os.environ["KEYS"]], replay=os.environ["REPLAY"], allow_rsa_1024=[os.environ["FINGERPRINT"]])
asked.verify(os.environ["TOKEN"], requestor="REF30", resource="TNT")


def play(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['mediatoken.token'].identity} {os.getpid()}\n".encode()]


async def play_later(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{scope['mediatoken.token'].identity} {os.getpid()}\n".encode()})


application = WSGI(play, asked, requestor="REF30", resource=lambda environ: environ["PATH_INFO"].strip("/"))
asynchronous = ASGI(play_later, asked, requestor="REF30", resource=lambda scope: scope["path"].strip("/"))
