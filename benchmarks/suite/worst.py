"""Tokens of 64 KiB that are as laborious as they may be: genuine ones, and broken ones that anybody can send."""

import base64
import datetime

from suite.bench import run
from suite.contender import in_turn
from suite.results import CPU
from suite.verifications import floor, verification

KEY = 2048
LONGEST = 65_536
# What repeats in the resource id, and what it stands for.
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
    with floor(bench, KEY) as bare:
        for name, (written, text) in TEXTS.items():
            count = (LONGEST - 1200) // len(written.encode())
            slow(bench, bare, name, signed(bench, resource=written * count), text * count)
        share = (LONGEST - 1200) // UNKNOWN_FIELDS // 2
        names = ["".join((chr(ord("a") + number), "x" * (share - 10))) for number in range(UNKNOWN_FIELDS)]
        slow(bench, bare, "unknown fields", signed(bench, more="".join(f"<{name}></{name}>" for name in names)), "TNT")
        slow(bench, bare, "white space", signed(bench, more="\t" * (LONGEST - 1200)), "TNT")
        escaped = b"".join(b"%%%02X" % byte for byte in signed(bench, resource="a" * (LONGEST // 3 - 1200)))
        slow(bench, bare, "each byte percent-encoded", escaped, "a" * (LONGEST // 3 - 1200))


        for name, token in broken(signed(bench)).items():
            measured(bench, bare, "broken", name, token, "--broken")


def broken(genuine):
    """Texts of 64 KiB, or a few bytes less, that no step refuses before it has read them."""
    marker, body = b"<signatureInfo>", b"<authToken>x</authToken>"
    signature = genuine.split(marker)[1]
    escaped, escaped_signature = b"%3CsignatureInfo%3E", signature.replace(b"+", b"%2B")
    # The begin of every token that is base64 as a whole: `<signatureInfo` and two symbols more.
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


def slow(bench, bare, name, token, resource):
    """The record of a genuine token."""
    (bench.work / "resource").write_text(resource)
    measured(bench, bare, "worst", name, token, "--resource", bench.work / "resource")


def measured(bench, bare, benchmark, name, token, *options):
    """The record of one token."""
    (bench.work / benchmark).write_bytes(token + b"\n")
    with verification(bench, bench.key(KEY)[1], bench.work / benchmark, *options) as ours:
        bare_times, times = in_turn([bare, ours], [100, 10], bench.rounds(9))
    bench.results.ratio(
        benchmark, f"RSA-{KEY}, {name}", times, bare_times, floor_name="EVP_PKEY_verify", clock=CPU, key=KEY,
        received_bytes=len(token))


def signed(bench, *, resource="TNT", more=""):
    """A raw token with this text in its resource id, and more behind its fields."""
    issued = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = {"sessionGUID": "a" * 40, "requestorID": "REF30", "resourceID": resource, "ttl": "86400000",
              "issueTime": issued, "mvpdId": "Sample_MVPD"}
    body = "".join(f"<{name}>{text}</{name}>" for name, text in fields.items())
    body = f"<authToken>{body}{more}</authToken>".encode()
    signature = base64.b64encode(run("openssl", "dgst", "-sha256", "-sign", bench.key(KEY)[0], input=body))
    return b"<signatureInfo>" + signature + b"<signatureInfo>" + body
