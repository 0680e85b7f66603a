"""What schemathesis does not know by itself: real tokens, and what the document says in words."""

import itertools
import json
import os

import schemathesis
from schemathesis.generation import GenerationMode

with open(os.environ["TOKENS"]) as file:
    TOKENS = itertools.cycle(file.read().split())
TURNS = itertools.count()
SEEN = open(os.environ["SEEN"], "w")


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every other request has a real token, and asks about what it is for."""
    if not is_positive(case) or next(TURNS) % 2:
        return
    if case.operation.path in ("/v1/verify", "/v1/explain"):
        case.query, case.media_type, case.body = {"requestor": "REF30", "resource": "TNT"}, "text/plain", next(TOKENS)
    elif case.operation.path.startswith("/v1/auth"):
        case.headers["X-Media-Token"] = next(TOKENS)


def members(value):
    if isinstance(value, list):
        return set().union(*map(members, value))
    return set(value).union(*map(members, value.values())) if isinstance(value, dict) else set()


@schemathesis.hook
def after_call(context, case, response):
    """Notes the status, and the members of an answer."""
    found = members(response.json()) if "json" in str(response.headers.get("content-type")) and response.content else ()
    for one in [[case.operation.method, case.operation.path, response.status_code], *(["member", name] for name in found)]:
        print(json.dumps(one), file=SEEN, flush=True)


@schemathesis.check
def a_question_is_understood(ctx, response, case):
    """A request that keeps to the schemas is no question only where the document's words say so."""
    if not is_positive(case) or response.status_code != 400:
        return
    error = response.json()["error"]
    body = case.body if isinstance(case.body, dict) else {}
    # Exactly one decision must be about the resource.
    if error == "bad-decision" and "decision" in body:
        return
    # Each name once over query and body, one resource, and what a document is.
    names = [*(case.query or {}), *body]
    resources = [name for name in names if name.startswith("resource")]
    if error == "bad-parameter" and (len(names) > len(set(names)) or resources not in ([], ["resource"])):
        return
    raise AssertionError(f"{error} for a request that keeps to the document")


@schemathesis.check
def a_body_has_a_documented_type(ctx, response, case):
    """What has no body has no type."""
    documented = case.operation.schema.get_content_types(case.operation, response)
    types = response.headers.get("content-type", [])
    if response.content and types[:1] != documented:
        raise AssertionError(f"{types} is not {documented}")
