#!/usr/bin/env -S python3 -B
"""Every type that holds a secret says so: it is `Redacted`, or writes its own `description` and `customMirror`.

A value that cannot be copied, or that may not leave, can't be printed. A type that holds such a type shows what that one shows.
Whether what is printed is free of secrets, RedactionTests tries with values.
"""
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish
from sources import files

#: Types of which any text or bytes may be a secret.
BYTES = re.compile(r"\bUInt8\]|ArraySlice<UInt8>|\bCBOR\b")
#: Names of secrets, whatever holds them, except a truth, a name of something, and a type that is looked at itself.
SECRET = re.compile(r"(guid|password|secret|credentials?)$|serializedtoken|^token$|requestid$|retryword|^mark$|^seed$|^operand$|^given$", re.I)
PLAIN = re.compile(r"^(case\()?\W*(?:\w+: )?(String|Substring|ExactText|UInt64|UInt32|\(UInt64|\[String)|UInt8\]")
#: What holds bytes that anyone may read: of the type, what they are.
SHOWN = {
    "AuthRules": "names of headers, as configured", "AuthRules.Route": "a path, as configured", "RouteTree": "paths, as configured", "DatagramSender": "an address",
    "DistrustedPlace": "a path", "FormerTables": "a file's name", "GivenName": "a requestor or resource", "InspectorFile": "a page",
    "KeyOrigin": "a file's name",
    "Log.Queue": "lines of the log", "MetricsPage": "metrics", "MetricsPages.Last": "metrics", "SocketAddress": "an address",
    "ServingState": "a header's name", "TrustedFolder.End": "a path",
    "RequestName": "the name of a request in answers and logs",
    "Poller.Event": "a number for epoll",
}
TYPE = re.compile(r"\b(struct|class|enum|actor|extension)\s+([A-Z][\w.]*)([^{]*)$", re.S)
STORED = re.compile(r"(?:(?:@\w+|public|package|private|fileprivate|internal|final|unsafe|lazy|weak|nonisolated|unowned)(?:\(\w+\))?\s+)*"
                    r"(?:let|var)\s+(\w+)\s*(?::\s*([^={]+))?(=.*)?$", re.S)
CASE = re.compile(r"(?:indirect )?case\s+(\w+)(\(.*\))$", re.S)


def code(text):
    """Without comments, and without what is in quotation marks."""
    text = re.sub(r'"""(.*?)"""', '""', text, flags=re.S)
    return re.sub(r'//[^\n]*', "", re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text))


def declarations(text):
    """(name of a type, what follows it, its own statements), for each type and extension."""
    open_types, statement, found = [], "", []

    def end():
        if open_types and open_types[-1] and statement.strip():
            open_types[-1][2].append(" ".join(statement.split()))

    for mark in re.split(r"([{}\n;])", text):
        if mark == "{":
            declared = TYPE.search(statement)
            if declared:
                outer = "".join(one[0] + "." for one in open_types if one)
                open_types.append((outer + declared[2], declared[3], []))
                found.append(open_types[-1])
            else:
                # A closure that makes a stored value; else it is a computed one.
                end() if "=" in statement else None
                open_types.append(None)
            statement = ""
        elif mark == "}":
            end()
            open_types.pop()
            statement = ""
        elif mark in "\n;" and statement.count("(") == statement.count(")") and not TYPE.search(statement + " "):
            end()
            statement = ""
        else:
            statement += mark if mark not in "\n;" else " "
    return found


def secrets(statements):
    """The names of stored values that may be secrets."""
    for statement in statements:
        stored, case = STORED.match(statement), CASE.match(statement)
        if re.search(r"\bstatic\b", statement) or not (stored or case):
            continue
        name, kind = (stored[1], (stored[2] or "") + (stored[3] or "")) if stored else (case[1], "case" + case[2])
        if BYTES.search(kind) or (SECRET.search(name) and PLAIN.search(kind.strip())):
            yield name


def judged(texts):
    """Of declarations in Swift: what holds a secret, and what of that shows it."""
    held, quiet = {}, set()
    for module, text in texts:
        for name, clause, statements in declarations(code(text)):
            inherited = set(re.split(r"[\s,:&]+", clause))
            own = "CustomStringConvertible" in inherited and "CustomReflectable" in inherited
            if "~Copyable" in clause or "~Escapable" in clause or "Redacted" in inherited or own:
                quiet.add((module, name))
            found = list(secrets(statements))
            if found:
                held.setdefault((module, name), []).extend(found)
    return held, {one: held[one] for one in held.keys() - quiet if one[1] not in SHOWN}


def main():
    texts = [(path.relative_to(ROOT / "Sources").parts[0], path.read_text())
             for path in files(ROOT / "Sources") if path.suffix == ".swift"]
    held, wrong = judged(texts)
    check("types that hold secrets are found", len(held) > 40, len(held))
    check("every type that holds a secret shows none", not wrong, sorted(wrong.items()))
    needless = SHOWN.keys() - {name for _, name in held}
    check("what is named as shown exists", not needless, needless)
    for text in ("struct A { let sessionGUID: String }", "final class B { private var body: [UInt8] = []\n}", "enum C { case token([UInt8], Int) }",
                 "struct D: CustomStringConvertible {\n  struct E {\n    private let password: String?\n  }\n}"):
        check(f"a type with a secret that does not say so is found: {text.split('{')[0]}", len(judged([("M", text)])[1]) == 1)
    for text in ("struct A: ~Copyable { let sessionGUID: String }", "struct B: Redacted { let password = \"\" }", "struct C { var password: String { \"\" } }",
                 "struct D { let token: Bool }", "struct E { let secret: String }\nextension E: CustomStringConvertible, CustomReflectable {}"):
        check(f"a type that is redacted, or shows no secret, is not found: {text.split('{')[0]}", not judged([("M", text)])[1], judged([("M", text)])[1])
    finish()


main()
