"""What gunicorn serves: says who played. It was preloaded, and its client has asked before the workers were forked."""

import os

import mediatoken
import mediatoken.wsgi

daemon = mediatoken.Client(os.environ["DAEMON"], timeout=300)
daemon.check_ready()


def play(environ, start_response):
    token = environ["mediatoken.token"]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{token.identity} {os.getpid()}\n".encode()]


application = mediatoken.wsgi.Middleware(play, daemon, requestor="REF30", resource=lambda environ: environ["PATH_INFO"].strip("/"))
