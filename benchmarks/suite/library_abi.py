"""The same through the C library, and how long it takes to make a verifier there."""

from suite.contender import Contender, in_turn
from suite.results import CPU
from suite.spends import new_table
from suite.verifications import COUNTS, floor, verification


def measure(bench):
    for key, count in {1024: 400, 2048: 200}.items():
        through_c(bench, key, count)
    with floor(bench, 2048) as bare:
        making(bench, "open", "keys read, table opened", bare)
        making(bench, "make", "keys read, table made", bare)


def through_c(bench, key, count):
    tokens = bench.tokens(key, 100)
    _, public, fingerprint = bench.key(key)
    command = [bench.programs / "through-c", "verify", bench.library, public, fingerprint, tokens]
    with verification(bench, public, tokens) as swift, Contender("through C", command, cpu=bench.cpu) as c:
        direct, through = in_turn([swift, c], count, bench.rounds(101))
    bench.results.ratio("through C", f"RSA-{key}", through, direct, floor_name="the Swift call", clock=CPU, key=key)


def making(bench, word, case, bare):
    """By the wall clock: making a table waits for the disk."""
    _, public, fingerprint = bench.key(2048)
    table = bench.work / "making.table"
    if word == "open":
        new_table(bench, table, 1_000_000)
    command = [bench.programs / "through-c", word, bench.library, public, fingerprint, table, 1_000_000]
    with Contender("making", command, cpu=bench.cpu) as ours:
        bare_times, times = in_turn([bare, ours], [COUNTS[2048], 1], bench.rounds(15))
    bench.results.ratio("making", case, times, bare_times, floor_name="EVP_PKEY_verify", key=2048, capacity=1_000_000)
    table.unlink()
