"""Tokens in production's shape, signed by the openssl command."""

import base64
import subprocess
import urllib.parse
from pathlib import Path

KEYS = Path(__file__).resolve().parent.parent / "shared" / "keys"

NOW = 1795176000000  # 2026-11-20T12:00:00Z
ISSUED = "2026-11-20 03:59:55 -0800"  # five seconds before NOW
OPEN = b"<signatureInfo>"
CLOSE = b"</signatureInfo>"
GUID = b"0123456789abcdef0123456789abcdef"

FIELDS = {
    "sessionGUID": GUID,
    "requestorID": b"REF30",
    "resourceID": b"TNT",
    "ttl": b"420000",
    "issueTime": ISSUED.encode(),
    "mvpdId": b"Cablevision",
}


def element(name, xml):
    name = name if isinstance(name, bytes) else name.encode()
    return b"<" + name + b">" + xml + b"</" + name + b">"


def body(root="authToken", more=b"", **changes):
    """The signed element: the usual fields with `changes` (None drops one), then `more`. Values are XML."""
    fields = {**FIELDS, **changes}
    children = [element(name, _bytes(xml)) for name, xml in fields.items() if xml is not None]
    return element(root, b"".join(children) + more)


def swapped(data, old, new):
    """`data` with its only `old` replaced; a change that changes nothing is a mistake."""
    assert data.count(old) == 1, (old, data.count(old))
    return data.replace(old, new)


def sign(data, key="rsa2048", digest="sha256"):
    """RSASSA-PKCS1-v1_5: the same bytes always get the same signature."""
    return _openssl(["dgst", "-" + digest, "-sign", _private(key)], data)


def sign_raw(encoded, key="rsa2048"):
    """The private key applied to a message representative that we padded, well or badly, ourselves."""
    command = ["pkeyutl", "-decrypt", "-inkey", _private(key), "-pkeyopt", "rsa_padding_mode:none"]
    return _openssl(command, encoded)


def token(signed=None, key="rsa2048", marker=OPEN, signature=None):
    """The raw form of `signed`, by default of the usual element; `signature` replaces the genuine one."""
    signed = body() if signed is None else signed
    signature = sign(signed, key) if signature is None else signature
    return OPEN + base64.b64encode(signature) + marker + signed


def parts(raw):
    """Signature text and signed bytes of a raw token."""
    text, signed = raw[len(OPEN):].split(OPEN, 1)
    return text, signed


def token_of_residue(residue, wanted=b"+/"):
    """A raw token of 3n + `residue` bytes whose signature and whose base64 hold all of `wanted` inside."""
    for number in range(1000):
        guid = b"0123456789abcdef%04d" % number + b"f" * (number % 3)
        # In the base64 of ASCII text only a ? (and DEL) at every third place makes a /.
        raw = token(body(sessionGUID=guid, mvpdId=b"Who???"))
        inside = base64.b64encode(raw)[:-4]
        if len(raw) % 3 == residue and all(c in inside and c in parts(raw)[0] for c in wanted):
            return raw
    raise AssertionError("no such token")


def padded_to(length, spell):
    """A raw token whose spelling by `spell` has `length` bytes, and the resource that makes it so long."""
    size = length // 2
    for attempt in range(500):
        resource = b"R" * size
        # Another GUID, another signature: percent-encoding makes its + and / longer.
        raw = token(body(resourceID=resource, sessionGUID=b"%032x" % attempt))
        missing = length - len(spell(raw))
        if missing == 0:
            return raw, resource
        # Three bytes of a token cost four in base64.
        size += missing * 3 // 4 if missing > 4 else missing
    raise AssertionError(f"no spelling has {length} bytes")


def base64_of(raw):
    return base64.b64encode(raw)


def unpadded(raw):
    return base64.b64encode(raw).rstrip(b"=")


def url_safe(raw):
    return base64.urlsafe_b64encode(raw)


def percent(raw, safe=""):
    return urllib.parse.quote_from_bytes(raw, safe=safe).encode()


def _bytes(value):
    return value if isinstance(value, bytes) else value.encode()


def _private(key):
    return str(KEYS / f"{key}.private.pem")


_made = {}


def _openssl(arguments, data):
    if (tuple(arguments), data) not in _made:
        run = subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True)
        _made[tuple(arguments), data] = run.stdout
    return _made[tuple(arguments), data]
