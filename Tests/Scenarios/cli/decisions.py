#!/usr/bin/env -S python3 -B
"""Decisions of Adobe's REST API v2 on the command line: every case of Tests/Decisions with real tokens, what is refused, what is
shown, and that a question without a verdict uses no token up."""

import base64
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import ROOT, check, finish, path
from tokens import Signer

SIGNER = Signer()
TRUST = ["--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint, "--requestor", "REF30"]
#: What stands for tokens in the cases.
TOKENS = {"@TNT@": SIGNER.issue(1, form="base64")[0], "@TBS@": SIGNER.issue(1, resource="TBS", form="base64")[0],
          "@WRONG@": SIGNER.issue(1, resource="TBS", form="base64")[0]}


def run(*arguments, stdin=b""):
    return subprocess.run([MEDIATOKEN, *arguments], input=stdin, capture_output=True)


def lines(result):
    return result.stdout.decode().splitlines()


def ended(result, status, first, said=""):
    """Whether a command ended with this exit status, this first line (None: no output), and this text in its message."""
    found = lines(result)
    return (result.returncode, found[0] if found else None) == (status, first) and said in result.stderr.decode()


def document(case):
    """A case's bytes with real tokens in it."""
    text = case["document"].encode() if "document" in case else base64.b64decode(case["documentBase64"])
    length = case.get("paddedTo", len(text))
    for name, token in TOKENS.items():
        text = text.replace(name.encode(), token)
    # The limit holds for the document, so a longer token leaves less room for spaces.
    return text + b" " * (length - len(text))


def identity(token):
    return next(line for line in lines(run("inspect", "-", stdin=token)) if "identity" in line).split(" ")[-1]


def wanted(case, identities):
    """The exit status, the first line, and a text of a later line."""
    kind, _, rest = case["expect"].partition(" ")
    if kind == "broken":
        return 3, None, ""
    if kind == "no-token":
        return 1, "NO_TOKEN", f"decisionError: {rest}" if rest else ""
    if rest not in TOKENS:
        return 1, "INVALID_TOKEN_FORMAT", "reason: empty"
    for_another = rest == "@WRONG@"
    return int(for_another), "INVALID_RESOURCE_ID" if for_another else "VALID_TOKEN", f"identity: {identities[rest]}"


def is_as_wanted(result, status, first, later):
    found = lines(result)
    if (result.returncode, found[0] if found else None) != (status, first):
        return False
    if first == "NO_TOKEN":
        return found[1:] == ([later] if later else [])
    if first is None:
        message = result.stderr.decode()
        return message.startswith("mediatoken: no verdict: the decision document ") and message.count("\n") == 1
    return later in found


def table():
    cases = [json.loads(line) for line in open(ROOT / "Tests/Decisions/cases.ndjson")]
    identities = {name: identity(token) for name, token in TOKENS.items()}

    def problem(numbered):
        number, case = numbered
        # No token is for this resource: only the choice of the decision matters then.
        chosen_alone = case["expect"] in ("token @TNT@", "token @TBS@") and case.get("resource") not in (None, "TNT", "TBS")
        resource = ["--resource", case["resource"]] if "resource" in case else ["--any-resource"]
        status, first, later = wanted(case, identities)
        if chosen_alone:
            status, first = 1, "INVALID_RESOURCE_ID"
        text = document(case)
        file = path(f"case{number}.json")
        with open(file, "wb") as output:
            output.write(text)
        for result in (run("verify", "--decision", file, *TRUST, *resource), run("verify", "--decision", "-", *TRUST, *resource, stdin=text),
                       run("explain", "--decision", file, *TRUST, *resource)):
            said = result.args[1]
            indent = "  " if said == "explain" and first != "NO_TOKEN" else ""
            if not is_as_wanted(result, status, first, indent + later):
                return f"{said}: {case['name']}: {result.returncode} {lines(result)[:2]} {result.stderr.decode()[:200]}"
            if TOKENS["@TNT@"] in result.stdout + result.stderr:
                return f"{said}: {case['name']}: shows the token"
        os.remove(file)
        return None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [each for each in pool.map(problem, enumerate(cases)) if each]
    check(f"verify and explain agree with {len(cases)} documents, from a file and from standard input", not wrong and len(cases) > 180,
          "\n".join(wrong))


def decisions(*resources, **options):
    """Documents that `issue` made, as JSON."""
    made = []
    for resource in resources:
        made += [json.loads(line) for line in SIGNER.issue(1, resource=resource, form="decision", **options)]
    return made


def issued():
    now = int(time.time() * 1000)
    text = SIGNER.issue(1, form="decision", at=now, ttl=300_000, mvpd="Cablevision")[0]
    made = json.loads(text)["decisions"][0]
    token = made.pop("token")
    serialized = token.pop("serializedToken")
    check("issue makes a decision as Adobe documents it", made == {
        "resource": "TNT", "serviceProvider": "REF30", "mvpd": "Cablevision", "source": "mvpd", "authorized": True,
        "notBefore": now, "notAfter": made["notAfter"]} and made["notAfter"] > now + 3_600_000, made)
    check("the decision of issue has the token's own times", token == {"notBefore": now, "notAfter": now + 300_000}, token)
    check("the decision of issue has the token in base64", base64.b64decode(serialized).startswith(b"<signatureInfo>"))
    check("the token in the decision of issue is valid", ended(run("verify", "-", *TRUST, "--resource", "TNT", stdin=serialized.encode()), 0, "VALID_TOKEN"))
    rss = '<rss version="2.0"><channel><title>"T\u00e9 & N\\T"\n</title></channel></rss>'
    text = SIGNER.issue(1, resource=rss, form="decision")[0]
    check("issue writes a resource of signs and lines so that it comes back", ended(
        run("verify", "--decision", "-", *TRUST, "--resource", rss, stdin=text), 0, "VALID_TOKEN"))
    rss = '<rss version="2.0"><channel><title>A &amp; E</title></channel></rss>'
    text = SIGNER.issue(1, resource=rss, form="decision")[0]
    asked = ("--resource-document", rss.replace('"2.0"', "'2.0'").replace("><", ">\n<"))
    check("a document is chosen and verified in another spelling", ended(
        run("verify", "--decision", "-", *TRUST, *asked, stdin=text), 0, "VALID_TOKEN"))
    check("a document in a decision is chosen by its channel", ended(
        run("explain", "--decision", "-", *TRUST, "--resource-channel", "A & E", stdin=text), 0, "VALID_TOKEN"))
    check("a document in a decision is not chosen by another channel", ended(
        run("verify", "--decision", "-", *TRUST, "--resource-channel", "A", stdin=text), 3, None, "is about the resource (1 found)"))
    many = SIGNER.issue(3, form="decision")
    check("issue --count writes decisions one per line, each with a token of its own",
          len({json.loads(each)["decisions"][0]["token"]["serializedToken"] for each in many}) == 3)


def usage():
    for text, said, *arguments in (
            ("a decision and a token", "TOKEN and --decision FILE|- are both given; give one", "inspect", "--decision", "x", "token"),
            ("a decision and -", "are both given", "explain", "--decision", "-", "-", *TRUST, "--resource", "TNT"),
            ("a decision and a batch", "are both given", "verify", "--decision", "x", "--batch", "y", *TRUST, "--resource", "TNT"),
            ("all three", "are all given", "verify", "--decision", "x", "--batch", "y", "token", *TRUST, "--resource", "TNT"),
            ("neither", "there is no token; give TOKEN, -, --decision FILE|- or --batch FILE|-", "verify", *TRUST, "--resource", "TNT"),
            ("two decisions", "--decision FILE|- is given twice", "inspect", "--decision", "x", "--decision", "y"),
            ("a token in place of the file", "a token is in the place of", "inspect", "--decision", TOKENS["@TNT@"]),
            ("a decision for query", "unknown option", "query", "--decision", "x")):
        result = run(*arguments)
        check(f"usage: {text}", ended(result, 2, None, said), result.stderr)
    check("unusable keys come before the document",
          ended(run("verify", "--decision", "/none", "--keys", "/none.pem", "--requestor", "REF30", "--resource", "TNT"), 3, None, "none.pem"))
    for name, text in (("/none", "no such file"), ("/", "directory")):
        check(f"the file {name} cannot be read", ended(run("inspect", "--decision", name), 3, None, text))


def shown():
    made = decisions("TNT", mvpd="Cablevision")[0]
    whole = json.dumps(made).encode()
    ask = ["explain", "--decision", "-", *TRUST, "--resource", "TNT"]
    result = run(*ask, stdin=whole)
    check("explain says that a decision agrees", ended(result, 0, "VALID_TOKEN") and "decision: agrees" in lines(result), result.stdout)
    made["decisions"][0] |= {"mvpd": "Other\nVALID_TOKEN", "serviceProvider": "REF31"}
    made["decisions"][0]["token"] |= {"notBefore": 0, "notAfter": 4102444800000}
    whole = json.dumps(made).encode()
    result = run(*ask, stdin=whole)
    found = lines(result)
    check("a decision that differs from its token changes no verdict", ended(result, 0, "VALID_TOKEN") and "decision: differs" in found, found)
    for text in ("serviceProvider: REF31 in the decision, REF30 signed", "mvpd: Other\\u{a}VALID_TOKEN in the decision, Cablevision signed",
                 "notBefore: 1970-01-01T00:00:00.000Z in the decision, 20", "notAfter: 2100-01-01T00:00:00.000Z in the decision, 20"):
        check(f"explain shows what differs: {text[:20]}", any(line.startswith("  " + text) for line in found), found)
    result = run(*ask, "--json", stdin=whole)
    answer = json.loads(result.stdout)
    check("explain --json shows what differs", answer["decision"]["outcome"] == "differs" and [each["member"] for each in answer["decision"]["differences"]]
          == ["serviceProvider", "mvpd", "notBefore", "notAfter"] and answer["verdict"] == "VALID_TOKEN", answer)
    check("verify of a decision prints what was signed", "mvpdId: Cablevision" in lines(run("verify", *ask[1:], stdin=whole)))
    made["decisions"][0]["token"]["serializedToken"] = SIGNER.issue(1)[0].replace(b"TNT", b"TNU").decode()
    result = run(*ask, stdin=json.dumps(made).encode())
    check("explain compares nothing with a refused token", result.returncode == 1 and "decision: not checked" in lines(result), result.stdout)
    result = run("inspect", "--decision", "-", stdin=whole)
    check("inspect shows the token, all of it unverified",
          result.returncode == 0 and all(line.startswith("unverified ") for line in lines(result)), result.stdout)
    two = json.dumps({"decisions": [each["decisions"][0] for each in decisions("TNT", "TBS")]}).encode()
    check("inspect of two decisions shows none", ended(run("inspect", "--decision", "-", stdin=two), 3, None, "found 2"))
    denial = b'{"decisions":[{"resource":"TNT","authorized":false,"error":{"code":"authorization_denied_by_mvpd","action":"none"}}]}'
    for command in (["verify", *TRUST, "--resource", "TNT"], ["explain", *TRUST, "--resource", "TNT"], ["inspect"]):
        result = run(*command, "--decision", "-", "--json", stdin=denial)
        answer = json.loads(result.stdout)
        check(f"{command[0]} --json of a denial", result.returncode == 1 and answer.pop("detail") and answer == {
            "error": "no-token-in-decision", "decisionError": "authorization_denied_by_mvpd", "action": "new-token"}, result.stdout)


def nothing_spent():
    subprocess.run([MEDIATOKEN, "replay", "create", "--table", path("table"), "--capacity", "1000", "--fresh"], check=True, capture_output=True)
    ask = ["verify", "--decision", "-", *TRUST, "--replay", "shared:" + path("table")]
    made = decisions("TNT")[0]
    good = made["decisions"][0]
    for text, decision in (("a denial next to the token", good | {"authorized": False}), ("an error next to it", good | {"error": {}}),
                           ("no member authorized", {name: value for name, value in good.items() if name != "authorized"})):
        check(f"{text} is NO_TOKEN", ended(run(*ask, "--resource", "TNT", stdin=json.dumps({"decisions": [decision]}).encode()), 1, "NO_TOKEN"))
    whole = json.dumps(made).encode()
    check("a decision for another resource is no verdict", ended(run(*ask, "--resource", "TBS", stdin=whole), 3, None, "is about the resource (1 found)"))
    check("the same decision twice is no decision", ended(run(*ask, "--resource", "TNT", stdin=json.dumps({"decisions": [good] * 2}).encode()), 3, None))
    lie = json.dumps({"decisions": [good | {"resource": "TBS"}]}).encode()
    check("a decision whose resource is not its token's is refused", ended(run(*ask, "--resource", "TBS", stdin=lie), 1, "INVALID_RESOURCE_ID"))
    check("a decision that is cut off is no verdict", ended(run(*ask, "--resource", "TNT", stdin=whole[:-2]), 3, None, "ends too early"))
    check("the token of a decision that was cut off is unspent", ended(run(*ask, "--resource", "TNT", stdin=whole), 0, "VALID_TOKEN"))
    check("the token of a decision is valid once", ended(run(*ask, "--resource", "TNT", stdin=whole), 1, "TOKEN_REPLAYED"))


def main():
    table()
    issued()
    usage()
    shown()
    nothing_spent()
    finish()


main()
