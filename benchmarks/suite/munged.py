"""munged's decoding beside a request of ours: BENCHMARKS.md, "munged"."""

import shlex

from suite import daemon, servers
from suite.contender import Contender, in_turn, spread
from suite.results import CPU
from suite.running import Failed

CREDENTIALS, ROUNDS = 8000, 5


def measure(bench, *tokens):
    """One comparison for each of `tokens`."""
    try:
        server = servers.munged(bench)
    except Failed as failure:
        bench.results.skip("munged", str(failure))
        return
    if server is None:
        bench.results.skip("munged", "munged or remunge is missing")
        return
    with server:
        for kind in tokens:
            compare(bench, server, kind)


def compare(bench, server, tokens):
    credentials = 2000 if bench.quick else CREDENTIALS
    with daemon.floor(bench, tokens) as bare, daemon.asking(bench, tokens) as ours, \
            remunge(bench, server, "--encode") as encoding, remunge(bench, server, "--decode") as both:
        bare_times, requests, encode_times, both_times = in_turn(
            [bare, ours, encoding, both], [tokens.each, tokens.each, credentials, credentials], bench.rounds(ROUNDS))
    # remunge encodes what it decodes.
    decode_times = [
        tuple(whole - part for whole, part in zip(*times)) for times in zip(both_times, encode_times)]
    for what, times in (("one decode of munged", decode_times), ("one request of ours", requests)):
        bench.results.ratio(
            "munged", f"RSA-{tokens.bits}: {what}", times, bare_times, floor_name="EVP_PKEY_verify", clock=CPU,
            key=tokens.bits, what=what,
            to_ours=spread([took[CPU] / request[CPU] for took, request in zip(times, requests)]))


def remunge(bench, server, work):
    command = ["remunge", work, "--socket", str(server.path), "--duration", "600", "--num-threads", "4"]
    return Contender("remunge", [bench.programs / "daemon-load", "remunge", server.pid, shlex.join(command)], bench.cpu)
