"""What a request costs other servers and ours: BENCHMARKS.md, "other servers"."""

import base64
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal

from suite.definitions import HAPROXY, LEAST, NGINX, OURS
from suite.measure.asking import asker, asking
from suite.measure.contender import Contender, must_refuse, take_turns
from suite.measure.peer_programs import build_c
from suite.measure.peer_tokens import token_files
from suite.measure.running import Unavailable, run
from suite.measure.servers import Server
from suite.results import BENCHMARKS

HTTP = "bare HTTP"
# remunge's two works, and what their difference is.
ENCODING, BOTH, DECODING = "encoding", "encoding and decoding", "munged, one decode"
# Nothing in HAProxy or nginx remembers a token, so a few serve, over and over.
DISTINCT = 100
NGINX_JAVASCRIPT = pathlib.Path("/usr/lib/nginx/modules/ngx_http_js_module.so")
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
    for name, others in {HTTP: bare_http, "libmicrohttpd alone": libmicrohttpd, "HAProxy": haproxy,
                         "nginx": nginx, "munged": munged}.items():
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
    if HTTP in times:
        # What any server does that verifies a token: the same system calls in C, and the bare verification.
        least = [tuple(map(sum, zip(*took))) for took in zip(times[HTTP], floor)]
        bench.results.ratio("least server", f"RSA-{tokens.bits}: {OURS}", times[OURS], least, floor_name=LEAST, key=tokens.bits)
    for name, took in times.items():
        bench.results.ratio("other servers", f"RSA-{tokens.bits}: {name}", took, floor, ours=times[OURS], key=tokens.bits,
                            server=name)


def bare_http(bench, tokens):
    return answering(bench, tokens, HTTP, bench.programs / "bare-http")


def libmicrohttpd(bench, tokens):
    return answering(bench, tokens, "libmicrohttpd alone", build_c("libmicrohttpd", ["Sources/CServing/serving.c"]))


@contextlib.contextmanager
def answering(bench, tokens, name, program):
    """A server that always answers the same, asked what ours is."""
    with server(bench, name, lambda folder: [program, folder / "socket", ANSWER]) as always, asker(
            bench, always, tokens.file, bench.cpu, warm=tokens.warm) as asked:
        yield {name: asked}


def haproxy(bench, tokens):
    """HAProxy with one thread."""
    def command(folder):
        (folder / "answer").write_text(ANSWER)
        return ["env", f"SOCKET={folder}/socket", f"KEY={bench.key(tokens.bits).public}", f"ANSWER={folder}/answer",
                find("haproxy"), "-db", "-f", BENCHMARKS / "peers/haproxy/haproxy.cfg"]
    return verifying(bench, tokens, HAPROXY, command, signal.SIGUSR1)


def nginx(bench, tokens):
    """nginx with one process, which verifies in JavaScript."""
    def command(folder):
        if not NGINX_JAVASCRIPT.exists():
            raise Unavailable(f"{NGINX_JAVASCRIPT.name} is missing")
        der = run("openssl", "pkey", "-pubin", "-in", bench.key(tokens.bits).public, "-outform", "DER")
        return ["env", "-C", folder, f"KEY={base64.b64encode(der).decode()}", f"ANSWER={ANSWER}",
                find("nginx"), "-p", folder, "-e", "stderr", "-c", BENCHMARKS / "peers/nginx/nginx.conf"]
    return verifying(bench, tokens, NGINX, command)


@contextlib.contextmanager
def verifying(bench, tokens, name, command, end=signal.SIGTERM):
    """A server that is asked about JSON web tokens, after it has refused whatever must be refused."""
    with server(bench, name, command, end) as running:
        files = token_files(bench, tokens.bits, ["jwt"], DISTINCT)["jwt"]
        valid = files.pop("valid")
        for reason, file in files.items():
            must_refuse(name, reason, asker(bench, running, file, bench.cpu, connections=1, endpoint="bearer"),
                        "HTTP/1.1 403 ")
        whole = bench.work / f"{valid.name}-repeated"
        whole.write_bytes(valid.read_bytes() * ((tokens.warm + (tokens.rounds + 1) * tokens.each) // DISTINCT + 1))
        with asker(bench, running, whole, bench.cpu, endpoint="bearer", warm=tokens.warm) as asked:
            yield {name: asked}


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
