"""What `verify --handover` prints is let through by other people's code: nginx, and the packages of Tests/Fixtures/handover. They
let nothing through for another path, at another time, with another key, or with one character changed."""
import base64
import fnmatch
import http.client
import json
import os
import re
import subprocess
import sys
import time
from datetime import datetime, timezone

import botocore.signers
import cwt
import jwt
from akamai.edgeauth import EdgeAuth
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from freezegun import freeze_time

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN, free_port, launch
from scenario import ROOT, check, finish, needs, path, until
from tokens import GUID, Signer

needs("nginx")
SIGNER = Signer()
TABLE = path("replay.table")
HOST, KEY_ID, LIFE, PREFIX = "cdn.example.com", "K2JCJMDEHXQW5F", 3600, "/live/tnt/"
SEGMENT = "/live/tnt/hd/part0.ts"
#: Paths that the credential is not for.
OTHERS = ["/live/tbs/part0.ts", "/live/tntx/part0.ts", "/live/tnt", "/LIVE/tnt/part0.ts", "/", "/vod/live/tnt/part0.ts"]


# MARK: what is minted


def key_file(name, content):
    with open(path(name), "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)
    return path(name)


def pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                             serialization.NoEncryption()).decode()


class Key:
    """A key for every format, and what its verifier knows of it."""

    def __init__(self, name):
        self.secret, self.bytes = os.urandom(24).hex(), os.urandom(32)
        curve, long = ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)
        self.curve, self.long = curve.public_key(), long.public_key()
        keyed = key_file(name + ".hmac", self.bytes.hex() + "\n")
        self.files = {"nginx-secure-link": key_file(name + ".nginx", self.secret + "\n"), "akamai-edgeauth": keyed, "cat": keyed,
                      "jwt-hs256": keyed, "jwt-es256": key_file(name + ".ec", pem(curve)),
                      "cloudfront-cookie": key_file(name + ".rsa", pem(long))}


def mint(format, key, life=LIFE):
    """A credential for a token of this moment, and the earliest and the latest second at which it was minted."""
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


# MARK: who verifies it
#
# Each says whether a credential opens an address at a time. What none of the packages compares, a path with a pattern, is
# compared here.


def akamai(credential, key, address, at):
    fields = dict(field.split("=", 1) for field in credential.split("~"))
    if not set(fields) == {"st", "exp", "acl", "hmac"}:
        return False
    again = EdgeAuth(key=key.bytes.hex(), start_time=int(fields["st"]), end_time=int(fields["exp"]))
    return (again.generate_acl_token(fields["acl"]) == credential and int(fields["st"]) <= at < int(fields["exp"])
            and fnmatch.fnmatchcase(address, fields["acl"]))


def cloudfront(credential, key, address, at):
    cookies = dict(cookie.split("=", 1) for cookie in credential.split("; "))
    if set(cookies) != {f"CloudFront-{name}" for name in ("Policy", "Signature", "Key-Pair-Id", "Hash-Algorithm")}:
        return False
    policy, signature = (base64.b64decode(cookies[f"CloudFront-{name}"].translate(str.maketrans("-_~", "+=/")), validate=True)
                         for name in ("Policy", "Signature"))
    key.long.verify(signature, policy, padding.PKCS1v15(), hashes.SHA256())
    statement = json.loads(policy)["Statement"][0]
    ends = statement["Condition"]["DateLessThan"]["AWS:EpochTime"]
    signer = botocore.signers.CloudFrontSigner(KEY_ID, None)
    as_aws_writes_it = signer.build_policy(statement["Resource"], datetime.fromtimestamp(ends, timezone.utc))
    return (policy.decode() == as_aws_writes_it and cookies["CloudFront-Key-Pair-Id"] == KEY_ID
            and cookies["CloudFront-Hash-Algorithm"] == "SHA256" and at < ends
            and fnmatch.fnmatchcase(f"https://{HOST}{address}", statement["Resource"]))


def cat(credential, key, address, at):
    token = base64.b64decode(credential + "=" * (-len(credential) % 4), altchars="-_", validate=True)
    with freeze_time(datetime.fromtimestamp(at, timezone.utc)):
        # The least leeway that it takes is a second.
        claims = cwt.CWT.new(leeway=1).decode(token, cwt.COSEKey.from_symmetric_key(key.bytes, alg="HS256", kid=KEY_ID))
    # By number: expires, issued, version, and of the address (312) the path (3), which begins with (1).
    return set(claims) == {4, 6, 310, 312} and claims[310] == 1 and address.startswith(claims[312][3][1])


def web_token(name, key_of):
    def verify(credential, key, address, at):
        if jwt.get_unverified_header(credential).get("kid") != (KEY_ID if name == "HS256" else None):
            return False
        with freeze_time(datetime.fromtimestamp(at, timezone.utc)):
            claims = jwt.decode(credential, key_of(key), algorithms=[name], options={"require": ["iat", "exp"]})
        return set(claims) == {"iat", "exp", "path"} and address.startswith(claims["path"])
    return verify


