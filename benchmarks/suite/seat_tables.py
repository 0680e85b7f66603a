"""The tables of a seat: one claim by itself, and memory. What its cases are called."""

from suite import tables
from suite.figures import NANOSECONDS, SPACE, TIMES, number, written

BARE, CLAIM = "SET NX PX", "claim"
SINGLE, ALONE = "16 clients, one claim at a time", "1 client, one claim at a time"
BATCHES, PIPELINED = "batches of 16, beside single commands", "batches of 16, beside pipelines of 16"


def percentiles(records):
    names = list(records[0]["percentiles"])
    rows = [[record["case"], *(written(record["percentiles"][name], NANOSECONDS) for name in names),
             f"{written(min(record['runs']), NANOSECONDS)} to {written(max(record['runs']), NANOSECONDS)}"]
            for record in records]
    if len(records) == 2:
        rows.append([f"{CLAIM} / {BARE}", *(written(beside_bare(records, name), TIMES) for name in names), ""])
    return tables.markdown(
        ["< Case", *(f"> {name}{SPACE}%" for name in names), f"> 99{SPACE}% of all runs"], rows)


def beside_bare(records, name):
    """How many times as long a claim takes, at this place among a hundred."""
    found = {record["case"]: record["percentiles"][name] for record in records}
    return found[CLAIM] / found[BARE]


def memory(records):
    return "\n".join(f"- {record['case']}: {number(record['bytes'])} bytes" for record in records)
