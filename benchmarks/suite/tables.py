"""A table for each benchmark: what is in a record becomes a line of it. No absolute time stands without its ratio."""

from suite.figures import count, number, percent, rate, spread, time, times


def markdown(heads, rows):
    """A Markdown table: words to the left, figures to the right."""
    sides = ["---" if side == "<" else "---:" for side, _ in heads]
    lines = [[head for _, head in heads], sides, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def ratios(records):
    """What `Results.ratio` made."""
    rows = [[record["case"], spread(record["ratio"], times), record["floor_name"], time(record["nanoseconds"]["median"]),
             time(record["floor_nanoseconds"]["median"])] for record in records]
    return markdown([("<", "Case"), (">", "Ratio (10 to 90 %)"), ("<", "to"), (">", "its time"), (">", "the other's")],
                    rows) + "\n\n" + rounds(records)


def rounds(records):
    """How often it was taken, and by which clock, as one sentence."""
    numbers = sorted({record["rounds"] for record in records})
    clocks = sorted({record["clock"] for record in records})
    often = count(numbers[0]) if len(numbers) == 1 else f"{count(numbers[0])} to {count(numbers[-1])}"
    return f"Medians of {often} rounds, by the {' or '.join(clocks)} clock."


def steps(records):
    """A line for each step, a column for each key."""
    keys = sorted({record["key"] for record in records})
    found = {(record["step"], record["name"], record["key"]): record for record in records}
    rows = []
    for step, name in dict.fromkeys((record["step"], record["name"]) for record in records):
        row = [str(step) if name != "rest" else "", name]
        for key in keys:
            record = found.get((step, name, key))
            row += [spread(record["ratio"], times), time(record["nanoseconds"]["median"])] if record else ["", ""]
        rows.append(row)
    heads = [(">", "Step"), ("<", "Name")]
    for key in keys:
        heads += [(">", f"RSA-{key} (10 to 90 %)"), (">", "time")]
    floors = {record["key"]: record["floor_nanoseconds"]["median"] for record in records}
    bare = ", ".join(f"{time(floors[key])} with RSA-{key}" for key in keys)
    return markdown(heads, rows) + f"\n\nRatios to the bare verification (`EVP_PKEY_verify`): {bare}. " + rounds(records)


def allocations(records):
    """Calls of the allocator, by who asks."""
    owners = ["ours", "libxml2", "OpenSSL"]
    return markdown([("<", "Case"), *((">", owner) for owner in owners)],
                    [[record["case"], *(count(record[owner]) for owner in owners)] for record in records])


def replay(records):
    """Rates; one spend by itself; and what else there is to say of the table."""
    return "\n\n".join(part for part in (rates(records), percentiles(records), others(records)) if part)


def rates(records):
    """Spends a second, and what that is beside Redis where both were taken in turn."""
    records = [record for record in records if "spends_per_second" in record]
    rows = []
    for record in records:
        beside = f"{spread(record['ratio'], times)} {record['floor_name']}" if "ratio" in record else ""
        rows.append([record["case"], spread(record["spends_per_second"], rate), beside])
    return markdown([("<", "Case"), (">", "Spends (10 to 90 %)"), ("<", "In turn with it")], rows)


def percentiles(records):
    """One spend, timed by itself; the last line says how often the other takes as long."""
    records = [record for record in records if "percentiles" in record]
    names = list(dict.fromkeys(name for record in records for name in record["percentiles"]))
    rows = [[record["case"], *(time(record["percentiles"][name]) if name in record["percentiles"] else "" for name in names)]
            for record in records]
    if len(records) == 2:
        ours, other = (record["percentiles"] for record in records)
        rows.append(["ratio", *(times(other[name] / ours[name]) if name in ours and name in other else "" for name in names)])
    return markdown([("<", "Case"), *((">", f"{name} %") for name in names)], rows)


def latency(records):
    """Multiples of the bare verification of the same run, with the times that they are."""
    names = list(dict.fromkeys(name for record in records for name in record["percentiles"]))
    rows = []
    for record in records:
        bare = record["floor_nanoseconds"]
        taken = [f"{times(record['percentiles'][name] / bare)}, {time(record['percentiles'][name])}" for name in names]
        late = percent(record["late"] / record["questions"]) if record["late"] else "0"
        rows.append([f"RSA-{record['key']}", percent(record["load"]), rate(record["rate"]), *taken, late])
    floors = {record["key"]: record["floor_nanoseconds"] for record in records}
    bare = ", ".join(f"{time(floors[key])} with RSA-{key}" for key in sorted(floors))
    heads = [("<", "Key"), (">", "Load"), (">", "Requests"), *((">", f"{name} %") for name in names), (">", "asked late")]
    return markdown(heads, rows) + (
        f"\n\nMultiples of the bare verification (`EVP_PKEY_verify`): {bare}. Asked late: more than 1 ms after their instant, "
        "which their latency includes.")


def peers(records):
    """What each peer does, and how much longer it takes."""
    rows = [[record["peer"], f"RSA-{record['key']}", record.get("what", ""), versions(record),
             spread(record["to_ours"], times) if "to_ours" in record else "", spread(record["ratio"], times),
             time(record["nanoseconds"]["median"])] for record in records]
    heads = [("<", "Verifier"), ("<", "Key"), ("<", "What it does"), ("<", "Version"), (">", "to ours (10 to 90 %)"),
             (">", "to `EVP_PKEY_verify` (10 to 90 %)"), (">", "time")]
    return markdown(heads, rows) + "\n\n" + rounds(records)


def versions(record):
    found = record.get("versions", "")
    return ", ".join(f"{name} {number}" for name, number in found.items()) if isinstance(found, dict) else str(found)


def others(records):
    """Lines on records that are neither a rate nor percentiles."""
    lines = []
    for record in records:
        if "bytes_per_token" in record:
            lines.append(f"- {record['case']}: {number(record['bytes_per_token'])} bytes")
        elif "ratio" in record and "spends_per_second" not in record:
            lines.append(f"- {record['case']}: {spread(record['ratio'], times)} {record['floor_name']}, "
                         f"{time(record['nanoseconds']['median'])}")
    return "\n".join(lines)
