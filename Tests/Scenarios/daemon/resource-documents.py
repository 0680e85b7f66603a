#!/usr/bin/env -S python3 -B
"""Resources that are documents in a real daemon: every case of Tests/Vectors/documents.json with a fresh token in JSON and in a
query, what tenants and routes fix, and that a question without a verdict uses no token up."""

import json
import sys
from urllib.parse import quote

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from scenario import ROOT, check, finish
from tokens import Signer

JSON = b"Content-Type: application/json\r\n"
MEMBERS = {"document": "resourceDocument", "channel": "resourceChannel"}
SHORT = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
TALL = '<rss version="2.0">\n <channel>\n  <title>TNT</title>\n </channel>\n</rss>'


def ask(connection, token, **members):
    """The status and the members of the answer."""
    body = json.dumps({"token": token.decode(), **members}).encode()
    connection.send(post(body, b"/v1/verify", JSON))
    answer = connection.receive()
    return answer.status, json.loads(answer.body)


def is_as_wanted(row, status, answer):
    if row["reason"] is None:
        return status == 200 and answer["verdict"] == "VALID_TOKEN" and answer["resourceID"] == row["resource"]
    return status == 403 and answer["verdict"] == "INVALID_RESOURCE_ID" and answer["reason"] == row["reason"]


def table(signer, daemon):
    rows = [row for row in json.loads((ROOT / "Tests/Vectors/documents.json").read_text()) if row["signable"]]
    tokens = [signer.issue(2, resource=row["resource"], form="base64") for row in rows]
    wrong, spent, by_query = [], [], []
    with daemon.connect() as connection:
        for row, (token, other) in zip(rows, tokens):
            member = MEMBERS[row["kind"]]
            found = ask(connection, token, **{member: row["expected"]})
            if not is_as_wanted(row, *found):
                wrong.append(f"{row['name']}: {found}")
            if row["reason"] and ask(connection, token, resource=row["resource"])[0] != 200:
                spent.append(row["name"])
            target = f"/v1/verify?requestor=REF30&{member}={quote(row['expected'], safe='')}".encode()
            # Heads have their own limit.
            if len(target) < 8000 and connection.ask(other, target).status != (403 if row["reason"] else 200):
                by_query.append(row["name"])
    check(f"/v1/verify agrees with {len(rows)} cases", not wrong and len(rows) > 300, "\n".join(wrong))
    check("a token whose document was refused is not spent, and its resource is found byte for byte", not spent, spent)
    check("/v1/verify judges a resource in the query as it does one in the body", not by_query, by_query)


def mistakes(signer, daemon):
    token = signer.issue(1, resource=TALL, form="base64")[0]
    with daemon.connect() as connection:
        for what, members in (
                ("two resources", {"resource": "TNT", "resourceChannel": "TNT"}),
                ("a document and a channel", {"resourceDocument": SHORT, "resourceChannel": "TNT"}),
                ("an empty document", {"resourceDocument": ""}), ("an empty channel", {"resourceChannel": ""}),
                ("text that is not a document", {"resourceDocument": "TNT"}), ("a channel that is a document", {"resourceChannel": SHORT})):
            status, answer = ask(connection, token, **members)
            check(f"a question with {what} is answered with 400", status == 400 and answer["error"] == "bad-parameter", answer)
        status, answer = ask(connection, token, resourceDocument=SHORT.replace("TNT", "TBS"))
        check("a mismatch names the element and no value", answer["detail"].endswith("they differ in channel title"), answer)
        check("no question that was refused has used the token up", ask(connection, token, resourceDocument=SHORT)[0] == 200)


def fixed(signer):
    """What a tenant and routes fix."""
    auth = {"tokenHeader": "X-Token", "routes": [{"prefix": "/same", "resourceDocument": SHORT},
                                                 {"prefix": "/channel", "resourceChannel": "TNT"}]}
    daemon = Daemon(signer, name="fixed", table="fixed.table", auth=auth,
                    tenants=[{"requestor": "REF30", "resourceChannel": "TNT"}]).start()
    with daemon.connect() as connection:
        for what, resource, members, wanted in (
                ("nothing", TALL, {}, 200), ("its channel", "TNT", {"resourceChannel": "TNT"}, 200),
                ("a document of it", TALL, {"resourceDocument": SHORT}, 200), ("another channel", TALL, {"resourceChannel": "TBS"}, 403),
                ("nothing, of a token of another channel", "TBS", {}, 403)):
            token = signer.issue(1, resource=resource, form="base64")[0]
            status, answer = ask(connection, token, **members)
            check(f"a tenant with a channel, asked for {what}: {wanted}", status == wanted, answer)
        for path, resource, wanted in (("/same", TALL, 200), ("/same", "TNT", 403), ("/channel/x", TALL, 200), ("/channel", "TNT", 200)):
            token = signer.issue(1, resource=resource, form="base64")[0]
            connection.send(b"GET /v1/auth%b HTTP/1.1\r\nHost: localhost\r\nX-Token: %b\r\n\r\n" % (path.encode(), token))
            check(f"the route {path}: {wanted}", connection.receive().status == wanted)
    check("the daemon whose tenant and routes fix documents ends with 0", daemon.end() == 0)


def main():
    signer = Signer()
    daemon = Daemon(signer).start()
    table(signer, daemon)
    mistakes(signer, daemon)
    check("the daemon that was asked about documents ends with 0", daemon.end() == 0)
    fixed(signer)
    finish()


main()
