"""Step 3: sizes, keys, and signatures that other verifiers were fooled by."""

import base64
import hashlib
import hmac

from .collection import SIGNATURE
from .tokens import KEYS, OPEN, base64_of, body, parts, sign, sign_raw, token

SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")
PREFIXES = {
    "md5": "3020300c06082a864886f70d020505000410",
    "sha1": "3021300906052b0e03021a05000414",
    "sha224": "302d300d06096086480165030402040500041c",
    "sha384": "3041300d060960864801650304020205000430",
    "sha512": "3051300d060960864801650304020305000440",
    "sha3_256": "3031300d060960864801650304020805000420",
}


def add(v):
    _sizes(v)
    _keys(v)
    _other_schemes(v)
    _bad_paddings(v)
    _other_bytes(v)


def _refused(v, name, about, signature, signed=None, reason="signature-mismatch", **header):
    signed = body() if signed is None else signed
    v.refused(f"signature-{name}", about, SIGNATURE, reason, token(signed, signature=signature), **header)


def _sizes(v):
    genuine = sign(body())
    sizes = {"1": b"\1", "3": b"\1\2\3", "128": genuine[:128], "255": genuine[1:], "257-zero-first": b"\0" + genuine,
             "257-zero-last": genuine + b"\0", "512": genuine * 2, "384": genuine + b"\0" * 128,
             "45000": b"\1" * 45_000}
    for name, signature in sizes.items():
        _refused(v, f"size-{name}", "as long as no trusted key's modulus (case 57)", signature, reason="signature-size")
    large = sign(body(), "rsa4096")
    for name, signature in (("511", large[1:]), ("513", b"\0" + large), ("1024", large * 2)):
        _refused(v, f"size-{name}-under-4096", "the largest key: one octet less, one more, twice (case 57)", signature,
                 reason="signature-size", keys="rsa4096.pem")
    v.valid("signature-size-512-under-4096", "exactly as long as the largest key's modulus", token(key="rsa4096"),
            keys="rsa4096.pem")
    _refused(v, "size-of-other-trusted", "a length between those of two trusted keys", b"\1" * 384,
             reason="signature-size", keys="rsa2048.pem, rsa4096.pem")
    _refused(v, "long-before-mismatch", "the length of a trusted key, but not its signature", large,
             keys="rsa2048.pem, rsa4096.pem", signed=body(resourceID="HBO"))


def _keys(v):
    v.valid("signature-key-order", "the order of the keys does not matter", token(key="rsa2048b"),
            keys="rsa2048b.pem, rsa2048.pem")
    v.valid("signature-same-key-twice", "one key named twice is one key", token(),
            keys="rsa2048.pem, rsa2048.pem")
    _refused(v, "unknown-of-two", "signed by neither of two keys (case 56)", sign(body(), "rsa2048b"),
             keys="rsa2048.pem, rsa1024.pem")
    _refused(v, "rsa1024-flipped", "production's key size, one bit of the body flipped (case 54)",
             sign(body(), "rsa1024"), signed=body(ttl="420001"), keys="rsa1024.pem")
    # Both moduli have 256 octets.
    _refused(v, "other-key-of-size", "the same size, another key (case 56)", sign(body(), "rsa2048b"))


def _encoded(info, size=256, kind=b"\x01", filler=b"\xff", filler_length=None):
    """EMSA-PKCS1-v1_5 (RFC 8017, 9.2) around `info`, with what may be wrong about it."""
    length = size - 3 - len(info) if filler_length is None else filler_length
    encoded = b"\0" + kind + filler * length + b"\0" + info
    return encoded + b"\0" * (size - len(encoded))


def _other_schemes(v):
    signed = body()
    for name, prefix in PREFIXES.items():
        info = bytes.fromhex(prefix) + hashlib.new(name, signed).digest()
        _refused(v, f"hash-{name}", "another hash (case 62)", sign_raw(_encoded(info)))
    # SHA-512/256 gives 32 bytes too; its OID in front of a SHA-256 is no SHA-256 signature.
    truncated = bytes.fromhex("3031300d060960864801650304020605000420")
    _refused(v, "hash-sha512-256-oid", "the OID of another hash of 32 bytes (case 62)",
             sign_raw(_encoded(truncated + hashlib.sha256(signed).digest())))
    _refused(v, "hash-none", "the hash without a DigestInfo (case 61)",
             sign_raw(_encoded(hashlib.sha256(signed).digest())))
    _refused(v, "hash-none-message", "nothing but padding (case 61)", sign_raw(_encoded(b"")))
    # Verifiers that let the token choose the algorithm take a public key for an HMAC's secret.
    public = (KEYS / "rsa2048.pem").read_bytes()
    for name, secret in (("pem", public), ("der", base64.b64decode(b"".join(public.splitlines()[1:-1])))):
        code = hmac.new(secret, signed, hashlib.sha256).digest()
        _refused(v, f"hmac-{name}", "an HMAC keyed with the public key (case 64)", code, reason="signature-size")
        _refused(v, f"hmac-{name}-filled", "an HMAC keyed with the public key, as long as a signature (case 64)",
                 code.rjust(256, b"\0"))
    _refused(v, "hash-of-other", "a well-formed signature over other bytes (case 67)", sign(b"other"))


