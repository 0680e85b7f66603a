#!/usr/bin/env -S python3 -B
"""`verify --config` says what a daemon with this configuration says, and `explain --config` what its inspector says, in one JSON shape; both
use nothing up unless they are told to. What both say without a daemon is in doors/lines.txt.
"""
import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path
from tokens import GUID, Signer, spellings

signer = Signer()
ASKED = {"requestor": "REF30", "resource": "TNT"}
#: How long something takes, for people; and the moment of an explanation.
SPAN = r"(?:\d+ (?:ms|(?:day|hour|minute|second)s?) ?)+"
MOMENT = rf'20\d\d-[-0-9T:.]+Z, {SPAN}|{SPAN}|(?<="Clock", "value": ")[^"]*'
address = f"127.0.0.1:{free_port()}"
tenants = [{"requestor": "REF30", "denyMVPDs": ["Denied"], "maxTTLMilliseconds": 600_000}, {"requestor": "SOME", "resources": ["TNT", "CNN"]}]
daemon = Daemon(signer, inspector=address, tenants=tenants).start()


def asked(command, *options, given=b"", asked=ASKED):
    words = [word for name in asked for word in (f"--{name}", ASKED[name])]
    said = subprocess.run([MEDIATOKEN, command, "--config", daemon.file, *options, *words], input=given, capture_output=True, timeout=120)
    if command == "explain":
        check("an explanation shows no session GUID", GUID.encode() not in said.stdout + said.stderr, said)
    return said


def inspected(body, asked=ASKED):
    """What the inspector answers."""
    query = urllib.parse.urlencode({name: ASKED[name] for name in asked})
    request = urllib.request.Request(f"http://{address}/v1/explain?{query}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def timeless(said):
    """The same at any moment."""
    return json.loads(re.sub(MOMENT, "", json.dumps(said | {"now": ""})))


try:
    good, other = signer.issue(1, guid=GUID)[0], signer.issue(1)[0]
    texts = [token.text for token in signer.mixed(20)] + [
        signer.issue(1, mvpd="Denied")[0], signer.issue(1, ttl=3_600_000, age=900_000)[0], signer.issue(1, requestor="SOME", resource="TBS")[0]]
    for text in texts:
        text = spellings(text)[1] if text.startswith(b"<") else text
        for names in ((), ("requestor",), ("resource",), ("requestor", "resource")):
            theirs = inspected({"token": text.decode()}, names)
            said = asked("explain", "--json", "-", given=text, asked=names)
            status = 3 if "notChecked" in theirs else 1 if theirs["number"] else 0
            check(f"explain says what the inspector says about {theirs.get('reason')}, asked {names}, with the status {status}",
                  timeless(json.loads(said.stdout or "{}")) == timeless(theirs) and said.returncode == status, (said, theirs))
        ours = json.loads(asked("verify", "--json", "-", given=text).stdout)
        there = json.loads(daemon.ask(text).body) if ours["number"] else ours
        check(f"verify says what the daemon says about {there.get('reason')}", all(ours.get(name) == there.get(name) for name in (
            "verdict", "reason", "detail", "action", "adobeCode", "identity")) and ("note" in ours) == (ours["number"] == 0), (ours, there))
    decision = {"decisions": [{"resource": "TNT", "serviceProvider": "OTHER", "authorized": True, "token": {
        "issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": spellings(good)[1].decode()}}]}
    with open(path("decision.json"), "w") as file:
        json.dump(decision, file)
    said, theirs = asked("explain", "--json", "--decision", path("decision.json")), inspected({"decision": decision})
    check("a decision is compared as the inspector compares it",
          timeless(json.loads(said.stdout)) == timeless(theirs) and theirs["decision"]["outcome"] == "differs", (said, theirs))
    check("what was explained is still to be used, once", verdict(daemon.ask(good)) == "VALID_TOKEN" and verdict(daemon.ask(good)) == "TOKEN_REPLAYED")
    said = asked("explain", "-", given=good)
    check("explain of a token after its use is TOKEN_REPLAYED", b"\n  Verdict: TOKEN_REPLAYED (" in said.stdout and said.returncode == 1, said)
    check("--spend asks the daemon's memory", asked("verify", "--spend", "-", given=good).stdout.startswith(b"TOKEN_REPLAYED\n"))
    check("--spend uses the token up for the daemon, too", asked("verify", "--spend", "-", given=other).stdout.startswith(b"VALID_TOKEN\n")
          and verdict(daemon.ask(other)) == "TOKEN_REPLAYED")
finally:
    daemon.end()
finish()
