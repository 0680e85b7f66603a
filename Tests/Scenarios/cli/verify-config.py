#!/usr/bin/env -S python3 -B
"""mediatoken verify --config says what a daemon with this configuration says, and uses no token up unless it is told to; the commands of
replay memories take their times from the file, too."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from configurations import config_of
from connection import verdict
from daemon import Daemon
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path
from tokens import Signer

signer = Signer()
ASKED = ["--requestor", "REF30", "--resource", "TNT"]
UNASKED = "no replay memory was asked, and no token used up"


def run(*words, given=b""):
    return subprocess.run([MEDIATOKEN, *words], input=given, capture_output=True, timeout=120)


def verify(token, *options, by=ASKED):
    return run("verify", "-", "--config", daemon.file, *by, *options, given=token)


def first(said):
    return said.stdout.decode().split("\n")[0]


def handover(key):
    return {"format": "nginx-secure-link", "key": path(key), "lifeSeconds": 60, "path": "/live/"}


with open(path("handover.key"), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as key:
    key.write("3954053f578fc51007f2b2634af99010fa94d912e692c5fb\n")
address = f"shared:{path('table/replay')}"
os.mkdir(path("table"))
os.utime(path("table"), (0, 0))
tenants = [{"requestor": "REF30", "denyMVPDs": ["Denied"], "maxTTLMilliseconds": 600_000, "handover": handover("handover.key")},
           {"requestor": "SOME", "resources": ["TBS"]}]
daemon = Daemon(signer, replay={"address": address, "retryWindowMilliseconds": 60_000}, tenants=tenants, requestIDHeader="X-Request-ID",
                viewerTag={"key": path("tag.key"), "rotateHours": 1})
made = run("replay", "create", "--table", path("table/replay"), "--capacity", "1000", "--fresh", "--config", daemon.file)
shown = json.loads(run("replay", "info", "--table", path("table/replay"), "--json").stdout or "{}")
check("replay create makes a table for the greatest times of the tenants", made.returncode == 0 and shown["maxTTLMilliseconds"] == 3_600_000, made)
run("replay", "create", "--table", path("table/short"), "--capacity", "9", "--fresh", "--config", config_of("none:", tenant={"maxTTLMilliseconds": 600_000}))
shown = json.loads(run("replay", "info", "--table", path("table/short"), "--json").stdout or "{}")
check("replay create makes a table for the times of a part of a configuration", shown.get("maxTTLMilliseconds") == 600_000, shown)

good, other = signer.issue(2)
said = verify(good)
check("a valid token is called so, not used up, and the output says that", said.returncode == 0 and first(said) == "VALID_TOKEN"
      and b"\nuse: not-enforced\n" in said.stdout and UNASKED in said.stdout.decode() and b"handover" not in said.stdout, said)
said = json.loads(verify(good, "--json").stdout)
check("so does the JSON object", said["verdict"] == "VALID_TOKEN" and said["note"].startswith(UNASKED), said)
check("keys that no use needs are not read", not os.path.exists(path("tag.key")))
said = verify(signer.issue(1, resource="TBS", requestor="SOME")[0], by=["--requestor", "SOME"])
check("a resource may be left out where the tenant has just one", said.returncode == 0 and first(said) == "VALID_TOKEN", said)
said = verify(good, by=["--resource", "TNT"])
check("a requestor may not where several are served", said.returncode == 3 and said.stdout == b"" and b"requestor is missing" in said.stderr, said)
said = verify(good, "--decision", path("answer.json"))
check("a token and a decision are a usage error", said.returncode == 2, said)
with open(path("answer.json"), "wb") as file:
    file.write(run("issue", "--key", signer.private, *ASKED, "--form", "decision").stdout)
said = run("verify", "--decision", path("answer.json"), "--config", daemon.file, *ASKED)
check("the token of a decision is verified", first(said) == "VALID_TOKEN", said)

with open(path("tag.key"), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as key:
    key.write("0123456789abcdef" * 4)
daemon.start()
try:
    refused = [token.text for token in signer.mixed(20) if token.status != 200] + [
        signer.issue(1, mvpd="Denied")[0], signer.issue(1, ttl=3_600_000, age=900_000)[0], signer.issue(1, requestor="SOME", resource="TNT")[0]]
    for token in refused:
        theirs, ours = daemon.ask(token), json.loads(verify(token, "--json").stdout)
        there = json.loads(theirs.body)
        check(f"{there.get('reason')} is what the daemon says, too", all(ours.get(name) == there.get(name) for name in (
            "verdict", "reason", "detail", "action", "adobeCode", "identity")) and "note" not in ours, (ours, there))
    check("what was checked is still to be used, once", verdict(daemon.ask(good)) == "VALID_TOKEN" and verdict(daemon.ask(good)) == "TOKEN_REPLAYED")
    check("--spend asks the daemon's memory", first(verify(good, "--spend")) == "TOKEN_REPLAYED" and first(verify(good)) == "VALID_TOKEN")
    said = verify(other, "--spend", "--request-id", "one")
    check("--spend uses the token up, and brings the credential", b"\nuse: first\n" in said.stdout and b"\nhandover: " in said.stdout
          and b"note" not in said.stdout and verdict(daemon.ask(other)) == "TOKEN_REPLAYED", said)
    said = verify(other, "--spend", "--request-id", "one")
    check("the file's retry window holds", b"\nuse: retry\n" in said.stdout, said)
finally:
    daemon.end()

elsewhere = f"shared:{path('table/elsewhere')}?capacity=9"
check("--replay in place of --spend asks another memory, for the times of the file", first(verify(other, "--replay", elsewhere)) in (
    "VALID_TOKEN", "TOKEN_PREDATES_REPLAY_MEMORY") and json.loads(run("replay", "info", "--table", path("table/elsewhere"), "--json").stdout)[
        "maxTTLMilliseconds"] == 3_600_000)
lines = b"\n".join([*signer.issue(2), other, b'{"token": "%b", "requestor": "SOME", "resource": "TBS"}' % signer.issue(
    1, form="base64", requestor="SOME", resource="TBS")[0], b'{"token": "x", "requestor": "NONE"}'])
for options, counts, ends in (([], "4 valid, 1 refused", UNASKED), (["--spend"], "3 valid, 2 refused", "0 blank\n"), (["--spend"], "0 valid, 5 refused", "0 blank\n")):
    said = run("verify", "--batch", "-", "--config", daemon.file, *ASKED, *options, given=lines)
    check(f"a batch has {counts} {' '.join(options)}", f"5 lines: {counts}" in said.stderr.decode() and ends in said.stderr.decode(), said)

# --- files with mistakes
whole = config_of("none:", signer, tenant={"handover": handover("none.key")})
said = run("verify", "-", "--config", whole, *ASKED, given=other)
check("a configuration that can be no daemon's is no verdict, and its key is named",
      said.returncode == 3 and said.stdout == b"" and b"tenants[0].handover" in said.stderr, said)
said = run("verify", "-", "--config", config_of(address, signer), *ASKED, "--spend", "--request-id", "x", given=other)
check("a request without a window is no verdict", said.returncode == 3 and b"replay.retryWindowMilliseconds: there is no retry window; " in said.stderr, said)
said = run("verify", "-", "--config", config_of(address, signer, window=1000), *ASKED, "--spend", "--request-id", "x", given=signer.issue(1)[0])
check("with a window there it has one", first(said) == "VALID_TOKEN", said)
ahead = signer.issue(1, age=-120_000)[0]
said = run("explain", "-", "--config", config_of(address, signer), *ASKED, given=ahead)
check("a token from ahead is refused, with what to raise", b" or raise futureToleranceMilliseconds" in said.stdout, said)
said = run("verify", "-", "--config", config_of(address, signer, tenant={"futureToleranceMilliseconds": 180_000}), *ASKED, given=ahead)
check("raised in the file it is valid", first(said) == "VALID_TOKEN", said)
whole = config_of(address, signer, tenant={"handover": handover("none.key")})
said = run("verify", "-", "--config", whole, *ASKED, given=other)
check("a hand-over's key is not read where nothing is used up", first(said) == "VALID_TOKEN", said)
said = run("verify", "-", "--config", whole, *ASKED, "--spend", given=signer.issue(1)[0])
check("it is read before the token is", said.returncode == 3 and said.stdout == b"" and b"none.key" in said.stderr, said)
said = run("verify", "-", "--config", config_of(address), *ASKED, given=other)
check("a part of a configuration is none for verify", said.returncode == 3 and b"socket: this key is missing" in said.stderr, said)

# --- nodes
gone = f"redis:gone@127.0.0.1:{free_port()}"


def digest(*options):
    said = run("replay", "nodes", *options, "--json")
    return json.loads(said.stdout).get("digest") if said.returncode == 3 and said.stdout else said


usual = digest("--replay", gone)
check("an address alone has the usual times", re.fullmatch("[0-9a-f]{16}", str(usual)), usual)
check("and so has a file with the member replay alone", digest("--config", config_of(gone)) == usual)
chosen = config_of(gone, tenant={"maxTTLMilliseconds": 600_000})
check("a file with other times is another fleet's", digest("--config", chosen) not in (usual, None))
check("an address next to a file has the file's times", digest("--config", config_of("none:", tenant={"maxTTLMilliseconds": 600_000}), "--replay", gone) ==
      digest("--config", chosen))
said = run("replay", "nodes", "--config", config_of("none:"))
check("a file of another memory is named, with the setting", said.returncode == 3 and re.search(
    rb"\.json: replay\.address: not a fleet's; write redis:", said.stderr), said)
database = f"postgres:gone@{path('nowhere')}/tokens"
chosen = config_of(database, graceSeconds=5)
named = digest("--config", chosen)
check("replay schema is for the grace of the file", str(named).encode() in run("replay", "schema", "--config", chosen).stdout and named != digest(
    "--replay", database), named)
finish()
