#!/usr/bin/env -S python3 -B
"""`verify --handover`: who gets a credential and who does not, and that a question without a verdict uses no token up. Whether
verifiers accept the credentials is tested in handover-verifiers.py."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import ROOT, check, finish, path
from tokens import Signer

SIGNER = Signer()
TABLE = path("replay.table")
TRUST = ["--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint, "--requestor", "REF30", "--resource", "TNT"]
REMEMBERED = ["--replay", "shared:" + TABLE]
FIXTURES = ROOT / "Tests/Fixtures/handover"
KEYS = {"nginx-secure-link": "nginx.key", "akamai-edgeauth": "hmac.key", "cloudfront-cookie": "rsa.private.pem", "cat": "hmac.key",
        "jwt-hs256": "hmac.key", "jwt-es256": "ec.private.pem"}


def copied(name, mode=0o600):
    """A copy of a fixture that only we may read: a checkout does not keep modes."""
    copy = path(f"{name}.{mode:o}")
    shutil.copyfile(FIXTURES / name, copy)
    os.chmod(copy, mode)
    return copy


def handover(format, **changes):
    """The options for a format; a change to None leaves one out."""
    values = {"handover": format, "key": copied(KEYS.get(format, "hmac.key")), "path": "/live/tnt/", "life": "3600",
              "key_id": "k1" if format in ("cloudfront-cookie", "cat") else None,
              "host": "cdn.example.com" if format == "cloudfront-cookie" else None} | changes
    names = {name: "--handover" if name == "handover" else "--handover-" + name.replace("_", "-") for name in values}
    return [part for name, value in values.items() if value is not None for part in (names[name], value)]


def verify(token, *options):
    return subprocess.run([MEDIATOKEN, "verify", "-", *TRUST, *options], input=token, capture_output=True)


def lines(result):
    return result.stdout.decode().splitlines()


def credential(result):
    found = [line.removeprefix("handover: ") for line in lines(result) if line.startswith("handover:")]
    return found[0] if len(found) == 1 else None


def fresh():
    return SIGNER.issue(1)[0]


def is_unspent(token):
    return "use: first" in lines(verify(token, *REMEMBERED))


def granted():
    for format in KEYS:
        token = fresh()
        result = verify(token, *REMEMBERED, *handover(format))
        found = lines(result)
        check(f"{format}: a first use brings a credential", result.returncode == 0 and found[0] == "VALID_TOKEN"
              and "use: first" in found and credential(result), found)
        again = verify(token, *REMEMBERED, *handover(format))
        check(f"{format}: a second use brings none", again.returncode == 1 and lines(again)[0] == "TOKEN_REPLAYED"
              and b"handover" not in again.stdout, lines(again))
    asked = json.loads(verify(fresh(), *REMEMBERED, *handover("akamai-edgeauth"), "--json").stdout)
    fields = re.fullmatch(r"st=(\d+)~exp=(\d+)~acl=/live/tnt/\*~hmac=[0-9a-f]{64}", asked["handover"])
    check("JSON has it as a member", fields and int(fields[2]) - int(fields[1]) == 3600, asked)
    retried = [*REMEMBERED, "--request-id", "one", "--retry-window", "60000", *handover("jwt-es256")]
    token = fresh()
    first, second = verify(token, *retried), verify(token, *retried)
    check("a retry brings another one", "use: retry" in lines(second) and credential(first) and credential(second)
          and credential(first) != credential(second), lines(second))
    check("without the option there is no credential", b"handover" not in verify(fresh(), *REMEMBERED).stdout)


def refused():
    for name, token, wanted in (("a changed token", fresh().replace(b"TNT", b"TBS"), "INVALID_SIGNATURE"),
                                ("one for another resource", SIGNER.issue(1, resource="TBS")[0], "INVALID_RESOURCE_ID"),
                                ("one that has ended", SIGNER.issue(1, ttl=1000, age=600_000)[0], "TOKEN_EXPIRED")):
        result = verify(token, *REMEMBERED, *handover("jwt-hs256"))
        check(f"{name} brings none", result.returncode == 1 and lines(result)[0] == wanted and b"handover" not in result.stdout,
              result.stdout)
    with open(path("denied.json"), "w", encoding="ascii") as file:
        json.dump({"decisions": [{"resource": "TNT", "authorized": False}]}, file)
    denied = subprocess.run([MEDIATOKEN, "verify", "--decision", path("denied.json"), *TRUST, *REMEMBERED, *handover("jwt-hs256")],
                            capture_output=True)
    check("a decision without a token brings none", denied.returncode == 1 and denied.stdout == b"NO_TOKEN\n", denied)


def ends(name, status, said, *options):
    """Nothing on standard output, the sentence on standard error, and the token is not used up."""
    token = fresh()
    result = verify(token, *options)
    message = result.stderr.decode()
    check(name, (result.returncode, result.stdout) == (status, b"") and said in message and is_unspent(token),
          message or lines(result))
    return message


def not_understood():
    needs_memory = "needs --replay shared:PATH or redis:FLEET@SEAT,..."
    ends("no replay memory", 2, needs_memory, *handover("cat"))
    ends("one that remembers nothing", 2, needs_memory, "--replay", "none:", *handover("cat"))
    for option in ("key", "path", "life"):
        ends(f"no --handover-{option}", 2, f"--handover-{option}", *REMEMBERED, *handover("jwt-hs256", **{option: None}))
    for option, value in (("key_id", "k"), ("host", "a.b"), ("life", "60"), ("path", "/")):
        named = "--handover-" + option.replace("_", "-")
        ends(f"{named} alone", 2, "needs --handover ", *REMEMBERED, named, value)
    for format in ("cloudfront-cookie", "cat"):
        ends(f"{format} without a key id", 2, "needs a key id", *REMEMBERED, *handover(format, key_id=None))
    ends("cloudfront-cookie without a host", 2, "needs a host", *REMEMBERED, *handover("cloudfront-cookie", host=None))
    for format in ("nginx-secure-link", "akamai-edgeauth"):
        ends(f"{format} with a key id", 2, "no place for a key id", *REMEMBERED, *handover(format, key_id="k"))
    for format in set(KEYS) - {"cloudfront-cookie"}:
        ends(f"{format} with a host", 2, "no place for a host", *REMEMBERED, *handover(format, host="a.b"))
    for prefix in ("live/", "/live", "/a//b/", "/../", "/a/./", "/*/", "/a?/", "/a b/", "/a%2f/", "/é/"):
        ends(f"the path {prefix}", 2, "--handover-path PREFIX: not a path", *REMEMBERED, *handover("jwt-hs256", path=prefix))
    for host in ("*", "*.example.com", "a:443", "https://a", "a/b"):
        ends(f"the host {host}", 2, "--handover-host HOST: not the name of a host; ", *REMEMBERED, *handover("cloudfront-cookie", host=host))
    for life in ("0", "86401", "-1", "1h"):
        ends(f"the life {life}", 2, "--handover-life", *REMEMBERED, *handover("jwt-hs256", life=life))
    ends("an unknown format", 2, "--handover", *REMEMBERED, *handover("jwt-none"))
    token = fresh()
    batch = subprocess.run([MEDIATOKEN, "verify", "--batch", "-", *TRUST, *REMEMBERED, *handover("jwt-hs256")], input=token,
                           capture_output=True)
    check("a batch", (batch.returncode, batch.stdout) == (2, b"") and b"one token" in batch.stderr and is_unspent(token),
          batch.stderr)


def unusable_keys():
    wrong = path("wrong.key")
    with open(wrong, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("0" * 62 + "\n")
    folder = path("open-folder")
    os.mkdir(folder)
    os.chmod(folder, 0o777)
    shutil.copy(copied("hmac.key"), folder)
    for name, key, said in (
            ("that is not there", path("none.key"), "none.key"), ("that others may read", copied("hmac.key", 0o644), "chmod 0600"),
            ("in a folder that others may change", f"{folder}/hmac.key.600", "chmod go-w"),
            ("that is too short", wrong, "64 to 128 hexadecimal digits"),
            ("of another format", copied("ec.private.pem"), "hexadecimal")):
        message = ends(f"a key {name}", 3, said, *REMEMBERED, *handover("jwt-hs256", key=key))
        check(f"a key {name} is not shown", "00000000" not in message and "BEGIN" not in message, message)
    ends("an EC key for CloudFront", 3, "RSA key of 2048 bits", *REMEMBERED,
         *handover("cloudfront-cookie", key=copied("ec.private.pem")))
    ends("an RSA key for ES256", 3, "P-256", *REMEMBERED, *handover("jwt-es256", key=copied("rsa.private.pem")))


def article():
    """The commands of the article HandOver, typed, print what it shows, except for times and codes."""
    section = (ROOT / "Sources/MediaTokenHandover/MediaTokenHandover.docc/HandOver.md").read_text().partition("## Try it\n")[2]
    shown = section.partition("```\n")[2].partition("```\n")[0]
    shutil.copytree(ROOT / "keys", path("article/keys"))
    printed = ""
    search = os.path.dirname(MEDIATOKEN) + ":" + os.environ["PATH"]
    for line in shown.splitlines():
        if line.startswith("$ "):
            ran = subprocess.run(["bash", "-c", line[2:]], cwd=path("article"), capture_output=True, text=True,
                                 env={**os.environ, "PATH": search})
            printed += line + "\n" + ran.stdout + ran.stderr

    def stable(text):
        return re.sub(r"=\d{10}\b", "=TIME", re.sub(r"\b[0-9a-f]{64}\b", "CODE", text))

    check("the article's commands print what it shows", shown.count("$ ") == 2 and stable(printed) == stable(shown), printed)


subprocess.run([MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "1000", "--fresh"], check=True, capture_output=True)
granted()
refused()
not_understood()
unusable_keys()
article()
finish()
