"""What becomes of a verification's time in two threads, in a program that reads a file, and through the C library."""

import contextlib
import os
import subprocess
import time

from suite.measure.contender import Contender
from suite.measure.recording import WALL
from suite.measure.running import Failed
from suite.measure.verifications import COUNTS, verification


def measure(bench):
    # A round of two threads takes some tens of milliseconds, compared with which starting them is little.
    for key, count in {1024: 2400, 2048: 1200}.items():
        for options in ([], ["--table"]):
            threads(bench, key, count, options)
    batch(bench, 1024, 10_000 if bench.quick else 100_000)
    for key, count in {1024: 400, 2048: 200}.items():
        through_c(bench, key, count)
    making(bench, "open", "keys read, table opened")
    making(bench, "make", "keys read, table made")


def threads(bench, key, count, options):
    rounds = bench.rounds(11)
    tokens, public = bench.tokens(key, (rounds + 1) * count), bench.key(key).public
    one, two = (verification(bench, public, tokens, *options, *more, pinned=False) for more in ([], ["--threads", 2]))
    bench.compare("threads", f"RSA-{key}{', one use enforced' if options else ''}, two threads", two, one, count, rounds,
                  floor_name="one thread", clock=WALL, key=key, threads=2, table=bool(options))


def batch(bench, key, count):
    tokens = bench.tokens(key, count)
    two = verification(bench, bench.key(key).public, tokens, "--threads", 2, pinned=False)
    command = contextlib.nullcontext(BatchCommand(bench, key, tokens))
    bench.compare("batch", f"RSA-{key}, {count:,} tokens", command, two, count, bench.rounds(7),
                  floor_name="the library on two threads", clock=WALL, key=key)


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


def through_c(bench, key, count):
    tokens = bench.tokens(key, 100)
    _, public, fingerprint = bench.key(key)
    command = [bench.programs / "through-c", "verify", bench.library, public, fingerprint, tokens]
    bench.compare("through C", f"RSA-{key}", Contender("through C", command, bench.cpu), verification(bench, public, tokens),
                  count, bench.rounds(101), floor_name="the Swift call", key=key)


def making(bench, word, case):
    """How long it takes to make a verifier, by the wall clock: making a table waits for the disk."""
    _, public, fingerprint = bench.key(2048)
    table, capacity = bench.work / "making.table", 1_000_000
    if word == "open":
        bench.new_table(table, capacity)
    command = [bench.programs / "through-c", word, bench.library, public, fingerprint, table, capacity]
    bench.compare("making", case, Contender("making", command, bench.cpu), bench.floor(2048), [COUNTS[2048], 1],
                  bench.rounds(15), clock=WALL, key=2048, capacity=capacity)
    table.unlink()
