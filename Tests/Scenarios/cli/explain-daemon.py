#!/usr/bin/env -S python3 -B
"""mediatoken explain --daemon asks a daemon's inspector, prints what mediatoken explain prints, with its exit status, and believes
only a whole explanation of the token that was sent: whatever a lying server answers, no lie becomes VALID_TOKEN.
"""

import json
import re
import socket
import subprocess
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, count, finish, path
from tokens import Signer, spellings

signer = Signer()
ASKED = ["--requestor", "REF30", "--resource", "TNT"]
LOOKING = ["--keys", signer.keys, "--allow-rsa-1024", "any"]
address = f"127.0.0.1:{free_port()}"


def explain(*options, given=b""):
    # A daemon of a busy machine has a minute to answer.
    patience = ["--timeout", "60000"] if "--daemon" in options else []
    return subprocess.run([MEDIATOKEN, "explain", *patience, *options], input=given, capture_output=True, timeout=120)


def plain(said):
    """The output without what another moment and a replay memory, which only the daemon has, make of it."""
    text = re.sub(r"one use: .*\n(  .*\n)*", "", said.decode())
    text = re.sub(r',\{"step":"one use".*?\}', "", text)
    text = re.sub(r',"use":\{.*?\}|"skewMilliseconds":\d+', "", text)
    return re.sub(r"20\d\d-[-0-9T:.]+Z, -?\d+ ms|missed by \d+ ms", "", text)


def asked(connection, query):
    """What the inspector says about a good token."""
    request = post(fresh, b"/v1/explain" + query, b"Connection: close\r\n")
    connection.sendall(request.replace(b"Host: localhost", b"Host: " + address.encode()))
    return json.loads(b"".join(iter(lambda: connection.recv(65536), b"")).split(b"\r\n\r\n", 1)[1])


