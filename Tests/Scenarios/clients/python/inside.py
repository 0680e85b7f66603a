"""Runs where the kit is installed. Prints a line for each thing that holds; what does not is an error."""

import sys

from mediatoken.middleware import WSGI

QUESTION = {"requestor": "REF30", "resource": "TNT"}


def says(text, holds, found=""):
    print(text if holds else f"not so: {text} {found}", file=sys.stdout if holds else sys.stderr, flush=True)


def raised(call, *arguments):
    """What a call raises; None if nothing."""
    try:
        call(*arguments)
    except Exception as error:
        return error


class Other:
    def verify(self, token, **question):
        return {"verdict": "VALID_TOKEN"}


if __name__ == "__main__":
    application = WSGI(lambda environ, start: [], Other(), requestor="REF30", resource=lambda environ: "TNT")
    says("nothing but a valid token plays", raised(application, {"REQUEST_METHOD": "GET", "HTTP_X_MEDIA_TOKEN": "x"}, None) is not None)
