"""Step 6: requestor, resource, provider; equality of bytes and nothing else."""

import unicodedata

from .collection import ANY, MVPD, REQUESTOR, RESOURCE
from .tokens import body, element, token

LOOKALIKES = {
    "case": "tnt", "first-case": "tNT", "space-before": " TNT", "space-after": "TNT ", "lf-after": "TNT\n", "nbsp":
    "TNT\u00a0", "zero-width": "T\u200bNT", "joiner": "TN\u200dT", "full-width": "\uff34\uff2e\uff34", "rtl-mark":
    "TNT\u200f", "cyrillic": "\u0422NT", "soft-hyphen": "TN\u00adT", "bom": "\ufeffTNT", "combining": "TNT\u0301",
    "prefix": "TN", "longer": "TNT2", "inside": "xTNTx", "variation": "TNT\ufe0f", "other": "HBO", "tab": "TNT\t",
    "percent": "T%4ET", "escaped": "&amp;#84;NT",
}


def add(v):
    _lookalikes(v)
    _normal_forms(v)
    _expectations(v)
    _decoding(v)
    _order(v)
    _providers(v)


def _lookalikes(v):
    for name, text in LOOKALIKES.items():
        v.refused(f"binding-resource-{name}", "a resource that only looks alike (cases 108, 110)", RESOURCE,
                  "other-resource", token(body(resourceID=text)))
        v.refused(f"binding-requestor-{name}", "a requestor that only looks alike (case 108)", REQUESTOR,
                  "other-requestor", token(body(requestorID=text)), requestor=b"TNT")


def _normal_forms(v):
    """Swift's String == says that each of these pairs is equal."""
    for name, text in {"e-acute": "Caf\u00e9", "hangul": "\ud55c\uae00", "a-ring": "\u212b", "ohm": "\u2126",
                       "combining-order": "a\u0323\u0307", "crlf": None}.items():
        if text is None:
            v.refused("binding-form-crlf", "CR LF is one Character in Swift, and not LF (case 109)", RESOURCE,
                      "other-resource", token(body(resourceID="a&#13;\nb")), resource=b"a\nb")
            continue
        forms = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text), "a\u0307\u0323"
                 if name == "combining-order" else text}
        for ours, one in enumerate(sorted(forms)):
            for theirs, other in enumerate(sorted(forms)):
                about = f"canonical equivalence is not equality (case 109): form {ours} against {theirs}"
                ids = f"{name}-{ours}-{theirs}"
                if one == other:
                    v.valid(f"binding-form-{ids}", about, token(body(resourceID=one)), resource=other.encode())
                else:
                    v.refused(f"binding-form-{ids}", about, RESOURCE, "other-resource", token(body(resourceID=one)),
                              resource=other.encode())
                    v.refused(f"binding-form-requestor-{ids}", about, REQUESTOR, "other-requestor",
                              token(body(requestorID=one)), requestor=other.encode())
                    v.refused(f"binding-form-mvpd-{ids}", about, MVPD, "mvpd-not-listed", token(body(mvpdId=one)),
                              policy=[("allow-mvpd", _header(other))])


def _header(text):
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _expectations(v):
    v.refused("binding-resource-expected-nul", "an expectation with NUL behind the name (case 110)", RESOURCE,
              "other-resource", token(), resource=b"TNT\0")
    v.refused("binding-resource-expected-empty", "an empty expectation matches nothing (case 111)", RESOURCE,
              "other-resource", token(), resource=b"")
    v.refused("binding-requestor-expected-empty", "an empty expectation matches nothing (case 111)", REQUESTOR,
              "other-requestor", token(), requestor=b"")
    v.valid("binding-any-requestor", "any requestor, by name (case 111)", token(body(requestorID="OTHER")), requestor=ANY)
    v.valid("binding-any-resource", "any resource, by name (case 111)", token(body(resourceID="OTHER")), resource=ANY)
    v.valid("binding-any-both", "both", token(body(requestorID="X", resourceID="Y")), requestor=ANY, resource=ANY)
    v.refused("binding-any-resource-other-requestor", "any resource does not mean any requestor", REQUESTOR,
              "other-requestor", token(body(requestorID="X")), resource=ANY)
    large = b"\xcc\x81" * 25_000
    v.valid("binding-resource-combining-marks", "one Character of 25,000 marks (case 117)",
            token(body(resourceID=b"e" + large)), resource=b"e" + large)
    v.refused("binding-resource-combining-marks-one-less", "and with one mark less (case 117)", RESOURCE,
              "other-resource", token(body(resourceID=b"e" + large)), resource=b"e" + large[2:])


