"""The daemon's latency under load: how long all but a few wait, and how few the few are."""

from matplotlib import ticker

from suite import figures
from suite.definitions import FLOOR
from suite.plot import style

SHARES = [0.5, 0.9, 0.99, 0.999]
COLOURS = [style.SKY, style.GREEN, style.BLUE, style.ORANGE, style.RED]


def draw(results):
    records = sorted((record for record in results.find("latency") if not record.get("other")),
                     key=lambda record: record["rate"])
    figure, found = style.by_key(records, 3.6)
    for axis, of_key in found.values():
        curves(axis, of_key)
    for axis, of_key in found.values():  # when all heights are known
        names(axis, of_key)
        in_time(axis, of_key[0]["floor_nanoseconds"])
    figure.axes[0].set_ylabel(style.multiple(FLOOR))
    style.below(figure, "share of the requests whose answer takes no longer")
    return figure


def curves(axis, records):
    for record, colour in zip(records, COLOURS):
        axis.plot(*zip(*points(record)), color=colour)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(1 / 0.9, 9000)
    axis.set_xticks([1 / (1 - share) for share in SHARES], [f"{100 * share:g} %" for share in SHARES])
    axis.xaxis.set_minor_locator(ticker.NullLocator())


def points(record):
    """From where one in ten is answered: its place on an axis for those who wait longer, and its latency."""
    return [(1 / (1 - share), taken / record["floor_nanoseconds"]) for taken, share in record["distribution"]
            if 0.1 <= share <= SHARES[-1]]


def names(axis, records):
    ends = [(1 / (1 - SHARES[-1]), points(record)[-1][1], f"{record['rate']:,.0f}/s", style.INK)
            for record in records]
    style.at_ends(axis, ends, height=0.055)


def in_time(axis, bare):
    """The same heights in time, to the right."""
    bottom, top = axis.get_ylim()
    places = (1, 2, 5) if top / bottom < 1000 else (1,)
    style.in_digits(axis.yaxis, places, lambda ratio: f"{ratio:,g}" if ratio < 1 else f"{ratio:,.0f}")
    second = axis.secondary_yaxis("right", functions=(lambda ratio: ratio * bare, lambda time: time / bare))
    style.in_digits(second.yaxis, places, lambda time: figures.exactly(time, figures.NANOSECONDS))
    second.tick_params(which="both", colors=style.GREY)
