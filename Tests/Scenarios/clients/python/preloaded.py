"""What gunicorn serves, without a daemon: the verifier is made, and has verified, before the workers are forked."""

import os

import mediatoken
import mediatoken.inprocess
import mediatoken.wsgi

verifier = mediatoken.inprocess.Verifier([os.environ["KEYS"]], replay=os.environ["REPLAY"], allow_rsa_1024=[os.environ["FINGERPRINT"]])
verifier.verify(os.environ["TOKEN"], requestor="REF30", resource="TNT")


def play(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['mediatoken.token'].identity} {os.getpid()}\n".encode()]


application = mediatoken.wsgi.Middleware(play, verifier, requestor="REF30", resource=lambda environ: environ["PATH_INFO"].strip("/"))
