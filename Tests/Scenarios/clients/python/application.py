"""What gunicorn serves: says who played. It was preloaded, and its client or verifier has asked before the workers were forked."""

import os

import mediatoken
import mediatoken.wsgi

if "DAEMON" in os.environ:
    asked = mediatoken.Client(os.environ["DAEMON"], timeout=300)
    asked.check_ready()
else:
    import mediatoken.inprocess
    asked = mediatoken.inprocess.Verifier([os.environ["KEYS"]], replay=os.environ["REPLAY"], allow_rsa_1024=[os.environ["FINGERPRINT"]])
    asked.verify(os.environ["TOKEN"], requestor="REF30", resource="TNT")


def play(environ, start_response):
    token = environ["mediatoken.token"]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{token.identity} {os.getpid()}\n".encode()]


application = mediatoken.wsgi.Middleware(play, asked, requestor="REF30", resource=lambda environ: environ["PATH_INFO"].strip("/"))
