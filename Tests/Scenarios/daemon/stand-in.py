#!/usr/bin/env -S python3 -B
"""`mediatokend --dev --stand-in` answers in Adobe Pass's place: the commands of the article HowATokenArrives play a token once, and no key
but the development key, no other address and no other site's page gets to it. Which answer each name has is StandInTests'."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection
from processes import MEDIATOKEND, free_port, launch
from scenario import ROOT, check, finish, needs, path, until
from tokens import Signer

needs("curl", "ss")
ARTICLE = (ROOT / "Sources/MediaToken/MediaToken.docc/HowATokenArrives.md").read_text()
BLOCK = re.search(r"(?ms)^```sh\n(.*?)^```$", ARTICLE.split("## Without an account")[1])[1]
port, folder = free_port(), path("trial")
HERE = f"127.0.0.1:{port}"
os.mkdir(folder)


def start(*arguments):
    """A daemon that answers, and all that it printed."""
    daemon = launch([MEDIATOKEND, "--dev", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=open(path("log"), "ab"), text=True)
    said = ""
    while (line := daemon.stdout.readline()) not in ("Stop with Ctrl-C.\n", ""):
        said += line
    return daemon, said


def ended(daemon):
    daemon.terminate()
    return daemon.wait(60) == 0


def refused(what, status, says, *arguments):
    """A daemon that must not start."""
    said = subprocess.run([MEDIATOKEND, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    check(what, said.returncode == status and says in said.stderr, said)


def typed(commands):
    return subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", commands], cwd=folder, capture_output=True, text=True, timeout=60).stdout


def ask(target, body=None, **headers):
    headers = {"Authorization": "Bearer any", "AP-Device-Identifier": "any", "Content-Type": "application/json"} | headers
    request = urllib.request.Request(f"http://{HERE}{target}", body and json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


# What the article shows.
shutil.copytree(ROOT / "keys", folder + "/keys")
daemon, said = start("--stand-in", HERE)
first, *commands = BLOCK.replace("8098", str(port)).replace(" &\n", "\n").splitlines()
check("the article starts the stand-in as it is started here", first == f"mediatokend --dev --stand-in {HERE}", first)
printed = typed("\n".join(commands))
verdicts = [json.loads(line)["verdict"] for line in printed.splitlines()]
check("the article's commands play a token once", verdicts == ["VALID_TOKEN", "TOKEN_REPLAYED"], printed)
printed = typed(re.search(r"^curl .*authorize.*$", said, re.M)[0] + " -s")
check("what --dev says to type is answered", json.loads(printed)["decisions"][0]["authorized"] is True, printed)

# Its table of answers is true.
status, headers, table = ask("/")
codes = re.findall(r"^(\w+_\w+) +(\d{3}) +(resource|all) +([a-z-]+)$", table, re.M)
check("the stand-in's table of answers is at /", status == 200 and len(codes) >= 20, table)
wrong = []
for code, status, about, action in codes:
    found, _, body = ask(f"/api/v2/REF30/decisions/authorize/{code}", {"resources": ["TNT"]})
    error = json.loads(body) if about == "all" else json.loads(body)["decisions"][0]["error"]
    if (found, error["code"], error["status"], error["action"]) != (int(status) if about == "all" else 200, code, int(status), action):
        wrong.append((code, found, body))
check("the stand-in's table of answers is right about each", not wrong, wrong)

# Who may ask.
listening = re.findall(rf"\s(\S+):{port}\s", subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout)
check("the stand-in listens on the loopback interface alone", listening == ["127.0.0.1"], listening)
check("the stand-in ends with 0", ended(daemon))

# With a configuration, and no key but that one.
other, ours = Signer(), folder + "/keys/development.pem"
settings = json.loads((ROOT / "deploy/nginx/mediatokend.json").read_text())
settings["socket"]["path"] = path("shipped.sock")
settings["replay"]["address"] = f"shared:{path('never.table')}?capacity=1000"
for route in settings["auth"]["routes"]:
    route.pop("handover", None)


def configure(*keys):
    with open(path("new.json"), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        json.dump(settings | {"keys": keys}, file)
    os.rename(path("new.json"), path("shipped.json"))


def permit():
    body = ask("/api/v2/REF30/decisions/authorize/Any", {"resources": ["TBS"]})[2]
    return json.loads(body)["decisions"][0]["token"]["serializedToken"].encode()


def played(token):
    with Connection(path("shipped.sock")) as connection:
        connection.send(b"GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /live/tbs/index.m3u8\r\nX-Original-Method: GET\r\nX-Media-Token: "
                        + token + b"\r\n\r\n")
        return connection.receive().status


shipped = ["--config", path("shipped.json")]
configure(ours)
daemon, said = start(*shipped, "--stand-in", HERE)
token = permit()
check("the shipped configuration's routes play its token once", [played(token), played(token)] == [200, 403])
check("the shipped configuration's table is not made", not os.path.exists(path("never.table")))
configure(ours, other.keys)
daemon.send_signal(signal.SIGHUP)
check("a reload takes no other key", until(60, lambda: "reload-failed" in open(path("log")).read()) and played(permit()) == 200)
check("the stand-in of the shipped configuration ends with 0", ended(daemon))
settings["allowRSA1024"] = [other.fingerprint]
configure(other.keys)
refused("with another key the stand-in does not start, and says so", 3, "--dev trusts only the key", "--dev", *shipped, "--stand-in", HERE)

# Command lines.
refused("--stand-in without --dev is a usage error", 2, "goes only with --dev", *shipped, "--stand-in", HERE)
refused("--stand-in on all interfaces is a usage error", 2, "127.0.0.1:PORT", "--dev", "--stand-in", "0.0.0.0:8098")
refused("--stand-in at a socket is a usage error", 2, "127.0.0.1:PORT", "--dev", "--stand-in", "./x.sock")
refused("--dev with --check-config is a usage error", 2, "--dev goes without --check-config", "--dev", "--stand-in", HERE, "--check-config")
refused("--config with --socket is a usage error", 2, "the file takes the option's place", "--dev", *shipped, "--socket", "x.sock")
with socket.create_server(("127.0.0.1", port)):
    refused("a port that is taken ends the start, and names the option", 3, "--stand-in", "--dev", "--socket", path("taken.sock"), "--stand-in", HERE)
for name in os.listdir(folder + "/keys"):
    os.unlink(folder + "/keys/" + name)
refused("without a development key there is nothing to start", 3, "mediatoken keys generate", "--dev", *shipped)
finish()
