#!/usr/bin/env -S python3 -B
"""Makes `cases.ndjson`: decision documents, and the expected outcome of each. With --check: compares, and writes nothing.

What is expected of a case is written by hand below. A second reader, of Python's own JSON, must come to the same.

    name        what the case is about
    resource    which decision is asked for; absent: any
    document    the text, or documentBase64 its bytes
    paddedTo    as many bytes as it has with spaces after it
    expect      `token TEXT`, `no-token`, `no-token CODE` or `broken`

@TNT@ and @TBS@ stand in for tokens of these resources; @WRONG@ for one of TBS in a decision about TNT.
"""

import base64
import json
import math
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().with_name("cases.ndjson")
MOST_BYTES, MOST_LEVELS = 1_048_576, 32
cases = []


def case(name, document, expect, resource="TNT", padded_to=None):
    cases.append((name, document if isinstance(document, bytes) else document.encode(), expect, resource, padded_to))


# MARK: cases

PERMIT = {
    "resource": "TNT", "serviceProvider": "REF30", "mvpd": "Cablevision", "source": "mvpd", "authorized": True,
    "token": {"issuedAt": 1697094207324, "notBefore": 1697094207324, "notAfter": 1697094802367, "serializedToken": "@TNT@"},
    "notBefore": 1697094207324, "notAfter": 1697098802367,
}
ERROR = {
    "action": "retry", "status": 403, "code": "authorization_denied_by_mvpd", "message": "The MVPD said \"Deny\"",
    "helpUrl": "https://example.com/help", "trace": "12f6fef9-d2e0-422b-a9d7-60d799abe353",
}
NOTHING = object()


def decision(**changes):
    """A permit with other members; NOTHING takes one away."""
    members = PERMIT | changes
    return {name: value for name, value in members.items() if value is not NOTHING}


def token(**changes):
    members = PERMIT["token"] | changes
    return {name: value for name, value in members.items() if value is not NOTHING}


def document(*decisions, **others):
    return json.dumps({"decisions": list(decisions)} | others)


def with_text(old, new, text=None):
    text = text or document(PERMIT)
    if text.count(old) != 1:
        raise ValueError(f"expected {old} once")
    return text.replace(old, new)


def nested(levels):
    """An ignored member of a permit, so deep that the document has this many levels."""
    inner = levels - 3
    return with_text('"source": "mvpd"', '"source": ' + "[" * inner + "]" * inner)


TBS = decision(resource="TBS", token=token(serializedToken="@TBS@"))
DENY = decision(authorized=False, token=NOTHING, error=ERROR)

# What Adobe documents.
case("a permit", document(PERMIT), "token @TNT@")
case("a permit, printed over many lines", json.dumps({"decisions": [PERMIT]}, indent=4), "token @TNT@")
case("a permit with CR LF", json.dumps({"decisions": [PERMIT]}, indent=1).replace("\n", "\r\n"), "token @TNT@")
case("a denial", document(DENY), "no-token authorization_denied_by_mvpd")
case("a permit and a denial, of the permit", document(PERMIT, decision(**DENY | {"resource": "TBS"}, token=NOTHING)), "token @TNT@")
case("a permit and a denial, of the denial", document(TBS, DENY), "no-token authorization_denied_by_mvpd")
case("an error in place of decisions", json.dumps(ERROR), "no-token authorization_denied_by_mvpd")
case("the same for any resource", json.dumps(ERROR), "no-token authorization_denied_by_mvpd", resource=None)
case("its details may be anything", json.dumps(ERROR | {"status": None, "message": [1]}), "no-token authorization_denied_by_mvpd")
case("published denials are not JSON: quotes", with_text(r'said \"Deny\"', 'said "Deny"', document(DENY)), "broken")
case("published denials are not JSON: a comma", document(PERMIT, TBS).replace("}, {", "}\n{"), "broken")

# Which decision.
case("the second of two", document(TBS, PERMIT), "token @TNT@")
case("the first of two", document(TBS, PERMIT), "token @TBS@", resource="TBS")
case("none of two", document(TBS, PERMIT), "broken", resource="HBO")
case("none at all", document(), "broken")
case("none at all, for any resource", document(), "broken", resource=None)
case("two of the same resource", document(PERMIT, PERMIT), "broken")
case("a denial and a permit of the same resource", document(DENY, PERMIT), "broken")
case("any resource of one decision", document(TBS), "token @TBS@", resource=None)
case("any resource of two decisions", document(TBS, PERMIT), "broken", resource=None)
case("another case of letters", document(decision(resource="tnt")), "broken")
case("a space after the resource", document(decision(resource="TNT ")), "broken")
case("a prefix of the resource", document(decision(resource="TN")), "broken")
case("composed and decomposed are two", document(decision(resource="Caf\u00e9")), "broken", resource="Cafe\u0301")
case("an escaped resource", with_text('"resource": "TNT"', r'"resource": "\u0054\u004eT"'), "token @TNT@")
case("a resource with signs", document(decision(resource="<rss>\u00e9\U0001F3AC&\"\\")), "token @TNT@",
     resource="<rss>\u00e9\U0001F3AC&\"\\")
