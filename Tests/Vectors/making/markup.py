"""Step 4, markup: what is not a plain tag or text, and what stands in the wrong place."""

from .collection import ANY
from .tokens import base64_of, body, element, swapped, token


def add(v):
    _declarations(v)
    _tags(v)
    _nesting(v)
    _outside(v)
    _truncated(v)
    _bulk(v)


def _declarations(v):
    for name, markup in {
        "comment": b"<!-- x -->", "comment-empty": b"<!---->", "comment-open": b"<!--", "comment-dashes": b"<!-- -- -->",
        "pi": b"<?x y?>", "pi-open": b"<?x", "pi-xml": b'<?xml version="1.0"?>', "declaration-1.1":
        b'<?xml version="1.1"?>', "declaration-standalone": b'<?xml version="1.0" standalone="yes"?>',
        "doctype": b"<!DOCTYPE authToken>", "doctype-subset": b'<!DOCTYPE a [<!ENTITY e "TNT">]>', "doctype-parameter":
        b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x">%p;]>', "doctype-file":
        b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>', "doctype-ftp":
        b'<!DOCTYPE a SYSTEM "ftp://127.0.0.1:1/x">', "doctype-lower": b"<!doctype a>", "entity": b'<!ENTITY e "x">',
        "element": b"<!ELEMENT a ANY>", "bang": b"<!>", "bang-only": b"<!",
    }.items():
        # Behind the root it is also content where none may be.
        places = {"before": markup + body(), "between": swapped(body(), b"<ttl>", markup + b"<ttl>"), "inside":
                  body(resourceID=b"CNN" + markup + b"HBO"), "after": body() + markup}
        for place, signed in places.items():
            v.malformed(f"markup-{name}-{place}", "comments, processing instructions, declarations (cases 29, 30, 34, 35, "
                        "41)", None if place == "after" else "forbidden-markup", token(signed), resource=ANY)
    v.malformed("markup-comment-in-ttl", "a comment that joins two numbers (case 29)", "forbidden-markup",
                token(body(ttl="42<!---->0000")))
    v.malformed("markup-comment-in-tag", "a comment inside a tag (case 29)", "broken-tag",
                token(swapped(body(), b"<ttl>", b"<ttl<!---->>")))
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    v.malformed("markup-billion-laughs", "entities of entities (case 36)", "forbidden-markup",
                token(b'<!DOCTYPE a [<!ENTITY l0 "lol">' + laughs + b"]>" + body(resourceID="&l9;")), resource=ANY)
    v.malformed("markup-quadratic", "one large entity, used often (case 36)", "forbidden-markup",
                token(b'<!DOCTYPE a [<!ENTITY a "' + b"a" * 20_000 + b'">]>' + body(resourceID="&a;" * 9_000)),
                resource=ANY)
    v.malformed("markup-recursive", "an entity of itself (case 36)", "forbidden-markup",
                token(b'<!DOCTYPE a [<!ENTITY a "&a;">]>' + body(resourceID="&a;")), resource=ANY)