def _decoding(v):
    v.valid("binding-decoded", "the decoded text is compared with raw text (case 114)",
            token(body(resourceID="A&amp;E")), resource=b"A&E")
    v.refused("binding-decoded-not-twice", "and not with escaped text (case 114)", RESOURCE, "other-resource",
              token(body(resourceID="A&amp;E")), resource=b"A&amp;E")
    v.refused("binding-decoded-once", "nor decoded twice (case 114)", RESOURCE, "other-resource",
              token(body(resourceID="A&amp;amp;E")), resource=b"A&E")
    mrss = '<rss version="2.0"><channel><title>REF30</title></channel></rss>'
    for name, other in (("quotes", mrss.replace('"', "'")), ("space", mrss.replace("<rss ", "<rss  ")), ("declared",
                        '<?xml version="1.0"?>' + mrss), ("self-closed", mrss.replace("<title>REF30</title>", "<title/>"))):
        v.refused(f"binding-mrss-{name}", "MRSS that XML would call the same (case 113)", RESOURCE, "other-resource",
                  token(body(resourceID=f"<![CDATA[{other}]]>")), resource=mrss.encode())
    v.refused("binding-control-characters", "a hostile name is compared, never printed (case 118)", RESOURCE,
              "other-resource", token(body(resourceID="&#13;\n\x7f\u009b31m")))


def _order(v):
    v.refused("binding-requestor-first", "requestor before resource", REQUESTOR, "other-requestor",
              token(body(requestorID="X", resourceID="Y")))
    denied = [("deny-mvpd", "Cablevision")]
    v.refused("binding-requestor-before-mvpd", "requestor before provider", REQUESTOR, "other-requestor",
              token(body(requestorID="X")), policy=denied)
    v.refused("binding-resource-before-mvpd", "resource before provider", RESOURCE, "other-resource",
              token(body(resourceID="X")), policy=denied)