def _bad_paddings(v):
    digest = hashlib.sha256(body()).digest()
    info = SHA256_PREFIX + digest
    assert sign_raw(_encoded(info)) == sign(body()), "the forgeries start from what openssl signs"
    infos = {
        "no-null": bytes.fromhex("302f300b0609608648016503040201") + b"\x04\x20" + digest,
        "empty-null-long": bytes.fromhex("3032300e0609608648016503040201058100") + b"\x04\x20" + digest,
        "outer-long-length": b"\x30\x81\x31" + info[2:],
        "inner-long-length": b"\x30\x32\x30\x81\x0d" + info[4:],
        "octets-long-length": b"\x30\x32" + info[2:17] + b"\x04\x81\x20" + digest,
        "parameters-garbage": bytes.fromhex("3033300f0609608648016503040201") + b"\x05\x02\xbe\xef\x04\x20" + digest,
        "extra-element": b"\x30\x33" + info[2:] + b"\x05\x00",
        "indefinite-length": b"\x30\x80" + info[2:] + b"\0\0",
        "trailing-zeros": info + b"\0\0",
        "digest-cut": b"\x30\x30" + info[2:17] + b"\x04\x1f" + digest[:31],
    }
    for name, wrong in infos.items():
        _refused(v, f"digestinfo-{name}", "a DigestInfo in bytes that are not the one encoding (case 59)",
                 sign_raw(_encoded(wrong)))
    paddings = {
        "type-0": _encoded(info, kind=b"\x00", filler=b"\0"), "type-2": _encoded(info, kind=b"\x02", filler=b"\x5a"),
        "type-1-wrong-filler": _encoded(info, filler=b"\xfe"), "filler-8": _encoded(info, filler_length=8),
        "filler-0": _encoded(info, filler_length=0), "filler-one-short": _encoded(info, filler_length=201),
        "no-separator": b"\0\1" + b"\xff" * (254 - len(info)) + info, "raw-digest": digest.rjust(256, b"\0"),
    }
    for name, encoded in paddings.items():
        _refused(v, f"padding-{name}", "short, wrong or absent padding (cases 60, 61)", sign_raw(encoded))


def _other_bytes(v):
    signed = body(resourceID=b"<![CDATA[TNT]]>")
    regions = {
        "with-crlf": signed + b"\r\n", "with-marker": OPEN + signed, "unwrapped": body(), "without-root":
        signed[11:-12], "declared": b'<?xml version="1.0" encoding="UTF-8"?>' + signed,
        "utf16": signed.decode().encode("utf-16-le"), "hash-of-hash": hashlib.sha256(signed).digest(),
        "base64": base64.b64encode(signed),
    }
    for name, region in regions.items():
        _refused(v, f"over-{name}", "a signature over other bytes; there is one region and no fallback (case 65)",
                 sign(region), signed=signed)
    raw = token()
    text, signed = parts(raw)
    for name, at in (("root", 1), ("guid", 30), ("ttl", signed.index(b"420000")), ("last", len(signed) - 1)):
        flipped = bytearray(signed)
        flipped[at] ^= 1
        v.refused(f"signature-bit-{name}", "one bit of the signed bytes flipped (case 54)", SIGNATURE,
                  "signature-mismatch", base64_of(OPEN + text + OPEN + bytes(flipped)))
    # Nothing of unsigned bytes is interpreted: what would break rules of step 4 is still a signature's matter.
    for name, junk in (("doctype", b"<!DOCTYPE x><x/>"), ("nul", b"\0\0\0\0"), ("utf16", b"\xff\xfe<\0a\0"),
                       ("not-utf8", b"<authToken>\xff</authToken>"), ("one-byte", b"<"), ("deep", b"<a>" * 9_000),
                       ("xxe", b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><authToken>&e;</authToken>')):
        v.refused(f"signature-before-fields-{name}", "malformed signed bytes under a wrong signature are not looked at",
                  SIGNATURE, "signature-mismatch", OPEN + text + OPEN + junk)
