"""Step 2: the markers, the signature text, the signed bytes."""

import base64

from .collection import SIGNATURE
from .tokens import CLOSE, OPEN, base64_of, body, parts, percent, sign, swapped, token, token_of_residue


def add(v):
    _markers(v)
    _signature_text(v)
    _wrapping(v)


def _markers(v):
    raw = token()
    text, signed = parts(raw)
    closed = OPEN + text + CLOSE + signed
    v.valid("envelope-closing-marker", "the second marker as a closing tag (case 22)", closed)
    v.valid("envelope-closing-marker-base64", "the same in base64 (case 22)", base64_of(closed))
    v.valid("envelope-closing-marker-percent", "the same percent-encoded (case 22)", percent(closed))
    others = {
        "case": b"<SignatureInfo>", "upper": b"<SIGNATUREINFO>", "space": b"<signatureInfo >",
        "attribute": b'<signatureInfo a="1">', "self-closing": b"<signatureInfo/>", "closing-case": b"</SignatureInfo>",
        "closing-space": b"</signatureInfo >", "closing-twice": b"<//signatureInfo>", "prefix": b"<x:signatureInfo>",
        "split": b"<signature Info>", "cut": b"<signatureInf>", "longer": b"<signatureInfos>", "newline":
        b"<signatureInfo\n>", "none": b"", "comment": b"<!-- -->" + OPEN, "cdata": b"<![CDATA[" + OPEN,
        "pi": b"<?x?>" + OPEN, "entity": b"&lt;signatureInfo>", "less": b"<" + OPEN, "nul": b"<signatureInfo\0>",
    }
    for name, marker in others.items():
        # Only what stands behind a clean signature is called a wrong marker.
        reason = None if name == "entity" else "second-marker"
        v.malformed(f"envelope-marker-{name}", "neither of the two spellings (cases 16, 22)", reason,
                    OPEN + text + marker + signed)
    v.malformed("envelope-marker-missing", "the text ends behind the signature (case 16)", None, OPEN + text)
    v.malformed("envelope-marker-cut-off", "the text ends inside the marker", "second-marker", OPEN + text + OPEN[:-1])
    v.malformed("envelope-markers-only", "two markers and nothing else", "signature-missing", OPEN + OPEN)
    v.malformed("envelope-marker-alone", "one marker and nothing else", None, OPEN)
    v.malformed("envelope-no-signature", "no signature (case 57)", "signature-missing", OPEN + OPEN + signed)
    v.malformed("envelope-no-signature-closed", "no signature, closing marker", "signature-missing",
                OPEN + CLOSE + signed)
    v.malformed("envelope-no-signed-bytes", "nothing behind the second marker", "signed-bytes-missing",
                OPEN + text + OPEN)
    v.malformed("envelope-no-signed-bytes-closed", "nothing behind the closing marker", "signed-bytes-missing",
                OPEN + text + CLOSE)
    v.malformed("envelope-no-signed-bytes-blank", "white space there is outer white space", "signed-bytes-missing",
                OPEN + text + OPEN + b" \n")
    v.refused("envelope-one-signed-byte", "one byte is enough for an envelope", SIGNATURE, "signature-mismatch",
              OPEN + text + OPEN + b"x")
    v.refused("envelope-marker-twice", "a third marker is signed (case 16)", SIGNATURE, "signature-mismatch",
              OPEN + text + OPEN + OPEN + signed)
    v.malformed("envelope-third-marker-signed", "a third marker that is signed is no root (case 16)", None,
                token(OPEN + body()))
    v.valid("envelope-marker-in-resource", "a marker inside CDATA is resource text (case 16)",
            token(body(resourceID=b"<![CDATA[a<signatureInfo>b</signatureInfo>]]>")),
            resource=b"a<signatureInfo>b</signatureInfo>")


