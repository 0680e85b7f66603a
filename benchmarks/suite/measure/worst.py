"""Tokens of 64 KiB that are as laborious as they may be: genuine ones, and broken ones, which anyone can send."""

import base64
import datetime

from suite.measure.running import run
from suite.measure.verifications import LONGEST, verification

KEY = 2048
# What repeats in the resource id, and what it means.
TEXTS = {
    "plain letters": ("a", "a"),
    "two-byte characters": ("é", "é"),
    "four-byte characters": ("😀", "😀"),
    "closing brackets": ("]", "]"),
    "named references": ("&lt;", "<"),
    "numeric references": ("&#9;", "\t"),
    "CDATA sections": ("<![CDATA[a]]>", "a"),
}
# A token has at most 32 fields (Limits.swift), six of them its own.
UNKNOWN_FIELDS = 26


def measure(bench):
    for name, (written, text) in TEXTS.items():
        count = (LONGEST - 1200) // len(written.encode())
        slow(bench, name, signed(bench, resource=written * count), text * count)
    share = (LONGEST - 1200) // UNKNOWN_FIELDS // 2
    names = [chr(ord("a") + number) + "x" * (share - 10) for number in range(UNKNOWN_FIELDS)]
    slow(bench, "unknown fields", signed(bench, more="".join(f"<{name}></{name}>" for name in names)), "TNT")
    slow(bench, "white space", signed(bench, more="\t" * (LONGEST - 1200)), "TNT")
    length = LONGEST // 3 - 1200
    escaped = b"".join(b"%%%02X" % byte for byte in signed(bench, resource="a" * length))
    slow(bench, "each byte percent-encoded", escaped, "a" * length)
    for name, token in broken(signed(bench)).items():
        measured(bench, "broken", name, token, "--broken")


def broken(genuine):
    """Texts of 64 KiB, or a few bytes less, that no step refuses before it has read them."""
    marker, body = b"<signatureInfo>", b"<authToken>x</authToken>"
    signature = genuine.split(marker)[1]
    escaped, escaped_signature = b"%3CsignatureInfo%3E", signature.replace(b"+", b"%2B")
    # The beginning of every token that is base64 as a whole: `<signatureInfo` and two symbols more.
    begin = b"PHNpZ25hdHVyZUluZm8+"
    return {
        "white space": b"\t" * LONGEST,
        "long signature": filled(marker, b"A", marker + body),
        "long signature, broken at its end": filled(marker, b"A", b"!!!!" + marker + body),
        "long signature of spaces": filled(marker, b" ", marker + body),
        "long signature of padding": filled(marker, b"=", marker + body),
        "signed by no key": filled(marker + signature + marker, b"a"),
        "percent form signed by no key": filled(escaped + escaped_signature + escaped, b"a"),
        "percent form signed by no key, all escapes": filled(escaped + escaped_signature + escaped, b"%41"),
        "percent form signed by no key, every other byte an escape":
            filled(escaped + escaped_signature + escaped, b"a%41"),
        "percent form, broken at its end": filled(escaped, b"a", b"%4"),
        "percent form of pluses, broken at its end": filled(escaped, b"+", b"%4"),
        "percent form, long signature": filled(escaped, b"A", escaped + b"x"),
        "base64 signed by no key": base64.b64encode(filled(marker + signature + marker, b"a", length=LONGEST // 4 * 3)),
        "base64, long signature": base64.b64encode(filled(marker, b"A", marker + body, length=LONGEST // 4 * 3)),
        "base64 of spaces, broken at its end": filled(begin, b" ", b"!"),
        "base64 for URLs, broken at its end": filled(begin[:-1], b"_-", b"!"),
        "base64, all escapes": filled(begin, b"%2B"),
        "base64, one escape in four": filled(begin, b"AAA%2B"),
        "base64, padding": filled(begin, b"="),
    }


def filled(begin, unit, end=b"", length=LONGEST):
    """As long as a text may be, with the unit as often as it fits."""
    return begin + unit * ((length - len(begin) - len(end)) // len(unit) // 4 * 4) + end


def slow(bench, name, token, resource):
    """The record of a genuine token."""
    (bench.work / "resource").write_text(resource)
    measured(bench, "worst", name, token, "--resource", bench.work / "resource")


def measured(bench, benchmark, name, token, *options):
    """The record of one token."""
    (bench.work / benchmark).write_bytes(token + b"\n")
    ours = verification(bench, bench.key(KEY).public, bench.work / benchmark, *options)
    bench.compare(benchmark, f"RSA-{KEY}, {name}", ours, bench.floor(KEY), [100, 10], bench.rounds(9), key=KEY,
                  received_bytes=len(token))


def signed(bench, *, resource="TNT", more=""):
    """A raw token with this text in its resource id, and more after its fields."""
    issued = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = {"sessionGUID": "a" * 40, "requestorID": "REF30", "resourceID": resource, "ttl": "86400000",
              "issueTime": issued, "mvpdId": "Sample_MVPD"}
    body = "".join(f"<{name}>{text}</{name}>" for name, text in fields.items())
    body = f"<authToken>{body}{more}</authToken>".encode()
    signature = base64.b64encode(run("openssl", "dgst", "-sha256", "-sign", bench.key(KEY).private, input=body))
    return b"<signatureInfo>" + signature + b"<signatureInfo>" + body
