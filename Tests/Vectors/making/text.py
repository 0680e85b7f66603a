"""Step 4, characters: UTF-8, forbidden characters, references, CDATA, ]]>."""

from .collection import ANY
from .tokens import base64_of, body, swapped, token


def add(v):
    _utf8(v)
    _forbidden(v)
    _allowed(v)
    _references(v)
    _cdata(v)
    _cdata_end(v)


def _utf8(v):
    for name, bad in {
        "overlong-2": b"\xc0\x80", "overlong-2-high": b"\xc1\xbf", "overlong-3": b"\xe0\x80\xaf",
        "overlong-3-high": b"\xe0\x9f\xbf", "overlong-4": b"\xf0\x80\x80\xaf", "overlong-4-high": b"\xf0\x8f\xbf\xbf",
        "surrogate-first": b"\xed\xa0\x80", "surrogate-last": b"\xed\xbf\xbf",
        "surrogate-pair": b"\xed\xa0\xbd\xed\xb8\x80", "above-10ffff": b"\xf4\x90\x80\x80", "f5": b"\xf5\x80\x80\x80",
        "five-bytes": b"\xf8\x88\x80\x80\x80", "fe": b"\xfe", "ff": b"\xff", "continuation": b"\x80",
        "continuation-last": b"\xbf", "cut-2": b"\xc3", "cut-3-1": b"\xe2", "cut-3-2": b"\xe2\x82",
        "cut-4-1": b"\xf0", "cut-4-2": b"\xf0\x9f", "cut-4-3": b"\xf0\x9f\x98", "latin1": b"Caf\xe9",
    }.items():
        v.malformed(f"text-utf8-{name}", "not UTF-8 (case 43)", "not-utf8", token(body(resourceID=b"T" + bad + b"T")),
                    resource=ANY)
    for name, signed in (("in-cdata", body(resourceID=b"<![CDATA[\xff]]>")), ("in-other-field", body(mvpdId=b"\xff")),
                         ("in-unknown-field", body(more=b"<x>\xc3</x>")), ("between", body(more=b"\xff")),
                         ("before", b"\xff" + body()), ("at-end", body() + b"\xe2\x82")):
        v.malformed(f"text-utf8-{name}", "not UTF-8, elsewhere (case 43)", "not-utf8", base64_of(token(signed)),
                    resource=ANY)
    for name, signed in (("in-name", body(more=b"<\xff>x</\xff>")), ("in-reference", body(resourceID=b"&\xff;")),
                         ("utf16", body().decode().encode("utf-16")), ("utf16be", body().decode().encode("utf-16-be")),
                         ("utf32", body().decode().encode("utf-32-le")), ("ebcdic", body().decode().encode("cp037")),
                         ("utf7-declared", b'<?xml version="1.0" encoding="UTF-7"?>' + body()),
                         ("iso2022-declared", b'<?xml version="1.0" encoding="ISO-2022-JP"?>' + body()),
                         ("unknown-declared", b'<?xml version="1.0" encoding="x-none"?>' + body())):
        v.malformed(f"text-encoding-{name}", "another encoding (case 42)", None, base64_of(token(signed)))


def _forbidden(v):
    for code in [*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0D, 0x20)]:
        v.malformed(f"text-control-{code:02x}", f"control character {code:02x} (cases 43, 44, 45)",
                    "forbidden-character", token(body(resourceID=b"T%cT" % code)), resource=ANY)
    for name, text in (("fffe", "\ufffe"), ("ffff", "\uffff")):
        v.malformed(f"text-{name}", "U+FFFE or U+FFFF (case 43)", "forbidden-character",
                    token(body(resourceID=text)), resource=ANY)
    for name, code in (("cr", b"\r"), ("nul", b"\0"), ("vertical-tab", b"\x0b"), ("fffe", "\ufffe".encode())):
        for place, signed in (("cdata", body(resourceID=b"<![CDATA[a" + code + b"b]]>")), ("ttl", body(ttl=b"42" + code)),
                              ("before", code + body()), ("between", body(more=code)), ("after", body() + code)):
            # Between elements it is also text where none may be.
            reason = "forbidden-character" if place in ("cdata", "ttl") else None
            v.malformed(f"text-{name}-{place}", f"{name} in other places (cases 44, 45)", reason,
                        base64_of(token(signed)), resource=ANY)
    v.malformed("text-crlf", "a raw CR LF would be rewritten by XML (case 45)", "forbidden-character",
                token(body(resourceID=b"a\r\nb")), resource=ANY)
    v.malformed("text-nul-in-tag", "NUL inside a tag (case 44)", None, token(body(more=b"<x\0>y</x>")))


