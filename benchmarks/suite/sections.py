"""The order of RESULTS.md, and the benchmarks that it cannot show."""

from collections.abc import Callable
from dataclasses import dataclass

from suite import replay_tables, seat_tables, tables


@dataclass(frozen=True)
class Section:
    """`part` is what `benchmarks/run` measures it with; `definition`, if another, its section of BENCHMARKS.md."""

    title: str
    part: str
    benchmark: str
    table: Callable
    plot: str = ""
    definition: str = ""

    @property
    def anchor(self):
        return self.definition or self.part


SECTIONS = [
    Section("Each step alone", "library", "step", tables.steps, plot="steps"),
    Section("The whole verification", "library", "verify", tables.ratios),
    Section("Allocations", "allocations", "allocations", tables.allocations),
    Section("Other verifiers", "peers", "peers", tables.peers, plot="peers"),
    Section("The daemon", "daemon", "daemon", tables.ratios),
    Section("The daemon and other servers", "daemon", "other servers", tables.ratios, definition="other-servers"),
    Section("The daemon with a fleet", "fleet", "fleet", tables.ratios),
    Section("The daemon under load", "latency", "latency", tables.latency, plot="latency"),
    Section("The daemon on a processor of its own", "latency", "own processor", tables.ratios,
            definition="own-processor"),
    Section("Two workers of the daemon", "daemon", "workers", tables.ratios, definition="workers"),
    Section("The daemon's kept connections", "daemon", "kept connections", tables.kept_connections,
            definition="kept-connections"),
    Section("The replay table", "replay", "replay", replay_tables.replay, plot="replay"),
    Section("A seat of a fleet", "seats", "seats", tables.ratios),
    Section("A seat of a fleet: one claim by itself", "seats", "one claim on a seat", seat_tables.percentiles),
    Section("A seat of a fleet: memory", "seats", "seat memory", seat_tables.memory),
    Section("How cost grows: the payload", "library", "payload", tables.ratios, plot="growth"),
    Section("The most laborious tokens", "library", "worst", tables.ratios),
    Section("The most laborious broken tokens", "library", "broken", tables.ratios),
    Section("How cost grows: trusted keys", "library", "keys", tables.ratios),
    Section("How cost grows: living tokens", "replay", "live tokens", tables.ratios),
    Section("How cost grows: seats", "fleet", "seats of a fleet", tables.ratios),
    Section("How cost grows: living tokens of a seat", "seats", "live tokens of a seat", tables.ratios),
    Section("Threads", "library", "threads", tables.ratios),
    Section("Through C", "library", "through C", tables.ratios),
    Section("A file of tokens", "library", "batch", tables.ratios),
    Section("Making a verifier", "library", "making", tables.ratios),
]


def rendered(results, plots):
    """Every section whose benchmark was measured. `plots` are those that were drawn, with what they show."""
    parts = []
    for section in SECTIONS:
        records = results.find(section.benchmark)
        if records:
            lines = [f"## {section.title}",
                     f"[Definition](../BENCHMARKS.md#{section.anchor}) · `benchmarks/run {section.part}`"]
            if section.plot in plots:
                lines.append(f"![{plots[section.plot]}]({section.plot}.svg)")
            parts += [*lines, section.table(records)]
    return "\n\n".join(parts)


def left_out(results):
    """What is not in these results, by name; nothing if they are whole."""
    lines = [f"- {skipped['name']}: {skipped['why']}" for skipped in results.skipped]
    lines += [f"- {section.title} (`benchmarks/run {section.part}`): not measured in this run"
              for section in SECTIONS if not results.find(section.benchmark)]
    return "\n".join(lines)


def unknown(results):
    """Benchmarks that no section shows."""
    return sorted({record["benchmark"] for record in results.records} - {section.benchmark for section in SECTIONS})
