"""What a request costs mediatokend: BENCHMARKS.md, "daemon"."""

from suite import kept_connections, other_servers
from suite.asking import Tokens, anywhere, asking, floor, rates, whole_batches
from suite.contender import in_turn
from suite.results import CPU


def measure(bench):
    small, large = Tokens(bench, 1024), Tokens(bench, 2048)
    for tokens in (small, large):
        compare(bench, tokens)
        compare(bench, tokens, endpoint="batch", batch=1000)
    for batch in (1, 16, 256):
        compare(bench, large, endpoint="batch", batch=batch)
    compare(bench, large, endpoint="auth")
    compare(bench, large, kept=False)
    for connections in (1, 32, 128, 256):
        compare(bench, large, connections=connections)
    workers(bench, large)
    other_servers.measure(bench, small, large)
    kept_connections.measure(bench)


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


def workers(bench, tokens, connections=100):
    """Two workers beside one, in turn, all processors being everybody's."""
    with floor(bench, tokens) as bare, asking(bench, tokens, anywhere, connections=connections) as one, \
            asking(bench, tokens, anywhere, connections=connections, workers=2) as two:
        bare_times, alone, both = in_turn([bare, one, two], tokens.each, tokens.rounds)
    record(bench, tokens, bare_times, both, connections=connections, workers=2)
    bench.results.ratio(
        "workers", f"RSA-{tokens.bits}, {connections} connections, two workers / one", both, alone,
        floor_name="one worker", clock=CPU, key=tokens.bits, connections=connections,
        tokens_per_second=rates(both), floor_tokens_per_second=rates(alone))
