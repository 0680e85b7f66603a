"""What two threads do in the time of one, and what is left of that when tokens are read and answers are written."""

import os
import subprocess
import time

from suite.contender import in_turn
from suite.running import Failed
from suite.verifications import verification

# A round of two threads is some tens of milliseconds, beside which starting them is little.
COUNTS = {1024: 2400, 2048: 1200}
BATCH = 100_000


def measure(bench):
    for key, count in COUNTS.items():
        for options in ([], ["--table"]):
            threads(bench, key, count, options)
    batch(bench)


def threads(bench, key, count, options):
    rounds = bench.rounds(11)
    tokens = bench.tokens(key, (rounds + 1) * count)
    public = bench.key(key)[1]
    with verification(bench, public, tokens, *options, pinned=False) as alone, \
            verification(bench, public, tokens, *options, "--threads", 2, pinned=False) as together:
        one, two = in_turn([alone, together], count, rounds)
    bench.results.ratio(
        "threads", f"RSA-{key}{', one use enforced' if options else ''}, two threads", two, one,
        floor_name="one thread", key=key, threads=2, table=bool(options))


def batch(bench):
    key, count = 1024, BATCH // 10 if bench.quick else BATCH
    tokens = bench.tokens(key, count)
    with verification(bench, bench.key(key)[1], tokens, "--threads", 2, pinned=False) as two:
        bare, whole = in_turn([two, BatchCommand(bench, key, tokens)], count, bench.rounds(7))
    bench.results.ratio(
        "batch", f"RSA-{key}, {count:,} tokens", whole, bare, floor_name="the library on two threads", key=key)


class BatchCommand:
    """`mediatoken verify --batch`, each time from its start to its end."""

    def __init__(self, bench, key, tokens):
        _, public, fingerprint = bench.key(key)
        self.command = [
            bench.product / "mediatoken", "verify", "--batch", tokens, "--keys", public, "--allow-rsa-1024",
            fingerprint, "--requestor", "REF30", "--resource", "TNT"]

    def run(self, count):
        start, processor = time.monotonic_ns(), children_ns()
        found = subprocess.run(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        took = time.monotonic_ns() - start
        # It ends with another status if one token is not valid.
        if found.returncode != 0 or str(count) not in found.stderr.replace(",", ""):
            raise Failed(f"mediatoken verify --batch: expected {count} valid tokens; it said: {found.stderr[-400:]}")
        return took / count, (children_ns() - processor) / count


def children_ns():
    """Processor time of the processes that ended."""
    times = os.times()
    return round((times.children_user + times.children_system) * 1e9)
