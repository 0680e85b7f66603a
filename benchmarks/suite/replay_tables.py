"""The tables of the replay table: rates, Redis's, one spend by itself, and what else there is to say of it."""

from suite import tables
from suite.figures import NANOSECONDS, PER_SECOND, SPACE, TIMES, number, spread, written

REDIS = "Redis SET NX PX, "
PIPELINES = REDIS + "in pipelines of 64"


def replay(records):
    rated = [record for record in records if "spends_per_second" in record]
    alone = [record for record in rated if not beside_redis(record)]
    bare = alone[0]["floor_nanoseconds"]["median"] if alone else None
    parts = [
        ("", rates, alone),
        ("In turn with Redis:\n\n", against, [record for record in rated if beside_redis(record)]),
        ("One spend by itself:\n\n", lambda timed: percentiles(timed, bare),
         [record for record in records if "percentiles" in record]),
        ("", sizes, [record for record in records if record.keys() & {"bytes_per_token", "bytes_per_key"}]),
        ("", tables.ratios, [record for record in records if "ratio" in record and record not in rated]),
    ]
    return "\n\n".join(title + table(found) for title, table, found in parts if found)


def beside_redis(record):
    return record.get("floor_name", "").startswith(REDIS)


def refills(records):
    """Two processes that refill a table and say ahead what comes, by its capacity: the figure that counts."""
    wanted = {"pass": "refill, prepared", "workers": 2, "by": "processes"}
    return {record["capacity"]: record for record in records
            if wanted.items() <= record.items() and not beside_redis(record)}


def rates(records):
    rows = [[record["case"], spread(record["spends_per_second"], PER_SECOND), *tables.ratio_and_time(record)]
            for record in records]
    floors = sorted({tables.code(record["floor_name"]) for record in records})
    heads = ["< Case", "> spends", f"> ratio to {' or '.join(floors)}", "> time / spends"]
    return tables.markdown(heads, rows) + "\n\n" + tables.rounds(records)


def against(records):
    rows = [[record["case"], spread(record["ratio"], TIMES), spread(record["spends_per_second"], PER_SECOND),
             written(1e9 / record["floor_nanoseconds"]["median"], PER_SECOND)] for record in records]
    return tables.markdown(["< Case", "> ratio of the rates", "> ours", "> Redis's"], rows)


def percentiles(records, bare):
    """With the multiples that they are of a bare verification, and of Redis's times ours."""
    names = list(dict.fromkeys(name for record in records for name in record["percentiles"]))
    rows = [[record["case"], *(written(record["percentiles"][name], NANOSECONDS) for name in names)]
            for record in records]
    redis = [record["percentiles"] for record in records if "Redis" in record["case"]]
    ours = [record["percentiles"] for record in records if "Redis" not in record["case"]]
    if bare and ours:
        rows.append(["ours / `EVP_PKEY_verify`", *(written(ours[0][name] / bare, TIMES) for name in names)])
    if redis and ours:
        rows.append(["Redis's / ours", *(written(redis[0][name] / ours[0][name], TIMES) for name in names)])
    return tables.markdown(["< Case", *(f"> {name}{SPACE}%" for name in names)], rows)


def sizes(records):
    return "\n".join(f"- {record['case']}: {number(record.get('bytes_per_token') or record['bytes_per_key'])}"
                     for record in records)
