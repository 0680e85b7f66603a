"""A table for each benchmark: what is in a record becomes a line of it. No absolute time is shown without its ratio."""

import itertools

from suite.definitions import BARE, CLAIM, FLOOR, is_beside_redis
from suite.figures import (
    KIBIBYTES, MEBIBYTES, NANOSECONDS, PER_SECOND, SPACE, TIMES, count, number, percent, spread, written)

# What is shown with its spread. Of times only the median is.
UNITS = {
    "ratio": TIMES, "to_ours": TIMES, "busy": TIMES, "tokens_per_second": PER_SECOND, "floor_tokens_per_second": PER_SECOND,
    "spends_per_second": PER_SECOND, "kibibytes": KIBIBYTES, "mebibytes": MEBIBYTES, "mebibytes_before": MEBIBYTES,
    "mebibytes_with_all": MEBIBYTES,
}
# What is shown next to some ratios.
MORE = {"> to ours": "to_ours", "> tokens": "tokens_per_second", "> the other's tokens": "floor_tokens_per_second",
        "> processor time / time": "busy"}
WORST_RUNS = f"> 99{SPACE}% of all runs"


def markdown(heads, rows):
    """A Markdown table. A head is `<` for a column of words, `>` for one of figures, and the words over it."""
    sides = ["---" if head[0] == "<" else "---:" for head in heads]
    lines = [[head[2:] for head in heads], sides, *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def table(records, columns, *more):
    """A line for each record, and `more` lines. By its head, a column is a name in the records, or what makes a text of one."""
    return markdown(columns, [*([column(record) if callable(column) else cell(record, column) for column in columns.values()]
                                for record in records), *more])


def cell(record, name):
    value = record.get(name, "")
    if isinstance(value, dict):
        return spread(value, UNITS[name]) if name in UNITS else written(value["median"], NANOSECONDS)
    return value if isinstance(value, str) else count(value)


def ratios(records):
    """Ratios, with a table for each floor."""
    tables = []
    for floor in dict.fromkeys(record["floor_name"] for record in records):
        found = [record for record in records if record["floor_name"] == floor]
        more = {head: name for head, name in MORE.items() if any(name in record for record in found)}
        tables.append(taken(found, {"< Case": "case", f"> ratio to {code(floor)}": "ratio", "> its time": "nanoseconds",
                                    "> the other's": "floor_nanoseconds", **more}))
    return "\n\n".join(tables)


def taken(records, columns):
    """A table, and how often its figures were taken."""
    return f"{table(records, columns)}\n\n{rounds(records)}"


def code(name):
    """A name of a program's text is set as such."""
    return f"`{name}`" if "_" in name else name


def rounds(records):
    """How often it was taken, and by which clock, as one sentence."""
    numbers = [record["rounds"] for record in records]
    often = " to ".join(dict.fromkeys([count(min(numbers)), count(max(numbers))]))
    return f"Medians of {often} rounds, by the {' or the '.join(sorted({record['clock'] for record in records}))} clock."


def steps(records):
    """A line for each step, two columns for each key."""
    found = {}
    for record in records:
        found.setdefault((record["step"], record["name"]), {})[record["key"]] = record
    floors = {record["key"]: record["floor_nanoseconds"]["median"] for record in records}
    heads, rows = ["< Step"], [[name if name == "rest" else f"{step}. {name}"] for step, name in found]
    for key in sorted(floors):
        heads += [f"> RSA-{key}: ratio to `{FLOOR}`", "> its time"]
        for row, by_key in zip(rows, found.values()):
            row += [cell(by_key.get(key, {}), name) for name in ("ratio", "nanoseconds")]
    return f"{markdown(heads, rows)}\n\n{bare(floors)} {rounds(records)}"


def bare(floors):
    """What the multiples are of, by key."""
    return "The bare verification takes " + ", ".join(
        f"{written(floors[key], NANOSECONDS)} with RSA-{key}" for key in sorted(floors)) + "."


def allocations(records):
    """Calls of the allocator, by who asks."""
    return table(records, {"< Case": "case", "> ours": "ours", "> libxml2": "libxml2", "> OpenSSL": "OpenSSL"})


def latency(records):
    """Times with the multiples of the bare verification of the same run that they are."""
    def multiple(record, time):
        return written(time / record["floor_nanoseconds"], TIMES)
    return table(records, {
        "< Key": lambda record: f"RSA-{record['key']}{', the other mediatokend' if record.get('other') else ''}",
        "> starts": lambda record: written(record["rate"], PER_SECOND) + ", 90 % of all" * record["nearly_all"],
        "> share of a processor": lambda record: percent(record["busy"]),
        **percentiles(records, lambda record, time: f"{multiple(record, time)}, {written(time, NANOSECONDS)}"),
        WORST_RUNS: lambda record: "–".join(written(find(record["runs"]), NANOSECONDS) for find in (min, max)),
        "> asked late": lambda record: percent(record["late"] / record["questions"]) if record["late"] else "0",
    }) + (f"\n\nMultiples of `{FLOOR}`. {bare({record['key']: record['floor_nanoseconds'] for record in records})} "
          "Asked late: more than 1 ms after their instant, which their latency includes.")


def percentiles(records, say=lambda record, time: written(time, NANOSECONDS)):
    """Columns of the times that so many of a hundred do not exceed."""
    names = dict.fromkeys(name for record in records for name in record["percentiles"])
    return {f"> {name}{SPACE}%": lambda record, name=name: say(record, record["percentiles"][name]) for name in names}


def multiples(title, times, others):
    """A line of a table of percentiles: how many times the other time each is."""
    return [title, *(written(time / other, TIMES) for time, other in zip(times, others))]


def kept_connections(records):
    """Memory, which needs no ratio."""
    return table(records, {
        "< Case": "case", "> memory of a connection": "kibibytes", "> the daemon's before": "mebibytes_before",
        "> with all": "mebibytes_with_all"}) + f"\n\nMedians of {count(records[0]['rounds'])} rounds."


def start(records):
    """Wall clock and memory, which need no ratio."""
    return table(records, {
        "< Program": "case", "> time": lambda record: spread(record["nanoseconds"], NANOSECONDS), "> memory": "mebibytes",
    }) + f"\n\nMedians of {count(records[0]['rounds'])} rounds."


def peers(records):
    """What each peer does, and how much longer it takes."""
    return taken(records, {
        "< Verifier": "peer", "< Key": lambda record: f"RSA-{record['key']}", "> to ours": "to_ours",
        f"> ratio to `{FLOOR}`": "ratio", "> its time": "nanoseconds", "< what it does": "what",
        "< version": lambda record: ", ".join(map(" ".join, record.get("versions", {}).items()))})


def replay(records):
    """Rates, those of Redis in turn, one spend by itself, and what else there is to say about the replay table."""
    rated = [record for record in records if "spends_per_second" in record]
    alone = [record for record in rated if not is_beside_redis(record)]
    parts = [
        ("", rates, alone),
        ("In turn with Redis:\n\n", against_redis, [record for record in rated if is_beside_redis(record)]),
        ("One spend by itself:\n\n", lambda timed: one_spend(timed, alone),
         [record for record in records if "percentiles" in record]),
        ("", lambda sized: "\n".join(
            f"- {record['case']}: {number(record.get('bytes_per_token') or record['bytes_per_key'])}" for record in sized),
         [record for record in records if record.keys() & {"bytes_per_token", "bytes_per_key"}]),
        ("", ratios, [record for record in records if "ratio" in record and record not in rated]),
    ]
    return "\n\n".join(title + text(found) for title, text, found in parts if found)


def rates(records):
    floors = " or ".join(sorted({code(record["floor_name"]) for record in records}))
    return taken(records, {
        "< Case": "case", "> spends": "spends_per_second", f"> ratio to {floors}": "ratio",
        "> time / spends": "nanoseconds"})


def against_redis(records):
    return table(records, {
        "< Case": "case", "> ratio of the rates": "ratio", "> ours": "spends_per_second",
        "> Redis's": lambda record: written(1e9 / record["floor_nanoseconds"]["median"], PER_SECOND)})


def one_spend(records, rated):
    """With the multiples that the times are of a bare verification, and those of Redis of ours."""
    redis = [record["percentiles"].values() for record in records if "Redis" in record["case"]]
    ours = [record["percentiles"].values() for record in records if "Redis" not in record["case"]]
    floors = [itertools.repeat(record["floor_nanoseconds"]["median"]) for record in rated]
    more = [(f"ours / `{FLOOR}`", ours, floors), ("Redis's / ours", redis, ours)]
    return table(records, {"< Case": "case", **percentiles(records)}, *(
        multiples(title, times[0], others[0]) for title, times, others in more if times and others))


def one_claim(records):
    """A first use on a node, against the bare command."""
    by_case = {record["case"]: record["percentiles"].values() for record in records}
    more = [[*multiples(f"{CLAIM} / {BARE}", by_case[CLAIM], by_case[BARE]), ""]] if len(records) == 2 else []
    return table(records, {
        "< Case": "case", **percentiles(records),
        WORST_RUNS: lambda record: " to ".join(written(find(record["runs"]), NANOSECONDS) for find in (min, max))}, *more)


def node_memory(records):
    return "\n".join(f"- {record['case']}: {number(record['bytes'])} bytes" for record in records)
