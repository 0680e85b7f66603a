"""The tables of the replay table: rates, one spend by itself, and what else there is to say of it."""

from suite import tables
from suite.figures import NANOSECONDS, PER_SECOND, SPACE, TIMES, number, spread, written

PIPELINES = "Redis SET NX PX, in pipelines of 64"


def replay(records):
    with_rates = [record for record in records if "spends_per_second" in record]
    in_turn = [record for record in with_rates if "ratio" in record]
    timed = [record for record in records if "percentiles" in record]
    alone = [record for record in with_rates if "ratio" not in record]
    parts = [rates(alone, pipelines(records))] if alone else []
    if in_turn:
        parts.append("In turn with it:\n\n" + against(in_turn))
    if timed:
        parts.append("One spend by itself:\n\n" + percentiles(timed))
    return "\n\n".join([*parts, *others(records)])


def pipelines(records):
    """Redis's rate in pipelines, the best it has; None where it was not measured."""
    return next((1e9 / record["floor_nanoseconds"]["median"] for record in records
                 if record.get("floor_name") == PIPELINES), None)


def refills(records):
    """The rate of two processes that refill a table, by its capacity: the figure that counts."""
    rates = {}
    for record in records:
        wanted = {"pass": "refill", "workers": 2, "by": "processes"}
        if wanted.items() <= record.items() and "fill" not in record:
            rates.setdefault(record["capacity"], record["spends_per_second"]["median"])
    return rates


def rates(records, redis):
    rows = [[record["case"], spread(record["spends_per_second"], PER_SECOND),
             written(record["spends_per_second"]["median"] / redis, TIMES) if redis else "not measured"]
            for record in records]
    return tables.markdown(["< Case", "> spends", "> to Redis in pipelines of 64, same run"], rows)


def against(records):
    rows = [[record["case"], record["floor_name"], spread(record["ratio"], TIMES),
             spread(record["spends_per_second"], PER_SECOND),
             written(1e9 / record["floor_nanoseconds"]["median"], PER_SECOND)] for record in records]
    return tables.markdown(["< Case", "< the other", "> ratio of the rates", "> ours", "> the other's"], rows)


def percentiles(records):
    """The last line says how many times as long Redis takes."""
    names = list(dict.fromkeys(name for record in records for name in record["percentiles"]))
    rows = [[record["case"], *(written(record["percentiles"][name], NANOSECONDS) for name in names)]
            for record in records]
    redis = [record["percentiles"] for record in records if "Redis" in record["case"]]
    ours = [record["percentiles"] for record in records if "Redis" not in record["case"]]
    if redis and ours:
        rows.append(["Redis / ours", *(written(redis[0][name] / ours[0][name], TIMES) for name in names)])
    return tables.markdown(["< Case", *(f"> {name}{SPACE}%" for name in names)], rows)


def others(records):
    """What is neither a rate nor percentiles."""
    rest = [record for record in records if not record.keys() & {"spends_per_second", "percentiles"}]
    lines = [f"- {record['case']}: {number(record['bytes_per_token'])} bytes"
             for record in rest if "bytes_per_token" in record]
    compared = [record for record in rest if "ratio" in record]
    return (["\n".join(lines)] if lines else []) + ([tables.ratios(compared)] if compared else [])
