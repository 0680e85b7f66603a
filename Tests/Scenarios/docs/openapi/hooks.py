"""What schemathesis does not know by itself: what the document says in words."""

import schemathesis
from schemathesis.generation import GenerationMode


@schemathesis.check
def a_question_is_understood(ctx, response, case):
    """A request that keeps to the schemas is no question only where the document's words say so."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE or response.status_code != 400:
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
