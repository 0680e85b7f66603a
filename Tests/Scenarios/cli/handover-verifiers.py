"""Other people's code, nginx and the packages of Tests/Fixtures/handover, accepts what `verify --handover` prints, and accepts
nothing for another path, at another time, with another key, or with one character changed."""
import os
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from handovers import HOST, KEY_ID, PREFIX, VERIFIERS, Key, cookies, judge, judge_nginx
from processes import MEDIATOKEN
from scenario import check, finish, needs, path, until
from tokens import GUID, Signer

needs("nginx")
SIGNER = Signer()
TABLE = path("replay.table")
LIFE = 3600


def mint(format, key, life=LIFE):
    """A credential for a token issued now, and the earliest and the latest second at which it was minted."""
    options = ["--handover-host", HOST] if format == "cloudfront-cookie" else []
    options += ["--handover-key-id", KEY_ID] if format in ("cloudfront-cookie", "cat", "jwt-hs256") else []
    earliest = int(time.time())
    said = subprocess.run(
        [MEDIATOKEN, "verify", "-", "--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint, "--requestor", "REF30",
         "--resource", "TNT", "--replay", "shared:" + TABLE, "--handover", format, "--handover-key", key.files[format],
         "--handover-path", PREFIX, "--handover-life", str(life), *options],
        input=SIGNER.issue(1, guid=GUID + os.urandom(8).hex())[0], capture_output=True, check=True).stdout.decode()
    found = [line.removeprefix("handover: ") for line in said.splitlines() if line.startswith("handover: ")]
    if not said.startswith("VALID_TOKEN\n") or len(found) != 1:
        sys.exit(f"expected a credential of {format}, found {said}")
    return found[0], earliest, int(time.time())


subprocess.run([MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "1000", "--fresh"], check=True, capture_output=True)
ONE, ANOTHER = Key("one"), Key("another")
for format in VERIFIERS:
    credential, *span = mint(format, ONE)
    judge(format, format, credential, ONE, ANOTHER, *span, LIFE)
credential, *span = mint("nginx-secure-link", ONE)
nginx = judge_nginx("nginx", credential, ONE, ANOTHER, *span, LIFE)
short = cookies(mint("nginx-secure-link", ONE, life=1)[0])
check("nginx: and after its life it has ended", until(60, lambda: nginx.answers(short) == 410))
finish()