daemon = Daemon(signer, inspector=address).start()
only_one = path("only-one.inspector")
single = Daemon(signer, "only-one", inspector=only_one, tenants=[{"requestor": "REF30", "resources": ["TNT"]}]).start()
try:
    tokens = signer.mixed(20)
    for token in tokens:
        for form in ([], ["--json"]):
            ours = explain(*LOOKING, *ASKED, *form, "-", given=token.text)
            theirs = explain("--daemon", address, *ASKED, *form, "-", given=token.text)
            check(f"{token.verdict} {' '.join(form)}: the daemon's explanation is printed as our own",
                  plain(ours.stdout) == plain(theirs.stdout) and ours.returncode == theirs.returncode != 3
                  and b"one use" in theirs.stdout, (plain(ours.stdout), plain(theirs.stdout), theirs.stderr))
            said = theirs.stdout.decode()
            check("with the sentence for the viewer, and in JSON with life, binding, use and name",
                  '"viewer":"' in said and '"use":{' in said and ('"life":{"issued":' in said) == ('"binding":[{' in said) == ('"requestorID"' in said)
                  if form else said.splitlines()[3].startswith("viewer: "), said)
    good = signer.issue(1)[0]
    first = explain("--daemon", address, *ASKED, "-", given=good)
    check("a good token is valid, and not used up",
          first.stdout.startswith(b"VALID_TOKEN\n") and first.returncode == 0 and daemon.ask(good).status == 200, first)
    after = explain("--daemon", address, *ASKED, "-", given=good)
    check("after its use it is TOKEN_REPLAYED", after.stdout.startswith(b"TOKEN_REPLAYED\n") and after.returncode == 1, after)
    fresh = signer.issue(1)[0]
    left_out = explain("--daemon", address, "-", given=fresh)
    check("requestor and resource may be left out; what is compared with nothing leaves no verdict",
          left_out.returncode == 3 and left_out.stdout.startswith(b"NO_VERDICT\nnot checked: resource\narmor: passed\n")
          and b"binding: not checked\n  expected: requestor REF30, any resource\n" in left_out.stdout and b"VALID" not in left_out.stdout
          and b"give --resource ID or --any-resource" in left_out.stderr, left_out)
    left_out = explain("--daemon", address, "--json", "-", given=fresh)
    said = json.loads(left_out.stdout)
    check("nor in JSON", left_out.returncode == 3 and said["notChecked"] == ["resource"]
          and not {"verdict", "number", "action", "adobeCode", "viewer"} & set(said) and b"VALID" not in left_out.stdout, left_out)
    chosen = explain("--daemon", address, "--any-resource", "-", given=fresh)
    check("unless any is said to do", chosen.returncode == 0 and chosen.stdout.startswith(b"VALID_TOKEN\n")
          and b"binding: passed\n  expected: requestor REF30, any resource\n" in chosen.stdout, chosen)
    ended = signer.issue(1, ttl=60_000, age=600_000)[0]
    left_out = explain("--daemon", address, "-", given=ended)
    check("what is refused is refused without them", left_out.returncode == 1 and left_out.stdout.startswith(b"TOKEN_EXPIRED\n")
          and b"binding: not checked\n" in left_out.stdout, left_out)
    document = path("decision.json")
    with open(document, "w") as file:
        json.dump({"decisions": [{"resource": "TNT", "serviceProvider": "OTHER", "authorized": True, "token": {
            "issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": spellings(fresh)[1].decode()}}]}, file)
    ours, theirs = explain(*LOOKING, *ASKED, "--decision", document), explain("--daemon", address, *ASKED, "--decision", document)
    check("a decision is compared there as here", ours.returncode == theirs.returncode == 0 and b"decision: differs" in theirs.stdout
          and plain(ours.stdout) == plain(theirs.stdout), (ours, theirs))
    two = path("two.json")
    with open(two, "w") as file:
        json.dump({"decisions": [{"resource": name, "authorized": True, "token": {"serializedToken": spellings(token)[1].decode()}}
                                 for name, token in (("TBS", signer.issue(1, resource="TBS")[0]), ("TNT", fresh))]}, file)
    chosen = explain("--daemon", only_one, "--decision", two)
    check("which of two decisions is meant, the daemon knows", chosen.returncode == 0 and chosen.stdout.startswith(b"VALID_TOKEN\n"), chosen)
    chosen = explain("--daemon", address, "--decision", two)
    check("or no one does", chosen.returncode == 3 and chosen.stdout == b"" and b"status 400" in chosen.stderr, chosen)
    denied = path("denied.json")
    with open(denied, "w") as file:
        json.dump({"decisions": [{"resource": "TNT", "authorized": False, "error": {"code": "authorization_denied_by_mvpd"}}]}, file)
    for form in ([], ["--json"]):
        ours, theirs = explain(*LOOKING, *ASKED, *form, "--decision", denied), explain("--daemon", only_one, *form, "--decision", denied)
        check("a decision without a token is NO_TOKEN there as here", ours.returncode == theirs.returncode == 1
              and ours.stdout == theirs.stdout and b"authorization_denied_by_mvpd" in theirs.stdout, (ours, theirs))
    # 19 kB fit into no request line.
    items = "".join(f"<item><title>{number}</title><guid>{'x' * 100}</guid></item>" for number in range(130))
    rss = f'<rss version="2.0"><channel><title>TNT</title>{items}</channel></rss>'
    long = signer.issue(1, resource=rss)[0]
    said = [explain("--daemon", address, *options, "-", given=long) for options in (
        ["--resource", rss], ["--resource-document", rss.replace("<item>", "<item >")])]
    check("a long document is asked about as a short name is", len(rss) > 16_384
          and all(one.returncode == 0 and one.stdout.startswith(b"VALID_TOKEN\n") for one in said), said)
    said = subprocess.run([MEDIATOKEN, "query", "--socket", daemon.socket, "--timeout", "60000", "--resource", rss, "-"], input=long,
                          capture_output=True, timeout=120, check=False)
    check("and query asks so, too", said.returncode == 0 and said.stdout.startswith(b"VALID_TOKEN\n"), said)
    # What the daemon answers, for the lies below.
    with socket.create_connection(address.rsplit(":", 1)) as connection:
        truth = asked(connection, b"?requestor=REF30&resource=TNT")
    with socket.create_connection(address.rsplit(":", 1)) as connection:
        open_ = asked(connection, b"")
finally:
    daemon.end()
    single.end()
for options in (["--keys", signer.keys], ["--allow-rsa-1024", "any"], ["--at", "0"], ["--replay", "none:"], ["--deny-mvpd", "x"],
                ["--any-requestor"], ["--any-resource"]):
    said = explain("--daemon", address, *ASKED, *options, "-", given=b"x")
    check(f"{options[0]} does not go with it", said.returncode == 2 and options[0].encode() in said.stderr, said)
said = explain(*LOOKING, *ASKED, "--timeout", "5", "-", given=b"x")
check("--timeout goes only with it", said.returncode == 2, said)
said = explain("--daemon", address, *ASKED, "-", given=fresh)
check("no daemon is no verdict", said.returncode == 3 and said.stdout == b"" and b"no verdict" in said.stderr, said)


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def with_step(body, step, **members):
    return body | {"steps": [one | members if one["step"] == step else one for one in body["steps"]]}


def with_binding(body, name, **members):
    return body | {"binding": [one | members if one["name"] == name else one for one in body["binding"]]}