def _signature_text(v):
    raw = token_of_residue(2)
    text, signed = parts(raw)

    def wrong(name, about, signature_text, reason="signature-not-base64"):
        v.malformed(f"envelope-signature-{name}", about + " (cases 57, 66)", reason,
                    OPEN + signature_text + OPEN + signed)

    v.valid("envelope-signature-spaces", "spaces stand for +", OPEN + text.replace(b"+", b" ") + OPEN + signed)
    v.valid("envelope-signature-some-spaces", "so does one of them",
            OPEN + text.replace(b"+", b" ", 1) + OPEN + signed)
    assert text.endswith(b"==") and b"/" in text
    wrong("unpadded", "no padding", text[:-2])
    wrong("one-pad", "one = of two", text[:-1])
    wrong("three-pads", "three =", text + b"=")
    wrong("four-pads", "four =", text + b"==")
    wrong("pads-only", "only padding", b"====")
    wrong("one-equals", "a single =", b"=")
    wrong("inner-pad", "= inside", text[:20] + b"=" + text[21:])
    wrong("joined", "two signatures joined", text + text)
    wrong("trailing-bits", "unused bits that are not zero", text[:-3] + bytes([text[-3] + 1]) + b"==")
    wrong("url-safe", "the other alphabet", text.replace(b"/", b"_").replace(b"+", b"-"))
    for name, own, others, other in (("minus", b"+", b"/", b"-"), ("underscore", b"/", b"+", b"_")):
        # Without a letter that only the usual alphabet has, nothing but the rule itself speaks against it.
        alone, alone_signed = next((text, signed) for text, signed in map(parts, _tokens()) if own in text
                                   and others not in text)
        v.malformed(f"envelope-signature-{name}", "the other alphabet alone (cases 57, 66)", "signature-not-base64",
                    OPEN + alone.replace(own, other) + OPEN + alone_signed)
    wrong("space-before", "a space before it is a +, so the length is wrong", b" " + text)
    wrong("space-after", "a space behind it", text + b" ")
    wrong("space-before-pads", "a space before the padding", text[:-2] + b" ==")
    wrong("one-character", "one character", b"A")
    wrong("escape", "a percent escape inside the raw form", text.replace(b"=", b"%3D"))
    for name, byte in (("newline", b"\n"), ("crlf", b"\r\n"), ("tab", b"\t"), ("nul", b"\0"), ("less-equal", b"&#61;"),
                       ("high", b"\xff"), ("greater", b">")):
        wrong(f"character-{name}", "a character that is not base64", text[:20] + byte + text[20:])
        wrong(f"character-{name}-at-end", "a character that is not base64, at the end", text + byte)
    wrong("comment", "a comment inside", text[:20] + b"<!---->" + text[20:], reason="second-marker")
    wrong("nested", "the token element in place of the signature (case 19)", signed, reason="signature-missing")
    wrong("cdata", "a CDATA section around it", b"<![CDATA[" + text + b"]]>", reason="signature-missing")


def _tokens():
    return (token(body(sessionGUID=b"%032x" % number)) for number in range(5_000))


def _wrapping(v):
    """Signature wrapping: wherever an unsigned decoy stands, it is either signed bytes or no token (case 15)."""
    raw = token()
    text, signed = parts(raw)
    for root in ("authToken", "shortAuthorizationToken"):
        decoy = body(root=root, ttl="3600000")
        arrangements = {
            "before": decoy + signed, "after": signed + decoy,
            "around": swapped(decoy, b"</%s>" % root.encode(), signed + b"</%s>" % root.encode()),
            "inside": swapped(signed, b"</authToken>", decoy + b"</authToken>"), "alone": decoy,
        }
        for name, arrangement in arrangements.items():
            v.refused(f"envelope-decoy-{name}-{root}", "an unsigned decoy under a genuine signature (cases 15, 21)",
                      SIGNATURE, "signature-mismatch", OPEN + text + OPEN + arrangement)
    v.malformed("envelope-decoy-between", "a decoy between signature and marker (case 15)", "second-marker",
                OPEN + text + body(ttl="3600000") + OPEN + signed)
    v.refused("envelope-two-signed-tokens", "two tokens, each with its own signature (case 17)", SIGNATURE,
              "signature-mismatch", raw + token(body(resourceID="HBO")))
    second = base64.b64encode(sign(b"other"))
    v.refused("envelope-two-signatures", "two signatures, two markers (case 16)", SIGNATURE, "signature-mismatch",
              OPEN + text + OPEN + second + OPEN + signed)
    for name, added in (("space", b" "), ("comment", b"<!-- -->"), ("pi", b"<?x?>"), ("nul", b"\0"), ("text", b"x"),
                        ("lf", b"\n")):
        v.refused(f"envelope-added-front-{name}", "bytes between marker and root are signed bytes (case 21)",
                  SIGNATURE, "signature-mismatch", OPEN + text + OPEN + added + signed)
        v.refused(f"envelope-added-back-{name}", "bytes behind the root are signed bytes (case 21)",
                  SIGNATURE, "signature-mismatch", base64_of(raw + added))
    v.refused("envelope-added-second-document", "NUL and a second document (case 21)", SIGNATURE,
              "signature-mismatch", raw + b"\0" + signed)