case("a decision without resource", document(decision(resource=NOTHING)), "broken")
case("a decision without resource, for any", document(decision(resource=NOTHING)), "token @TNT@", resource=None)
case("an empty resource", document(decision(resource="")), "broken")
case("one without resource next to the right one", document(decision(resource=NOTHING), PERMIT), "token @TNT@")
case("the wrong token in the right decision", document(decision(token=token(serializedToken="@WRONG@"))), "token @WRONG@")

# No token.
case("authorized is false", document(decision(authorized=False)), "no-token")
case("authorized is absent", document(decision(authorized=NOTHING)), "no-token")
case("token is absent", document(decision(token=NOTHING)), "no-token")
case("token is null", document(decision(token=None)), "no-token")
case("token is empty", document(decision(token={})), "no-token")
case("serializedToken is absent", document(decision(token=token(serializedToken=NOTHING))), "no-token")
case("an error next to a token", document(decision(error=ERROR)), "no-token authorization_denied_by_mvpd")
case("an error next to a token, authorized false", document(decision(error=ERROR, authorized=False)),
     "no-token authorization_denied_by_mvpd")
case("an empty error next to a token", document(decision(error={})), "no-token")
case("error is null", document(decision(error=None)), "token @TNT@")
case("an empty serializedToken is a token", document(decision(token=token(serializedToken=""))), "token ")
case("white space is a token", document(decision(token=token(serializedToken=" \n"))), "token  \n")

# Codes are unsigned.
for code, shown in [
        ("a", "a"), ("A-z_0.9", "A-z_0.9"), ("x" * 128, "x" * 128), ("x" * 129, "-"), ("", "-"), ("a b", "-"),
        ("a\nVALID_TOKEN", "-"), ("\u00e9", "-"), ("\x1b[2J", "-"), ("a:b", "-"), ("a/b", "-"), ("-", "-")]:
    case(f"the code {code[:20]!r} of {len(code)}", document(decision(**DENY | {"error": {"code": code}}, token=NOTHING)), f"no-token {shown}")
    case(f"the same at the top", json.dumps({"code": code}), f"no-token {shown}")

# Each member that is read has one type.
OTHERS = [("null", None), ("a number", 1), ("true", True), ("a string", "true"), ("an array", []), ("an object", {})]
for member, right in [("resource", "a string"), ("authorized", "true"), ("error", "an object"), ("token", "an object")]:
    for kind, value in OTHERS:
        if kind != right and not (value is None and member in ("error", "token")):
            case(f"{member} is {kind}", document(decision(**{member: value})), "broken", resource=None)
for kind, value in OTHERS:
    if kind != "a string":
        case(f"serializedToken is {kind}", document(decision(token=token(serializedToken=value))), "broken")
        case(f"error.code is {kind}", document(decision(error={"code": value})), "broken")
        case(f"the code at the top is {kind}", json.dumps({"code": value}), "broken")
    if kind != "an array":
        case(f"decisions is {kind}", json.dumps({"decisions": value}), "broken")
    if kind != "an object":
        case(f"a decision is {kind}", document(value, PERMIT), "broken")
        case(f"the document is {kind}", json.dumps(value), "broken")
case("another decision is broken", document(PERMIT, decision(resource="TBS", authorized="yes")), "broken")
case("the error of another decision is broken", document(PERMIT, decision(resource="TBS", error="no")), "broken")
case("authorized is false, and the token is broken", document(decision(authorized=False, token="@TNT@")), "broken")
case("neither decisions nor code", "{}", "broken")
case("decisions next to a code", document(PERMIT, code="x", status=500), "token @TNT@")
case("decisions next to a broken code", document(PERMIT, code=[]), "token @TNT@")
case("decisions next to an error", document(PERMIT, error=ERROR), "token @TNT@")
case("an error with a status alone", json.dumps({"status": 500, "action": "none"}), "broken")
case("a member of another case", with_text('"authorized"', '"Authorized"'), "no-token")
case("decisions of another case", with_text('"decisions"', '"Decisions"'), "broken")

