"""What a request costs other servers and ours: BENCHMARKS.md, "other servers"."""

import contextlib
import json
import os
import shlex
import shutil
import signal

from suite.measure.asking import asker, asking
from suite.measure.contender import Contender, must_refuse, take_turns
from suite.measure.peer_programs import build_c
from suite.measure.peer_tokens import token_files
from suite.measure.running import Unavailable
from suite.measure.servers import Server
from suite.results import BENCHMARKS

OURS = "mediatokend, /v1/verify"
# remunge's two works, and what their difference is.
ENCODING, BOTH, DECODING = "encoding", "encoding and decoding", "munged, one decode"
# Nothing in HAProxy remembers a token, so a few serve, over and over.
DISTINCT = 100
# As long as mediatokend's answer to such a token.
ANSWER = json.dumps({
    "verdict": "VALID_TOKEN", "number": 0, "identity": "0" * 64, "requestorID": "REF30", "resourceID": "TNT",
    "mvpdId": "Sample_MVPD", "sessionGUID": "0" * 32, "issueTime": "2026-01-01T00:00:00.000Z", "ttl": 3600000,
    "expiresAt": "2026-01-01T01:00:00.000Z", "keyFingerprint": "0" * 64, "unknownFields": [], "use": "first", "retry": False,
    "requestID": "0" * 16}, separators=(",", ":")) + "\n"


def measure(bench, *tokens):
    """One comparison for each of `tokens`."""
    for kind in tokens:
        with contextlib.ExitStack() as running:
            compare(bench, kind, running)


def compare(bench, tokens, running):
    """Ours, and all that there are of the others, in turn."""
    bare = running.enter_context(bench.floor(tokens.bits))
    works = {OURS: running.enter_context(asking(bench, tokens))}
    for name, others in {"bare HTTP": bare_http, "libmicrohttpd alone": libmicrohttpd, "HAProxy": haproxy,
                         "munged": munged}.items():
        try:
            works |= running.enter_context(others(bench, tokens))
        except Unavailable as why:
            bench.results.skip(f"{name}, RSA-{tokens.bits}", why)
    credentials = 1000 if bench.quick else 4000
    counts = [credentials if name in (ENCODING, BOTH) else tokens.each for name in works]
    floor, *found = take_turns([bare, *works.values()], [tokens.each, *counts], tokens.rounds)
    times = dict(zip(works, found))
    if BOTH in times:
        # remunge encodes what it decodes.
        times[DECODING] = [tuple(whole - part for whole, part in zip(*took))
                           for took in zip(times.pop(BOTH), times.pop(ENCODING))]
    for name, took in times.items():
        bench.results.ratio("other servers", f"RSA-{tokens.bits}: {name}", took, floor, ours=times[OURS], key=tokens.bits,
                            server=name)


def bare_http(bench, tokens):
    return answering(bench, tokens, "bare HTTP", bench.programs / "bare-http")


def libmicrohttpd(bench, tokens):
    return answering(bench, tokens, "libmicrohttpd alone", build_c("libmicrohttpd", ["Sources/CServing/serving.c"]))


@contextlib.contextmanager
def answering(bench, tokens, name, program):
    """A server that always answers the same, asked what ours is."""
    with server(bench, name, lambda folder: [program, folder / "socket", ANSWER]) as always, asker(
            bench, always, tokens.file, bench.cpu, warm=tokens.warm) as asked:
        yield {name: asked}


@contextlib.contextmanager
def haproxy(bench, tokens):
    """HAProxy with one thread, which has refused whatever must be refused."""
    def command(folder):
        (folder / "answer").write_text(ANSWER)
        return ["env", f"SOCKET={folder}/socket", f"KEY={bench.key(tokens.bits).public}", f"ANSWER={folder}/answer",
                find("haproxy"), "-db", "-f", BENCHMARKS / "peers/haproxy/haproxy.cfg"]
    with server(bench, "haproxy", command, signal.SIGUSR1) as verifying:
        files = token_files(bench, tokens.bits, ["jwt"], DISTINCT)["jwt"]
        valid = files.pop("valid")
        for reason, file in files.items():
            must_refuse("HAProxy", reason, asker(bench, verifying, file, bench.cpu, connections=1, endpoint="bearer"),
                        "HTTP/1.1 403 ")
        whole = bench.work / f"{valid.name}-repeated"
        whole.write_bytes(valid.read_bytes() * ((tokens.warm + (tokens.rounds + 1) * tokens.each) // DISTINCT + 1))
        with asker(bench, verifying, whole, bench.cpu, endpoint="bearer", warm=tokens.warm) as asked:
            yield {"HAProxy, jwt_verify": asked}


@contextlib.contextmanager
def munged(bench, _):
    """munged with one thread, asked by remunge with four."""
    def command(folder):
        (folder / "key").touch(mode=0o600)
        (folder / "key").write_bytes(os.urandom(1024))
        files = [word for name in ("log", "pid", "seed") for word in (f"--{name}-file", folder / name)]
        return [find("munged"), "--foreground", "--force", "--num-threads", "1", "--socket", folder / "socket", "--key-file",
                folder / "key", *files]

    def remunge(work):
        words = [find("remunge"), work, "--socket", str(decoding.path), "--duration", "600", "--num-threads", "4"]
        return Contender("remunge", [bench.programs / "daemon-load", "remunge", decoding.pid, shlex.join(words)], bench.cpu)

    with server(bench, "munged", command) as decoding, remunge("--encode") as encode, remunge("--decode") as both:
        yield {ENCODING: encode, BOTH: both}


@contextlib.contextmanager
def server(bench, name, command, end=signal.SIGTERM):
    """A server in a folder of its own, where our daemon runs too."""
    with bench.folder() as folder, Server(name, command(folder), folder / "socket", bench.cpu, end) as running:
        yield running


def find(program):
    """Where a program is, also for users who have no /usr/sbin in their PATH."""
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")
    if found is None:
        raise Unavailable(f"{program} is missing")
    return found
