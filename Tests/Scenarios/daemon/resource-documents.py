#!/usr/bin/env -S python3 -B
"""Resources that are documents in a real daemon: every case of Tests/Vectors/documents.json with a fresh token in JSON and in a
query, what a tenant and a route fix, and that a question without a verdict uses no token up. What else may be asked is for the unit
tests."""
import json
import sys
from urllib.parse import quote

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from scenario import ROOT, check, finish
from tokens import Signer

MEMBERS = {"document": "resourceDocument", "channel": "resourceChannel"}
SHORT = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
TALL = '<rss version="2.0">\n <channel>\n  <title>TNT</title>\n </channel>\n</rss>'
signer = Signer()


def ask(connection, token, **members):
    """The status and the members of the answer."""
    body = json.dumps({"token": token.decode(), **members}).encode()
    connection.send(post(body, b"/v1/verify", b"Content-Type: application/json\r\n"))
    answer = connection.receive()
    return answer.status, json.loads(answer.body)


def issued(resource):
    return signer.issue(1, resource=resource, form="base64")[0]


def table(connection):
    rows = [row for row in json.loads((ROOT / "Tests/Vectors/documents.json").read_text()) if row["signable"]]
    wrong, spent, by_query = [], [], []
    for row in rows:
        token, other = signer.issue(2, resource=row["resource"], form="base64")
        member, refused = MEMBERS[row["kind"]], row["reason"] is not None
        status, answer = ask(connection, token, **{member: row["expected"]})
        wanted = (403, "INVALID_RESOURCE_ID", row["reason"]) if refused else (200, "VALID_TOKEN", row["resource"])
        if (status, answer.get("verdict"), answer.get("reason" if refused else "resourceID")) != wanted:
            wrong.append(f"{row['name']}: {status} {answer}")
        if refused and ask(connection, token, resource=row["resource"])[0] != 200:
            spent.append(row["name"])
        target = f"/v1/verify?requestor=REF30&{member}={quote(row['expected'], safe='')}".encode()
        # Heads have their own limit.
        if len(target) < 8000 and connection.ask(other, target).status != wanted[0]:
            by_query.append(row["name"])
    check(f"/v1/verify agrees with {len(rows)} cases", not wrong and len(rows) > 300, "\n".join(wrong))
    check("a token whose document was refused is not spent, and its resource is found byte for byte", not spent, spent)
    check("/v1/verify judges a resource in the query as it does one in the body", not by_query, by_query)


def mistakes(connection):
    token = issued(TALL)
    for what, members in (("two resources", {"resource": "TNT", "resourceChannel": "TNT"}), ("an empty document", {"resourceDocument": ""}),
                          ("text that is not a document", {"resourceDocument": "TNT"}), ("a channel that is a document", {"resourceChannel": SHORT})):
        status, answer = ask(connection, token, **members)
        check(f"a question with {what} is answered with 400", status == 400 and answer["error"] == "bad-parameter", answer)
    _, answer = ask(connection, token, resourceDocument=SHORT.replace("TNT", "TBS"))
    check("a mismatch names the element and no value", answer["detail"].endswith("they differ in channel title"), answer)
    check("no question that was refused has used the token up", ask(connection, token, resourceDocument=SHORT)[0] == 200)


def fixed(connection):
    for what, resource, members, wanted in (
            ("nothing", TALL, {}, 200), ("a document of it", TALL, {"resourceDocument": SHORT}, 200),
            ("another channel", TALL, {"resourceChannel": "TBS"}, 403), ("nothing, of a token of another channel", "TBS", {}, 403)):
        status, answer = ask(connection, issued(resource), **members)
        check(f"a tenant with a channel, asked for {what}: {wanted}", status == wanted, answer)
    for route, resource, wanted in (("/same", TALL, 200), ("/same", "TNT", 403), ("/channel/x", TALL, 200)):
        connection.send(b"GET /v1/auth%b HTTP/1.1\r\nHost: localhost\r\nX-Token: %b\r\n\r\n" % (route.encode(), issued(resource)))
        check(f"the route {route} of a token for {resource[:4]}: {wanted}", connection.receive().status == wanted)


routes = [{"prefix": "/same", "resourceDocument": SHORT}, {"prefix": "/channel", "resourceChannel": "TNT"}]
for parts, settings in (((table, mistakes), {}), ((fixed,), {
        "auth": {"tokenHeader": "X-Token", "routes": routes}, "tenants": [{"requestor": "REF30", "resourceChannel": "TNT"}]})):
    daemon = Daemon(signer, parts[0].__name__, **settings).start()
    for part in parts:
        with daemon.connect() as connection:
            part(connection)
    check(f"the daemon that was asked about documents ends with 0: {parts[0].__name__}", daemon.end() == 0)
finish()
