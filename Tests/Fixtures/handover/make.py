#!/usr/bin/env python3
"""Computes the credentials of vectors.json with the packages of requirements.txt, hashlib and openssl, none of them ours.

    make.py [--check]
"""
import base64
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys

import botocore.signers
import cbor2
import cwt
import jwt
from akamai.edgeauth import EdgeAuth

HERE = pathlib.Path(__file__).resolve().parent
NOON = 1795176000
HMAC = bytes.fromhex((HERE / "hmac.key").read_text())
SECRET = (HERE / "nginx.key").read_text().strip()


def nginx(path, life):
    digest = hashlib.md5(f"{NOON + life}{path} {SECRET}".encode()).digest()
    return f"md5={base64.urlsafe_b64encode(digest).decode().rstrip('=')}&expires={NOON + life}"


def akamai(path, life):
    return EdgeAuth(key=HMAC.hex(), start_time=NOON, end_time=NOON + life).generate_acl_token(f"{path}*")


def cloudfront(path, life, key_id, host):
    def sign(message):
        return subprocess.run(["openssl", "dgst", "-sha256", "-sign", HERE / "rsa.private.pem"], input=message,
                              capture_output=True, check=True).stdout
    signer = botocore.signers.CloudFrontSigner(key_id, sign)
    resource = f"https://{host}{path}*"
    policy = signer.build_policy(resource, datetime.datetime.fromtimestamp(NOON + life, datetime.timezone.utc))
    address = signer.generate_presigned_url("https://x/", policy=policy)
    fields = dict(field.split("=", 1) for field in address.split("?", 1)[1].split("&"))
    return (f"CloudFront-Policy={fields['Policy']}; CloudFront-Signature={fields['Signature']}; "
            f"CloudFront-Key-Pair-Id={fields['Key-Pair-Id']}; CloudFront-Hash-Algorithm=SHA256")


def cat(path, life, key_id):
    key = cwt.COSEKey.from_symmetric_key(HMAC, alg="HS256", kid=key_id)
    claims = cbor2.dumps({4: NOON + life, 6: NOON, 310: 1, 312: {3: {1: path}}})
    mac0 = cwt.COSE.new(alg_auto_inclusion=True, kid_auto_inclusion=True).encode(claims, key)
    token = cbor2.dumps(cbor2.CBORTag(61, cbor2.loads(mac0)))
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def hs256(path, life, key_id=None):
    headers = {"kid": key_id} if key_id else None
    return jwt.encode({"iat": NOON, "exp": NOON + life, "path": path}, HMAC, algorithm="HS256", headers=headers)


def vectors():
    """Paths and lives at which numbers and base64 groups get longer."""
    for path in ("/", "/live/tnt/", "/a/", "/ab/", "/VOD.2026/season_1/episode-3/" + "x" * 300 + "/"):
        for life in (1, 14400, 86400):
            for name, make, options in (
                    ("nginx-secure-link", nginx, {}), ("akamai-edgeauth", akamai, {}),
                    ("cloudfront-cookie", cloudfront, {"key_id": "K2JCJMDEHXQW5F", "host": "cdn.example.com"}),
                    ("cat", cat, {"key_id": "k1"}), ("cat", cat, {"key_id": "k" * 40}), ("jwt-hs256", hs256, {}),
                    ("jwt-hs256", hs256, {"key_id": "2026-11"})):
                yield {"format": name, "path": path, "lifeSeconds": life, **options, "credential": make(path, life, **options)}


text = f'{{"now": {NOON}, "vectors": [\n' + ",\n".join(map(json.dumps, vectors())) + "\n]}\n"
if sys.argv[1:] == ["--check"]:
    sys.exit(0 if (HERE / "vectors.json").read_text() == text else "vectors.json is not what make.py makes")
(HERE / "vectors.json").write_text(text)
