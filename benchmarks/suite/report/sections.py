"""What README.md, BENCHMARKS.md, Deployment.md and the tables of all figures say about results."""

from collections.abc import Callable
from dataclasses import dataclass

from suite import figures
from suite.definitions import FLOOR, HAPROXY, NGINX
from suite.report import tables
from suite.report.budgets import BUDGETS


@dataclass(frozen=True)
class Section:
    """`part` is what `benchmarks/run` measures it with."""

    title: str
    part: str
    benchmark: str
    table: Callable = tables.ratios
    plot: str = ""

    def text(self, records, plots):
        lines = [f"## {self.title}", f"`benchmarks/run {self.part}`"]
        if self.plot in plots:
            lines.append(f"![{plots[self.plot]}]({self.plot}.svg)")
        return "\n\n".join([*lines, self.table(records)])


SECTIONS = [
    Section("Each step alone", "library", "step", tables.steps, plot="steps"),
    Section("The whole verification", "library", "verify"),
    Section("Allocations", "allocations", "allocations", tables.allocations),
    Section("Other verifiers", "peers", "peers", tables.peers, plot="peers"),
    Section("The daemon", "daemon", "daemon"),
    Section("The daemon: other requests, large configurations", "daemon", "requests"),
    Section("The daemon and other servers", "daemon", "other servers", plot="starts"),
    Section("The daemon and the least server", "daemon", "least server"),
    Section("The daemon with a fleet", "fleet", "fleet"),
    Section("The daemon under load", "latency", "latency", tables.latency, plot="latency"),
    Section("The daemon on a processor of its own", "latency", "own processor"),
    Section("Two workers of the daemon", "daemon", "workers"),
    Section("From start to first verdict", "start", "start", tables.start),
    Section("The daemon's kept connections", "daemon", "kept connections", tables.kept_connections),
    Section("The replay table", "replay", "replay", tables.replay, plot="replay"),
    Section("A node of a fleet", "nodes", "nodes"),
    Section("A node of a fleet: one claim by itself", "nodes", "one claim on a node", tables.one_claim),
    Section("A node of a fleet: memory", "nodes", "node memory", tables.node_memory),
    Section("How cost grows: the payload", "library", "payload", plot="growth"),
    Section("The most laborious tokens", "library", "worst"),
    Section("The most laborious broken tokens", "library", "broken"),
    Section("How cost grows: trusted keys", "library", "keys"),
    Section("How cost grows: living tokens", "replay", "live tokens"),
    Section("How cost grows: nodes", "fleet", "nodes of a fleet"),
    Section("How cost grows: living tokens of a node", "nodes", "live tokens of a node"),
    Section("Threads", "library", "threads"),
    Section("Through C", "library", "through C"),
    Section("A file of tokens", "library", "batch"),
    Section("Making a verifier", "library", "making"),
]


def document(results, plots):
    """The tables of all figures. `plots` are those that were drawn, by name with what they show."""
    found = [(section, records) for section in SECTIONS if (records := results.find(section.benchmark))]
    missing = [f"- {skipped['name']}: {skipped['why']}" for skipped in results.skipped]
    missing += [f"- {section.title} (`benchmarks/run {section.part}`): not measured in this run"
                for section in SECTIONS if not results.find(section.benchmark)]
    missing += [f"- {section.plot}.svg: not drawn, which needs matplotlib"
                for section, _ in found if section.plot and section.plot not in plots]
    return "\n\n".join([
        "# Results", "Written from results.json; benchmarks/BENCHMARKS.md defines each part. Figures have three digits; in "
        "brackets: the tenth and the ninetieth of a hundred rounds.",
        machine(results), "## Budgets", budgets(results), *(section.text(records, plots) for section, records in found),
        *(["## Left out", "\n".join(missing)] if missing else []),
    ]) + "\n"


def readme(results, plots):
    """The figures of README.md: one plot, and two numbers for who serves video."""
    shown = [f"![{plots['starts']}](benchmarks/results/starts.svg)"] if "starts" in plots else []
    found = [line for line in (starts(results), *waits(results, 1000)) if line]
    machine = results.machine
    where = (f"Measured with {processors(machine)}; the key has 1024 bits, as Adobe's. "
             "[BENCHMARKS](benchmarks/BENCHMARKS.md) has the definitions, our own goals and the misses.")
    return "\n\n".join([*shown, "\n".join(found), where])


def one(results, benchmark, **wanted):
    """The one record, or None."""
    return next(iter(results.find(benchmark, **wanted)), None)


def starts(results):
    """How many videos may start."""
    records = [one(results, "own processor", key=1024, connections=connections, other=False) for connections in (100, 8)]
    if None in records:
        return ""
    many, few = (figures.written(record["tokens_per_second"]["median"], figures.PER_SECOND) for record in records)
    return (f"- **{many}** starts on one processor, over 100 connections ({few} over 8): tokens that the daemon verifies and "
            "marks as used")


