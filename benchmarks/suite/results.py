"""What was measured, collected record by record; results.json is this and nothing else."""

import json
import sys
import time

from suite.contender import spread

WALL, CPU = 0, 1


class Results:
    """Records are kept in the order in which they were measured, and said as they come."""

    def __init__(self, machine, preparation=None):
        """`preparation`: the seconds that installing and building took."""
        self.machine = machine
        self.preparation = preparation
        self.records = []
        self.skipped = []
        self.start = time.monotonic()
        self.seconds = 0

    @classmethod
    def read(cls, path):
        """What `write` wrote."""
        whole = json.loads(path.read_text())
        results = cls(whole["machine"], whole.get("preparation seconds"))
        results.seconds, results.skipped, results.records = whole["seconds"], whole["skipped"], whole["records"]
        return results

    def ratio(self, benchmark, case, whole, floor, *, floor_name, clock=WALL, **parameters):
        """`whole` and `floor` are what `in_turn` gave for the two, so that the rounds belong together.

        A record: the ratio (median of the rounds' ratios, with spread), and both times in nanoseconds.
        """
        record = {
            "benchmark": benchmark, "case": case, **parameters, "floor_name": floor_name,
            "clock": "processor" if clock == CPU else "wall",
            "ratio": spread([mine[clock] / bare[clock] for mine, bare in zip(whole, floor)]),
            "nanoseconds": spread([mine[clock] for mine in whole]),
            "floor_nanoseconds": spread([bare[clock] for bare in floor]), "rounds": len(whole),
        }
        ratio = record["ratio"]
        return self.add(
            record, f"{ratio['median']:.3f} × {floor_name} ({ratio['low']:.3f} to {ratio['high']:.3f})")

    def add(self, record, said):
        """Any other record: `benchmark` and `case` name it; `said` is its line on the terminal."""
        self.records.append(record)
        self.say(f"{record['benchmark']}: {record['case']}: {said}")
        return record

    def skip(self, name, why):
        """A part or a peer that cannot be measured here."""
        why = " ".join(why.split())
        self.skipped.append({"name": name, "why": why})
        self.say(f"SKIPPED {name}: {why}")

    def say(self, text):
        seconds = int(time.monotonic() - self.start)
        print(f"[{seconds // 60:2}:{seconds % 60:02}] {text}", file=sys.stderr, flush=True)

    def find(self, benchmark, **wanted):
        """The records of a benchmark whose parameters are these."""
        return [
            record for record in self.records if record["benchmark"] == benchmark
            and all(record.get(name) == value for name, value in wanted.items())
        ]

    def write(self, path):
        self.seconds = round(time.monotonic() - self.start)
        whole = {"machine": self.machine, "preparation seconds": self.preparation, "seconds": self.seconds, "skipped": self.skipped,
                 "records": [rounded(record) for record in self.records]}
        path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def rounded(value):
    """Five digits are more than a measurement has."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return value
