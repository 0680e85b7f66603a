"""Programs that use up tokens in one replay table or one Redis, compared as one contender."""

import contextlib
import time

from suite.measure.contender import Contender
from suite.measure.recording import WALL, per_second

# The verifier prepares before RSA, which gives the table time; here sixteen other spends do.
PREPARED = ["--lead", 16]


class Together:
    """Several running contenders that work at the same time, each on its share of what is to be done."""

    def __init__(self, contenders, before):
        """`before` is called before each run, and is not in its time."""
        self.contenders = contenders
        self.before = before

    def run(self, count):
        """Nanoseconds for one of all their works: from the first's begin to the last's end, and in processor time."""
        share = count // len(self.contenders)
        self.before()
        start = time.monotonic_ns()
        for contender in self.contenders:
            contender.begin(share)
        times = [contender.end(share) for contender in self.contenders]
        took = time.monotonic_ns() - start
        return took / (share * len(times)), sum(processor for _, processor in times) / len(times)


@contextlib.contextmanager
def together(contenders, before=lambda: None):
    with contextlib.ExitStack() as running:
        yield Together([running.enter_context(contender) for contender in contenders], before)


def processes(bench, table, capacity, workers, passes, *options):
    """Processes that fill one table, each its share of it."""
    return together([spender(bench, table, capacity // workers, number, passes, *options) for number in range(workers)])


def threads(bench, table, capacity, workers, passes, *options):
    """The same as one process with threads, each with its share."""
    return spender(bench, table, capacity // workers, 0, passes, "--threads", workers, *options)


def spender(bench, *words, cpu=None, warm=0):
    return Contender("spends", [bench.programs / "spends", "pass", *words], cpu, warm=warm)


def record(bench, case, times, floor, *, benchmark="replay", clock=WALL, **about):
    """A record of spends, against the floor of the same rounds."""
    bench.results.ratio(benchmark, case, times, floor, clock=clock, **about, spends_per_second=per_second(times, clock))
