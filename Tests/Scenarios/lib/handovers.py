"""Other people's code that verifies credentials for segments: nginx, and the packages of Tests/Fixtures/handover, with whose
Python a scenario that uses this is run."""
import base64
import fnmatch
import http.client
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone

import botocore.signers
import cwt
import jwt
from akamai.edgeauth import EdgeAuth
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from freezegun import freeze_time

from processes import free_port, launch
from scenario import ROOT, check, path, until
from tokens import GUID

HOST, KEY_ID, PREFIX = "cdn.example.com", "K2JCJMDEHXQW5F", "/live/tnt/"
SEGMENT = "/live/tnt/hd/part0.ts"
#: Paths that a credential for PREFIX is not for.
OTHERS = ["/live/tbs/part0.ts", "/live/tntx/part0.ts", "/live/tnt", "/LIVE/tnt/part0.ts", "/", "/vod/live/tnt/part0.ts"]


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
        # A key for each format: the daemon takes none that two of them share, as a copy neither.
        self.secret = os.urandom(24).hex()
        self.bytes = {format: os.urandom(32) for format in ("akamai-edgeauth", "cat", "jwt-hs256")}
        curve, long = ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)
        self.curve, self.long = curve.public_key(), long.public_key()
        contents = {"nginx-secure-link": self.secret + "\n", "jwt-es256": pem(curve), "cloudfront-cookie": pem(long)}
        contents |= {format: key.hex() + "\n" for format, key in self.bytes.items()}
        self.files = {format: key_file(f"{name}.{format}", content) for format, content in contents.items()}


# MARK: who verifies it
#
# Each says whether a credential opens an address at a time. What none of the packages compares, a path with a pattern, is
# compared here.


def akamai(credential, key, address, at):
    fields = dict(field.split("=", 1) for field in credential.split("~"))
    if not set(fields) == {"st", "exp", "acl", "hmac"}:
        return False
    again = EdgeAuth(key=key.bytes["akamai-edgeauth"].hex(), start_time=int(fields["st"]), end_time=int(fields["exp"]))
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
        claims = cwt.CWT.new(leeway=1).decode(token, cwt.COSEKey.from_symmetric_key(key.bytes["cat"], alg="HS256", kid=KEY_ID))
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
             "jwt-hs256": web_token("HS256", lambda key: key.bytes["jwt-hs256"]),
             "jwt-es256": web_token("ES256", lambda key: key.curve)}


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


def judge(name, format, credential, key, other, earliest, latest, life):
    """Checks that a package lets a credential through for what it is minted for and for nothing else; it was minted between two
    seconds, for a life."""
    usual = {"credential": credential, "key": key, "address": SEGMENT, "at": latest}

    def opens(**how):
        return is_let_through(format, *(usual | how).values())

    check(f"{name}: opens what is under the path",
          opens() and opens(address=PREFIX) and opens(address=PREFIX + "a/b/c.m4s"), credential)
    check(f"{name}: opens no other path", not any(opens(address=address) for address in OTHERS))
    check(f"{name}: lasts until the end of its life", opens(at=earliest + life - 1))
    check(f"{name}: and not longer", not opens(at=latest + life + 2))
    check(f"{name}: is nothing with another key", not opens(key=other))
    let_through = [text for text in changed(credential) if opens(credential=text)]
    check(f"{name}: is nothing with any character changed", not let_through, let_through)
    plain = credential
    for part in re.findall("[A-Za-z0-9_-]+", credential):
        plain += repr(base64.b64decode(part[:len(part) // 4 * 4], altchars="-_"))
    check(f"{name}: says nothing of the viewer",
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
        if not until(60, lambda: self.answers("", SEGMENT) == 403):
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


def judge_nginx(name, credential, key, other, earliest, latest, life):
    """The same of nginx, whose clock cannot be moved: when the credential ends is read in it."""
    file = name.replace(" ", "-")
    ours, theirs = Nginx(file + "-ours", key.secret), Nginx(file + "-theirs", other.secret)
    expires = int(credential.partition("&expires=")[2])
    check(f"{name}: the credential ends with its life", earliest + life <= expires <= latest + life, credential)
    check(f"{name}: opens what is under the path", ours.answers(cookies(credential)) == 200, credential)
    check(f"{name}: opens no other path", ours.answers(cookies(credential), "/live/tbs/part0.ts") == 403)
    check(f"{name}: is nothing with another key", theirs.answers(cookies(credential)) == 403)
    longer = cookies(credential.replace(str(expires), str(expires + 1)))
    check(f"{name}: is nothing with a longer life", ours.answers(longer) == 403)
    md5 = credential[len("md5="):credential.index("&")]
    let_through = [text for text in changed(md5) if ours.answers(f"mt_md5={text}; mt_expires={expires}") != 403]
    check(f"{name}: is nothing with any character of the sum changed", not let_through, let_through)
    return ours
