"""What the design promises, in one place; BENCHMARKS.md's section is written from here."""

from collections.abc import Callable
from dataclasses import dataclass

from suite import figures

# By key.
WHOLE = {1024: 1.5, 2048: 1.15}
# What is no longer a token of the usual size.
GREAT = 60_000


@dataclass(frozen=True)
class Budget:
    """`find` gives what was measured, or None; `written` writes it and the limit."""

    work: str
    limit: float
    written: Callable
    find: Callable
    at_least: bool = False

    @property
    def promise(self):
        return f"{'≥' if self.at_least else '≤'} {self.written(self.limit)}"

    def judgement(self, found):
        share = found / self.limit - 1
        met = share >= 0 if self.at_least else share <= 0
        if share == 0:
            return "met exactly"
        side = "above" if share > 0 else "below"
        return f"{'met' if met else '**missed**'}, {figures.percent(abs(share))} {side}"


def ratio(benchmark, **wanted):
    """Finds the median ratio of the record that is meant, of a token of the usual size."""
    return lambda results: next((record["ratio"]["median"] for record in results.find(benchmark, **wanted)
                                 if record.get("resource_bytes", 0) < GREAT), None)


def spends(capacity):
    def find(results):
        rates = [record["spends_per_second"]["median"] for record in results.find(
            "replay", capacity=capacity, workers=2, by="processes", **{"pass": "refill"}) if "spends_per_second" in record]
        return rates[0] if rates else None
    return find


def bytes_for_a_token(results):
    return next((record["bytes_per_token"] for record in results.find("replay") if "bytes_per_token" in record), None)


def allocations(results):
    return max((record["ours"] for record in results.find("allocations")), default=None)


def slowest(results):
    """The slowest whole verification of an input of about the greatest size."""
    records = results.find("worst input") + [
        record for record in results.find("verify") + results.find("payload") if record.get("resource_bytes", 0) >= GREAT]
    return max((record["nanoseconds"]["median"] for record in records), default=None)


def for_both(work, limits, benchmark, **wanted):
    return [Budget(f"{work}, RSA-{key}", limit, figures.times, ratio(benchmark, key=key, **wanted))
            for key, limit in limits.items()]


BUDGETS = [
    *for_both("one verification: raw token, all seven steps, one use enforced by a shared table", WHOLE, "verify",
              form="raw", table=True, threads=1, keys=1),
    *for_both("the daemon's processor time for a `POST /v1/verify` (plain text, kept connection, default log)",
              {1024: 2.8, 2048: 1.65}, "daemon", endpoint="verify", kept=True, connections=8, workers=1),
    *for_both("the daemon's processor time for a token in a plain-text batch of 1,000", {1024: 1.8, 2048: 1.2},
              "daemon", endpoint="batch", batch=1000, connections=8, workers=1),
    Budget("allocations of ours for a verification: the session GUID in the result", 1, figures.count, allocations),
    Budget("spends by two processes, table of 1,000,000", 15e6, figures.rate, spends(1_000_000), at_least=True),
    Budget("spends by two processes, table of 16,000,000", 8e6, figures.rate, spends(16_000_000), at_least=True),
    Budget("bytes for a living token", 32, figures.count, bytes_for_a_token),
    Budget("the slowest input of 60 KiB or more", 2e6, figures.time, slowest),
]
