"""Step 1, base64: every rule of TokenFormat's table, and what happens where they meet."""

from .collection import FORMAT, SIGNATURE, VALID
from .tokens import base64_of, body, swapped, token, token_of_residue, unpadded, url_safe

TAILS = {
    "none": b"", "space": b" ", "two-spaces": b"  ", "newline": b"\n", "space-newline": b" \n", "newline-space": b"\n ",
    "crlf": b"\r\n", "space-crlf": b" \r\n", "tab": b"\t", "tab-space": b"\t ", "space-tab": b" \t", "cr-space": b"\r ",
}


def add(v):
    _tails(v)
    _spaces_and_alphabets(v)
    _escapes(v)
    _padding(v)
    _trailing_bits(v)
    _decoded(v)


def _tails(v):
    """A lost final + is found again only by the byte next to the text, and only where the length asks for it."""
    by_residue = {residue: token_of_residue(residue) for residue in (0, 1, 2)}
    for tail, blank in TAILS.items():
        space_is_next = blank[:1] == b" "
        # 3n bytes end in >, so their base64 ends in +.
        assert base64_of(by_residue[0]).endswith(b"+")
        _one(v, f"whole-{tail}", VALID, base64_of(by_residue[0]) + blank)
        _one(v, f"last-plus-lost-{tail}", VALID if space_is_next else SIGNATURE, base64_of(by_residue[0])[:-1] + blank)
        # 3n + 1 bytes: 2 mod 4 without padding, so a space is only trimmed.
        _one(v, f"two-pads-absent-{tail}", VALID, unpadded(by_residue[1]) + blank)
        _one(v, f"two-pads-{tail}", VALID, base64_of(by_residue[1]) + blank)
        _one(v, f"two-pads-one-there-{tail}", FORMAT, base64_of(by_residue[1])[:-1] + blank)
        # 3n + 2 bytes: 3 mod 4 without padding, so a stray space is read as +.
        _one(v, f"one-pad-absent-{tail}", SIGNATURE if space_is_next else VALID, unpadded(by_residue[2]) + blank)
        _one(v, f"one-pad-{tail}", VALID, base64_of(by_residue[2]) + blank)
    raw = by_residue[0]
    _one(v, "last-plus-lost-blanks-before", VALID, b" \n\t" + base64_of(raw)[:-1] + b" ")
    _one(v, "last-plus-lost-and-all-others", VALID, base64_of(raw).replace(b"+", b" ") + b"\n")
    # The rule for the last + is for text without escapes; then the space is only trimmed.
    escaped = base64_of(raw)[:-1].replace(b"/", b"%2F")
    _one(v, "last-plus-lost-with-escapes", SIGNATURE, escaped + b" ")
    _one(v, "last-plus-escaped", VALID, base64_of(raw)[:-1] + b"%2B")
    _one(v, "last-minus-lost", VALID, url_safe(token_of_residue(0, wanted=b""))[:-1].replace(b"-", b"+")
         .replace(b"_", b"/") + b" ")


def _one(v, name, verdict, received):
    about = "base64 at the end: padding, the last +, and which byte stands next to it (cases 2, 7)"
    if verdict == VALID:
        v.valid(f"base64-end-{name}", about, received)
    else:
        reason = "base64-padding" if verdict == FORMAT else "signature-mismatch"
        # A single = of two, made into =+ by the rule of the last +, is = inside: padding or a wrong character.
        if verdict == FORMAT and received.rstrip(b"\t\r\n ")[-1:] == b"=" and b"= " in received:
            reason = None
        v.refused(f"base64-end-{name}", about, verdict, reason, received)


def _spaces_and_alphabets(v):
    raw = token_of_residue(1)
    text = base64_of(raw)
    safe = url_safe(raw)
    v.valid("base64-all-plus-as-space", "space is +", text.replace(b"+", b" "))
    v.valid("base64-some-plus-as-space", "only the first + became a space", text.replace(b"+", b" ", 1))
    v.valid("base64-url-safe", "the other alphabet", safe)
    v.valid("base64-url-safe-unpadded", "the other alphabet without padding", safe.rstrip(b"="))
    mixtures = {
        "minus-and-slash": text.replace(b"+", b"-"), "plus-and-underscore": text.replace(b"/", b"_"),
        "minus-and-plus": text.replace(b"+", b"-", 1), "underscore-and-slash": text.replace(b"/", b"_", 1),
        "space-and-minus": swapped_first(text.replace(b"+", b"-"), b"-", b" ").replace(b"/", b"_"),
        "space-and-underscore": text.replace(b"+", b" ").replace(b"/", b"_"),
        "escape-and-minus": safe.replace(b"-", b"%2B", 1), "escape-and-underscore": safe.replace(b"_", b"%2f", 1),
    }
    for name, received in mixtures.items():
        v.malformed(f"base64-mixed-{name}", "+ or / together with - or _; a space and an escape count as what they "
                    "stand for (case 3)", "base64-alphabets", received)
    for name, byte in (("newline", b"\n"), ("crlf", b"\r\n"), ("tab", b"\t"), ("nul", b"\0"), ("dot", b"."),
                       ("comma", b","), ("star", b"*"), ("less", b"<"), ("tilde", b"~"), ("high", b"\xff"),
                       ("nbsp", "\u00a0".encode())):
        v.malformed(f"base64-character-{name}", "not a base64 character; line folding is not on the list (case 2)",
                    "base64-character", text[:76] + byte + text[76:])
    v.malformed("base64-folded", "lines of 76 (case 2)", "base64-character",
                b"\r\n".join(text[at:at + 76] for at in range(0, len(text), 76)))
    v.malformed("base64-end-mark", "- as an end mark, then junk (case 6)", None, text + b"-junk")
    v.malformed("base64-space-before-pad", "a space between text and padding is + (case 4)", None,
                swapped(text, b"==", b" =="))