# Members that are not read may be anything.
for kind, value in OTHERS + [("a fraction", -1.5e3), ("nested", {"a": [{"authorized": False, "error": {"code": "x"}}]})]:
    case(f"ignored members are {kind}", document(
        decision(mvpd=value, serviceProvider=value, source=value, notBefore=value, notAfter=value, extra=value,
                 token=token(notBefore=value, notAfter=value, issuedAt=value, extra=value)), extra=value, status=value), "token @TNT@")
case("names that only look the same", with_text('"source"', '"reso\u0075rce "'), "token @TNT@")
case("a token elsewhere", document(decision(serializedToken="@TBS@")), "token @TNT@")
case("an error elsewhere", document(decision(token=token(error=ERROR))), "token @TNT@")

# A member twice.
for name, where in [("resource", '"resource": "TNT"'), ("authorized", '"authorized": true'), ("serializedToken", '"serializedToken": "@TNT@"'),
                    ("issuedAt, which is not read", '"issuedAt": 1697094207324'), ("source, which is not read", '"source": "mvpd"')]:
    case(f"twice: {name}", with_text(where, f"{where}, {where}"), "broken")
case("twice: decisions", '{"decisions": [], "decisions": [' + json.dumps(PERMIT) + "]}", "broken")
case("twice: token", with_text('"token"', '"token": null, "token"'), "broken")
case("twice: error", with_text('"token"', '"error": null, "error": null, "token"'), "broken")
case("twice: one of them escaped", with_text('"authorized"', r'"authori\u007aed": false, "authorized"'), "broken")
case("twice: deep in what is not read", with_text('"mvpd": "Cablevision"', '"mvpd": [[{"x": {"a": 1, "a": 1}}]]'), "broken")
case("twice: in another decision", document(PERMIT, {"x": 1}).replace('"x": 1', '"x": 1, "x": 2'), "broken")
case("the same name in two objects", with_text('"mvpd": "Cablevision"', '"mvpd": {"resource": 1}'), "token @TNT@")

# Strict JSON.
for name, text in [
        ("a comment", with_text('"source"', '/* */ "source"')), ("a comma too many", with_text('"TNT"', '"TNT",')),
        ("a comma at the end", document(PERMIT)[:-1] + ",}"), ("single quotes", document(PERMIT).replace('"', "'")),
        ("a bare name", with_text('"source"', "source")), ("text after it", document(PERMIT) + "x"),
        ("another document after it", document(PERMIT) * 2), ("cut off", document(PERMIT)[:-1]), ("nothing", ""), ("white space", " \n"),
        ("NaN", with_text('"source": "mvpd"', '"source": NaN')), ("a leading zero", with_text('"source": "mvpd"', '"source": 01')),
        ("a plus", with_text('"source": "mvpd"', '"source": +1')), ("True", with_text("true", "True")),
        ("a line feed in a string", with_text('"mvpd"', '"mv\npd"', document(decision(source=1)))),
        ("a tab in a string", with_text("Cablevision", "Cable\tvision")), ("a broken escape", with_text("Cablevision", r"\x41")),
        ("NUL in a string", with_text("Cablevision", r"\u0000")), ("NUL in a name", with_text('"source"', r'"sou\u0000rce"')),
        ("half of a pair", with_text("Cablevision", r"\ud83d")), ("the other half", with_text("Cablevision", r"\ude00")),
        ("a number out of range", with_text('"source": "mvpd"', '"source": 1e999')),
        ("an integer of 20 digits", with_text('"source": "mvpd"', '"source": 12345678901234567890')),
        ("a form", "decisions=x"), ("XML", "<decisions/>")]:
    case(f"not strict: {name}", text, "broken")
case("not strict: a byte order mark", b"\xef\xbb\xbf" + document(PERMIT).encode(), "broken")
case("not strict: UTF-16", document(PERMIT).encode("utf-16-le"), "broken")
case("not strict: Latin-1", with_text("Cablevision", "Caf\xe9", document(PERMIT)).encode("latin-1"), "broken")
case("not strict: an overlong form", document(PERMIT).encode().replace(b"Cablevision", b"\xc0\xaf"), "broken")
case("not strict: NUL after it", document(PERMIT).encode() + b"\0", "broken")
case("both halves of a pair", with_text("Cablevision", r"\ud83d\ude00"), "token @TNT@")

# Bounds.
for levels in (MOST_LEVELS - 1, MOST_LEVELS):
    case(f"{levels} levels", nested(levels), "token @TNT@")
