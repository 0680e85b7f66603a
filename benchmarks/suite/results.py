"""results.json: all that measuring, plotting and reporting know of each other."""

import hashlib
import json
import pathlib
from dataclasses import dataclass, field

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
# Those of complete runs, which the README shows.
PUBLISHED = BENCHMARKS / "results"


@dataclass
class Results:
    """`preparation`: the seconds that installing and building took; `seconds`: those of measuring; `skipped`: what could not
    be measured, with the reason; `records`: what was found, in the order in which it was measured."""

    machine: dict
    preparation: int | None = None
    seconds: int = 0
    skipped: list = field(default_factory=list)
    records: list = field(default_factory=list)

    @classmethod
    def read(cls, folder):
        """What `write` wrote."""
        whole = json.loads((folder / "results.json").read_text())
        return cls(whole["machine"], whole.get("preparation seconds"), whole["seconds"], whole["skipped"], whole["records"])

    def replaced_by(self, others, parts):
        """With the records of `parts` that were measured again."""
        measured = {record["benchmark"] for record in others.records}
        kept = [record for record in self.records if record["benchmark"] not in measured]
        again = {"parts": parts, "date": others.machine["date"], "mediatoken": others.machine["versions"]["mediatoken"]}
        return Results({**self.machine, "again": [*self.machine.get("again", []), again]}, self.preparation, self.seconds, self.skipped,
                       kept + others.records)

    def write(self, folder):
        whole = {"machine": self.machine, "preparation seconds": self.preparation, "seconds": self.seconds,
                 "skipped": self.skipped, "records": self.records}
        # Five digits are more than a measurement has.
        whole = json.loads(json.dumps(whole), parse_float=lambda text: float(f"{float(text):.5g}"))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")

    def find(self, benchmark, **wanted):
        """The records of a benchmark that have these parameters."""
        return [record for record in self.records if record["benchmark"] == benchmark
                and all(record.get(name) == value for name, value in wanted.items())]


def digest(folder):
    """By which a plot says which results it shows."""
    return hashlib.sha256((folder / "results.json").read_bytes()).hexdigest()