def waits(results, *rates):
    """How long a viewer waits for us, and what that takes."""
    for rate in rates:
        record = one(results, "latency", key=1024, rate=rate, other=False)
        if record:
            middle, late = (figures.written(record["percentiles"][name], figures.NANOSECONDS) for name in ("50", "99"))
            yield (f"- at {rate:,} starts a second the median answer takes **{middle}**, the ninety-ninth of a hundred (p99) **{late}**, "
                   f"and the daemon {figures.percent(record['busy'])} of a processor")


def begin(results):
    """What it takes before there is an answer."""
    record = one(results, "start", case="mediatokend")
    return record and (f"- **{figures.written(record['nanoseconds']['median'], figures.NANOSECONDS)}** from the daemon's start to its first "
                       f"verdict, with {figures.written(record['mebibytes']['median'], figures.MEBIBYTES)} of memory")


def others(results):
    """What else could be run."""
    java = one(results, "peers", key=1024, peer="Java")
    servers = [one(results, "other servers", key=1024, server=server) for server in (HAPROXY, NGINX)]
    if java is None or None in servers:
        return ""
    library, *times = [figures.written(record["to_ours"]["median"], figures.TIMES) for record in (java, *servers)]
    return (f"- **{library}** of our time: the same check in Java. **{times[0]}** of our daemon's: HAProxy with a JWT of the same key; "
            f"**{times[1]}**: nginx in its JavaScript. None of them enforces one use")


def budgets(results):
    """What was promised, and what was found."""
    return tables.markdown(["< Work", "> goal", "> measured"], [budget.row(results) for budget in BUDGETS]) + (
        f"\n\n× is times `{FLOOR}`, or what the work is compared with; medians.{bare(results)}")


def bare(results):
    """The time of the bare verification."""
    record = one(results, "verify", case="RSA-1024, raw, small")
    return f" The bare verification took {figures.written(record['floor_nanoseconds']['median'], figures.NANOSECONDS)} with RSA-1024." if record else ""


def page(results, plots):
    """The figures of BENCHMARKS.md: those of the README, the goals, the plots, and the machine."""
    figures = "\n".join(line for line in (starts(results), *waits(results, 1000, 5000), begin(results), others(results)) if line)
    return "\n\n".join([figures, budgets(results), *(f"![{plots[name]}](results/{name}.svg)" for name in sorted(plots)),
                        f"Measured on {results.machine['date']} with {processors(results.machine)}, {results.machine['system']}."])


def sizes(results):
    """The table of Deployment.md: what a host needs for so many starts a second."""
    rows = []
    for rate in sorted({record["rate"] for record in results.find("latency", nearly_all=False, other=False)}):
        shares = [one(results, "latency", key=key, rate=rate, other=False) for key in (1024, 2048)]
        memory = [rate * life * one(results, "replay", case="bytes for a token")["bytes_per_token"] for life in (420, 3600)]
        rows.append([f"{rate:,}", *(figures.percent(share["busy"]) for share in shares),
                     *(figures.written(bytes, figures.DISK) for bytes in memory)])
    table = tables.markdown(["< Starts a second", "> processor, RSA-1024", "> RSA-2048", "> table, 7 min", "> table, 1 h"], rows)
    return f"{table}\n\nMeasured with {processors(results.machine)}."


def machine(results):
    found = results.machine
    versions = ", ".join(version if name in version.lower() else f"{name} {version}"
                         for name, version in found["versions"].items() if version)
    minutes = figures.number(results.seconds / 60)
    if results.preparation is not None:
        minutes += f" minutes, installing and building before it {figures.number(results.preparation / 60)}"
    return "\n".join([
        f"- {found['date']}; measuring took {minutes} minutes; load at the start {found['load at the start']:.2f}",
        *(f"- measured again on {again['date']} with mediatoken {again['mediatoken']}: {', '.join(again['parts'])}"
          for again in found.get("again", [])),
        f"- {processors(found)}", *pauses(found.get("pauses")), f"- {found['system']}, Linux {found['kernel']}", f"- {versions}"])


def pauses(found):
    """What no program on this machine can be better than."""
    if found is None:
        return []
    longest = f", {figures.written(found['longest'], figures.NANOSECONDS)} at most" if found["count"] else ""
    return [f"- While all processors were busy for {found['seconds']} seconds, one was kept from us for more than 1 ms "
            f"{found['count']} times{longest}"]


def processors(found):
    return f"{found['processors']}{' virtual' if found['virtual'] else ''} processors, {found['processor']}"
