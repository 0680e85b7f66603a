"""The replay table: spends per second against Redis, and by how full it is."""

from suite import figures
from suite.definitions import REDIS, is_beside_redis, refills
from suite.plot import style


def draw(results):
    records = [record for record in results.find("replay") if "spends_per_second" in record]
    fills = sorted((record for record in records if "fill" in record), key=lambda record: record["fill"])
    figure, axes = style.panels(1, 2, 3.4, width_ratios=[1.35, 1])
    against_redis(axes[0], records)
    if fills:
        by_fill(axes[1], fills)
    else:
        axes[1].set_axis_off()
    return figure


def against_redis(axis, records):
    bars = sorted(ours(records) + redis(records), key=lambda bar: -bar[1])
    for row, (_, rate, colour, label) in enumerate(bars):
        axis.barh(row, rate, height=0.62, color=colour)
        style.beside(axis, rate, row, label)
    axis.set_yticks(range(len(bars)), [bar[0] for bar in bars])
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.set_xlim(10_000, bars[0][1] * 20)
    style.in_digits(axis.xaxis, (1,), lambda rate: f"{rate / 1e6:g} M/s" if rate >= 1e6 else f"{rate / 1000:g} k/s")
    style.rows(axis)
    axis.set_title("Spends a second, two processes")


def ours(records):
    """A bar for each size of the table, refilled by two processes."""
    rates = {capacity: record["spends_per_second"]["median"] for capacity, record in refills(records).items()}
    return [(f"table of {capacity // 1_000_000} M", rate, style.RED, figures.written(rate, figures.PER_SECOND))
            for capacity, rate in rates.items()]


def redis(records):
    """A bar for each way of asking it, with how many times as fast the table was in the same run."""
    bars = []
    for record in records:
        if is_beside_redis(record):
            rate = 1e9 / record["floor_nanoseconds"]["median"]
            bars.append((record["floor_name"].replace(REDIS, "Redis, "), rate, style.BLUE,
                         f"{figures.written(rate, figures.PER_SECOND)}; "
                         f"ours {figures.written(record['ratio']['median'], figures.TIMES)}"))
    return bars


def by_fill(axis, records):
    axis.set_title("By how full the table is")
    rates = [record["spends_per_second"]["median"] / 1e6 for record in records]
    axis.plot([record["fill"] for record in records], rates, color=style.RED, marker="o", markersize=4)
    style.by_percent(axis.xaxis, 0.25)
    axis.set_ylim(0, 1.12 * max(rates))
    axis.set_xlabel("living entries before")
    axis.set_ylabel("million spends a second")
