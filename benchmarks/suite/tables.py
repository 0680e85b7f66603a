"""A table for each benchmark: what is in a record becomes a line of it. No absolute time stands without its ratio."""

from suite.figures import KIBIBYTES, MEBIBYTES, NANOSECONDS, PER_SECOND, SPACE, TIMES, count, percent, spread, written


# What some records of ratios have beside them.
MORE = {
    "to_ours": ("> to ours", TIMES), "tokens_per_second": ("> tokens", PER_SECOND),
    "floor_tokens_per_second": ("> the other's tokens", PER_SECOND), "busy": ("> processor time / time", TIMES),
}


def markdown(heads, rows):
    """A Markdown table. A head is where its column stands, `<` for words and `>` for figures, and its words."""
    sides = ["---" if head[0] == "<" else "---:" for head in heads]
    lines = [[head[2:] for head in heads], sides, *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def ratios(records):
    """What `Results.ratio` made: a table for each floor."""
    floors = dict.fromkeys(record["floor_name"] for record in records)
    return "\n\n".join(
        beside(floor, [record for record in records if record["floor_name"] == floor]) for floor in floors)


def beside(floor, records):
    """Ratios to one floor. Some benchmarks have more to say."""
    more = {name: about for name, about in MORE.items() if any(name in record for record in records)}
    rows = []
    for record in records:
        extra = [spread(record[name], units) if name in record else "" for name, (_, units) in more.items()]
        rows.append([record["case"], *ratio_and_time(record),
                     written(record["floor_nanoseconds"]["median"], NANOSECONDS), *extra])
    heads = ["< Case", f"> ratio to {code(floor)}", "> its time", "> the other's", *(head for head, _ in more.values())]
    return markdown(heads, rows) + "\n\n" + rounds(records)


def ratio_and_time(record):
    return [spread(record["ratio"], TIMES), written(record["nanoseconds"]["median"], NANOSECONDS)]


def code(name):
    """A name of a program's text is set as such."""
    return f"`{name}`" if "_" in name else name


def rounds(records):
    """How often it was taken, and by which clock, as one sentence."""
    numbers = sorted({record["rounds"] for record in records})
    clocks = sorted({record["clock"] for record in records})
    often = count(numbers[0]) if len(numbers) == 1 else f"{count(numbers[0])} to {count(numbers[-1])}"
    return f"Medians of {often} rounds, by the {' or the '.join(clocks)} clock."


def steps(records):
    """A line for each step, two columns for each key."""
    keys = sorted({record["key"] for record in records})
    found = {(record["step"], record["name"], record["key"]): record for record in records}
    rows = []
    for step, name in dict.fromkeys((record["step"], record["name"]) for record in records):
        row = [name if name == "rest" else f"{step}. {name}"]
        for key in keys:
            record = found.get((step, name, key))
            row += ratio_and_time(record) if record else ["", ""]
        rows.append(row)
    heads = ["< Step"]
    for key in keys:
        heads += [f"> RSA-{key}: ratio to `EVP_PKEY_verify`", "> its time"]
    floors = {record["key"]: record["floor_nanoseconds"]["median"] for record in records}
    return f"{markdown(heads, rows)}\n\n{bare(floors)} {rounds(records)}"


def bare(floors):
    """What the multiples are of, by key."""
    return "The bare verification takes " + ", ".join(
        f"{written(floors[key], NANOSECONDS)} with RSA-{key}" for key in sorted(floors)) + "."


def allocations(records):
    """Calls of the allocator, by who asks."""
    owners = ["ours", "libxml2", "OpenSSL"]
    return markdown(["< Case", *(f"> {owner}" for owner in owners)],
                    [[record["case"], *(count(record[owner]) for owner in owners)] for record in records])


def latency(records):
    """Multiples of the bare verification of the same run, with the times that they are."""
    names = list(dict.fromkeys(name for record in records for name in record["percentiles"]))
    rows = []
    for record in records:
        taken = [f"{written(found / record['floor_nanoseconds'], TIMES)}, {written(found, NANOSECONDS)}"
                 for found in (record["percentiles"][name] for name in names)]
        late = percent(record["late"] / record["questions"]) if record["late"] else "0"
        load = f"{100 * record['load']:g}{SPACE}%"
        runs = "–".join(written(found / record["floor_nanoseconds"], TIMES) for found in
                        (min(record["runs"]), max(record["runs"])))
        daemon = ", the other mediatokend" if record.get("other") else ""
        rows.append([f"RSA-{record['key']}{daemon}", load, written(record["rate"], PER_SECOND), *taken, runs, late])
    heads = ["< Key", "> load", "> requests", *(f"> {name}{SPACE}%" for name in names), f"> 99{SPACE}% of all runs",
             "> asked late"]
    return markdown(heads, rows) + "\n\nMultiples of `EVP_PKEY_verify`. " + bare(
        {record["key"]: record["floor_nanoseconds"] for record in records}) + (
        " Asked late: more than 1 ms after their instant, which their latency includes.")


def kept_connections(records):
    """Memory, which needs no ratio."""
    return markdown(
        ["< Case", "> memory of a connection", "> the daemon's before", "> with all"],
        [[record["case"], spread(record["kibibytes"], KIBIBYTES), spread(record["mebibytes_before"], MEBIBYTES),
          spread(record["mebibytes_with_all"], MEBIBYTES)] for record in records]) + (
        f"\n\nMedians of {count(records[0]['rounds'])} rounds.")


def peers(records):
    """What each peer does, and how much longer it takes."""
    rows = [[record["peer"], f"RSA-{record['key']}", spread(record["to_ours"], TIMES) if "to_ours" in record else "",
             *ratio_and_time(record), record.get("what", ""), versions(record.get("versions", {}))]
            for record in records]
    heads = ["< Verifier", "< Key", "> to ours", "> ratio to `EVP_PKEY_verify`", "> its time", "< what it does",
             "< version"]
    return markdown(heads, rows) + "\n\n" + rounds(records)


def versions(found):
    return ", ".join(f"{name} {version}" for name, version in found.items())
