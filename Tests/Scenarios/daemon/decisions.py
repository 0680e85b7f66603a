#!/usr/bin/env -S python3 -B
"""Decisions of Adobe's REST API v2 in the daemon's JSON: every case of Tests/Decisions with fresh tokens; a question without a
verdict uses no token up. Documents with very many members are refused before they cost much."""
import base64
import json
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from scenario import ROOT, check, finish
from tokens import Signer

#: limits.bodyBytes, unless it is set.
BODY_BYTES = 262_144
signer = Signer()
daemon = Daemon(signer).start()


def ask(connection, body, target=b"/v1/verify"):
    """The status and the members of the answer."""
    connection.send(post(body, target, b"Content-Type: application/json\r\n"))
    answer = connection.receive()
    return answer.status, json.loads(answer.body)


def question(document, resource="TNT"):
    return b'{"requestor":"REF30","resource":' + json.dumps(resource).encode() + b',"decision":' + document + b"}"


def is_as_wanted(case, status, answer):
    """Whether an answer is the one that the case expects."""
    kind, _, rest = case["expect"].partition(" ")
    if kind == "broken":
        return status == 400 and answer["error"] in ("bad-decision", "bad-body") and "detail" in answer
    if kind == "no-token":
        wanted = {"error": "no-token-in-decision", "action": "new-token"} | ({"decisionError": rest} if rest else {})
        return status == 403 and answer.pop("detail") and answer == wanted
    if not rest.startswith("@"):
        return status == 403 and answer["verdict"] == "INVALID_TOKEN_FORMAT" and answer["reason"] == "empty"
    if rest == "@WRONG@" or case["resource"] not in ("TNT", "TBS"):
        return status == 403 and answer["verdict"] == "INVALID_RESOURCE_ID"
    return status == 200 and answer["verdict"] == "VALID_TOKEN" and answer["use"] == "first" and answer["resourceID"] == case["resource"]


def table(connection):
    cases = [json.loads(line) for line in open(ROOT / "Tests/Decisions/cases.ndjson")]
    cases = [case for case in cases if "resource" in case and "paddedTo" not in case]
    tnt = signer.issue(len(cases), form="base64")
    tbs = signer.issue(2 * len(cases), resource="TBS", form="base64")
    wrong, unspent = [], []
    for case, ours, theirs, other in zip(cases, tnt, tbs[::2], tbs[1::2]):
        text = case["document"].encode() if "document" in case else base64.b64decode(case["documentBase64"])
        for name, token in ((b"@TNT@", ours), (b"@TBS@", theirs), (b"@WRONG@", other)):
            text = text.replace(name, token)
        status, answer = ask(connection, question(text, case["resource"]))
        if not is_as_wanted(case, status, answer):
            wrong.append(f"{case['name']}: {status} {answer}")
        unspent += [ours] if status != 200 else []
    check(f"/v1/verify agrees with {len(cases)} documents", not wrong and len(cases) > 150, "\n".join(wrong))
    spent = [token for token in unspent if connection.ask(token).status != 200]
    check(f"of {len(unspent)} tokens in what was refused none is spent", not spent and len(unspent) > 100, len(spent))


def errors(connection):
    """What a decision may not be next to, and what differs from the command line."""
    text = signer.issue(1, form="decision")[0]
    token = json.loads(text)["decisions"][0]["token"]["serializedToken"]
    for what, body, error, detail in (
            ("a member twice in the decision", question(text[:-1] + b',"x":[{"a":1,"a":2}]}'), "bad-decision", "a is given twice"),
            ("a member twice next to it", b'{"resource":"TNT","resource":"TNT","decision":' + text + b"}", "bad-body", "resource is given twice"),
            ("not JSON after it", question(text) + b"x", "bad-body", "after the JSON object"),
            ("a decision that is a text", question(json.dumps(text.decode()).encode()), "bad-decision", "neither decisions"),
            ("a decision and a token", question(text)[:-1] + b',"token":"x"}', "bad-body", "token and a decision"),
            ("neither decision nor token", b'{"requestor":"REF30","resource":"TNT"}', "bad-body", "no decision in its place"),
            ("no resource", b'{"requestor":"REF30","decision":' + text + b"}", "bad-parameter", "resource"),
            ("another resource", question(text, "TBS"), "bad-decision", "is about the resource (1 found)"),
            ("too many values", question(text[:-1] + b',"x":[' + b"[]," * 3000 + b"0]}"), "bad-decision", "too many values")):
        found, answer = ask(connection, body)
        check(f"{what} is {error}, and the answer shows no token",
              found == 400 and answer["error"] == error and detail in answer["detail"] and token not in json.dumps(answer), answer)
    found, answer = ask(connection, question(text), b"/v1/verify?requestor=REF30&resource=TNT&decision=x")
    check("a decision as a parameter is bad-parameter", (found, answer["error"]) == (400, "bad-parameter"), answer)
    found, answer = ask(connection, question(text).replace(b"REF30", b"OTHER", 1))
    check("a decision's token for a requestor that is not served is INVALID_REQUESTOR_ID",
          (found, answer["verdict"]) == (403, "INVALID_REQUESTOR_ID"), answer)
    found, answer = ask(connection, b'{"decision":' + text + b"}", b"/v1/verify?requestor=REF30&resource=TNT")
    check("no refused decision has spent the token, and requestor and resource may be in the query", found == 200, answer)


def sizes(_):
    """In the daemon the limit of the document is that of the body."""
    text = signer.issue(1, form="decision")[0]
    for length, wanted in ((BODY_BYTES + 1, 413), (BODY_BYTES, 200)):
        with daemon.connect() as connection:
            status, answer = ask(connection, question(text + b" " * (length - len(question(text)))))
        check(f"a body of {length} bytes is {wanted}", status == wanted, answer)


def prices(connection):
    """The most expensive documents, in processor time, because the machine has other work."""
    for what, values in (("as many values as there may be", b'"",' * 8150), ("many more values", b"[]," * 80_000)):
        body, begun = question(b'{"decisions":[],"x":[' + values + b"0]}"), daemon.cpu_seconds()
        statuses = [ask(connection, body)[0] for _ in range(100)]
        each = (daemon.cpu_seconds() - begun) / 100
        check(f"a decision with {what}: {len(body)} bytes in {1000 * each:.1f} ms of a processor", statuses == [400] * 100 and each < 0.05, each)


for part in (table, errors, sizes, prices):
    with daemon.connect() as connection:
        part(connection)
check("the daemon that was asked about decisions ends with 0", daemon.end() == 0)
check("no token is in the log of the daemon that was asked about decisions",
      "PHNpZ25hdHVy" not in daemon.said() and "<signatureInfo>" not in daemon.said())
finish()
