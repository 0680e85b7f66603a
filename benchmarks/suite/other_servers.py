"""What a request costs other servers and ours: BENCHMARKS.md, "other servers"."""

import contextlib
import shlex

from suite import servers
from suite.asking import asker, asking, floor
from suite.contender import Contender, in_turn, must_refuse, spread
from suite.peer_programs import build_c
from suite.peer_tokens import token_files
from suite.results import CPU
from suite.running import Unavailable

OURS = "mediatokend, /v1/verify"
# remunge's two works, and what their difference is.
ENCODING, BOTH, DECODING = "encoding", "encoding and decoding", "munged, one decode"
CREDENTIALS = 4000
# Nothing in HAProxy remembers a token, so a few serve, over and over.
DISTINCT = 100


def measure(bench, *tokens):
    """One comparison for each of `tokens`."""
    for kind in tokens:
        with contextlib.ExitStack() as running:
            compare(bench, kind, running)


def compare(bench, tokens, running):
    """Ours, and all that there are of the others, in turn."""
    bare = running.enter_context(floor(bench, tokens))
    contenders = {OURS: running.enter_context(asking(bench, tokens))}
    for name, start in OTHERS.items():
        try:
            contenders |= start(bench, tokens, running)
        except Unavailable as why:
            bench.results.skip(f"{name}, RSA-{tokens.bits}", str(why))
    credentials = 1000 if bench.quick else CREDENTIALS
    counts = [credentials if name in (ENCODING, BOTH) else tokens.each for name in contenders]
    bare_times, *found = in_turn([bare, *contenders.values()], [tokens.each, *counts], tokens.rounds)
    times = dict(zip(contenders, found))
    if BOTH in times:
        # remunge encodes what it decodes.
        times[DECODING] = [tuple(whole - part for whole, part in zip(*took))
                           for took in zip(times.pop(BOTH), times.pop(ENCODING))]
    for name, took in times.items():
        bench.results.ratio(
            "other servers", f"RSA-{tokens.bits}: {name}", took, bare_times, floor_name="EVP_PKEY_verify", clock=CPU,
            key=tokens.bits, server=name, to_ours=spread([mine[CPU] / own[CPU] for mine, own in zip(took, times[OURS])]))


def bare_http(bench, tokens, running):
    return answering(bench, tokens, running, "bare HTTP", bench.programs / "bare-http")


def libmicrohttpd(bench, tokens, running):
    program = build_c("libmicrohttpd", "libmicrohttpd", ["Sources/CServing/serving.c"])
    return answering(bench, tokens, running, "libmicrohttpd alone", program)


def answering(bench, tokens, running, name, program):
    """A server that verifies nothing, asked what ours is."""
    server = running.enter_context(servers.answering(bench, name.replace(" ", "-"), program))
    contender = running.enter_context(asker(bench, server, tokens.file, bench.cpu))
    contender.run(tokens.warm)
    return {name: contender}


def haproxy(bench, tokens, running):
    """HAProxy, which has refused whatever must be refused."""
    server = running.enter_context(servers.haproxy(bench, tokens.bits))
    files = token_files(bench, tokens.bits, ["jwt"], DISTINCT)["jwt"]
    valid = files.pop("valid")
    for reason, file in files.items():
        must_refuse("HAProxy", reason, lambda: asker(bench, server, file, bench.cpu, 1, "bearer"), "HTTP/1.1 403 ")
    whole = bench.work / f"{valid.name}-repeated"
    whole.write_bytes(valid.read_bytes() * ((tokens.warm + (tokens.rounds + 1) * tokens.each) // DISTINCT + 1))
    contender = running.enter_context(asker(bench, server, whole, bench.cpu, endpoint="bearer"))
    contender.run(tokens.warm)
    return {"HAProxy, jwt_verify": contender}


def munged(bench, _, running):
    server = running.enter_context(servers.munged(bench))
    return {name: running.enter_context(remunge(bench, server, work))
            for name, work in ((ENCODING, "--encode"), (BOTH, "--decode"))}


def remunge(bench, server, work):
    command = ["remunge", work, "--socket", str(server.path), "--duration", "600", "--num-threads", "4"]
    return Contender("remunge", [bench.programs / "daemon-load", "remunge", server.pid, shlex.join(command)], bench.cpu)


OTHERS = {"bare HTTP": bare_http, "libmicrohttpd alone": libmicrohttpd, "HAProxy": haproxy, "munged": munged}
