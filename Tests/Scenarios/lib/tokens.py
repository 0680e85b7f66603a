"""A key, and tokens whose verdict is known in advance.

The key has 1024 bits, as the production key has: nothing but signing is slow, and it signs fastest.
"""

import base64
import random
import re
import subprocess
import time
import urllib.parse
from collections import namedtuple

from processes import MEDIATOKEN
from scenario import path

GUID = "5e55104e-c0de-4bad-8123-deadbeef0042"

# `status` and `verdict` are what a daemon with the tenant REF30 says when it is asked about TNT the first time.
Token = namedtuple("Token", "text status verdict")


class Signer:
    """A key pair in a folder of its own; `keys` is its public key, `fingerprint` what to consent to."""

    def __init__(self, name="keys"):
        folder = path(name)
        said = subprocess.run(
            [MEDIATOKEN, "keys", "generate", "--out", folder, "--weak-1024-for-tests"], check=True, capture_output=True)
        self.fingerprint = re.search(r"^fingerprint: (\w+)$", said.stdout.decode(), re.M)[1]
        self.private = folder + "/development.private.pem"
        self.keys = folder + "/development.pem"

    def issue(self, number, requestor="REF30", resource="TNT", form="raw", ttl=3_600_000, guid=None, mvpd=None, proxy=None,
              age=0, at=None):
        """Distinct tokens, each as bytes. `at` is the time of issue and `age` how long ago that was, in milliseconds."""
        command = [MEDIATOKEN, "issue", "--key", self.private, "--requestor", requestor, "--resource", resource,
                   "--form", form, "--ttl", str(ttl)]
        command += ["--session-guid", guid] if guid else []
        command += ["--mvpd", mvpd] if mvpd else []
        command += ["--proxy-mvpd", proxy] if proxy else []
        at = int(time.time() * 1000) - age if age else at
        command += ["--issue-time", str(at)] if at is not None else []
        command += ["--count", str(number)] if number > 1 else []
        lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
        if len(lines) != number or len(set(lines)) != number:
            raise RuntimeError(f"expected {number} distinct tokens, found {len(set(lines))}")
        return lines

    def good(self, number, **options):
        return [Token(text, 200, "VALID_TOKEN") for text in self.issue(number, **options)]

    def mixed(self, number, seed=1):
        """As many good ones as refused ones, shuffled; the refused ones are refused for five reasons."""
        tokens = self.good(number // 2)
        each = number // 10
        tokens += [Token(text, 403, "INVALID_RESOURCE_ID") for text in self.issue(each, resource="TBS")]
        tokens += [Token(text, 403, "INVALID_REQUESTOR_ID") for text in self.issue(each, requestor="OTHER")]
        tokens += [Token(text, 403, "TOKEN_EXPIRED") for text in self.issue(each, ttl=60_000, age=600_000)]
        tokens += [Token(text.replace(b"TNT", b"TNU"), 403, "INVALID_SIGNATURE") for text in self.issue(each)]
        tokens += [Token(b"nonsense%d" % index, 403, "INVALID_TOKEN_FORMAT") for index in range(each)]
        random.Random(seed).shuffle(tokens)
        return tokens


def spellings(text):
    """A token's three spellings: raw, base64 and percent-encoded."""
    return [text, base64.b64encode(text), urllib.parse.quote_from_bytes(text, safe="").encode()]
