"""The daemon's latency under load: how long all but a few wait, and how few the few are."""

from matplotlib import ticker

from suite.plots import style

SHARES = [0.5, 0.9, 0.99, 0.999]
COLOURS = [style.SKY, style.GREEN, style.BLUE, style.RED]


def draw(results):
    records = results.find("latency")
    keys = sorted({record["key"] for record in records})
    figure, axes = style.panels(1, len(keys), 3.6, sharey=True, squeeze=False)
    for axis, key in zip(axes[0], keys):
        panel(axis, sorted((record for record in records if record["key"] == key), key=lambda record: record["load"]))
        axis.set_title(f"RSA-{key}")
    axes[0][0].set_ylabel("× bare RSA verification")
    axes[0][-1].child_axes[0].set_ylabel("microseconds")
    style.below(figure, "share of the requests whose answer takes no longer")
    return figure


def panel(axis, records):
    lines = []
    for record, colour in zip(records, COLOURS):
        bare = record["floor_nanoseconds"]
        points = [(1 / (1 - share), taken / bare) for taken, share in record["distribution"]
                  if 0.1 <= share <= SHARES[-1]]
        axis.plot(*zip(*points), color=colour)
        lines.append((f"{100 * record['load']:g} % load", *points[-1]))
    for (text, across, _), height in zip(lines, apart([height for _, _, height in lines])):
        style.beside(axis, across, height, text)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(1 / 0.9, 9000)
    axis.set_xticks([1 / (1 - share) for share in SHARES], [f"{100 * share:g} %" for share in SHARES])
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    style.in_digits(axis.yaxis, (1, 2, 5))
    bare = records[0]["floor_nanoseconds"]
    second = axis.secondary_yaxis("right", functions=(lambda y: y * bare / 1000, lambda y: y * 1000 / bare))
    style.in_digits(second.yaxis, (1, 2, 5))
    second.tick_params(which="both", colors=style.GREY)
    second.yaxis.label.set_color(style.GREY)


def apart(heights):
    """Heights on a log scale, moved up where labels would lie on each other."""
    placed, least = {}, 0
    for height in sorted(heights):
        placed[height] = least = max(height, least * 1.2)
    return [placed[height] for height in heights]
