"""Step 4, fields: which there are, how often, and which may be empty."""

from .collection import ANY
from .tokens import FIELDS, body, element, token

REJECT = [("unknown-fields", "reject")]


def add(v):
    _roots(v)
    _presence(v)
    _order(v)
    _repeated(v)
    _number(v)
    _unknown(v)


def _roots(v):
    for root in ("authToken", "shortAuthorizationToken"):
        v.valid(f"fields-six-{root}", "the required fields", token(body(root=root)))
        v.valid(f"fields-seven-{root}", "with proxyMvpdId", token(body(root=root, proxyMvpdId="ProxyOne")))


def _presence(v):
    for field in FIELDS:
        v.malformed(f"fields-missing-{field}", "a required field is missing (case 27)", "missing-field",
                    token(body(**{field: None})), requestor=ANY, resource=ANY)
    v.malformed("fields-none", "no field at all", "missing-field", token(b"<authToken></authToken>"))
    v.malformed("fields-none-blank", "only white space", "missing-field", token(b"<authToken> \n</authToken>"))
    v.malformed("fields-only-unknown", "one field, unknown", "missing-field", token(b"<authToken><x>y</x></authToken>"))
    for field in ("requestorID", "resourceID", "ttl", "issueTime"):
        v.malformed(f"fields-empty-{field}", "a field that must have text has none (cases 39, 111, 112)", "empty-field",
                    token(body(**{field: b""})), requestor=ANY, resource=ANY)
    for name, xml in (("cdata", b"<![CDATA[]]>"), ("two-cdata", b"<![CDATA[]]><![CDATA[]]>")):
        v.malformed(f"fields-empty-resourceID-{name}", "emptiness is judged on the decoded text", "empty-field",
                    token(body(resourceID=xml)), resource=ANY)
    v.malformed("fields-empty-resource-expected-empty", "an empty resource does not match an empty expectation "
                "(case 111)", "empty-field", token(body(resourceID=b"")), resource=b"")
    for name, changes in (("mvpd", {"mvpdId": b""}), ("guid", {"sessionGUID": b""}), ("proxy", {"proxyMvpdId": b""}),
                          ("three", {"mvpdId": b"", "sessionGUID": b"", "proxyMvpdId": b""})):
        v.valid(f"fields-may-be-empty-{name}", "fields that may be empty (case 27)", token(body(**changes)))
    for name, blank in (("space", b" "), ("tab", b"\t"), ("lf", b"\n"), ("reference", b"&#32;"), ("cr", b"&#13;")):
        text = {"reference": b" ", "cr": b"\r"}.get(name, blank)
        v.valid(f"fields-blank-{name}", "one blank is not empty", token(body(resourceID=blank, requestorID=blank)),
                resource=text, requestor=text)
    for name in ("TTL", "ResourceID", "resourceId", "requestorId", "SessionGUID", "issuetime", "mvpdID"):
        right = {"ttl": "ttl", "resourceid": "resourceID", "requestorid": "requestorID", "sessionguid": "sessionGUID",
                 "issuetime": "issueTime", "mvpdid": "mvpdId"}[name.lower()]
        more = element(name, FIELDS[right])
        v.malformed(f"fields-case-{name}", "a name in another case is another field (case 40)", "missing-field",
                    token(body(more=more, **{right: None})), requestor=ANY, resource=ANY)


def _order(v):
    turned = list(FIELDS.items())[::-1]
    v.valid("fields-order-reversed", "the order is free (case 28)",
            token(element("authToken", b"".join(element(name, xml) for name, xml in turned))))
    v.valid("fields-order-proxy-first", "proxyMvpdId in front",
            token(element("authToken", element("proxyMvpdId", b"P") + body()[11:-12])))


def _repeated(v):
    for field, xml in {**FIELDS, "proxyMvpdId": b"ProxyOne"}.items():
        base = {"proxyMvpdId": b"ProxyOne"} if field == "proxyMvpdId" else {}
        v.malformed(f"fields-twice-{field}", "the same value twice (case 23)", "repeated-field",
                    token(body(more=element(field, xml), **base)))
        v.malformed(f"fields-twice-{field}-other", "another value the second time (case 23)", "repeated-field",
                    token(body(more=element(field, b"9999"), **base)))
        v.malformed(f"fields-twice-{field}-empty", "nothing the second time (case 23)", "repeated-field",
                    token(body(more=element(field, b""), **base)))
    v.malformed("fields-twice-empty-first", "empty the first time (case 23)", "repeated-field",
                token(body(proxyMvpdId=b"", more=element("proxyMvpdId", b"P"))))
    v.malformed("fields-twice-unknown", "an unknown field twice (case 23)", "repeated-field",
                token(body(more=b"<x>1</x><y>2</y><x>1</x>")))
    v.malformed("fields-twice-last", "the 32nd field repeats the first", "repeated-field",
                token(body(more=_unknown_fields(25) + element("sessionGUID", b"1"))))
    v.malformed("fields-twice-unescaped-caller", "resource text that was not escaped (case 25)", "repeated-field",
                token(body(resourceID=b"TNT</resourceID><ttl>3600000</ttl><resourceID>x")), resource=ANY)


def _unknown_fields(count):
    return b"".join(element(f"x{n}", b"y") for n in range(count))


def _number(v):
    for total in (31, 32):
        v.valid(f"fields-number-{total}", f"{total} children", token(body(more=_unknown_fields(total - 6))))
    v.malformed("fields-number-33", "33 children", "too-many-fields", token(body(more=_unknown_fields(27))))
    v.valid("fields-number-32-with-proxy", "32 children, seven of them known",
            token(body(proxyMvpdId=b"P", more=_unknown_fields(25))))
    v.malformed("fields-number-33-with-proxy", "33 children, seven of them known", "too-many-fields",
                token(body(proxyMvpdId=b"P", more=_unknown_fields(26))))


def _unknown(v):
    more = element("newField", b"value")
    v.valid("fields-unknown", "an unknown field is ignored and reported (case 26)", token(body(more=more)))
    v.valid("fields-unknown-empty", "also an empty one", token(body(more=element("newField", b""))))
    v.malformed("fields-unknown-rejected", "unless the policy refuses it (case 26)", "unknown-field",
                token(body(more=more)), policy=REJECT)
    v.malformed("fields-unknown-rejected-first", "wherever it stands", "unknown-field",
                token(element("authToken", more + body()[11:-12])), policy=REJECT)
    v.malformed("fields-unknown-rejected-case", "a known name in another case is unknown", "unknown-field",
                token(body(more=element("MvpdId", b"x"))), policy=REJECT)
    v.valid("fields-unknown-none", "under that policy the seven known fields pass",
            token(body(proxyMvpdId=b"P")), policy=REJECT)
