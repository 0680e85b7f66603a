"""Those who use up tokens in one table at once, or in one Redis: run together, and compared as one contender."""

import time

from suite.bench import run
from suite.contender import Contender, spread
from suite.results import WALL

# The verifier prepares before RSA, which gives the table time; here sixteen other spends do.
PREPARED = ["--lead", 16]


class Together:
    """Several contenders that work at the same time, each on its share of what is to be done."""

    def __init__(self, contenders, before=None):
        """`before` is called before each run, and is not in its time."""
        self.contenders = contenders
        self.before = before

    def run(self, count):
        """Nanoseconds for one of all their works: from the first's begin to the last's end, and in processor time."""
        share = count // len(self.contenders)
        if self.before is not None:
            self.before()
        start = time.monotonic_ns()
        for contender in self.contenders:
            contender.begin(share)
        times = [contender.end(share) for contender in self.contenders]
        took = time.monotonic_ns() - start
        return took / (share * len(times)), sum(processor for _, processor in times) / len(times)

    def close(self):
        for contender in self.contenders:
            contender.close()

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        for contender in self.contenders:
            contender.__exit__(*reason)


def new_table(bench, path, capacity):
    """Makes a table that vouches for all tokens."""
    path.unlink(missing_ok=True)
    run(bench.product / "mediatoken", "replay", "create", "--table", path, "--capacity", capacity, "--fresh")
    return path


def processes(bench, table, capacity, workers, passes, *options):
    """Processes that fill one table, each its share of it."""
    share = capacity // workers
    return Together([
        Contender("spends", [bench.programs / "spends", "pass", table, share, number, passes, *options])
        for number in range(workers)])


def threads(bench, table, capacity, workers, passes, *options):
    """The same as one process with threads, each with its share."""
    return Contender("spends", [
        bench.programs / "spends", "pass", table, capacity // workers, 0, passes, "--threads", workers, *options])


def rates(times, clock=WALL):
    """Of what `in_turn` gave: for each round how many there were in a second."""
    return [1e9 / took[clock] for took in times]


def floor(bench):
    """Beside a spend stands the verification that comes before it, with the key that production has."""
    return Contender("floor", [bench.programs / "floor", bench.key(1024)[1], bench.tokens(1024, 1)], cpu=bench.cpu)


def add(bench, case, times, floor_times, *, benchmark="replay", clock=WALL, **parameters):
    """A record of spends, beside the floor of the same round."""
    bench.results.ratio(
        benchmark, case, times, floor_times, floor_name="EVP_PKEY_verify", clock=clock, **parameters,
        spends_per_second=spread(rates(times, clock)))
