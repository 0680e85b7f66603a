"""Runs where the kit is installed. Prints a line for each thing that holds; what does not is an error."""

import sys

from mediatoken.middleware import WSGI
from mediatoken.testing import FakeClient

QUESTION = {"requestor": "REF30", "resource": "TNT"}


def says(text, holds, found=""):
    print(text if holds else f"not so: {text} {found}", file=sys.stdout if holds else sys.stderr, flush=True)


def raised(call, *arguments, **named):
    """What a call raises; None if nothing."""
    try:
        call(*arguments, **named)
    except Exception as error:
        return error


if __name__ == "__main__":
    fake, said = FakeClient(), []
    application = WSGI(lambda environ, start: start(environ["mediatoken.token"].mvpd_id, []) or [], fake, requestor="REF30",
                       resource=lambda environ: "TNT")
    name = fake.valid(mvpd_id="Other")
    for token in (name, name, fake.unavailable("REPLAY_MEMORY_FULL"), "x"):
        application({"REQUEST_METHOD": "GET", "HTTP_X_MEDIA_TOKEN": token}, lambda status, fields: said.append(status))
    says("the middleware takes a fake", said == ["Other", "403 Forbidden", "503 Service Unavailable", "403 Forbidden"], said)
    fake.verify = lambda token, **question: {"verdict": "VALID_TOKEN"}
    says("what verifies must say so with a valid token", raised(application, {"REQUEST_METHOD": "GET", "HTTP_X_MEDIA_TOKEN": "x"}, None) is not None)
