#!/usr/bin/env -S python3 -B
"""Decisions of Adobe's REST API v2 on the command line: what is issued, refused and shown, and that a question without a verdict uses no
token up. How a decision is read and compared, in every case of Tests/Decisions, is for the unit tests."""
import json
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import check, finish, path
from tokens import Signer

SIGNER = Signer()
TRUST = ["--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint, "--requestor", "REF30"]
VERIFY, EXPLAIN = (["verify", *TRUST, "--decision", "-"], ["explain", *TRUST, "--decision", "-"])


def run(*arguments, stdin=b""):
    return subprocess.run([MEDIATOKEN, *arguments], input=stdin, capture_output=True)


def lines(result):
    return result.stdout.decode().splitlines()


def ended(result, status, first, said=""):
    """Whether a command ended with this exit status, this first line (None: no output), and this text in its message."""
    return (result.returncode, (lines(result) or [None])[0]) == (status, first) and said in result.stderr.decode()


def issued():
    now = int(time.time() * 1000)
    made = json.loads(SIGNER.issue(1, form="decision", at=now, ttl=300_000, mvpd="Cablevision")[0])["decisions"][0]
    token = made.pop("token")
    serialized = token.pop("serializedToken")
    check("issue makes a decision as Adobe documents it", made == {
        "resource": "TNT", "serviceProvider": "REF30", "mvpd": "Cablevision", "source": "mvpd", "authorized": True,
        "notBefore": now, "notAfter": made["notAfter"]} and made["notAfter"] > now + 3_600_000, made)
    check("the decision of issue has the token's own times", token == {"notBefore": now, "notAfter": now + 300_000}, token)
    check("the token in the decision of issue is valid",
          ended(run("verify", "-", *TRUST, "--resource", "TNT", stdin=serialized.encode()), 0, "VALID_TOKEN"))
    rss = '<rss version="2.0"><channel><title>"T\u00e9 &amp; N\\T"</title>\n</channel></rss>'
    text = SIGNER.issue(1, resource=rss, form="decision")[0]
    for what, *asked in (("as it is", "--resource", rss), ("in another spelling", "--resource-document", rss.replace('"2.0"', "'2.0'")),
                         ("by its channel", "--resource-channel", '"T\u00e9 & N\\T"')):
        check(f"a document of signs and lines in a decision is chosen and verified {what}", ended(run(*VERIFY, *asked, stdin=text), 0, "VALID_TOKEN"))
    check("a document in a decision is not chosen by another channel", ended(
        run(*VERIFY, "--resource-channel", "A", stdin=text), 3, None, "is about the resource (1 found)"))
    many = SIGNER.issue(3, form="decision")
    check("issue --count writes decisions one per line, each with a token of its own",
          len({json.loads(each)["decisions"][0]["token"]["serializedToken"] for each in many}) == 3)


def wrong_calls():
    for text, status, said, *arguments in (
            ("a decision and a batch", 2, "are both given", "verify", "--decision", "x", "--batch", "y", *TRUST, "--resource", "TNT"),
            ("a token in place of the file", 2, "a token is in the place of", "inspect", "--decision", SIGNER.issue(1, form="base64")[0]),
            ("a decision with unusable keys", 3, "none.pem", "verify", "--decision", "/none", "--keys", "/none.pem", "--any-requestor", "--any-resource"),
            ("a decision that is not there", 3, "no such file", "inspect", "--decision", "/none")):
        result = run(*arguments)
        check(f"{text}: exit {status}, and a message", ended(result, status, None, said), result.stderr)


def shown():
    made = json.loads(SIGNER.issue(1, form="decision", mvpd="Cablevision")[0])
    ask = [*EXPLAIN, "--resource", "TNT"]
    result = run(*ask, stdin=json.dumps(made).encode())
    check("explain says that a decision agrees", ended(result, 0, "This token would be accepted.") and "decision: agrees" in lines(result), result.stdout)
    made["decisions"][0] |= {"mvpd": "Other\nVALID_TOKEN", "serviceProvider": "REF31"}
    whole = json.dumps(made).encode()
    found = lines(run(*ask, stdin=whole))
    check("a decision that differs from its token changes no verdict, and explain shows what differs", found[0] == "This token would be accepted." and {
        "decision: differs", "  serviceProvider: REF31 in the decision, REF30 signed",
        "  mvpd: Other\\u{a}VALID_TOKEN in the decision, Cablevision signed"} <= set(found), found)
    answer = json.loads(run(*ask, "--json", stdin=whole).stdout)["decision"]
    check("explain --json shows what differs", (answer["outcome"], [each["member"] for each in answer["differences"]])
          == ("differs", ["serviceProvider", "mvpd"]), answer)
    check("verify of a decision prints what was signed", "mvpdId: Cablevision" in lines(run(*VERIFY, "--resource", "TNT", stdin=whole)))
    result = run("inspect", "--decision", "-", stdin=whole)
    check("inspect of a decision shows its token, all of it unverified",
          result.returncode == 0 and all(line.startswith("unverified ") for line in lines(result)), result.stdout)
    denial = b'{"decisions":[{"resource":"TNT","authorized":false,"error":{"code":"authorization_denied_by_mvpd","action":"none"}}]}'
    for command in ([*VERIFY, "--resource", "TNT"], ask, ["inspect", "--decision", "-"]):
        result = run(*command, "--json", stdin=denial)
        answer = json.loads(result.stdout)
        check(f"{command[0]} --json of a denial says that there is no token", result.returncode == 1 and answer.pop("detail") and answer == {
            "error": "no-token-in-decision", "decisionError": "authorization_denied_by_mvpd", "action": "new-token"}, result.stdout)


def nothing_spent():
    subprocess.run([MEDIATOKEN, "replay", "create", "--table", path("table"), "--capacity", "1000", "--fresh"], check=True, capture_output=True)
    made = json.loads(SIGNER.issue(1, form="decision")[0])
    good = made["decisions"][0]
    for text, resource, decisions, status, first, said in (
            ("a denial next to the token is NO_TOKEN", "TNT", [good | {"authorized": False}], 1, "NO_TOKEN", ""),
            ("a decision for another resource is no verdict", "TBS", [good], 3, None, "is about the resource (1 found)"),
            ("a decision whose resource is not its token's is refused", "TBS", [good | {"resource": "TBS"}], 1, "INVALID_RESOURCE_ID", ""),
            ("the same decision twice is no decision", "TNT", [good] * 2, 3, None, ""),
            ("after these the token of the decision is valid", "TNT", [good], 0, "VALID_TOKEN", ""),
            ("the token of a decision is valid once", "TNT", [good], 1, "TOKEN_REPLAYED", "")):
        result = run(*VERIFY, "--replay", "shared:" + path("table"), "--resource", resource, stdin=json.dumps({"decisions": decisions}).encode())
        check(text, ended(result, status, first, said), result)


issued()
wrong_calls()
shown()
nothing_spent()
finish()
