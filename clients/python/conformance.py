"""The kit's driver: what clients/README.md, "Conformance", asks of it."""

import base64
import json
import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import mediatoken
from mediatoken import CONFIGURED, Channel, Client, Document
from mediatoken.testing import FakeClient

RESOURCES = {"resourceDocument": Document, "resourceChannel": Channel, "resource": str}


def asked(text):
    """What came of one question, and how long it took."""
    start = time.perf_counter_ns()
    try:
        said = ask(text, **question)
    except (mediatoken.NotValid, TypeError, ValueError) as error:
        said = error
    nanoseconds = time.perf_counter_ns() - start
    shown = [str(said), repr(said), *(traceback.format_exception(said) if isinstance(said, Exception) else [])]
    members = {name: getattr(said, name) for name in dir(said) if not name.startswith("_")}
    return {"outcome": type(said).__name__, "nanoseconds": nanoseconds, "text": " ".join(shown), "members": members}


client = FakeClient()
for text in sys.stdin:
    line = json.loads(text)
    is_child = line.get("child") and os.fork() == 0
    if line.get("child") and not is_child:
        os.wait()  # It answers.
        continue
    if line["do"] == "open":
        client = Client(line["address"], timeout=line["timeoutMilliseconds"] / 1000, request_id_header=line.get("requestIDHeader"),
                        connections=line.get("connections", 64))
        said = {"text": repr(client)}
    elif line["do"] == "double":
        said = {"texts": [client.valid(), client.refused("TOKEN_EXPIRED", "too-old"), client.unavailable("OUT_OF_MEMORY")]}
    else:
        ask = client.verify_decision if line["do"] == "verifyDecision" else client.verify
        question = {"requestor": line.get("requestor", CONFIGURED), "request_id": line.get("requestID"),
                    "resource": next((kind(line[name]) for name, kind in RESOURCES.items() if name in line), CONFIGURED)}
        with ThreadPoolExecutor(line.get("atOnce", 1)) as threads:
            said = {"answers": list(threads.map(asked, map(base64.b64decode, line["texts"])))}
    print(json.dumps(said, default=str), flush=True)
    if is_child:
        os._exit(0)