VERIFIERS = {"akamai-edgeauth": akamai, "cloudfront-cookie": cloudfront, "cat": cat,
             "jwt-hs256": web_token("HS256", lambda key: key.bytes), "jwt-es256": web_token("ES256", lambda key: key.curve)}


def is_let_through(*question):
    """Packages say no with exceptions of their own."""
    format, *question = question
    try:
        return VERIFIERS[format](*question)
    except Exception:
        return False


def changed(credential):
    """With one character changed, in each place. In base64 the change is in the upper half of its bits: the lower ones of the last
    character mean nothing."""
    upper_half = "ghijklmnopqrstuvwxyz0123456789-_~"
    for place, character in enumerate(credential):
        yield credential[:place] + ("A" if character in upper_half else "w") + credential[place + 1:]


def packages(key, other):
    for format in VERIFIERS:
        credential, earliest, latest = mint(format, key)
        usual = {"credential": credential, "key": key, "address": SEGMENT, "at": latest}

        def opens(**how):
            return is_let_through(format, *(usual | how).values())

        check(f"{format}: opens what is under the path",
              opens() and opens(address=PREFIX) and opens(address=PREFIX + "a/b/c.m4s"), credential)
        check(f"{format}: opens no other path", not any(opens(address=address) for address in OTHERS))
        check(f"{format}: lasts until the end of its life", opens(at=earliest + LIFE - 1))
        check(f"{format}: and not longer", not opens(at=latest + LIFE + 2))
        check(f"{format}: is nothing with another key", not opens(key=other))
        let_through = [text for text in changed(credential) if is_let_through(format, text, key, SEGMENT, latest)]
        check(f"{format}: is nothing with any character changed", not let_through, let_through)
        plain = credential
        for part in re.findall("[A-Za-z0-9_-]+", credential):
            plain += repr(base64.b64decode(part[:len(part) // 4 * 4], altchars="-_"))
        check(f"{format}: says nothing of the viewer",
              not any(word in plain for word in (GUID, "REF30", "Sample_MVPD")), plain)


# MARK: nginx


#: As the article shows it.
ARTICLE = ROOT / "Sources/MediaTokenHandover/MediaTokenHandover.docc/HandOver.md"
LOCATION = ARTICLE.read_text().split("```nginx\n")[1].split("```")[0]


class Nginx:
    """nginx with a secret and the article's location, once more for another path."""

    def __init__(self, name, secret):
        self.port = free_port()
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "\n".join(f"{kind}_temp_path {path(name)}-{kind};" for kind in kinds)
        with open(path(name + ".conf"), "w", encoding="ascii") as file:
            file.write(f"""
                daemon off; master_process off; pid {path(name)}.pid; error_log stderr warn;
                events {{}}
                http {{
                  access_log off;
                  {places}
                  map $host $media_key {{ default {secret}; }}
                  upstream media {{ server unix:{path(name)}.media; }}
                  server {{ listen unix:{path(name)}.media; location / {{ return 200 segment; }} }}
                  server {{
                    listen 127.0.0.1:{self.port};
                    {LOCATION}
                    {LOCATION.replace(PREFIX, "/live/tbs/")}
                  }}
                }}""")
        launch(["nginx", "-c", path(name + ".conf"), "-e", "stderr"], stderr=subprocess.DEVNULL)
        if not until(20, lambda: self.answers("", SEGMENT) == 403):
            sys.exit("expected nginx to start")

    def answers(self, cookie, address=SEGMENT):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request("GET", address, headers={"Cookie": cookie} if cookie else {})
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()


def cookies(credential):
    md5, expires = (field.split("=", 1)[1] for field in credential.split("&"))
    return f"mt_md5={md5}; mt_expires={expires}"


def nginx(key, other):
    ours, theirs = Nginx("ours", key.secret), Nginx("theirs", other.secret)
    credential, earliest, latest = mint("nginx-secure-link", key)
    expires = int(credential.partition("&expires=")[2])
    check("nginx: the credential ends with its life", earliest + LIFE <= expires <= latest + LIFE, credential)
    check("nginx: opens what is under the path", ours.answers(cookies(credential)) == 200, credential)
    check("nginx: opens no other path", ours.answers(cookies(credential), "/live/tbs/part0.ts") == 403)
    check("nginx: is nothing with another key", theirs.answers(cookies(credential)) == 403)
    longer = cookies(credential.replace(str(expires), str(expires + 1)))
    check("nginx: is nothing with a longer life", ours.answers(longer) == 403)
    md5 = credential[len("md5="):credential.index("&")]
    let_through = [text for text in changed(md5) if ours.answers(f"mt_md5={text}; mt_expires={expires}") != 403]
    check("nginx: is nothing with any character of the sum changed", not let_through, let_through)
    short = cookies(mint("nginx-secure-link", key, life=1)[0])
    check("nginx: and after its life it has ended", until(20, lambda: ours.answers(short) == 410))


subprocess.run([MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "1000", "--fresh"], check=True, capture_output=True)
ONE, ANOTHER = Key("one"), Key("another")
packages(ONE, ANOTHER)
nginx(ONE, ANOTHER)
finish()