def _providers(v):
    def deny(*names):
        return [("deny-mvpd", name) for name in names]

    def allow(*names):
        return [("allow-mvpd", name) for name in names]

    proxied = body(proxyMvpdId="ProxyOne")
    denied = {
        "mvpd": (body(), deny("Cablevision")), "proxy": (proxied, deny("ProxyOne")), "second": (body(), deny("A",
                 "Cablevision", "B")), "proxy-of-allowed": (proxied, allow("Cablevision") + deny("ProxyOne")),
        "decoded": (body(mvpdId="A&amp;B"), deny("A%26B")), "both-denied": (proxied, deny("Cablevision", "ProxyOne")),
        "first-of-order": (element("authToken", element("proxyMvpdId", b"ProxyOne") + body()[11:-12]), deny("ProxyOne")),
    }
    for name, (signed, policy) in denied.items():
        v.refused(f"binding-mvpd-denied-{name}", "on the deny list", MVPD, "mvpd-denied", token(signed), policy=policy)
    v.refused("binding-mvpd-denied-and-listed", "on both lists: refused", MVPD, None, token(),
              policy=allow("Cablevision") + deny("Cablevision"))
    not_listed = {
        "other": (body(), allow("Dish")), "case": (body(), allow("cablevision")), "proxy-listed": (proxied,
                  allow("ProxyOne")), "prefix": (body(), allow("Cable")), "longer": (body(), allow("Cablevision2")),
        "empty-list-entry": (body(mvpdId=""), allow("")), "empty": (body(mvpdId=""), allow("Cablevision")),
        "nothing-listed": (body(), allow("")), "space": (body(mvpdId=" "), allow("Cablevision")),
    }
    for name, (signed, policy) in not_listed.items():
        v.refused(f"binding-mvpd-not-listed-{name}", "not on the allow list", MVPD, "mvpd-not-listed", token(signed),
                  policy=policy)
    passed = {
        "listed": (body(), allow("Dish", "Cablevision")), "denied-other": (body(), deny("Dish")), "listed-proxied":
        (proxied, allow("Cablevision")), "denied-case": (body(), deny("cablevision")), "denied-prefix": (body(),
         deny("Cable")), "empty-without-lists": (body(mvpdId=""), []), "empty-denied-other": (body(mvpdId=""),
         deny("Dish")), "both": (body(), allow("Cablevision") + deny("Dish")), "no-proxy-denied-proxy": (body(),
         deny("ProxyOne")), "space-listed": (body(mvpdId=" "), allow("%20")),
    }
    for name, (signed, policy) in passed.items():
        v.valid(f"binding-mvpd-passed-{name}", "passes the lists", token(signed), policy=policy)
    _proxies(v, proxied, allow, deny)


def _proxies(v, proxied, allow, deny):
    """An allow list of its own looks at proxyMvpdId; with the other one, both must hold."""
    def proxies(*names):
        return [("allow-proxy-mvpd", name) for name in names]

    not_listed = {
        "other": (proxied, proxies("ProxyTwo")), "absent": (body(), proxies("ProxyOne")),
        "empty": (body(proxyMvpdId=""), proxies("ProxyOne")), "empty-list-entry": (body(proxyMvpdId=""), proxies("")),
        "nothing-listed": (proxied, proxies("")), "mvpd-listed": (proxied, proxies("Cablevision")),
        "case": (proxied, proxies("proxyone")), "prefix": (proxied, proxies("Proxy")),
        "longer": (proxied, proxies("ProxyOne2")), "space": (body(proxyMvpdId=" "), proxies("ProxyOne")),
        "mvpd-on-its-list": (proxied, allow("Cablevision") + proxies("ProxyTwo")),
        "absent-and-mvpd-listed": (body(), allow("Cablevision") + proxies("ProxyOne")),
    }
    for name, (signed, policy) in not_listed.items():
        v.refused(f"binding-proxy-mvpd-not-listed-{name}", "the proxy is not on its allow list", MVPD,
                  "proxy-mvpd-not-listed", token(signed), policy=policy)
    v.refused("binding-proxy-mvpd-listed-mvpd-not", "the proxy is on its list, the provider is not on the other", MVPD,
              "mvpd-not-listed", token(proxied), policy=allow("Dish") + proxies("ProxyOne"))
    v.refused("binding-proxy-mvpd-neither-listed", "the list of providers comes first", MVPD, "mvpd-not-listed",
              token(proxied), policy=allow("Dish") + proxies("ProxyTwo"))
    v.refused("binding-proxy-mvpd-denied-and-listed", "the deny list comes first", MVPD, "mvpd-denied", token(proxied),
              policy=proxies("ProxyOne") + deny("ProxyOne"))
    passed = {
        "listed": (proxied, proxies("ProxyTwo", "ProxyOne")), "both": (proxied, allow("Cablevision") + proxies("ProxyOne")),
        "space-listed": (body(proxyMvpdId=" "), proxies("%20")), "denied-other": (proxied, proxies("ProxyOne") + deny("Dish")),
    }
    for name, (signed, policy) in passed.items():
        v.valid(f"binding-proxy-mvpd-passed-{name}", "passes the lists", token(signed), policy=policy)
