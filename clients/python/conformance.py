"""The kit's driver: what clients/README.md, "Conformance", asks of it."""

import base64
import json
import multiprocessing
import re
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import mediatoken
from mediatoken import CONFIGURED, Channel, Document

MEMBERS = {
    "valid": "identity requestorID resourceID mvpdId sessionGUID keyFingerprint use requestID ttlMilliseconds issueTime expiresAt "
             "unknownFields proxyMvpdId viewerTag handover",
    "refused": "verdict reason detail action adobeCode requestID", "unavailable": "name status detail action retryAfter requestID"}


def member(said, name):
    value = getattr(said, re.sub("([a-z])([A-Z])", r"\1_\2", name).lower())
    return round(value.timestamp() * 1000) if hasattr(value, "timestamp") else value


def asked(text):
    """What came of one question, and how long it took."""
    start = time.perf_counter_ns()
    try:
        said, outcome = ask(text), "valid"
    except (mediatoken.NotValid, TypeError, ValueError) as error:
        said = error
        outcome = {mediatoken.Refused: "refused", mediatoken.Unavailable: "unavailable"}.get(type(error), "misuse")
    nanoseconds = time.perf_counter_ns() - start
    shown = [str(said), repr(said), *(traceback.format_exception(type(said), said, said.__traceback__) if outcome != "valid" else [])]
    members = {name: member(said, name) for name in MEMBERS.get(outcome, "").split()}
    return {"outcome": outcome, "nanoseconds": nanoseconds, "text": " ".join(shown), **members}


for text in sys.stdin:
    line = json.loads(text)
    if line["do"] == "open":
        client = mediatoken.Client(line["address"], timeout=line["timeoutMilliseconds"] / 1000,
                                   request_id_header=line.get("requestIDHeader"), connections=line.get("connections", 64))
        print(json.dumps({"text": repr(client)}), flush=True)
        continue
    resources = {"resourceDocument": Document, "resourceChannel": Channel, "resource": str}
    named = {"requestor": line.get("requestor", CONFIGURED), "request_id": line.get("requestID"),
             "resource": next((kind(line[name]) for name, kind in resources.items() if name in line), CONFIGURED)}
    call = client.verify_decision if line["do"] == "verifyDecision" else client.verify
    ask = lambda text: call(text, **named)
    texts = [base64.b64decode(text) for text in line["texts"]]
    if "processes" in line:
        with multiprocessing.get_context("fork").Pool(line["processes"]) as pool:
            answers = pool.map(asked, texts, 1)
    else:
        with ThreadPoolExecutor(line.get("atOnce", 1)) as threads:
            answers = list(threads.map(asked, texts))
    print(json.dumps({"answers": answers}), flush=True)
