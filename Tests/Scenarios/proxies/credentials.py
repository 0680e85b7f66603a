"""Cookies as the article HandOver has them, made from the daemon's key by other means: good ones, and those that open nothing. A
part of the scenarios in this folder."""
import base64
import hashlib
import hmac
import json
import subprocess
import time

LIFE = 14400
PREFIX = "/live/tnt/"
#: A key of a WebToken that the proxy does not know.
OTHER_KEY = "/srv/other.pem"


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def header(**cookies):
    """As a viewer sends them."""
    return [("Cookie", "; ".join(f"{name}={value}" for name, value in cookies.items()))]


class SecureLink:
    """For nginx, alone or next to Caddy: format nginx-secure-link."""
    names = ["mt_md5", "mt_expires"]

    def __init__(self):
        with open("/etc/mediatoken/handover.key", encoding="ascii") as file:
            self.secret = file.read().strip()

    def cookies(self, prefix=PREFIX, ends_in=LIFE, secret=None):
        return self.signed(int(time.time()) + ends_in, prefix, secret)

    def signed(self, expires, prefix=PREFIX, secret=None):
        digest = hashlib.md5(f"{expires}{prefix} {secret or self.secret}".encode()).digest()
        return header(mt_md5=base64url(digest), mt_expires=expires)

    def is_as_documented(self, cookies):
        """Whether these, of the daemon, are what the article says."""
        expires = int(cookies["mt_expires"])
        return header(**cookies) == self.signed(expires) and abs(expires - LIFE - time.time()) < 60

    def forgeries(self, cookies):
        """Made of the daemon's cookies for a path, or of what an attacker may know."""
        later = str(int(cookies["mt_expires"]) + 1)
        yield "a time that was not signed", header(mt_md5=cookies["mt_md5"], mt_expires=later)
        yield "the time alone", header(mt_expires=cookies["mt_expires"])
        yield "the sum alone", header(mt_md5=cookies["mt_md5"])
        yield "a comma in the sum", header(mt_md5=f"{cookies['mt_md5']},{later}", mt_expires=cookies["mt_expires"])
        yield "both in one", header(mt_md5=f"{cookies['mt_md5']},{cookies['mt_expires']}")
        yield "no secret", self.cookies(secret=" ")
        yield "another secret", self.cookies(secret="0" * 64)
        yield "no path", self.cookies(prefix="")


class WebToken:
    """For HAProxy and Envoy: format jwt-es256."""
    names = ["mt_jwt"]
    key = "/etc/mediatoken/handover.pem"

    def __init__(self):
        self.public = subprocess.run(["openssl", "pkey", "-in", self.key, "-pubout"], check=True, capture_output=True).stdout
        subprocess.run(["openssl", "genpkey", "-quiet", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
                        OTHER_KEY], check=True, capture_output=True)

    def cookies(self, prefix=PREFIX, ends_in=LIFE, key=None):
        return header(mt_jwt=self.token(self.claims(prefix, ends_in), key=key))

    def is_as_documented(self, cookies):
        parts = cookies["mt_jwt"].split(".")
        head, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in parts[:2])
        return (head == {"alg": "ES256", "typ": "JWT"} and claims["path"] == PREFIX and set(claims) == {"iat", "exp", "path"}
                and claims["exp"] - claims["iat"] == LIFE and abs(claims["iat"] - time.time()) < 60)

    def forgeries(self, cookies):
        head, claims, signature = cookies["mt_jwt"].split(".")
        good = self.claims(PREFIX, LIFE)
        yield "claims that were not signed", header(mt_jwt=f"{head}.{base64url(json.dumps(good).encode())}.{signature}")
        yield "no signature", header(mt_jwt=f"{head}.{claims}.")
        yield "two parts", header(mt_jwt=f"{head}.{claims}")
        yield "another key", header(mt_jwt=self.token(good, key=OTHER_KEY))
        for name in ("none", "None", "NONE", ""):
            yield f"algorithm {name!r}", header(mt_jwt=self.token(good, name, lambda _: b""))
            yield f"algorithm {name!r} with a good signature", header(mt_jwt=self.token(good, name))
        for secret in (self.public, self.public.strip(), b""):
            sealed = self.token(good, "HS256", lambda text, secret=secret: hmac.new(secret, text, hashlib.sha256).digest())
            yield f"HS256 with {len(secret)} bytes of the public key", header(mt_jwt=sealed)
        yield "HS256 with a good signature", header(mt_jwt=self.token(good, "HS256"))
        for name in ("exp", "path"):
            yield f"no {name}", header(mt_jwt=self.token({key: value for key, value in good.items() if key != name}))
        for name, value in (("exp", "later"), ("exp", None), ("exp", [good["exp"]]), ("exp", -good["exp"]), ("path", ""),
                            ("path", "/live/tnt"), ("path", [PREFIX]), ("path", None), ("path", "/live/t")):
            yield f"{name} {value!r}", header(mt_jwt=self.token({**good, name: value}))

    def claims(self, prefix, ends_in):
        now = int(time.time())
        return {"iat": now + ends_in - LIFE, "exp": now + ends_in, "path": prefix}

    def token(self, claims, algorithm="ES256", sign=None, key=None):
        head = {"alg": algorithm, "typ": "JWT"}
        text = ".".join(base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
        signature = sign(text.encode()) if sign else self.signature(text.encode(), key or self.key)
        return f"{text}.{base64url(signature)}"

    def signature(self, text, key):
        """r and s of 32 bytes (RFC 7518, section 3.4), from the two integers in DER that OpenSSL makes."""
        der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text, check=True, capture_output=True).stdout
        numbers, at = [], 2
        for _ in range(2):
            length = der[at + 1]
            numbers.append(int.from_bytes(der[at + 2:at + 2 + length], "big").to_bytes(32, "big"))
            at += 2 + length
        return b"".join(numbers)
