"""Step 1: the length, the outer white space, the choice of a form, the percent-encoded form."""

import base64
import gzip

from .collection import SIGNATURE
from .tokens import OPEN, base64_of, body, padded_to, parts, percent, swapped, token, token_of_residue, unpadded

LIMIT = 65_536


def add(v):
    _length(v)
    _white_space(v)
    _forms(v)
    _percent(v)


def _length(v):
    for name, spell in (("raw", bytes), ("percent", percent), ("base64", unpadded)):
        for length in (LIMIT - 1, LIMIT, LIMIT + 1):
            # Unpadded base64 is never 1 mod 4: the byte over the limit is an outer newline, which counts.
            tail = b"\n" if spell is unpadded and length > LIMIT else b""
            raw, resource = padded_to(length - len(tail), spell)
            received = spell(raw) + tail
            assert len(received) == length
            about = f"{name}, {length} bytes (case 10)"
            if length <= LIMIT:
                v.valid(f"armor-length-{name}-{length}", about, received, resource=resource)
            else:
                v.malformed(f"armor-length-{name}-{length}", about, "too-long", received, resource=resource)
    raw = token()
    for length in (LIMIT, LIMIT + 1):
        received = raw + b" " * (length - len(raw))
        about = f"outer white space counts before it is trimmed: {length} bytes (case 10)"
        if length == LIMIT:
            v.valid(f"armor-length-blanks-{length}", about, received)
        else:
            v.malformed(f"armor-length-blanks-{length}", about, "too-long", received)
    v.malformed("armor-length-only-blanks", "65,537 blanks are too long before they are nothing",
                "too-long", b" " * (LIMIT + 1))


def _white_space(v):
    raw = token()
    v.malformed("armor-empty", "nothing (case 9)", "empty", b"")
    for name, blank in (("space", b" "), ("tab", b"\t"), ("cr", b"\r"), ("lf", b"\n"), ("all", b" \t\r\n" * 3)):
        v.malformed(f"armor-only-{name}", "nothing but white space (case 9)", "empty", blank)
        v.valid(f"armor-around-{name}", "outer white space is trimmed (case 7)", blank + raw + blank)
    for name, other in (("vertical-tab", b"\x0b"), ("form-feed", b"\x0c"), ("nul", b"\0"),
                        ("nbsp", "\u00a0".encode()), ("zero-width", "\u200b".encode()),
                        ("line-separator", "\u2028".encode()), ("bom", "\ufeff".encode()), ("nel", b"\xc2\x85")):
        v.malformed(f"armor-before-{name}", f"{name} is not trimmed (case 7)", "unknown-form", other + raw)
        v.refused(f"armor-after-{name}", f"{name} is not trimmed, and nobody signed it (case 7)", SIGNATURE,
                  "signature-mismatch", raw + other)
        v.malformed(f"armor-after-base64-{name}", f"{name} is not base64 (case 7)", "base64-character",
                    base64_of(token_of_residue(1)).rstrip(b"=") + other)
    v.malformed("armor-blank-then-nul", "white space, then NUL", "unknown-form", b" \0 " + raw)


def _forms(v):
    raw = token()
    for name, received in (
        ("one-byte", b"<"), ("marker-cut", b"<signatureInfo"), ("marker-space", b"<signatureInfo >"),
        ("marker-upper", b"<SIGNATUREINFO>"), ("marker-half-encoded", raw.replace(b">", b"%3E", 1)),
        ("closing-marker-first", b"</signatureInfo>" + raw), ("percent-alone", b"%"), ("percent-3", b"%3"),
        ("percent-3d", b"%3D"), ("percent-space-first", b"%20" + percent(raw)), ("padding-only", b"===="),
        ("base64-cut", b"PHNpZ25hdHVyZUluZm"), ("base64-other-marker", base64_of(b"<signatureinfo>" + raw)),
        ("base64-percent-first", b"%50" + base64_of(raw)[1:]), ("quoted", b'"' + raw + b'"'),
        ("entity", b"&lt;" + raw[1:]), ("html-encoded", raw.replace(b"<", b"&lt;").replace(b">", b"&gt;")),
        ("token-first", parts(raw)[1] + OPEN + parts(raw)[0] + OPEN), ("wrapper", b"<x>" + raw + b"</x>"),
        ("declaration-first", b'<?xml version="1.0"?>' + raw), ("comment-first", b"<!-- -->" + raw),
        ("doctype-first", b"<!DOCTYPE x>" + raw), ("text-first", b"x" + raw),
        ("decoy-first", body(ttl="999999999") + raw),
    ):
        v.malformed(f"armor-form-{name}", "no known form (cases 3, 8, 9, 15, 18, 20, 21)", "unknown-form", received)
    v.malformed("armor-form-gzip", "compressed (case 8)", "unknown-form", gzip.compress(raw, mtime=0))
    v.malformed("armor-form-utf16", "base64 as UTF-16 (case 8)", "unknown-form",
                base64_of(raw).decode().encode("utf-16-le"))
    v.malformed("armor-form-object", "base64 of [object Object] (case 8)", "unknown-form",
                base64.b64encode(b"[object Object]"))
    v.malformed("armor-form-twice", "base64 of base64 (case 8)", "unknown-form", base64_of(base64_of(raw)))


