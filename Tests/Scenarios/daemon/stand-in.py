#!/usr/bin/env -S python3 -B
"""`mediatokend --dev --stand-in` answers in Adobe Pass's place: the commands of the article HowATokenArrives play a token once, and no key
but the development key, no other address and no other site's page gets to it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection
from processes import MEDIATOKEN, MEDIATOKEND, free_port, launch
from scenario import ROOT, check, finish, needs, path, until
from tokens import Signer

needs("curl", "ss")
ARTICLE = (ROOT / "Sources/MediaToken/MediaToken.docc/HowATokenArrives.md").read_text()
BLOCK = re.search(r"(?ms)^```sh\n(.*?)^```$", ARTICLE.split("## Without an account")[1])[1]
port, folder = free_port(), path("trial")
os.mkdir(folder)


def start(*arguments):
    """A daemon that answers, and all that it printed."""
    daemon = launch([MEDIATOKEND, "--dev", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=open(path("log"), "ab"), text=True)
    said = ""
    while (line := daemon.stdout.readline()) not in ("Stop with Ctrl-C.\n", ""):
        said += line
    return daemon, said


def ended(*arguments):
    """A daemon that must not start."""
    return subprocess.run([MEDIATOKEND, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)


def ask(target, body=None, **headers):
    headers = {"Authorization": "Bearer any", "AP-Device-Identifier": "any", "Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{target}", body and json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def decisions(mvpd, *resources):
    return json.loads(ask(f"/api/v2/REF30/decisions/authorize/{mvpd}", {"resources": resources})[2])["decisions"]


# What the article shows.
shutil.copytree(ROOT / "keys", folder + "/keys")
daemon, said = start("--stand-in", f"127.0.0.1:{port}")
first, *commands = BLOCK.replace("8098", str(port)).replace(" &\n", "\n").splitlines()
check("the article starts the stand-in as it is started here", first == f"mediatokend --dev --stand-in 127.0.0.1:{port}", first)
outcome = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", "\n".join(commands)], cwd=folder, capture_output=True, text=True, timeout=60)
verdicts = [json.loads(line)["verdict"] for line in outcome.stdout.splitlines()]
check("the article's commands play a token once", verdicts == ["VALID_TOKEN", "TOKEN_REPLAYED"], outcome)
suggested = re.search(r"^curl .*authorize.*$", said, re.M)[0]
outcome = subprocess.run(["bash", "-c", suggested + " -s"], capture_output=True, text=True, timeout=60)
check("what --dev says to type is answered", json.loads(outcome.stdout)["decisions"][0]["authorized"] is True, outcome)

# Which answer for which name.
status, headers, table = ask("/")
codes = re.findall(r"^(\w+_\w+) +(\d{3}) +(resource|all) +([a-z-]+)$", table, re.M)
check("the stand-in's table of answers is at /", status == 200 and len(codes) >= 20, table)
for code, status, about, action in codes:
    answer = ask(f"/api/v2/REF30/decisions/authorize/{code}", {"resources": ["TNT"]})
    error = json.loads(answer[2])
    error = error if about == "all" else error["decisions"][0]["error"]
    check(f"the stand-in's table is right about {code}", answer[0] == (int(status) if about == "all" else 200)
          and (error["code"], error["status"], error["action"]) == (code, int(status), action), answer)
found = [(one["source"], one["authorized"]) for mvpd in ("AuthNAll", "AuthZNone", "TempPass_1", "Any") for one in decisions(mvpd, "TNT")]
check("the stand-in answers with degradation and temporary passes",
      found == [("degradation", True), ("degradation", False), ("temppass", True), ("mvpd", True)], found)
document = '<rss version="2.0"><channel><title>TNT</title></channel></rss>'
token = decisions("Any", document)[0]["token"]["serializedToken"]
outcome = subprocess.run([MEDIATOKEN, "verify", "-", "--dev", "--keys", "keys/development.pem", "--requestor", "REF30", "--resource-channel", "TNT"],
                         input=token, cwd=folder, capture_output=True, text=True, timeout=60)
check("a document's token is one for its channel", outcome.stdout.startswith("VALID_TOKEN"), outcome)

# Who may ask.
listening = re.findall(rf"\s(\S+):{port}\s", subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout)
check("the stand-in listens on the loopback interface alone", listening == ["127.0.0.1"], listening)
check("the stand-in refuses a question to another name", ask("/", Host=f"evil.example:{port}")[0] == 403)
for origin, wanted in ((f"http://localhost:{port + 1}", 200), ("https://evil.example", 403), ("null", 403)):
    status, headers, _ = ask("/", Origin=origin)
    allowed = headers.get("Access-Control-Allow-Origin")
    check(f"a page of {origin} is answered only if it is of this host",
          status == wanted and allowed == (origin if wanted == 200 else None), (status, allowed))
daemon.terminate()
check("the stand-in ends with 0", daemon.wait(60) == 0)

# With a configuration, and no key but that one.
other = Signer()
settings = json.loads((ROOT / "deploy/nginx/mediatokend.json").read_text())
settings["socket"]["path"] = path("shipped.sock")
settings["replay"]["address"] = f"shared:{path('never.table')}?capacity=1000"
for route in settings["auth"]["routes"]:
    route.pop("handover", None)


def configure(*keys):
    new = path("new.json")
    with open(new, "w") as file:
        json.dump(settings | {"keys": keys}, file)
    os.chmod(new, 0o600)
    os.rename(new, path("shipped.json"))


configure(folder + "/keys/development.pem")
daemon, said = start("--config", path("shipped.json"), "--stand-in", f"127.0.0.1:{port}")
token = decisions("Any", "TBS")[0]["token"]["serializedToken"].encode()


def played(token):
    with Connection(path("shipped.sock")) as connection:
        connection.send(b"GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /live/tbs/index.m3u8\r\nX-Original-Method: GET\r\nX-Media-Token: "
                        + token + b"\r\n\r\n")
        return connection.receive().status


check("the shipped configuration's routes play its token once", [played(token), played(token)] == [200, 403])
check("the shipped configuration's table is not made", not os.path.exists(path("never.table")))
configure(folder + "/keys/development.pem", other.keys)
daemon.send_signal(1)
check("a reload takes no other key", until(60, lambda: "reload-failed" in open(path("log")).read())
      and played(decisions("Any", "TBS")[0]["token"]["serializedToken"].encode()) == 200)
daemon.terminate()
check("the stand-in of the shipped configuration ends with 0", daemon.wait(60) == 0)
settings["allowRSA1024"] = [other.fingerprint]
configure(other.keys)
said = ended("--dev", "--config", path("shipped.json"), "--stand-in", f"127.0.0.1:{port}")
check("with another key the stand-in does not start, and says so",
      said.returncode == 3 and "--dev trusts only the key" in said.stderr
      and "leave --dev out" in said.stderr, said)

# Command lines.
for arguments, status, says in [
        (["--config", path("shipped.json"), "--stand-in", f"127.0.0.1:{port}"], 2, "goes only with --dev"),
        (["--dev", "--stand-in", "0.0.0.0:8098"], 2, "127.0.0.1:PORT"), (["--dev", "--stand-in", "./x.sock"], 2, "127.0.0.1:PORT"),
        (["--dev", "--stand-in", f"127.0.0.1:{port}", "--keys", other.keys], 2, "--dev goes without --keys"),
        (["--dev", "--config", path("shipped.json"), "--socket", "x.sock"], 2, "the file takes the option's place")]:
    said = ended(*arguments)
    check(f"{' '.join(arguments)}: {says}", said.returncode == status and says in said.stderr, said)
with socket.create_server(("127.0.0.1", port)):
    said = ended("--dev", "--socket", path("taken.sock"), "--stand-in", f"127.0.0.1:{port}")
check("a port that is taken ends the start, and names the option", said.returncode == 3 and "--stand-in" in said.stderr, said)
for name in os.listdir(folder + "/keys"):
    os.unlink(folder + "/keys/" + name)
said = ended("--dev", "--config", path("shipped.json"))
check("without a development key there is nothing to start", said.returncode == 3 and "mediatoken keys generate" in said.stderr, said)
finish()
