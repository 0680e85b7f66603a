#!/usr/bin/env -S python3 -B
"""`verify --handover`: who gets a credential and who does not, and that a question without a verdict uses no token up. Formats, terms
and keys are for the unit tests; here is what the command makes of them, and each kind of refusal once."""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from configurations import config_of
from processes import MEDIATOKEN
from scenario import ROOT, check, finish, path
from tokens import Signer

SIGNER = Signer()
TABLE = path("replay.table")
TRUST = ["--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint, "--requestor", "REF30", "--resource", "TNT"]
REMEMBERED = ["--replay", "shared:" + TABLE]
FIXTURES = ROOT / "Tests/Fixtures/handover"
def copied(name, mode=0o600):
    """A copy of a fixture that only we may read: a checkout does not keep modes."""
    copy = path(f"{name}.{mode:o}")
    shutil.copyfile(FIXTURES / name, copy)
    os.chmod(copy, mode)
    return copy


def handover(format, **changes):
    """The options for a format; a change to None leaves one out."""
    key = {"jwt-es256": "ec.private.pem", "cloudfront-cookie": "rsa.private.pem"}.get(format, "hmac.key")
    values = {"handover": format, "key": copied(key), "path": "/live/tnt/", "life": "3600"} | changes
    names = {name: "--handover" if name == "handover" else "--handover-" + name.replace("_", "-") for name in values}
    return [part for name, value in values.items() if value is not None for part in (names[name], value)]


def verify(token, *options):
    return subprocess.run([MEDIATOKEN, "verify", "-", *TRUST, *options], input=token, capture_output=True)


def by_configuration(token, file, *options):
    return subprocess.run([MEDIATOKEN, "verify", "-", "--config", file, *options], input=token, capture_output=True)


def lines(result):
    return result.stdout.decode().splitlines()


def credential(result):
    found = [line.removeprefix("handover: ") for line in lines(result) if line.startswith("handover:")]
    return found[0] if len(found) == 1 else None


def fresh():
    return SIGNER.issue(1)[0]


def granted():
    token = fresh()
    result, again = (verify(token, *REMEMBERED, *handover("cloudfront-cookie", key_id="k1", host="cdn.example.com")) for _ in range(2))
    found = lines(result)
    check("a first use brings a credential", result.returncode == 0 and found[0] == "VALID_TOKEN" and "use: first" in found
          and credential(result), found)
    check("a second use brings no credential", again.returncode == 1 and lines(again)[0] == "TOKEN_REPLAYED"
          and b"handover" not in again.stdout, lines(again))
    asked = json.loads(verify(fresh(), *REMEMBERED, *handover("akamai-edgeauth"), "--json").stdout)
    fields = re.fullmatch(r"st=(\d+)~exp=(\d+)~acl=/live/tnt/\*~hmac=[0-9a-f]{64}", asked["handover"])
    check("verify --json has the credential as a member", fields and int(fields[2]) - int(fields[1]) == 3600, asked)
    exchanged = {"format": "jwt-es256", "key": copied("ec.private.pem"), "lifeSeconds": 3600, "path": "/live/tnt/"}
    file = config_of("shared:" + TABLE, SIGNER, window=60_000, tenant={"handover": exchanged})
    token = fresh()
    first, second = (by_configuration(token, file, "--resource", "TNT", "--spend", "--request-id", "one") for _ in range(2))
    check("a retry of verify brings another credential", "use: retry" in lines(second) and credential(first) and credential(second)
          and credential(first) != credential(second), lines(second))
    check("without --handover verify brings no credential", b"handover" not in verify(fresh(), *REMEMBERED).stdout)
    result = by_configuration(fresh(), file, "--resource", "TNT")
    check("a token that is not used up brings no credential", result.returncode == 0 and b"handover" not in result.stdout, result.stdout)
    result = verify(SIGNER.issue(1, resource="TBS")[0], *REMEMBERED, *handover("jwt-hs256"))
    check("a refused token brings no credential", result.returncode == 1 and b"handover" not in result.stdout, result.stdout)


def no_verdicts():
    """Nothing on standard output, the sentence on standard error without a key, and the token is not used up."""
    needs_memory = "needs --replay shared:PATH or redis:FLEET@NODE,..."
    for name, status, said, options in (
            ("no replay memory", 2, needs_memory, handover("jwt-hs256")),
            ("a replay memory that remembers nothing", 2, needs_memory, ["--replay", "none:", *handover("jwt-hs256")]),
            ("no --handover-path", 2, "--handover-path", [*REMEMBERED, *handover("jwt-hs256", path=None)]),
            ("--handover-life alone", 2, "needs --handover ", [*REMEMBERED, "--handover-life", "60"]),
            ("terms that no format has", 2, "needs a key id", [*REMEMBERED, *handover("cat")]),
            ("a path of dots", 2, "--handover-path PREFIX: not a path", [*REMEMBERED, *handover("jwt-hs256", path="/../")]),
            ("an unknown format", 2, "--handover", [*REMEMBERED, *handover("jwt-none")]),
            ("a key that is not there", 3, "none.key", [*REMEMBERED, *handover("jwt-hs256", key=path("none.key"))]),
            ("a key that others may read", 3, "chmod 0600", [*REMEMBERED, *handover("jwt-hs256", key=copied("hmac.key", 0o644))]),
            ("a key of another format", 3, "hexadecimal", [*REMEMBERED, *handover("jwt-hs256", key=copied("ec.private.pem"))])):
        token = fresh()
        result = verify(token, *options)
        message = result.stderr.decode()
        check(f"verify with {name} ends with {status}, says why, shows no key and leaves the token unspent",
              (result.returncode, result.stdout) == (status, b"") and said in message and "00000000" not in message and "BEGIN" not in message
              and "use: first" in lines(verify(token, *REMEMBERED)), message or lines(result))
    token = fresh()
    batch = subprocess.run([MEDIATOKEN, "verify", "--batch", "-", *TRUST, *REMEMBERED, *handover("jwt-hs256")], input=token,
                           capture_output=True)
    check("a batch with --handover is a usage error, and leaves the token unspent", (batch.returncode, batch.stdout) == (2, b"")
          and b"one token" in batch.stderr and "use: first" in lines(verify(token, *REMEMBERED)), batch.stderr)


subprocess.run([MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "1000", "--fresh"], check=True, capture_output=True)
granted()
no_verdicts()
finish()
