#!/usr/bin/env -S python3 -B
"""The OpenAPI document of the daemon is what the daemon does, and nothing else.

A validator that is not ours takes it. Every example of a request is sent, and every status, header, member and example of an
answer is brought about; no answer has anything that the document has not. Then a property-based client that is not ours makes
requests of its own from the document. Names, methods and errors are compared with the source by a unit test.
"""
import os
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/openapi")

from daemon import Daemon
from processes import free_port
from scenario import ROOT, check, count, finish, from_pypi, path, skip
from tokens import Signer

try:
    from document import Document
    from examples import Answers
    from inspector import inspect
except ImportError as error:
    skip(f"python3-yaml or python3-jsonschema is missing: {error}")

HERE = ROOT / "Tests/Scenarios/docs/openapi"
FILE = ROOT / "Sources/MediaTokenService/openapi.yaml"
PROGRAMS = from_pypi("openapi", HERE / "requirements.txt")

validated = subprocess.run([f"{PROGRAMS}/openapi-spec-validator", FILE], capture_output=True, text=True)
check("a validator takes the daemon's document", validated.returncode == 0, validated.stdout + validated.stderr)
with open(path("broken.yaml"), "w") as file:
    file.write(FILE.read_text().replace("operationId: liveHead", "operationId: live"))
refused = subprocess.run([f"{PROGRAMS}/openapi-spec-validator", path("broken.yaml")], capture_output=True, text=True)
check("a validator refuses a document with an operation's name twice", refused.returncode != 0, refused.stdout)

document, signer = Document(FILE), Signer()
Answers(document, signer).bring_about()
count(f"{document.answers} answers of {len(document.operations)} operations were held against the document")

#: What no request can bring about, an answer that the daemon cannot write, and what is late, which is for the unit tests.
UNSEEN = {("header", "Unavailable", "Retry-After"), ("example", "Late", "late")}
UNSEEN |= {("status", operation, status) for operation in document.operations for status, (name, _) in document.responses(operation).items()
           if status == "408" or (status, name) == ("503", "Unavailable")}
missing = set(document.documented()) - document.seen
check("every status, header, member and example of the document was seen", missing == UNSEEN, sorted(map(str, missing ^ UNSEEN)))

# --- the inspector, which has a listener and a document of its own ---

INSPECTOR = ROOT / "Sources/MediaTokenService/inspector.yaml"
validated = subprocess.run([f"{PROGRAMS}/openapi-spec-validator", INSPECTOR], capture_output=True, text=True)
check("a validator takes the inspector's document", validated.returncode == 0, validated.stdout + validated.stderr)
unseen = inspect(Document(INSPECTOR), signer)
paths = ("/", "/inspector.css", "/inspector.js", "/v1/explain")
# What is late, and a replay memory that does not answer, are for other tests.
check("every status of the inspector's document was seen, except those for other tests",
      unseen == {(one, "408") for one in paths} | {("/v1/explain", "503")}, unseen)

# --- a client that makes requests from the document alone ---

port = free_port()
daemon = Daemon(
    signer, "client", tcp={"address": "127.0.0.1", "port": port, "mayVerify": True}, requestIDHeader="X-Request-ID",
    tenants=[{"requestor": "REF30", "resources": ["TNT"]}], auth={"tokenHeader": "X-Media-Token"}, log={"verdicts": "none"}).start()
address = f"http://127.0.0.1:{port}"


def client(file, *options):
    return subprocess.run(
        [f"{PROGRAMS}/schemathesis", "--config-file", HERE / "schemathesis.toml", "run", file, "--url", address, "--no-color", *options],
        capture_output=True, text=True, cwd=path(""), env=os.environ | {"SCHEMATHESIS_HOOKS": str(HERE / "hooks.py")})


result = client(FILE)
check("a property-based client finds no answer that is not in the document", result.returncode == 0, result.stdout[-3000:] + result.stderr)
print("\n".join(line for line in result.stdout.splitlines()[-12:]))
with open(path("without.yaml"), "w") as file:
    file.write(FILE.read_text().replace("        '400':\n          $ref: '#/components/responses/BadQuestion'\n", "", 1))
result = client(path("without.yaml"), "--include-operation-id", "verify")
check("a property-based client finds a status that is missing in the document",
      result.returncode == 1 and "400" in result.stdout, result.stdout[-2000:])
check("the daemon is ready after a property-based client's requests", daemon.is_alive() and daemon.is_ready(), daemon.said()[-500:])
check("the daemon ends with 0 after a property-based client's requests", daemon.end(signal.SIGTERM) == 0)
finish()
