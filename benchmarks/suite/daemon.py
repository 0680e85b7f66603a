"""What a request costs mediatokend: BENCHMARKS.md, "daemon"."""

import contextlib
import os

from suite import latency, munged
from suite.contender import Contender, in_turn, spread
from suite.results import CPU, WALL
from suite.servers import bare_http, mediatokend

ROUNDS, EACH = 15, 4096
# Asked before anything is counted, so that most pages of the new table have been touched.
WARM = 20480


def measure(bench):
    small, large = Tokens(bench, 1024), Tokens(bench, 2048)
    for tokens in (small, large):
        compare(bench, tokens)
        compare(bench, tokens, endpoint="batch", batch=1000)
    for tokens in (small, large):
        http(bench, tokens)
    for batch in (1, 16, 256):
        compare(bench, large, endpoint="batch", batch=batch)
    compare(bench, large, endpoint="auth")
    compare(bench, large, kept=False)
    for connections in (1, 32, 128, 256):
        compare(bench, large, connections=connections)
    workers(bench, large)
    munged.measure(bench, small, large)
    for tokens in (small, large):
        own_processor(bench, tokens, connections=8)
        latency.measure(bench, tokens, own_processor(bench, tokens, latency.CONNECTIONS))


class Tokens:
    """Tokens of one key, enough for one comparison; as each has a new table, they serve all."""

    def __init__(self, bench, bits):
        self.bits = bits
        self.each = 1024 if bench.quick else EACH
        self.warm = 2048 if bench.quick else WARM
        self.rounds = bench.rounds(ROUNDS)
        self.file = bench.tokens(bits, self.warm + (self.rounds + 1) * self.each)


def together(bench):
    """One processor for the daemon and for those who ask: it always finds work, so none of its time is waking up."""
    return bench.cpu, bench.cpu


def apart(bench):
    """The daemon's processor, and another one for those who ask, where there is one."""
    others = os.sched_getaffinity(0) - {bench.cpu}
    return bench.cpu, max(others, default=bench.cpu)


def anywhere(_):
    return None, None


def floor(bench, tokens):
    """The bare verification, as a contender."""
    return Contender("floor", [bench.programs / "floor", bench.key(tokens.bits)[1], tokens.file], bench.cpu)


@contextlib.contextmanager
def asking(bench, tokens, place=together, *, workers=1, connections=8, endpoint="verify", batch=1, kept=True):
    """A contender that asks a daemon of its own, which has been asked before."""
    daemon_cpu, client_cpu = place(bench)
    with mediatokend(bench, tokens.bits, workers, f"daemon-{workers}", daemon_cpu) as server, Contender(
            "daemon-load",
            [bench.programs / "daemon-load", "ask", server.pid, server.path, tokens.file, connections, endpoint, batch,
             int(kept)], client_cpu) as contender:
        contender.run(whole_batches(tokens.warm, batch))
        yield contender


def whole_batches(tokens, batch):
    return tokens // batch * batch


def compare(bench, tokens, **how):
    """The record of one way of asking one worker, by the daemon's processor time."""
    with floor(bench, tokens) as bare, asking(bench, tokens, **how) as ours:
        bare_times, times = in_turn([bare, ours], whole_batches(tokens.each, how.get("batch", 1)), tokens.rounds)
    record(bench, tokens, bare_times, times, **how)


def record(bench, tokens, bare_times, times, *, endpoint="verify", batch=1, connections=8, kept=True, workers=1):
    way = {"verify": "/v1/verify", "auth": "/v1/auth", "batch": f"batches of {batch:,}"}[endpoint]
    line = f"{connections} connection{'s' * (connections > 1)}" if kept else "a connection each"
    case = f"RSA-{tokens.bits}, {way}, {line}, {workers} worker{'s' * (workers > 1)}"
    bench.results.ratio(
        "daemon", case, times, bare_times, floor_name="EVP_PKEY_verify", clock=CPU, key=tokens.bits, endpoint=endpoint,
        batch=batch, connections=connections, kept=kept, workers=workers)


def http(bench, tokens, connections=8):
    """What HTTP costs by itself: the same questions to libmicrohttpd, which answers without looking at the token."""
    with floor(bench, tokens) as bare, bare_http(bench) as server, Contender(
            "daemon-load",
            [bench.programs / "daemon-load", "ask", server.pid, server.path, tokens.file, connections, "verify", 1, 1],
            bench.cpu) as http:
        http.run(tokens.warm)
        bare_times, times = in_turn([bare, http], tokens.each, tokens.rounds)
    bench.results.ratio(
        "bare HTTP", f"beside RSA-{tokens.bits}, {connections} connections", times, bare_times,
        floor_name="EVP_PKEY_verify", clock=CPU, key=tokens.bits, connections=connections)


def workers(bench, tokens):
    """Two workers beside one, in turn, all processors being everybody's."""
    connections = latency.CONNECTIONS
    with floor(bench, tokens) as bare, asking(bench, tokens, anywhere, connections=connections) as one, \
            asking(bench, tokens, anywhere, connections=connections, workers=2) as two:
        bare_times, alone, both = in_turn([bare, one, two], tokens.each, tokens.rounds)
    record(bench, tokens, bare_times, both, connections=connections, workers=2)
    bench.results.ratio(
        "workers", f"RSA-{tokens.bits}, {connections} connections, two workers / one", both, alone,
        floor_name="one worker", clock=CPU, key=tokens.bits, connections=connections,
        tokens_per_second=rates(both), floor_tokens_per_second=rates(alone))


def own_processor(bench, tokens, connections):
    """The record of one worker that has a processor of its own."""
    with floor(bench, tokens) as bare, asking(bench, tokens, apart, connections=connections) as ours:
        bare_times, times = in_turn([bare, ours], tokens.each, tokens.rounds)
    return bench.results.ratio(
        "own processor", f"RSA-{tokens.bits}, {connections} connections", times, bare_times,
        floor_name="EVP_PKEY_verify", clock=CPU, key=tokens.bits, connections=connections,
        tokens_per_second=rates(times), busy=spread([took[CPU] / took[WALL] for took in times]))


def rates(times):
    """Tokens in a second of the wall clock, by round."""
    return spread([1e9 / took[WALL] for took in times])
