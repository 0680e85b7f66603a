"""The kit's driver: what clients/README.md, "Conformance", asks of it. With --aio of the client for asyncio."""

import asyncio
import base64
import json
import sys
import threading
import time

import mediatoken
import mediatoken.aio


class Awaiting:
    """A client for asyncio whose calls are awaited in another thread."""

    loop = asyncio.new_event_loop()

    def __init__(self, *arguments, **settings):
        self._client = mediatoken.aio.Client(*arguments, **settings)

    def __getattr__(self, name):
        call = getattr(self._client, name)
        return lambda *arguments, **named: asyncio.run_coroutine_threadsafe(call(*arguments, **named), self.loop).result()

    def __repr__(self):
        return repr(self._client)


def asked(line):
    """The arguments of a question."""
    resource = mediatoken.CONFIGURED
    if "resource" in line:
        resource = line["resource"]
    elif "resourceDocument" in line:
        resource = mediatoken.Document(line["resourceDocument"])
    elif "resourceChannel" in line:
        resource = mediatoken.Channel(line["resourceChannel"])
    return {"requestor": line.get("requestor", mediatoken.CONFIGURED), "resource": resource}


def milliseconds(instant):
    return round(instant.timestamp() * 1000)


def valid(token):
    said = {
        "outcome": "valid", "identity": token.identity, "use": token.use, "requestID": token.request_id,
        "requestorID": token.requestor_id, "resourceID": token.resource_id, "mvpdId": token.mvpd_id,
        "sessionGUID": token.session_guid, "issueTime": milliseconds(token.issue_time),
        "expiresAt": milliseconds(token.expires_at), "ttlMilliseconds": token.ttl_milliseconds,
        "keyFingerprint": token.key_fingerprint, "unknownFields": list(token.unknown_fields),
        "proxyMvpdId": token.proxy_mvpd_id, "viewerTag": token.viewer_tag, "handover": token.handover}
    return {name: value for name, value in said.items() if value is not None} | {"text": f"{token} {token!r}"}


def failed(error):
    said = {"text": f"{error} {error!r}", "action": getattr(error, "action", None)}
    if isinstance(error, mediatoken.Refused):
        said |= {"outcome": "refused", "reason": error.reason, "detail": error.detail, "adobeCode": error.adobe_code,
                 "identity": error.identity, "requestID": error.request_id, "decisionError": error.decision_error}
    elif isinstance(error, mediatoken.Fault):
        said |= {"outcome": "fault", "name": error.name, "status": error.status, "retryAfter": error.retry_after}
    elif isinstance(error, mediatoken.NotReady):
        said |= {"outcome": "not-ready", "reason": error.reason, "retryAfter": error.retry_after}
    else:
        said["outcome"] = {mediatoken.NoAnswer: "no-answer", mediatoken.ForeignAnswer: "foreign"}.get(type(error), "misuse")
    said = {name: value for name, value in said.items() if value is not None}
    return said | ({"verdict": error.verdict} if isinstance(error, mediatoken.Refused) else {})


def opened(line):
    window = line.get("retryWindowMilliseconds")
    numbers = {"idle_connections": line["idleConnections"]} if "idleConnections" in line else {}
    return (Awaiting if "--aio" in sys.argv else mediatoken.Client)(
        line["address"], timeout=line["timeoutMilliseconds"] / 1000, request_id_header=line.get("requestIDHeader"),
        retry_window=None if window is None else window / 1000, connections=line.get("connections"), **numbers)


def measured(client, line):
    """How long each call took, in nanoseconds. A token that is not valid ends it."""
    tokens, times = [base64.b64decode(token) for token in line["tokens"]], []
    for token in tokens:
        start = time.perf_counter_ns()
        client.verify(token, requestor=line["requestor"], resource=line["resource"])
        times.append(time.perf_counter_ns() - start)
    return {"outcome": "measured", "nanoseconds": times, "text": ""}


def at_once(client, line):
    """What came of each of many calls in threads of their own."""
    outcomes = [None] * len(line["tokens"])

    def ask(index, token):
        try:
            client.verify(token, requestor=line["requestor"], resource=line["resource"])
            outcomes[index] = "valid"
        except mediatoken.NotValid as error:
            outcomes[index] = failed(error)["outcome"]

    threads = [threading.Thread(target=ask, args=(index, base64.b64decode(token))) for index, token in enumerate(line["tokens"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"outcome": "at-once", "outcomes": outcomes, "text": ""}


def said_by(client, line):
    if line["do"] == "atOnce":
        return at_once(client, line)
    if line["do"] == "measure":
        return measured(client, line)
    if line["do"] == "ready":
        client.check_ready()
        return {"outcome": "ready", "text": ""}
    if line["do"] == "verifyDecision":
        return valid(client.verify_decision(base64.b64decode(line["decision"]), request_id=line.get("requestID"), **asked(line)))
    return valid(client.verify(base64.b64decode(line["token"]), request_id=line.get("requestID"), **asked(line)))


def main():
    client = None
    threading.Thread(target=Awaiting.loop.run_forever, daemon=True).start()
    for text in sys.stdin:
        line = json.loads(text)
        try:
            if line["do"] == "open":
                client = opened(line)
                said = {"outcome": "opened", "text": repr(client)}
            else:
                said = said_by(client, line)
        except (mediatoken.NotValid, mediatoken.NotReady, TypeError, ValueError) as error:
            said = failed(error)
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