def _tags(v):
    for name, tag in {
        "attribute": b'<ttl a="1">', "attribute-bare": b"<ttl a>", "attributes": b'<ttl a="1" a="2">', "xml-space":
        b'<ttl xml:space="preserve">', "xmlns": b'<ttl xmlns="u">', "space": b"<ttl >", "newline": b"<ttl\n>", "tab":
        b"<ttl\t>", "prefix": b"<t:ttl>", "less": b"<<ttl>", "slash": b"<ttl/>", "slash-space": b"<ttl />", "quote":
        b'<ttl">', "equals": b"<ttl=>", "amp": b"<ttl&amp;>", "nul-reference": b"<ttl&#0;>", "not-ascii":
        "<ttlé>".encode(), "space-first": b"< ttl>", "nbsp": "<ttl\u00a0>".encode(),
    }.items():
        v.malformed(f"tag-start-{name}", "a start tag that is more than a plain name (cases 37, 38, 39)", "broken-tag",
                    token(swapped(body(), b"<ttl>", tag)))
    for name, tag in {
        "space": b"</ttl >", "newline": b"</ttl\n>", "space-first": b"</ ttl>", "attribute": b'</ttl a="1">', "slash":
        b"</ttl/>", "prefix": b"</t:ttl>", "less": b"</<ttl>", "empty": b"</>",
    }.items():
        # An end tag whose name begins otherwise is also the end tag of another element.
        reason = None if name in ("space-first", "prefix", "less", "empty") else "broken-tag"
        v.malformed(f"tag-end-{name}", "an end tag that is more than a plain name (case 39)", reason,
                    token(swapped(body(), b"</ttl>", tag)))
    for name, tag in {"digit": b"9a", "dash": b"-a", "dot": b".a", "colon": b":a", "colon-inside": b"a:b", "empty": b"",
                      "not-ascii": "é".encode(), "plus": b"a+b", "slash": b"a/b"}.items():
        v.malformed(f"tag-name-{name}", "a name that is none", "broken-tag", token(body(more=element(tag, b"x"))))
    for name, tag in {"letter": b"x", "underscore": b"_", "all": b"_aZ09_.-", "upper": b"X", "dots": b"a...", "xml": b"xml",
                      "like-root": b"authToken", "like-marker": b"signatureInfo", "ttl-upper": b"TTL"}.items():
        v.valid(f"tag-name-allowed-{name}", "an unknown field with a plain ASCII name (case 26)",
                token(body(more=element(tag, b"x"))))
    v.valid("tag-name-long", "the longest name that fits into a token breaks no rule (case 47)",
            token(body(more=element(b"n" * 32_000, b"x"))))
    for name, old, new in (("field", b"</ttl>", b"</ttI>"), ("field-case", b"</ttl>", b"</TTL>"),
                           ("field-longer", b"</ttl>", b"</ttls>"), ("field-shorter", b"</ttl>", b"</tt>"),
                           ("root", b"</authToken>", b"</shortAuthorizationToken>"),
                           ("root-early", b"</ttl>", b"</authToken>"), ("root-case", b"</authToken>", b"</authtoken>")):
        v.malformed(f"tag-mismatch-{name}", "the end tag of another element", "tag-mismatch",
                    token(swapped(body(), old, new)))
    v.malformed("tag-mismatch-crossed", "two elements crossed", None,
                token(body(more=b"<x><y></x></y>")))
    v.malformed("tag-field-self-closed", "a field that closes itself (case 39)", "broken-tag",
                token(body(more=b"<proxyMvpdId/>")))
    v.malformed("tag-many-attributes", "thousands of attributes (case 36)", "broken-tag",
                token(swapped(body(), b"<ttl>", b"<ttl" + b"".join(b' a%d=""' % n for n in range(5_000)) + b">")))


def _nesting(v):
    for name, signed in {
        "in-resource": body(resourceID="<b>TNT</b>"), "in-ttl": body(ttl="<b>420000</b>"), "in-unknown":
        body(more=b"<x><resourceID>HBO</resourceID></x>"), "mrss": body(resourceID="<rss><channel/></rss>"),
        "self-closed": body(resourceID="TNT<b/>"), "token-in-token": body(more=b"<x>" + body() + b"</x>"),
        "duplicate": body(more=b"<x><ttl>999999999</ttl></x>"),
    }.items():
        v.malformed(f"nested-{name}", "an element inside a field (cases 24, 50)", "nested-element", token(signed),
                    resource=ANY)
    for root in ("AuthToken", "authtoken", "AUTHTOKEN", "authToke", "authTokens", "shortAuthorizationtoken",
                 "simpleAuthenticationToken", "simpleAuthorizationToken", "simpleToken", "signatureInfo", "x", "_authToken",
                 "shortAuthorizationTokenX"):
        v.malformed(f"root-{root.lower() + ('-c' if root == 'AUTHTOKEN' else '-b' if root[0] == 'A' else '')}",
                    "another root, under a genuine signature (cases 40, 68)", "unknown-root", token(body(root=root)))
    v.malformed("root-authn-with-copy", "an authentication token whose resource quotes an authToken (case 68)",
                "unknown-root", token(body(root="simpleAuthenticationToken",
                                           resourceID=b"<![CDATA[" + body() + b"]]>")), resource=ANY)
    v.malformed("root-wrapped", "a wrapper around the root (case 20)", None, token(element("x", body())))
    v.malformed("root-in-root", "the root inside itself", None, token(element("authToken", body())))
    for name, tag in (("attribute", b'<authToken id="1">'), ("namespace", b'<authToken xmlns="u">'), ("space",
                      b"<authToken >"), ("prefix", b"<a:authToken>")):
        v.malformed(f"root-{name}", "a root tag that is more than its name (cases 37, 38)", "broken-tag",
                    token(swapped(body(), b"<authToken>", tag)))
    v.malformed("root-self-closed", "a root that closes itself", "broken-tag", token(b"<authToken/>"))