expired = {"verdict": "TOKEN_EXPIRED", "number": 3, "reason": "expired", "action": "new-token", "adobeCode": "TOKEN_EXPIRED"}
lies = {
    "no verdict": without(truth, "verdict"),
    "no name of the token": without(truth, "identity"),
    "another token's name": truth | {"identity": "a" * 64},
    "its name in capitals": truth | {"identity": truth["identity"].upper()},
    "no notice": without(truth, "notice"),
    "another number": truth | {"number": 1},
    "another action": truth | {"action": "new-token"},
    "another of Adobe's codes": truth | {"adobeCode": "TOKEN_EXPIRED"},
    "a reason": truth | {"reason": "expired", "detail": "x"},
    "no steps": truth | {"steps": []},
    "six steps": truth | {"steps": truth["steps"][:-1]},
    "eight steps": truth | {"steps": truth["steps"] + truth["steps"][-1:]},
    "steps in another order": truth | {"steps": truth["steps"][::-1]},
    "a note of another name": with_step(truth, "armor", notes=[{"name": "x", "value": "y"}]),
    "a note that is no text": with_step(truth, "armor", notes=[{"name": "found", "value": 1}]),
    "another outcome": with_step(truth, "armor", outcome="maybe"),
    "no binding": truth | {"binding": []},
    "no use": without(truth, "use"),
    "a used token": truth | {"use": {"state": "used"}},
    "an unknown use": truth | {"use": {"state": "unknown"}},
    "the use not checked": with_step(truth, "one use", outcome="not-checked"),
    "what was not compared": with_step(truth, "binding", outcome="not-checked"),
    "a resource that was not compared": with_binding(with_step(truth, "binding", outcome="not-checked"), "resource", outcome="not-checked"),
    "no verdict, as all was compared": without(truth, "verdict", "number", "action", "adobeCode", "viewer") | {"notChecked": []},
    "no verdict where the question had names": open_,
    "no sentence for the viewer": without(truth, "viewer"),
    "no life that can be read": truth | {"life": {"issued": "x"}},
    "another requestor": with_binding(truth, "requestor", found="OTHER"),
    "another resource": with_binding(truth, "resource", found="TBS"),
    "a resource that was not checked": with_binding(truth, "resource", outcome="not-checked"),
    "a requestor that failed": with_binding(truth, "requestor", outcome="failed"),
    "a decision that was not sent": truth | {"decision": {"outcome": "agrees", "differences": []}},
    "a refusal without a failed step": truth | expired,
    "a refusal whose reason is another": with_step(truth | expired | {"reason": "already-used"}, "lifetime", outcome="failed"),
    "a refusal of another token": with_step(
        truth | expired | {"identity": "a" * 64}, "lifetime", outcome="failed", notes=[{"name": "reason", "value": "expired"}]),
} | {f"{step} {outcome}": with_step(truth, step, outcome=outcome) for outcome in ("failed", "not-checked")
     for step in ("armor", "envelope", "signature", "fields", "lifetime", "binding")}


def whole(body, status=200, kind="application/json"):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return b"HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind.encode(), len(body), body)


answers = {name: whole(body) for name, body in lies.items()} | {
    "nothing": b"",
    "no HTTP": b"VALID_TOKEN\n",
    "the truth with another status": whole(truth, 403),
    "the truth as text": whole(truth, kind="text/plain"),
    "the truth and more": whole(json.dumps(truth).encode() + b"x"),
    "half of the truth": whole(truth)[:-1],
    "what /v1/verify says": whole({"verdict": "VALID_TOKEN", "number": 0, "identity": truth["identity"], "requestorID": "REF30",
                                   "resourceID": "TNT"}),
    "a fault": whole({"fault": "REPLAY_MEMORY_FULL", "number": 66}, 503),
    "two megabytes": whole(truth | {"x": "y" * (2 << 20)}),
    "another place": b"HTTP/1.1 302 X\r\nLocation: http://localhost/\r\nContent-Length: 0\r\n\r\n",
}
liar = socket.socket(socket.AF_UNIX)
liar.bind(path("liar"))
liar.listen(4)


def answer(bytes):
    """Answers one question with these bytes, and ends."""
    connection, _ = liar.accept()
    with connection:
        received = b""
        while b"\r\n\r\n" not in received or len(received.split(b"\r\n\r\n", 1)[1]) < len(fresh):
            received += connection.recv(1 << 16)
        try:
            connection.sendall(bytes)
        except OSError:
            pass


def told(bytes, *options):
    serving = threading.Thread(target=answer, args=(bytes,), daemon=True)
    serving.start()
    said = explain("--daemon", path("liar"), *ASKED, *options, "-", given=fresh)
    serving.join(60)
    return said


said = told(whole(truth))
check("the truth from the same server is believed", said.returncode == 0 and said.stdout.startswith(b"VALID_TOKEN\n"), said)
said = told(whole(with_step(truth, "fields", notes=[{"name": "found", "value": "\u001b]0;x\u0007\u202e"}])))
check("what a terminal might obey is escaped", said.returncode == 0 and not any(
    one in said.stdout for one in (b"\x1b", b"\x07", "\u202e".encode())), said)
believed = []
for name, bytes in answers.items():
    for form in ([], ["--json"]):
        said = told(bytes, *form)
        if said.returncode != 3 or said.stdout or b"no verdict" not in said.stderr:
            believed.append((name, form, said))
check("no lie is believed", not believed, believed)
count(f"{len(answers)} lies")
finish()
