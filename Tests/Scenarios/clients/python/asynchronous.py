"""What uvicorn serves."""

import os

import mediatoken
import mediatoken.asgi

daemon = mediatoken.Client(os.environ["DAEMON"], timeout=300)


async def play(scope, receive, send):
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        return await send({"type": "lifespan.shutdown.complete"})
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{scope['mediatoken.token'].identity} {os.getpid()}\n".encode()})


application = mediatoken.asgi.Middleware(play, daemon, requestor="REF30", resource=lambda scope: scope["path"].strip("/"))
