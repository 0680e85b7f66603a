#!/usr/bin/env -S python3 -B
"""`examples/stand-in` answers in Adobe Pass's place: the commands of the article HowATokenArrives play a token once, names decide, and no
other site's page gets to it. And `mediatokend --dev`: no key but the development key, whatever a configuration says."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection
from processes import MEDIATOKEN, MEDIATOKEND, free_port, launch
from scenario import ROOT, check, finish, needs, path, until
from tokens import Signer

needs("curl", "ss")
ARTICLE = (ROOT / "Sources/MediaToken/MediaToken.docc/HowATokenArrives.md").read_text()
BLOCK = re.search(r"(?ms)^```sh\n(.*?)^```$", ARTICLE.split("## Without an account")[1])[1]
port, folder = free_port(), path("trial")
HERE = f"127.0.0.1:{port}"
os.mkdir(folder)


def start(*arguments):
    """A daemon that answers."""
    daemon = launch([MEDIATOKEND, "--dev", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=open(path("log"), "ab"), text=True)
    while daemon.stdout.readline() not in ("Stop with Ctrl-C.\n", ""):
        pass
    return daemon


def ended(daemon):
    daemon.terminate()
    return daemon.wait(60) == 0


def refused(what, status, says, *arguments):
    """A daemon that must not start."""
    said = subprocess.run([MEDIATOKEND, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    check(what, said.returncode == status and says in said.stderr, said)


def asked(method, target, body=None, **headers):
    """The answer's status, headers and text; a header of None is not sent."""
    headers = {"Authorization": "Bearer any", "AP-Device-Identifier": "any", "Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, target, skip_host="Host" in headers)
    body = body if body is None else body.encode()
    for name, value in headers.items():
        if value is not None:
            connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


def decide(resources=("TNT",), mvpd="Sample_MVPD", body=None, **headers):
    status, _, text = asked("POST", f"/api/v2/REF30/decisions/authorize/{mvpd}", body or json.dumps({"resources": resources}), **headers)
    return status, json.loads(text)


def verdicts(*tokens):
    """Of a daemon of --dev."""
    told = []
    for token in tokens:
        with Connection(folder + "/mediatokend.sock") as connection:
            connection.send(b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ")
            body = json.dumps({"requestor": "REF30", "resource": "TNT", "token": token}).encode()
            connection.send(str(len(body)).encode() + b"\r\n\r\n" + body)
            told.append(json.loads(connection.receive().body)["verdict"])
    return told


# What the article shows.
shutil.copytree(ROOT / "keys", folder + "/keys")
os.symlink(ROOT / "examples", folder + "/examples")
daemon = start()
stand_in = launch([folder + "/examples/stand-in", str(port)], cwd=folder, env=os.environ | {"MEDIATOKEN": MEDIATOKEN})


def answers():
    try:
        return asked("GET", "/")[0] == 200
    except OSError:
        return False


check("the stand-in answers", until(60, answers))
first, second, *commands = BLOCK.replace("8098", str(port)).splitlines()
check("the article starts both as they are started here", (first, second) == ("mediatokend --dev &", f"examples/stand-in {port} &"), (first, second))
printed = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", "\n".join(commands)], cwd=folder, capture_output=True, text=True, timeout=60).stdout
said = [json.loads(line)["verdict"] for line in printed.splitlines()]
check("the article's commands play a token once", said == ["VALID_TOKEN", "TOKEN_REPLAYED"], printed)

# Its table of answers is true.
status, headers, table = asked("GET", "/")
codes = re.findall(r"^(\w+_\w+) +(\d{3}) +(resource|all) +([a-z-]+)$", table, re.M)
check("the stand-in's table of answers is at /", status == 200 and len(codes) >= 20, table)
wrong = []
for code, status, about, action in codes:
    for resources, mvpd in ((["TNT"], code), ([code], "Any")):
        found, body = decide(resources, mvpd)
        error = body if about == "all" else body["decisions"][0]["error"]
        if (found, error["code"], error["status"], error["action"]) != (int(status) if about == "all" else 200, code, int(status), action):
            wrong.append((code, found, body))
check("the stand-in's table of answers is right about each", not wrong, wrong)
sources = {mvpd: (one["source"], one["authorized"], "notAfter" in one) for mvpd in ("Any", "AuthNAll", "AuthZAll", "AuthZNone", "TempPass1", "Dummy")
           for one in decide(mvpd=mvpd)[1]["decisions"]}
check("MVPDs with a name of Adobe's are answered as there", sources == {
    "Any": ("mvpd", True, True), "AuthNAll": ("degradation", True, True), "AuthZAll": ("degradation", True, False),
    "AuthZNone": ("degradation", False, False), "TempPass1": ("temppass", True, True), "Dummy": ("dummy", True, True)}, sources)
wrong = [(what, said) for what, said in (
    ("invalid_access_token_client_application", decide(Authorization=None)), ("invalid_header_device_identifier", decide(AP_Device_Identifier=None)),
    ("invalid_parameter_resources", decide(Content_Type="text/plain")), ("too_many_resources", decide(["TNT"] * 21)),
    *(("invalid_parameter_resources", decide(body=body)) for body in (
        '{"resources":[]}', '{"resources":[1]}', '{"resources":[""]}', '{"resources":"TNT"}', "{", "null", json.dumps({"resources": ["a\1"]}))))
         if said[0] != said[1].get("status") or said[1].get("code") != what]
check("what is missing or wrong is said as Adobe says it", not wrong, wrong)

# REST API v1.
V1 = "/api/v1/mediatoken?requestor=REF30&resource=TNT&deviceId=1"
given = json.loads(asked("GET", V1)[2])
shown = xml.etree.ElementTree.fromstring(asked("GET", V1.replace("mediatoken", "tokens/media"), Accept="application/xml")[2])
check("the older requests give tokens that play once, in JSON and XML",
      verdicts(given["serializedToken"], given["serializedToken"], shown.findtext("serializedToken")) == ["VALID_TOKEN", "TOKEN_REPLAYED", "VALID_TOKEN"],
      (given, xml.etree.ElementTree.tostring(shown)))
wrong = [code for name, code in (("requestor", "invalid_requestor"), ("resource", "missing_resource"), ("deviceId", "invalid_device_id"))
         if (said := asked("GET", V1.replace(name + "=", "x=") + "&format=xml"))[0] != 400 or f"<code>{code}</code>" not in said[2]]
check("what is missing in the older requests is said", not wrong, wrong)

# Who may ask.
listening = re.findall(rf"\s(\S+):{port}\s", subprocess.run(["ss", "-Hltn"], capture_output=True, text=True).stdout)
check("the stand-in listens on the loopback interface alone", listening == ["127.0.0.1"], listening)
OURS = [{"Host": host} for host in ("127.0.0.1", "127.0.0.1:8099", "localhost:9000", "[::1]:65535")] + [
    {"Origin": origin, "Sec_Fetch_Site": "cross-site"} for origin in ("http://127.0.0.1:9000", "https://localhost", "http://[::1]:1")] + [
    {"Sec_Fetch_Site": "none"}]
OTHERS = [{"Host": host} for host in ("evil.example:8098", "0.0.0.0:8098", "127.0.0.1.evil.example:8098", "127.0.0.1:", "127.0.0.1:0")] + [
    {"Origin": origin} for origin in ("http://evil.example", "null", "http://localhost.evil.example", "file://", "http://127.0.0.1:0", "")] + [
    {"Sec_Fetch_Site": "cross-site"}]
wrong = [one for one in OURS if (said := asked("GET", "/", **one))[0] != 200 or said[1]["Access-Control-Allow-Origin"] != one.get("Origin")]
wrong += [one for one in OTHERS if (said := asked("POST", "/api/v2/REF30/decisions/authorize/Any", "{}", **one))[0] != 403
          or said[1]["Access-Control-Allow-Origin"]]
check("programs and pages of this host may ask, and no others", not wrong, wrong)
status, headers, _ = asked("OPTIONS", "/", Origin="http://localhost:9000", Access_Control_Request_Headers="authorization")
check("a preflight is answered", (status, headers["Access-Control-Allow-Headers"]) == (204, "authorization"), headers)
check("paths and methods that it does not have are 404", [asked(*one)[0] for one in (("GET", "/v1/verify"), ("POST", "/"))] == [404, 404])
check("the daemon ends with 0", ended(daemon))

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
    return decide(["TBS"], "Any")[1]["decisions"][0]["token"]["serializedToken"].encode()


def played(token):
    with Connection(path("shipped.sock")) as connection:
        connection.send(b"GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /live/tbs/index.m3u8\r\nX-Original-Method: GET\r\nX-Media-Token: "
                        + token + b"\r\n\r\n")
        return connection.receive().status


shipped = ["--config", path("shipped.json")]
configure(ours)
daemon = start(*shipped)
token = permit()
check("the shipped configuration's routes play its token once", [played(token), played(token)] == [200, 403])
check("the shipped configuration's table is not made", not os.path.exists(path("never.table")))
configure(ours, other.keys)
daemon.send_signal(signal.SIGHUP)
check("a reload takes no other key", until(60, lambda: "reload-failed" in open(path("log")).read()) and played(permit()) == 200)
check("the daemon of the shipped configuration ends with 0", ended(daemon))
settings["allowRSA1024"] = [other.fingerprint]
configure(other.keys)
refused("with another key --dev does not start, and says so", 3, "--dev trusts only the key", "--dev", *shipped)
for name in os.listdir(folder + "/keys"):
    os.unlink(folder + "/keys/" + name)
refused("without a development key there is nothing to start", 3, "mediatoken keys generate", "--dev", *shipped)
finish()
