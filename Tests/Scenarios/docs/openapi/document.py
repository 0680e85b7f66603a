"""The OpenAPI document, and whether an answer is what it says."""
import copy
import json
import re
from collections import namedtuple

import yaml
from jsonschema import Draft202012Validator

#: Fields of every answer that OpenAPI does not describe.
UNDESCRIBED = {"content-type", "content-length", "connection"}
#: New in every answer.
VOLATILE = {"identity", "requestID", "issueTime", "expiresAt", "keyFingerprint", "fingerprint", "viewerTag", "handover"}
#: The token in the examples of requests.
PLACEHOLDER = "PHNpZ25hdHVyZUluZm8+..."
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

Operation = namedtuple("Operation", "path method")


def lasting(value):
    """A body without what is new in every answer."""
    if isinstance(value, list):
        return [lasting(element) for element in value]
    if isinstance(value, dict):
        return {name: "new" if name in VOLATILE and member != "playback-4711" else lasting(member) for name, member in value.items()}
    return re.sub(r"missed by (\d+ (ms|(day|hour|minute|second)s?) ?)+", "missed", value) if isinstance(value, str) else value


def read(media_type, text):
    """A body: the value of its JSON, or text."""
    return json.loads(text) if media_type == "application/json" else text


def members(value):
    """The names of all members in a value."""
    if isinstance(value, list):
        return set().union(*map(members, value))
    return set(value).union(*map(members, value.values())) if isinstance(value, dict) else set()


class Document:
    """Judges answers, and remembers what of the document they had."""

    def __init__(self, file):
        self.all = yaml.safe_load(file.read_text())
        self.schemas = copy.deepcopy(self.all["components"]["schemas"])
        # No members but those that are named. Users are told to ignore others; here there are no others.
        for name, schema in self.schemas.items():
            if schema.get("type") == "object" and name != "Decision":
                schema.setdefault("additionalProperties", False)
        self.operations = [Operation(path, method) for path, item in self.all["paths"].items() for method in METHODS if method in item]
        self.answers = 0
        #: What was seen of the document: ("status", operation, "200"), ("header", response, name), ("example", response, name)
        #: and ("member", name).
        self.seen = set()

    def resolved(self, value):
        """What a reference is to."""
        while isinstance(value, dict) and "$ref" in value:
            reference, value = value["$ref"], self.all
            for step in reference.removeprefix("#/").split("/"):
                value = value[step]
        return value

    def responses(self, operation):
        """The responses of an operation, each with the name of its component."""
        listed = self.all["paths"][operation.path][operation.method]["responses"]
        return {status: (response["$ref"].rsplit("/", 1)[1], self.resolved(response)) for status, response in listed.items()}

    def parameter(self, name):
        """The parameter's name on the wire, and its example."""
        parameter = self.all["components"]["parameters"][name]
        return parameter["name"], parameter["example"]

    def requests(self):
        """The examples of requests: operation, media type, name, value."""
        for operation in self.operations:
            body = self.resolved(self.all["paths"][operation.path][operation.method].get("requestBody", {}))
            for media_type, content in body.get("content", {}).items():
                for name, example in content["examples"].items():
                    yield operation, media_type, name, example["value"]

    def problems(self, schema, value):
        """What is wrong with a value."""
        whole = {**schema, "components": {"schemas": self.schemas}}
        return [f"{list(error.path)}: {error.message}" for error in Draft202012Validator(whole).iter_errors(value)]

    def judge(self, operation, status, headers, body):
        """What an answer has that the document has not. `headers` are pairs of text."""
        self.answers += 1
        listed = self.responses(operation)
        if str(status) not in listed:
            return [f"{status} is not documented"]
        name, response = listed[str(status)]
        self.seen.add(("status", operation, str(status)))
        problems = self._judge_headers(name, response.get("headers", {}), headers)
        # In observe mode a body is that of the answer that it would have been.
        if operation.method != "head" and ("content" in response or "x-media-token-observe" not in dict(headers)):
            problems += self._judge_body(name, response.get("content", {}), dict(headers).get("content-type"), body)
        return problems

    def _judge_headers(self, response, documented, headers):
        given = {name: value for name, value in headers if name not in UNDESCRIBED}
        problems = []
        for name, header in documented.items():
            header, value = self.resolved(header), given.pop(name.lower(), None)
            if value is None:
                problems += [f"{name} is missing"] if header.get("required") else []
                continue
            self.seen.add(("header", response, name))
            problems += self.problems(header["schema"], int(value) if header["schema"]["type"] == "integer" and value.isdigit() else value)
        return problems + [f"{name} is not documented" for name in given]

    def _judge_body(self, response, content, media_type, body):
        if not content or media_type not in content:
            return [f"a body of {len(body)} bytes of {media_type} is not documented"] if body else []
        try:
            value = read(media_type, body.decode())
        except ValueError as error:
            return [f"{error}: {body[:200]}"]
        self.seen |= {("member", name) for name in members(value)}
        for name, example in content[media_type].get("examples", {}).items():
            expected = example["value"]
            if lasting(read(media_type, expected) if isinstance(expected, str) else expected) == lasting(value):
                self.seen.add(("example", response, name))
        return self.problems(content[media_type]["schema"], value)

    def documented(self):
        """All that can be seen. Which errors there are is a unit test's."""
        for operation in self.operations:
            for status, (name, response) in self.responses(operation).items():
                yield "status", operation, status
                yield from (("header", name, header) for header in response.get("headers", {}))
                yield from (("example", name, example) for content in response.get("content", {}).values() for example in content.get("examples", {}))
        left, answered = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(self.all["components"]["responses"])), set()
        while left:
            name = left.pop()
            yield from (("member", member) for member in self.schemas[name].get("properties", {}))
            answered.add(name)
            left += set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(self.schemas[name]))) - answered
