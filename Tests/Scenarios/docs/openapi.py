#!/usr/bin/env -S python3 -B
"""The OpenAPI documents of the daemon and of its inspector are what they do.

A validator that is not ours takes them, and their examples are what their schemas say. A property-based client that is not ours makes
requests from each document, every other one with a real token, and finds no status, header or member that the document has not; each
member that it has is seen. Names, methods and errors are compared with the source by OpenAPITests.
"""
import json
import os
import re
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from processes import free_port
from scenario import ROOT, check, finish, from_pypi, path, skip
from tokens import Signer

try:
    import yaml
    from jsonschema import Draft202012Validator
except ImportError as error:
    skip(f"python3-yaml or python3-jsonschema is missing: {error}")

HERE = ROOT / "Tests/Scenarios/docs/openapi"
SERVICE = ROOT / "Sources/MediaTokenService"
PROGRAMS = from_pypi("openapi", HERE / "requirements.txt")
signer = Signer()


def validated(file):
    return subprocess.run([f"{PROGRAMS}/openapi-spec-validator", file], capture_output=True, text=True)


def closed(name):
    """A document whose objects have no members but those that are named: users are told to ignore others, and here there must be no others."""
    document = yaml.safe_load((SERVICE / name).read_text())
    for schema, rules in document["components"]["schemas"].items():
        if rules.get("type") == "object" and schema != "Decision":
            rules.setdefault("additionalProperties", False)
    with open(path(name), "w") as file:
        json.dump(document, file)
    return document


def examples(document):
    """What is wrong with the examples of answers, by their schemas."""
    for response, known in document["components"]["responses"].items():
        for content in known.get("content", {}).values():
            whole = {**content["schema"], "components": document["components"]}
            for name, example in content.get("examples", {}).items():
                yield from (f"{response}: {name}: {error.message}" for error in Draft202012Validator(whole).iter_errors(example["value"]))


def members(document):
    """The names of members in the schemas of answers."""
    schemas, left, known, found = document["components"]["schemas"], [document["components"]["responses"]], set(), set()
    while left:
        text = json.dumps(left.pop())
        for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)) - known:
            known.add(name)
            found |= set(schemas[name].get("properties", {}))
            left.append(schemas[name])
    return found


def asked(name, port, *options):
    """What the client found, and what it saw: operations that were answered well, and members of answers."""
    result = subprocess.run(
        [f"{PROGRAMS}/schemathesis", "--config-file", HERE / "schemathesis.toml", "run", path(name), "--url", f"http://127.0.0.1:{port}", "--no-color", *options],
        capture_output=True, text=True, cwd=path(""),
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"), "TOKENS": path("tokens"), "SEEN": path("seen")})
    with open(path("seen")) as file:
        return result, {tuple(json.loads(line)) for line in file}


def secret(name):
    with open(path(name), "w", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(os.urandom(32).hex())
    return path(name)


port, inspector = free_port(), free_port()
handover = {"format": "nginx-secure-link", "key": secret("handover.key"), "lifeSeconds": 14400, "path": "/live/tnt/"}
daemon = Daemon(
    signer, "client", tcp={"address": "127.0.0.1", "port": port, "mayVerify": True}, requestIDHeader="X-Request-ID",
    inspector=f"127.0.0.1:{inspector}", viewerTag={"key": secret("viewers.key"), "rotateHours": 24},
    tenants=[{"requestor": "REF30", "resources": ["TNT"], "handover": handover}], auth={"tokenHeader": "X-Media-Token"},
    log={"verdicts": "none"}).start()
good, others = signer.issue(4000, form="base64", proxy="Sample_Proxy"), [
    *signer.issue(20, form="base64", resource="TBS"), *signer.issue(20, form="base64", ttl=60_000, age=600_000)]
with open(path("tokens"), "w") as file:
    # Each other one is used twice, and some are refused for other reasons.
    file.write("\n".join(text.decode() for number, one in enumerate(good) for text in [one, one][:1 + number % 2] + others[number % 400:][:1]))

#: Members that are for unit tests: of faults, which no request brings about, of decisions, tokens within others, and names that are open.
OTHERS = {"openapi.yaml": {"cure", "fault"},
          "inspector.yaml": {"decision", "decisionError", "differences", "fault", "firstUsed", "inside", "member", "notChecked", "signed", "unsigned"}}
for name, address in (("openapi.yaml", port), ("inspector.yaml", inspector)):
    said = validated(SERVICE / name)
    check(f"openapi-spec-validator takes {name}", said.returncode == 0, said.stdout + said.stderr)
    document = closed(name)
    wrong = list(examples(document))
    check(f"the examples of answers in {name} are what their schemas say", not wrong, wrong[:5])
    result, seen = asked(name, address)
    check(f"a property-based client finds no answer that is not in {name}", result.returncode == 0, result.stdout[-3000:] + result.stderr)
    print("\n".join(line for line in result.stdout.splitlines()[-12:]))
    unseen = members(document) - {member for kind, member, *_ in seen if kind == "member"}
    check(f"every member of an answer in {name} was seen, except those that no request brings about", unseen == OTHERS[name], unseen ^ OTHERS[name])
    well = {(method, place) for method, place, *status in seen if status and status[0] in (200, 204)}
    wanted = {(method, place) for place, item in document["paths"].items() for method in item if method in ("get", "head")}
    wanted |= {("post", place) for place in document["paths"] if place in ("/v1/verify", "/v1/explain")}
    check(f"every operation of {name} by which a token plays, or something is shown, was answered with 200 or 204", well == wanted, well ^ wanted)

check("the daemon is ready after a property-based client's requests", daemon.is_alive() and daemon.is_ready(), daemon.said()[-500:])
check("the daemon ends with 0 after a property-based client's requests", daemon.end(signal.SIGTERM) == 0)
finish()
