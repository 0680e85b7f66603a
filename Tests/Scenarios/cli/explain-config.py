#!/usr/bin/env -S python3 -B
"""mediatoken explain --config reads what a daemon reads and says what that daemon's inspector says, in one JSON shape; it uses nothing up
and makes nothing.
"""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path
from tokens import GUID, Signer, spellings

signer = Signer()
ASKED = {"requestor": "REF30", "resource": "TNT"}
LOOKING = ["--keys", signer.keys, "--allow-rsa-1024", "any"]
address = f"127.0.0.1:{free_port()}"


def explain(*options, given=b"", asked=()):
    words = [word for name in asked for word in (f"--{name}", ASKED[name])]
    said = subprocess.run([MEDIATOKEN, "explain", *options, *words], input=given, capture_output=True, timeout=120)
    check("an explanation shows no session GUID", GUID.encode() not in said.stdout + said.stderr, said)
    return said


def inspected(body, asked=()):
    """What the inspector answers."""
    query = urllib.parse.urlencode({name: ASKED[name] for name in asked})
    request = urllib.request.Request(f"http://{address}/v1/explain?{query}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def read(said):
    """What a program reads of the output."""
    try:
        return json.loads(said.stdout)
    except ValueError:
        return {}


#: How long something takes, for people; and the moment of an explanation.
SPAN = r"(?:\d+ (?:ms|(?:day|hour|minute|second)s?) ?)+"
MOMENT = rf'20\d\d-[-0-9T:.]+Z, {SPAN}|{SPAN}|(?<="Clock", "value": ")[^"]*'


def timeless(said):
    """The same at any moment."""
    return json.loads(re.sub(MOMENT, "", json.dumps(said | {"now": ""})))


def written(name, document):
    with open(path(name), "w") as file:
        json.dump(document, file)
    return path(name)


def decision(*tokens):
    return {"decisions": [{"resource": name, "serviceProvider": "OTHER", "authorized": True, "token": {
        "issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": spellings(token)[1].decode()}} for name, token in tokens]}


tenants = [{"requestor": "REF30", "denyMVPDs": ["Denied"]}, {"requestor": "SOME", "resources": ["TNT", "CNN"]}]
daemon = Daemon(signer, inspector=address, tenants=tenants).start()
configured = ["--config", daemon.file]
try:
    good, denied = signer.issue(1, guid=GUID)[0], signer.issue(1, mvpd="Denied")[0]
    texts = [token.text for token in signer.mixed(20)] + [denied, signer.issue(1, requestor="SOME", resource="TBS")[0]]
    for text in texts:
        for asked in ((), ("requestor",), ("resource",), ("requestor", "resource")):
            theirs = inspected({"token": spellings(text)[1].decode()} if text.startswith(b"<") else {"token": text.decode()}, asked)
            said = explain(*configured, "--json", "-", given=spellings(text)[1] if text.startswith(b"<") else text, asked=asked)
            status = 3 if "notChecked" in theirs else 1 if theirs["number"] else 0
            check(f"explain --config says what the inspector says about {theirs.get('reason')}, asked {asked}, with the status {status}",
                  timeless(read(said)) == timeless(theirs) and said.returncode == status, (said, theirs))
    said = explain(*configured, "-", given=denied, asked=ASKED)
    check("a policy of the configuration counts", said.returncode == 1 and b"\n  reason: mvpd-denied\n" in said.stdout, said)
    document = written("decision.json", decision(("TNT", good)))
    said = explain(*configured, "--json", "--decision", document, asked=ASKED)
    theirs = inspected({"decision": decision(("TNT", good))}, ASKED)
    check("a decision is compared as the inspector compares it",
          timeless(read(said)) == timeless(theirs) and theirs["decision"]["outcome"] == "differs", (said, theirs))

    ours, theirs = explain(*LOOKING, "-", given=good, asked=ASKED), explain(*configured, "-", given=good, asked=ASKED)
    plain = [re.sub(rf"(one use|use): .*\n(  .*\n)*|20\d\d-[-0-9T:.]+Z|{SPAN}", "", said.stdout.decode()) for said in (ours, theirs)]
    check("on the terminal an explanation is the same with options and with a configuration", plain[0] == plain[1] and theirs.stdout.startswith(
        b"This token would be accepted.\n") and b"one use: passed\n" in theirs.stdout and b"one use: not checked\n" in ours.stdout, (ours, theirs))
    said = explain(*configured, "-", given=good)
    check("what is compared with nothing leaves no verdict", said.returncode == 3 and b"VALID" not in said.stdout and said.stdout.startswith(
        b"Not refused, but not checked: requestor and resource.\nBefore you tell the viewer anything, compare the requestor and the resource below")
        and b"tell the viewer:" not in said.stdout and b"\n  Verdict: none\n" in said.stdout and b", and --resource ID or --any-resource" in said.stderr, said)
    said = explain(*configured, "--any-requestor", "--any-resource", "-", given=good)
    check("where any is allowed, a token that is compared with nothing has a verdict", said.returncode == 0 and b"binding: passed\n  expected: any requestor, any resource\n" in said.stdout, said)
    said = explain(*configured, "--any-requestor", "--any-resource", "-", given=signer.issue(1, requestor="SOME", resource="TBS")[0])
    check("--any-resource does not widen what the configuration plays", b"\n  Verdict: INVALID_RESOURCE_ID (" in said.stdout and said.returncode == 1, said)
    said = explain(*configured, "--requestor", "ref30", "-", given=good)
    check("a requestor that is not served is the question's mistake, and not the token's", said.returncode == 1 and said.stdout.startswith(
        b"The requestor that was asked about is not served here.\nThe token may be good") and b"tell the viewer:" not in said.stdout, said)
    check("what was explained is still to be used, once", daemon.ask(good).status == 200)
    said = explain(*configured, "-", given=good, asked=ASKED)
    check("explain of a token after its use is TOKEN_REPLAYED", b"\n  Verdict: TOKEN_REPLAYED (" in said.stdout and said.returncode == 1, said)
finally:
    daemon.end()
said = explain(*configured, "-", given=good, asked=ASKED)
check("the table is looked at also while no daemon runs", b"\n  Verdict: TOKEN_REPLAYED (" in said.stdout, said)

for option in (["--keys", signer.keys], ["--allow-rsa-1024", "any"], ["--dev"], ["--unknown-fields", "report"],
               ["--deny-mvpd", "x"], ["--replay", "none:"]):
    said = explain(*configured, *option, "-", given=good, asked=ASKED)
    check(f"{option[0]} does not go with --config", said.returncode == 2 and said.stdout == b"" and option[0].encode() in said.stderr, said)


def other(name, **settings):
    """Another configuration, which no daemon runs with."""
    return explain("--config", Daemon(signer, name, **({"replay": {"address": "none:"}} | settings)).file, "-", given=signer.issue(1)[0], asked=ASKED)


said = other("secrets", viewerTag={"key": path("missing.key"), "rotateHours": 24})
check("keys that an explanation does not need are not read", said.returncode == 0 and b"one use: not checked" in said.stdout, said)
said = other("new", replay={"address": f"shared:{path('new.table')}?capacity=1000"})
check("a table that does not exist is named, and not made",
      said.returncode == 3 and said.stdout == b"" and b"new.table" in said.stderr and not os.path.exists(path("new.table")), said)
said = other("keyless", keys=[path("none.pem")])
check("keys that cannot be read are no verdict", said.returncode == 3 and said.stdout == b"" and b"none.pem" in said.stderr, said)
said = explain("--config", path("none.json5"), "-", given=good, asked=ASKED)
check("no configuration is no verdict", said.returncode == 3 and said.stdout == b"" and b"none.json5" in said.stderr, said)
gone = f"redis:gone@{','.join(f'127.0.0.1:{free_port()}' for _ in range(3))}"
said = other("gone", replay={"address": gone})
check("without its replay memory there is no verdict, and all else is said", said.returncode == 3 and b"VALID" not in said.stdout
      and said.stdout.startswith(b"No verdict: there is a fault on this side.\nREPLAY_MEMORY_UNAVAILABLE says nothing about the token.")
      and b"\n  Fault: REPLAY_MEMORY_UNAVAILABLE (65)\n  Action: retry\n" in said.stdout and b"\nbinding: passed\n" in said.stdout
      and b"\none use: no answer\n" in said.stdout and b"no verdict: REPLAY_MEMORY_UNAVAILABLE" in said.stderr and b"\n  node 3 (" in said.stderr, said)
finish()
