"""The project's own goals, in one place; BENCHMARKS.md's table is written from here."""

from collections.abc import Callable
from dataclasses import dataclass

from suite.definitions import (
    ALONE, AUTH, BARE, BATCHES, CLAIM, COMMAND_LINE, DISTANCES, LEAST_LIMITS, MANY, PIPELINED, PIPELINES, RESOURCES, ROUTES, SINGLE,
    TENANTS, WHOLE, refills)
from suite.figures import BYTES, CALLS, KIBIBYTES, NANOSECONDS, PER_SECOND, TIMES, exactly, percent, written


@dataclass(frozen=True)
class Budget:
    """`find` gives what was measured and what that is a multiple of, or None."""

    work: str
    limit: float
    units: list
    find: Callable
    at_least: bool = False

    @property
    def promise(self):
        return f"{'≥' if self.at_least else '≤'} {exactly(self.limit, self.units)}"

    def row(self, results):
        """What was promised, what was found, and by how much it was missed."""
        found = self.find(results)
        if found is None:
            return [self.work, self.promise, "not measured"]
        value, compared = found
        write = exactly if self.units in (CALLS, BYTES) else written
        return [self.work, self.promise, write(value, self.units) + compared + self.judgement(value)]

    def is_kept(self, value):
        return value >= self.limit if self.at_least else value <= self.limit

    def judgement(self, value):
        return "" if self.is_kept(value) else f", **missed** by {percent(abs(value / self.limit - 1))}"


def median(benchmark, name="ratio", **wanted):
    """Finds the first record with these parameters."""
    return lambda results: next(((record[name]["median"], "") for record in results.find(benchmark, **wanted)), None)


def greatest(benchmark, name):
    """Finds the greatest of what was counted. The table's first page would be 0.004 bytes for each of a million tokens."""
    return lambda results: max(
        ((round(record[name], 1), "") for record in results.find(benchmark) if name in record), default=None)


def spends(capacity):
    """Finds the rate of a table that two processes refill. Compared with Redis if they were taken in turn, else with the floor."""
    def find(results):
        record = refills(results.find("replay")).get(capacity)
        if record is None:
            return None
        compared = f", each {written(record['ratio']['median'], TIMES)} the bare verification"
        for in_turn in results.find("replay", capacity=capacity, floor_name=PIPELINES):
            compared = f", {written(in_turn['ratio']['median'], TIMES)} {PIPELINES}"
        return record["spends_per_second"]["median"], compared
    return find


def slowest(*benchmarks):
    """Finds the slowest answer to one token with one key."""
    def find(results):
        record = max((record for benchmark in benchmarks for record in results.find(benchmark)), default=None,
                     key=lambda record: record["nanoseconds"]["median"])
        return record and (
            record["nanoseconds"]["median"], f", {written(record['ratio']['median'], TIMES)} (RSA-{record['key']})")
    return find


def node_p99(results):
    found = {record["case"]: record["percentiles"]["99"] for record in results.find("one claim on a node")}
    return (found[CLAIM] / found[BARE], "") if len(found) == 2 else None


def for_both(work, limits, benchmark, **wanted):
    return [Budget(f"{work}, RSA-{key}", limit, TIMES, median(benchmark, key=key, **wanted))
            for key, limit in limits.items()]


BUDGETS = [
    *for_both("One verification with one use", WHOLE, "verify", form="raw",
              resource_bytes=len("TNT"), table=True, threads=1, keys=1),
    *for_both("The daemon's request", {1024: 2.55, 2048: 1.53}, "daemon",
              endpoint="verify", kept=True, connections=8, workers=1),
    *(Budget(f"Own processor, {connections} connections, RSA-1024", limit, TIMES,
             median("own processor", key=1024, connections=connections)) for connections, limit in {8: 2.85, 100: 2.85}.items()),
    *for_both("Against bare HTTP and the bare verification", LEAST_LIMITS, "least server"),
    Budget("/v1/auth, against /v1/verify", 1.1, TIMES, median("requests", request=AUTH)),
    *(Budget(f"{things}, against one", 1.05, TIMES, median("requests", request=things))
      for things in (TENANTS, RESOURCES, ROUTES)),
    Budget("The command line's first verdict", 15e6, NANOSECONDS, median("start", "nanoseconds", case=COMMAND_LINE)),
    Budget("Our allocations in a verification", 1, CALLS, greatest("allocations", "ours")),
    Budget("Prepared spends, table of 1,000,000", 15e6, PER_SECOND, spends(1_000_000), at_least=True),
    Budget("Prepared spends, table of 16,000,000", 8e6, PER_SECOND, spends(16_000_000), at_least=True),
    Budget("A living token in a table", 32, BYTES, greatest("replay", "bytes_per_token")),
    Budget("An idle connection of the daemon", 1, KIBIBYTES,
           median("kept connections", "kibibytes")),
    *(Budget(f"A fleet {distance} away, against a table", 1.25, TIMES,
             median("fleet", connections=MANY, distance=distance)) for distance in DISTANCES),
    Budget("A node's first use, 16 clients, against SET", 2.5, TIMES, median("nodes", case=SINGLE)),
    Budget("The same, one client, wall clock", 2, TIMES, median("nodes", case=ALONE)),
    Budget("Batches of 16, against single SETs", 0.5, TIMES, median("nodes", case=BATCHES)),
    Budget("Batches of 16, against pipelines of 16", 1.3, TIMES, median("nodes", case=PIPELINED)),
    Budget("An idle node's first use, p99, against SET", 2, TIMES, node_p99),
    Budget("The slowest genuine token, 64 KiB", 0.7e6, NANOSECONDS, slowest("verify", "payload", "worst")),
    Budget("The slowest broken token, 64 KiB", 0.1e6, NANOSECONDS, slowest("broken")),
]