def _allowed(v):
    for name, text in {
        "tab": "a\tb", "lf": "a\nb", "lf-only": "\n", "del": "\x7f", "c1": "\u0080\u0085\u009f", "nbsp": "\u00a0",
        "line-separators": "a\u2028b\u2029c", "feff": "a\ufeffb", "fffd": "\ufffd", "d7ff": "\ud7ff", "e000": "\ue000",
        "fdd0": "\ufdd0", "plane-1": "\U00010000", "plane-1-end": "\U0001fffe\U0001ffff", "last": "\U0010ffff",
        "emoji": "\U0001f600", "combining": "e" + "\u0301" * 5_000, "quotes": "\"'", "gt": "a>b", "brackets": "]]",
        "bracket-gt": "]>", "outer-spaces": "  TNT  ", "percent": "%41", "plus": "a+b",
    }.items():
        # Twice the gate's and the parser's view: text as sent is what is compared (cases 43, 45, 48, 49, 117).
        v.valid(f"text-allowed-{name}", "characters that XML 1.0 allows, kept byte for byte (cases 43, 45, 48, 49)",
                base64_of(token(body(resourceID=text))), resource=text.encode())
        v.valid(f"text-allowed-{name}-cdata", "the same inside CDATA",
                base64_of(token(body(resourceID="<![CDATA[" + text + "]]>"))), resource=text.encode())


def _references(v):
    decoded = {
        "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&apos;": "'", "&#9;": "\t", "&#10;": "\n",
        "&#13;": "\r", "&#32;": " ", "&#x20;": " ", "&#x9;": "\t", "&#xA;": "\n", "&#xd;": "\r", "&#127;": "\x7f",
        "&#128;": "\u0080", "&#x85;": "\u0085", "&#xD7FF;": "\ud7ff", "&#xE000;": "\ue000", "&#xFFFD;": "\ufffd",
        "&#x10000;": "\U00010000", "&#x10FFFF;": "\U0010ffff", "&#x10ffff;": "\U0010ffff", "&#1114111;": "\U0010ffff",
        "&#55295;": "\ud7ff", "&#0000000067;": "C", "&#x0000000043;": "C", "&#65533;": "\ufffd", "&#x1FFFE;":
        "\U0001fffe",
    }
    for number, (written, text) in enumerate(decoded.items()):
        v.valid(f"text-reference-{number:02}", f"{written} is decoded once (cases 32, 33)",
                token(body(resourceID="a" + written + "b")), resource=f"a{text}b".encode())
    v.valid("text-reference-once", "&amp;lt; is &lt; and not < (case 114)", token(body(resourceID="A&amp;lt;E")),
            resource=b"A&lt;E")
    v.valid("text-reference-all-fields", "in every field", token(body(
        requestorID="&#82;EF30", ttl="4&#x32;0000", issueTime="&#50;026-11-20&#32;03:59:55 -0800", mvpdId="A&amp;B",
        sessionGUID="&#48;", proxyMvpdId="&lt;&gt;")))
    v.valid("text-reference-unknown-field", "in an unknown field", token(body(more=b"<x>&#x43;&amp;</x>")))
    for name, written in {
        "nbsp": "&nbsp;", "bare": "A&E", "bare-space": "A & E", "at-end": "A&", "only-semicolon": "&;", "lt-open": "&lt",
        "lt-space": "&lt ;", "upper": "&LT;", "amp-upper": "&AMP;", "space-first": "& lt;", "hash": "&#;", "hash-x":
        "&#x;", "upper-x": "&#X43;", "hex-without-x": "&#4A;", "bad-hex": "&#xG;", "bad-hex-later": "&#x4G;", "minus":
        "&#-67;", "plus": "&#+67;", "space-in-number": "&#6 7;", "open-number": "&#67", "open-hex": "&#x43", "double":
        "&&amp;", "parameter": "%e;&e;", "long-name": "&" + "a" * 20_000 + ";",
    }.items():
        v.malformed(f"text-reference-unknown-{name}", "neither one of the five nor a number (cases 32, 33)",
                    "unknown-reference", token(body(resourceID=written)), resource=ANY)
    for written in ("&#0;", "&#x0;", "&#1;", "&#8;", "&#11;", "&#12;", "&#14;", "&#31;", "&#x1F;", "&#xD800;",
                    "&#xDFFF;", "&#55296;", "&#57343;", "&#xFFFE;", "&#xFFFF;", "&#65534;", "&#65535;", "&#x110000;",
                    "&#1114112;", "&#4294967363;", "&#x100000043;", "&#18446744073709551683;",
                    "&#x10000000000000043;", "&#" + "9" * 5_000 + ";", "&#000000000000;"):
        name = written.strip("&#;").lower()[:24]
        v.malformed(f"text-reference-forbidden-{name}", "a number that is no character of XML 1.0, also one that "
                    "wraps to a good one (case 32)", "forbidden-reference", token(body(resourceID=written)),
                    resource=ANY)
    v.malformed("text-reference-split-by-cdata", "a reference cut by a CDATA section", "unknown-reference",
                token(body(resourceID="&am<![CDATA[p;]]>")), resource=ANY)
    v.malformed("text-reference-in-ttl", "a forbidden reference outside resourceID", "forbidden-reference",
                token(body(ttl="42&#0;")))


