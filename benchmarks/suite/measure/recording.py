"""What is found, recorded as it is measured, and said on the terminal."""

import statistics
import sys
import time
from dataclasses import dataclass, field

from suite.definitions import FLOOR
from suite.results import Results

# Places in what a work took.
WALL, CPU = 0, 1


@dataclass
class Recording(Results):
    """Results that are being measured since `start`."""

    start: float = field(default_factory=time.monotonic)

    def ratio(self, benchmark, case, whole, floor, *, floor_name=FLOOR, clock=CPU, ours=None, **parameters):
        """`whole` and `floor` are what `take_turns` gave for the two, so that the rounds belong together.

        A record: the ratio (median of the rounds' ratios, with spread), and both times in nanoseconds; with `ours`, which is of
        the same turns, the ratio to that, too.
        """
        record = {
            "benchmark": benchmark, "case": case, **parameters, "floor_name": floor_name,
            "clock": "processor" if clock == CPU else "wall", "ratio": ratios(whole, floor, clock),
            "nanoseconds": spread(took[clock] for took in whole),
            "floor_nanoseconds": spread(took[clock] for took in floor), "rounds": len(whole),
        }
        if ours is not None:
            record["to_ours"] = ratios(whole, ours, clock)
        return self.add(record, f"{said(record['ratio'])} × {floor_name}")

    def percentiles(self, benchmark, case, found, **more):
        """A record of the times that so many of a hundred do not exceed, in nanoseconds."""
        self.add({"benchmark": benchmark, "case": case, "percentiles": found, **more},
                 ", ".join(f"{share} %: {value} ns" for share, value in found.items()))

    def size(self, benchmark, case, name, found):
        """A record of bytes."""
        self.add({"benchmark": benchmark, "case": case, name: found}, f"{found:.1f} bytes")

    def add(self, record, text):
        """Any other record: `benchmark` and `case` name it; `text` is its line on the terminal."""
        self.records.append(record)
        self.say(f"{record['benchmark']}: {record['case']}: {text}")
        return record

    def skip(self, name, why):
        """A part or a peer that cannot be measured here."""
        why = " ".join(str(why).split())
        self.skipped.append({"name": name, "why": why})
        self.say(f"SKIPPED {name}: {why}")

    def say(self, text):
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        print(f"[{minutes:2}:{seconds:02}] {text}", file=sys.stderr, flush=True)

    def write(self, folder):
        self.seconds = round(time.monotonic() - self.start)
        super().write(folder)


def spread(values):
    """Median, and the tenth and ninetieth of a hundred."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "median": statistics.median(ordered), "low": ordered[round(last * 0.1)], "high": ordered[round(last * 0.9)]
    }


def ratios(whole, floor, clock):
    return spread(mine[clock] / bare[clock] for mine, bare in zip(whole, floor))


def per_second(times, clock=WALL):
    """How many works there were in a second, by round."""
    return spread(1e9 / took[clock] for took in times)


def said(found):
    return f"{found['median']:.3f} ({found['low']:.3f} to {found['high']:.3f})"