def _percent(v):
    raw = token_of_residue(0)
    encoded = percent(raw)
    v.valid("armor-percent-everything", "every byte escaped", b"".join(b"%%%02x" % byte for byte in raw))
    v.valid("armor-percent-mixed-case", "hex digits of both cases",
            b"".join(b"%%%x%X" % (byte >> 4, byte & 15) for byte in raw))
    v.valid("armor-percent-only-first", "only the first byte escaped; a + of the signature becomes a space, which "
            "stands for + (case 3: half-encoded)", b"%3C" + raw[1:])
    v.valid("armor-percent-outer-blanks", "trimmed before it is decoded", b" \r\n" + encoded + b"\n\t ")
    for name, cut in (("at-end", b"%"), ("one-digit-at-end", b"%3"), ("letter-g", b"%G0"), ("second-g", b"%0G"),
                      ("plus", b"%+1"), ("space", b"% 1"), ("minus", b"%-1"), ("percent", b"%%"), ("u", b"%u003C"),
                      ("not-ascii", b"%\xc3\xa9")):
        v.malformed(f"armor-percent-broken-{name}", "a % without two hex digits (case 3)", "broken-percent-escape",
                    encoded + cut)
    v.malformed("armor-percent-blank-splits-escape", "a % whose digits were trimmed away", "broken-percent-escape",
                encoded + b"% ")
    v.malformed("armor-percent-decoded-cut", "decodes to less than the marker", "decoded-unknown-form",
                b"%3CsignatureInfo")
    v.malformed("armor-percent-decoded-nul", "NUL behind the first byte (cases 3, 44)", "decoded-unknown-form",
                b"%3C%00" + encoded[3:])
    v.malformed("armor-percent-decoded-case", "decodes to a marker in another case", "decoded-unknown-form",
                swapped(encoded[:16], b"signatureInfo", b"SignatureInfo") + encoded[16:])
    v.malformed("armor-percent-decoded-closing", "decodes to a closing marker", "decoded-unknown-form",
                b"%3C%2F" + encoded[3:])
    v.malformed("armor-percent-twice", "encoded twice (case 3)", "unknown-form", percent(encoded))
    v.malformed("armor-percent-twice-inside", "the first byte once, the rest twice (case 3)", "decoded-unknown-form",
                b"%3C" + percent(encoded[3:]))
    for name, tail in (("space", b"%20"), ("plus", b"+"), ("newline", b"%0A"), ("nul", b"%00")):
        v.refused(f"armor-percent-not-trimmed-again-{name}", "what decoding brings to the end stays there (case 3)",
                  SIGNATURE, "signature-mismatch", encoded + tail)
    v.refused("armor-percent-raw-newline-inside", "a newline inside is a byte like any other", SIGNATURE,
              "signature-mismatch", swapped(encoded, b"authToken%3E%3CsessionGUID", b"authToken%3E\n%3CsessionGUID"))
    plus = token(body(issueTime="2026-11-20 12:00:00 +0000"))
    v.valid("armor-percent-plus-escaped", "%2B is a plus", percent(plus))
    v.refused("armor-percent-plus-bare", "+ is a space, so the offset is not the signed one", SIGNATURE,
              "signature-mismatch", percent(plus, safe="+"))
    spaced = body(resourceID="a b")
    v.valid("armor-percent-space-raw", "a raw space stays a space", percent(token(spaced), safe=" "), resource=b"a b")
    v.refused("armor-two-tokens-newline", "two tokens, a newline between: all that follows is signed (cases 14, 17)",
              SIGNATURE, "signature-mismatch", raw + b"\n" + raw)
    v.refused("armor-two-tokens-comma", "two tokens, a comma between (case 14)", SIGNATURE, "signature-mismatch",
              raw + b"," + raw)
    for name, joint in (("newline", b"\n"), ("comma", b",")):
        v.malformed(f"armor-two-base64-{name}", "two base64 tokens (case 14)", "base64-character",
                    unpadded(raw) + joint + unpadded(raw))