def swapped_first(data, old, new):
    assert old in data
    return data.replace(old, new, 1)


def _escapes(v):
    raw = token_of_residue(1)
    text = base64_of(raw)
    v.valid("base64-escapes-upper", "%2B %2F %3D",
            text.replace(b"+", b"%2B").replace(b"/", b"%2F").replace(b"=", b"%3D"))
    v.valid("base64-escapes-lower", "%2b %2f %3d",
            text.replace(b"+", b"%2b").replace(b"/", b"%2f").replace(b"=", b"%3d"))
    v.valid("base64-escapes-some", "only one of them escaped", text.replace(b"+", b"%2B", 1))
    v.valid("base64-escapes-and-spaces", "an escape, and spaces for the other +",
            text.replace(b"+", b"%2B", 1).replace(b"+", b" "))
    v.valid("base64-escapes-pads", "escaped padding and a newline", text.replace(b"=", b"%3D") + b"\n")
    v.valid("base64-escapes-one-pad", "one = bare, one escaped", swapped(text, b"==", b"=%3d"))
    for name, escape in (("space", b"%20"), ("letter", b"%41"), ("newline", b"%0A"), ("percent", b"%252B"),
                         ("minus", b"%2D"), ("underscore", b"%5F"), ("comma", b"%2C"), ("nul", b"%00"),
                         ("not-hex", b"%2G"), ("empty", b"%"), ("first-not-hex", b"%g2")):
        v.malformed(f"base64-escape-{name}", "only %2B, %2F and %3D, decoded once (case 3)", "broken-percent-escape",
                    text[:40] + escape + text[40:])
    for name, escape in (("alone", b"%"), ("one-digit", b"%3"), ("newline", b"%0A"), ("space", b"%20")):
        v.malformed(f"base64-escape-at-end-{name}", "only %2B, %2F and %3D (case 3)", "broken-percent-escape",
                    text + escape)


def _padding(v):
    for residue, pads in ((0, 0), (1, 2), (2, 1)):
        bare = unpadded(token_of_residue(residue))
        for count in range(5):
            if count in (0, pads):
                v.valid(f"base64-pads-{residue}-{count}", f"3n + {residue} bytes, {count} =", bare + b"=" * count)
            else:
                v.malformed(f"base64-pads-{residue}-{count}", f"3n + {residue} bytes, {count} = (case 4)",
                            "base64-padding", bare + b"=" * count)
    bare = unpadded(token_of_residue(0))
    v.malformed("base64-one-over", "a length of 1 mod 4 (case 4)", "base64-padding", bare + b"A")
    v.malformed("base64-one-over-padded", "a length of 1 mod 4 and three = (case 4)", "base64-padding",
                bare + b"A===")
    v.malformed("base64-inner-pad", "= inside (case 4)", None, bare[:40] + b"=" + bare[40:])
    v.malformed("base64-inner-pads", "== inside (case 4)", None, bare[:42] + b"==" + bare[42:])
    v.malformed("base64-pads-apart", "a newline between two = (case 4)", None,
                unpadded(token_of_residue(1)) + b"=\n=")
    v.malformed("base64-joined", "two padded tokens joined (cases 4, 14)", None, base64_of(token_of_residue(1)) * 2)


def _trailing_bits(v):
    """One payload, one spelling: every non-zero pattern of the unused bits is refused."""
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for residue, spare in ((1, 4), (2, 2)):
        bare = unpadded(token_of_residue(residue))
        value = alphabet.index(bare[-1])
        assert value % (1 << spare) == 0
        for bits in range(1, 1 << spare):
            wrong = bare[:-1] + alphabet[value + bits:value + bits + 1]
            v.malformed(f"base64-trailing-bits-{residue}-{bits}", "unused bits that are not zero (case 5)",
                        "base64-trailing-bits", wrong + b"=" * (3 - residue))
            if bits == 1:
                v.malformed(f"base64-trailing-bits-{residue}-{bits}-unpadded", "the same without padding (case 5)",
                            "base64-trailing-bits", wrong)


def _decoded(v):
    raw = token()
    for name, first in (("space", b"<signatureInfo >"), ("slash", b"<signatureInfo/>"), ("cut", b"<signatureInfo"),
                        ("equals", b"<signatureInfo=>"), ("nul", b"<signatureInfo\0>")):
        whole = first + (raw[15:] if name != "cut" else b"")
        assert base64_of(whole).startswith(b"PHNpZ25hdHVyZUluZm8")
        v.malformed(f"base64-decoded-{name}", "the decoded text has another marker", "decoded-unknown-form",
                    base64_of(whole))
    v.malformed("base64-decoded-cut-unpadded", "the shortest text that counts as base64", "decoded-unknown-form",
                b"PHNpZ25hdHVyZUluZm8")
    v.malformed("base64-decoded-marker-only", "the marker and nothing behind it", None, b"PHNpZ25hdHVyZUluZm8+")
    v.malformed("base64-decoded-marker-space", "the marker's + lost to a form", None, b"PHNpZ25hdHVyZUluZm8 ")
    signed_newline = token(body() + b"\n")
    v.valid("base64-signed-newline", "a signed final newline survives in base64", base64_of(signed_newline))