def _outside(v):
    for name, text in {"letter": b"x", "nbsp": "\u00a0".encode(), "bom": "\ufeff".encode(), "reference": b"&#32;",
                       "named": b"&lt;", "gt": b">", "semicolon": b";", "nel": "\u0085".encode(), "separator":
                       "\u2028".encode()}.items():
        v.malformed(f"outside-between-{name}", "text between the fields", "text-outside-fields",
                    token(swapped(body(), b"<ttl>", text + b"<ttl>")))
        v.malformed(f"outside-first-{name}", "text before the first field", "text-outside-fields",
                    token(swapped(body(), b"<sessionGUID>", text + b"<sessionGUID>")))
        v.malformed(f"outside-last-{name}", "text behind the last field", "text-outside-fields", token(body(more=text)))
        v.malformed(f"outside-before-{name}", "text before the root (case 21)", "content-outside-root", token(text + body()))
        v.malformed(f"outside-after-{name}", "text behind the root (case 21)", "content-outside-root", token(body() + text))
    v.malformed("outside-second-root", "a second root (cases 15, 17)", "content-outside-root", token(body() * 2))
    v.malformed("outside-second-root-other", "a decoy root in front, both signed (case 15)", "content-outside-root",
                token(body(root="shortAuthorizationToken") + body()))
    v.malformed("outside-end-tag", "an end tag too many", "content-outside-root", token(body() + b"</authToken>"))
    v.malformed("outside-text-only", "no element at all", "content-outside-root", token(b"TNT"))
    for name, blank in (("space", b" "), ("tab", b"\t"), ("lf", b"\n"), ("all", b" \t\n" * 50)):
        signed = blank + swapped(swapped(body(more=blank), b"<ttl>", blank + b"<ttl>"), b"<authToken>",
                                 b"<authToken>" + blank) + blank
        v.valid(f"outside-blank-{name}", "white space around the root and between its children is allowed",
                base64_of(token(signed)))


def _truncated(v):
    whole = body()
    for name, end in {"before-end-tag": whole.index(b"</authToken>"), "after-field": whole.index(b"<ttl>"), "in-text":
                      whole.index(b"20000"), "in-start-tag": whole.index(b"<ttl>") + 3, "after-less":
                      whole.index(b"<ttl>") + 1, "in-end-tag": whole.index(b"</ttl>") + 4, "before-last-gt":
                      len(whole) - 1, "root-tag-only": 11, "in-root-tag": 5, "less-only": 1}.items():
        v.malformed(f"truncated-{name}", "signed bytes that end inside an element", "truncated", token(whole[:end]))
    v.malformed("truncated-in-reference", "signed bytes that end inside a reference", None,
                token(b"<authToken><resourceID>&am"))
    v.malformed("truncated-in-comment", "signed bytes that end inside a comment", "forbidden-markup",
                token(b"<authToken><!-"))
    v.malformed("truncated-nothing", "signed white space alone", None, base64_of(token(b" \n")))
    v.malformed("truncated-unclosed-field", "a field without its end tag swallows the next", "nested-element",
                token(swapped(body(), b"</ttl>", b"")))


def _bulk(v):
    """Work at the size limit stays small and the stack flat (cases 36, 46, 47)."""
    v.malformed("bulk-deep", "20,000 elements deep", None, token(b"<a>" * 20_000), resource=ANY)
    v.malformed("bulk-deep-under-root", "20,000 elements deep below the root", "nested-element",
                token(b"<authToken>" + b"<a>" * 20_000), resource=ANY)
    v.malformed("bulk-deep-2", "one level too deep", "nested-element", token(body(more=b"<x><y></y></x>")))
    v.malformed("bulk-many-children", "9,000 empty children", None, token(b"<authToken>" + b"<a></a>" * 9_000))
    v.malformed("bulk-children-names", "5,000 children with names of their own", "too-many-fields",
                token(b"<authToken>" + b"".join(b"<a%d></a%d>" % (n, n) for n in range(4_000))))
    for name, xml, text in (("references", b"&lt;" * 15_000, b"<" * 15_000), ("sections", b"<![CDATA[x]]>" * 4_000,
                            b"x" * 4_000), ("gt", b">" * 60_000, b">" * 60_000), ("brackets", b"] " * 30_000,
                            b"] " * 30_000), ("numeric", b"&#1114111;" * 6_000, "\U0010ffff".encode() * 6_000)):
        v.valid(f"bulk-{name}", "a resource at the size limit", token(body(resourceID=xml)), resource=text)
    v.valid("bulk-blanks", "60,000 blanks between fields", token(body(more=b" \n" * 30_000)))