case(f"{MOST_LEVELS + 1} levels", nested(MOST_LEVELS + 1), "broken")
case("2000 levels", nested(2000), "broken")
case("brackets in strings are no levels", with_text("Cablevision", "[{" * 40 + r"\"[{\\"), "token @TNT@")
for size in (MOST_BYTES - 1, MOST_BYTES):
    case(f"{size} bytes", document(PERMIT), "token @TNT@", padded_to=size)
case(f"{MOST_BYTES + 1} bytes", document(PERMIT), "broken", padded_to=MOST_BYTES + 1)
case("a long string that is not read", document(decision(extra="x" * 9000)), "token @TNT@")
case("eighty decisions", document(*[decision(resource=f"R{number}") for number in range(79)], PERMIT), "token @TNT@")


# MARK: the second reader


class Broken(Exception):
    pass


def outcome(document, resource):
    """The expected outcome of a document, by Python's JSON."""
    if len(document) > MOST_BYTES:
        return "broken"
    try:
        read = strict(document)
        return answer(read, resource)
    except (Broken, ValueError, RecursionError):
        return "broken"


def strict(document):
    def object_of(pairs):
        if len({name for name, _ in pairs}) < len(pairs):
            raise Broken("twice")
        return dict(pairs)

    def integer(text):
        if not -2**63 <= int(text) < 2**63:
            raise Broken("integer")
        return int(text)

    def real(text):
        if math.isinf(float(text)):
            raise Broken("real")
        return float(text)

    def constant(_):
        raise Broken("constant")

    read = json.loads(document.decode("utf-8"), object_pairs_hook=object_of, parse_int=integer, parse_float=real,
                      parse_constant=constant)
    if levels(read) > MOST_LEVELS or any("\0" in text or not is_unicode(text) for text in texts(read)):
        raise Broken("levels or texts")
    return read


def children(value):
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def levels(value):
    if not isinstance(value, (dict, list)):
        return 0
    return 1 + max((levels(child) for child in children(value)), default=0)


def texts(value):
    if isinstance(value, str):
        yield value
    if isinstance(value, dict):
        yield from value
    for child in children(value):
        yield from texts(child)


def is_unicode(text):
    return not any(0xD800 <= ord(character) < 0xE000 for character in text)


def member(value, name, kind, or_null=False):
    found = value.get(name)
    if name in value and not isinstance(found, kind) and not (or_null and found is None):
        raise Broken(name)
    return found


def answer(read, resource):
    if not isinstance(read, dict):
        raise Broken("document")
    if "decisions" not in read:
        code = member(read, "code", str)
        if code is None:
            raise Broken("neither")
        return no_token(code)
    found = [one(decision) for decision in member(read, "decisions", list)]
    found = [said for name, said in found if resource is None or name == resource]
    if len(found) != 1:
        raise Broken("choice")
    return found[0]


def one(decision):
    """The resource of a decision, and its outcome."""
    if not isinstance(decision, dict):
        raise Broken("decision")
    error = member(decision, "error", dict, or_null=True)
    code = member(error or {}, "code", str)
    text = member(member(decision, "token", dict, or_null=True) or {}, "serializedToken", str)
    authorized = member(decision, "authorized", bool)
    said = no_token(code) if error is not None or text is None or authorized is not True else f"token {text}"
    return member(decision, "resource", str), said


def no_token(code):
    if code is None:
        return "no-token"
    plain = all(character.isascii() and (character.isalnum() or character in "_.-") for character in code)
    return "no-token " + (code if plain and 1 <= len(code) <= 128 else "-")


# MARK: the file


def line(name, document, expect, resource, padded_to):
    written = {"name": name}
    if resource is not None:
        written["resource"] = resource
    try:
        written["document"] = document.decode("utf-8")
    except UnicodeDecodeError:
        pass
    # A NUL and a byte order mark are better seen as bytes.
    if "document" not in written or b"\0" in document or document.startswith(b"\xef\xbb\xbf"):
        written.pop("document", None)
        written["documentBase64"] = base64.b64encode(document).decode()
    if padded_to is not None:
        written["paddedTo"] = padded_to
    return json.dumps(written | {"expect": expect}) + "\n"


def main():
    for name, document, expect, resource, padded_to in cases:
        padded = document + b" " * ((padded_to or 0) - len(document))
        found = outcome(padded, resource)
        if found != expect:
            sys.exit(f"{name}: expected {expect}, the second reader says {found}")
    made = "".join(line(*each) for each in cases)
    if "--check" not in sys.argv[1:]:
        FILE.write_text(made)
    elif FILE.read_text() != made:
        sys.exit("cases.ndjson is not what make.py makes; run it without --check")
    print(f"{len(cases)} decision documents, each read alike by two readers")


main()
