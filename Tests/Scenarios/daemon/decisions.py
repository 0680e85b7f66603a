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

JSON = b"Content-Type: application/json\r\n"
#: limits.bodyBytes, unless it is set.
BODY_BYTES = 262_144


def ask(connection, body, target=b"/v1/verify"):
    """The status and the members of the answer."""
    connection.send(post(body, target, JSON))
    answer = connection.receive()
    return answer.status, json.loads(answer.body)


def question(document, resource):
    return b'{"requestor":"REF30","resource":' + json.dumps(resource).encode() + b',"decision":' + document + b"}"


def document(case, tokens):
    text = case["document"].encode() if "document" in case else base64.b64decode(case["documentBase64"])
    for name, token in tokens.items():
        text = text.replace(name.encode(), token)
    return text


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


def table(signer, daemon):
    cases = [json.loads(line) for line in open(ROOT / "Tests/Decisions/cases.ndjson")]
    cases = [case for case in cases if "resource" in case and "paddedTo" not in case]
    tnt = signer.issue(len(cases), form="base64")
    tbs = signer.issue(2 * len(cases), resource="TBS", form="base64")
    wrong, unspent = [], []
    with daemon.connect() as connection:
        for number, case in enumerate(cases):
            tokens = {"@TNT@": tnt[number], "@TBS@": tbs[2 * number], "@WRONG@": tbs[2 * number + 1]}
            text = document(case, tokens)
            status, answer = ask(connection, question(text, case["resource"]))
            if not is_as_wanted(case, status, answer):
                wrong.append(f"{case['name']}: {status} {answer}")
            if status != 200:
                unspent.append(tnt[number])
        check(f"/v1/verify agrees with {len(cases)} documents", not wrong and len(cases) > 150, "\n".join(wrong))
        spent = [token for token in unspent if connection.ask(token).status != 200]
        check(f"of {len(unspent)} tokens in what was refused none is spent", not spent and len(unspent) > 100, len(spent))


def errors(signer, daemon):
    good = json.loads(signer.issue(1, form="decision")[0])
    text = json.dumps(good).encode()
    denial = text.replace(b"true", b"false")
    with daemon.connect() as connection:
        for what, body, status, error, detail in (
                ("a member twice in the decision", question(text[:-1] + b',"x":[{"a":1,"a":2}]}', "TNT"), 400, "bad-decision", "a is given twice"),
                ("a member twice next to it", b'{"resource":"TNT","resource":"TNT","decision":' + text + b"}", 400, "bad-body", "resource is given twice"),
                ("not JSON in the decision", question(text.replace(b'"mvpd":', b'"mvpd" "'), "TNT"), 400, "bad-decision", "not JSON"),
                ("not JSON after it", question(text, "TNT") + b"x", 400, "bad-body", "after the JSON object"),
                ("33 levels in the decision", question(text[:-1] + b',"x":' + b"[" * 32 + b"]" * 32 + b"}", "TNT"), 400, "bad-decision", "too many levels"),
                ("another type in it", question(text.replace(b"true", b'"true"'), "TNT"), 400, "bad-decision", "authorized"),
                ("a decision that is a text", question(json.dumps(text.decode()).encode(), "TNT"), 400, "bad-decision", "neither decisions"),
                ("a decision and a token", question(text, "TNT")[:-1] + b',"token":"x"}', 400, "bad-body", "token and a decision"),
                ("neither", b'{"requestor":"REF30","resource":"TNT"}', 400, "bad-body", "no decision in its place"),
                ("another member", question(text, "TNT")[:-1] + b',"decisions":[]}', 400, "bad-body", "decisions"),
                ("no resource", b'{"requestor":"REF30","decision":' + text + b"}", 400, "bad-parameter", "resource"),
                ("another resource", question(text, "TBS"), 400, "bad-decision", "is about the resource (1 found)"),
                ("too many values", question(text[:-1] + b',"x":[' + b"[]," * 3000 + b"0]}", "TNT"), 400, "bad-decision", "too many values"),
                ("a denial", question(denial, "TNT"), 403, "no-token-in-decision", "denies"),
                ("the decision as a parameter", None, 400, "bad-parameter", "")):
            target = b"/v1/verify" if body else b"/v1/verify?requestor=REF30&resource=TNT&decision=x"
            found, answer = ask(connection, body or question(text, "TNT"), target)
            check(f"{what} is {error}", found == status and answer["error"] == error and detail in answer["detail"], answer)
            check(f"the answer to {what} shows no token", good["decisions"][0]["token"]["serializedToken"] not in json.dumps(answer))
        found, answer = ask(connection, question(text, "TNT").replace(b"REF30", b"OTHER", 1))
        check("a decision's token for a requestor that is not served is INVALID_REQUESTOR_ID",
              (found, answer["verdict"]) == (403, "INVALID_REQUESTOR_ID"), answer)
        found, answer = ask(connection, b'{"decision":' + text + b"}", b"/v1/verify?requestor=REF30&resource=TNT")
        check("no refused decision has spent the token, and requestor and resource may be in the query", found == 200, answer)


def sizes(signer, daemon):
    """In the daemon the limit of the document is that of the body."""
    text = signer.issue(1, form="decision")[0]
    for length, wanted in ((BODY_BYTES + 1, 413), (BODY_BYTES, 200)):
        padding = b" " * (length - len(question(text, "TNT")))
        with daemon.connect() as connection:
            status, answer = ask(connection, question(text + padding, "TNT"))
        check(f"a body of {length} bytes is {wanted}", status == wanted, answer)


def lists(signer):
    """A tenant that plays what is on its list."""
    daemon = Daemon(signer, name="lists", table="lists.table", tenants=[{"requestor": "REF30", "resources": ["TNT"]}]).start()
    text = signer.issue(1, form="decision")[0]
    other = signer.issue(1, resource="TBS", form="decision")[0]
    with daemon.connect() as connection:
        found, answer = ask(connection, question(other, "TBS"))
        check("a decision's resource that is not on the tenant's list is INVALID_RESOURCE_ID",
              (found, answer["verdict"]) == (403, "INVALID_RESOURCE_ID"), answer)
        found, answer = ask(connection, b'{"decision":' + text + b"}")
        check("what the list alone has is expected where the request says nothing", found == 200, answer)
    check("the daemon whose tenant has a list ends with 0", daemon.end() == 0)


def prices(daemon):
    """The most expensive documents, in processor time, because the machine has other work."""
    crowded = question(b'{"decisions":[],"x":[' + b'"",' * 8150 + b"0]}", "TNT")
    more = question(b'{"decisions":[],"x":[' + b"[]," * 80_000 + b"0]}", "TNT")
    with daemon.connect() as connection:
        for what, body, bound in (("as many values as there may be", crowded, 0.05), ("many more", more, 0.05)):
            begun = daemon.cpu_seconds()
            statuses = [ask(connection, body)[0] for _ in range(100)]
            each = (daemon.cpu_seconds() - begun) / 100
            check(f"a decision with {what}: {len(body)} bytes in {1000 * each:.1f} ms of a processor",
                  statuses == [400] * 100 and each < bound, each)


def main():
    signer = Signer()
    daemon = Daemon(signer).start()
    table(signer, daemon)
    errors(signer, daemon)
    sizes(signer, daemon)
    prices(daemon)
    check("the daemon that was asked about decisions ends with 0", daemon.end() == 0)
    check("no token is in the log of the daemon that was asked about decisions",
          "PHNpZ25hdHVy" not in daemon.said() and "<signatureInfo>" not in daemon.said())
    lists(signer)
    finish()


main()