def _cdata(v):
    for name, xml, text in (
        ("sections", "<![CDATA[T]]><![CDATA[N]]><![CDATA[T]]>", "TNT"), ("mixed", "T<![CDATA[N]]>T", "TNT"),
        ("empty-and-text", "<![CDATA[]]>TNT<![CDATA[]]>", "TNT"), ("nested", "<![CDATA[a<![CDATA[b]]]]>><![CDATA[c]]>",
                                                                   "a<![CDATA[b]]>c"),
        ("brackets", "<![CDATA[]]]]]]>", "]]]]"), ("bracket-gt", "<![CDATA[]>]]>", "]>"), ("amp", "<![CDATA[&amp;&]]>",
                                                                                          "&amp;&"),
        ("comment", "<![CDATA[<!-- -->]]>", "<!-- -->"), ("pi", "<![CDATA[<?x?>]]>", "<?x?>"),
        ("doctype", "<![CDATA[<!DOCTYPE a>]]>", "<!DOCTYPE a>"), ("spoof", "<![CDATA[</resourceID><ttl>999999999</ttl>"
                                                                 "<resourceID>]]>",
                                                                 "</resourceID><ttl>999999999</ttl><resourceID>"),
        ("end-of-token", "<![CDATA[</authToken>]]>", "</authToken>"), ("authn-copy", "<![CDATA[<authToken></authToken>]]>",
                                                                     "<authToken></authToken>"),
        ("reference-beside", "<![CDATA[a]]>&amp;<![CDATA[b]]>", "a&b"), ("space", "<![CDATA[ ]]>", " "),
    ):
        v.valid(f"cdata-{name}", "CDATA in resourceID is concatenated with text (cases 25, 31, 34, 50)",
                token(body(resourceID=xml)), resource=text.encode())
    section = b"<![CDATA[1]]>"
    fields = {"sessionGUID": section, "requestorID": b"<![CDATA[REF30]]>", "ttl": b"<![CDATA[420000]]>", "issueTime":
              b"<![CDATA[2026-11-20 03:59:55 -0800]]>", "mvpdId": section, "proxyMvpdId": section}
    for field, xml in fields.items():
        v.malformed(f"cdata-in-{field}", "CDATA in another field (case 31)", "misplaced-cdata", token(body(**{field: xml})))
    for name, signed in (("unknown-field", body(more=b"<x><![CDATA[]]></x>")), ("between", body(more=section)),
                         ("before-root", section + body()), ("after-root", body() + section)):
        v.malformed(f"cdata-in-{name}", "CDATA where none may be (case 31)",
                    None if name == "after-root" else "misplaced-cdata", token(signed))
    for name, xml in (("case", "<![cdata[TNT]]>"), ("space", "<![ CDATA[TNT]]>"), ("include", "<![INCLUDE[TNT]]>"),
                      ("cut", "<![CDAT"), ("one-bracket", "<![CDATA")):
        v.malformed(f"cdata-broken-{name}", "not a CDATA section", None, token(body(resourceID=xml)), resource=ANY)
    for name, signed in (("open", body(resourceID="<![CDATA[TNT")), ("open-at-end", b"<authToken><resourceID><![CDATA["),
                         ("one-bracket-end", body(resourceID="<![CDATA[TNT]>")),
                         ("space-in-end", body(resourceID="<![CDATA[TNT]] >"))):
        v.malformed(f"cdata-{name}", "a section without its end (case 31)", "truncated", token(signed), resource=ANY)


def _cdata_end(v):
    for name, xml in (("text", "a]]>b"), ("alone", "]]>"), ("three-brackets", "]]]>"), ("at-start", "]]>a"),
                      ("after-section", "<![CDATA[a]]>]]>"), ("after-reference", "&amp;]]>"), ("far", "x" * 4_094 + "]]>")):
        v.malformed(f"cdata-end-in-text-{name}", "]]> outside a section (case 49)", "cdata-end-in-text",
                    token(body(resourceID=xml)), resource=ANY)
    v.malformed("cdata-end-in-text-ttl", "the same in another field", "cdata-end-in-text", token(body(ttl="420000]]>")))
    v.malformed("cdata-end-in-text-unknown-field", "the same in an unknown field", "cdata-end-in-text",
                token(body(more=b"<x>]]></x>")))
    for name, xml in (("escaped", "]]&gt;"), ("bracket-reference", "]&#93;>"), ("first-bracket-reference", "&#93;]>"),
                      ("gt-reference", "]]&#62;"), ("sections", "]]<![CDATA[>]]>"), ("sections-turned",
                                                                                   "]<![CDATA[]]]>>")):
        v.valid(f"cdata-end-written-{name}", "]]> as decoded text is only text (case 49)", token(body(resourceID=xml)),
                resource=b"]]>")
