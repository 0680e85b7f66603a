"""Genuine tokens of nearly 64 KiB whose text is as laborious as it may be."""

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


def slow(bench, bare, name, token, resource):
    """The record of one such token."""
    (bench.work / "worst").write_bytes(token + b"\n")
    (bench.work / "resource").write_text(resource)
    with verification(bench, bench.key(KEY)[1], bench.work / "worst", "--resource", bench.work / "resource") as ours:
        bare_times, times = in_turn([bare, ours], [100, 10], bench.rounds(9))
    bench.results.ratio(
        "worst", f"RSA-{KEY}, {name}", times, bare_times, floor_name="EVP_PKEY_verify", clock=CPU, key=KEY,
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
