"""What all plots look like, on a light page and on a dark one, and the same file each time."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402

from suite.definitions import FLOOR  # noqa: E402

# Okabe and Ito's colours, which people who see fewer colours can tell apart.
BLUE, RED, SKY, GREEN, ORANGE, PINK = "#0072B2", "#D55E00", "#56B4E9", "#009E73", "#E69F00", "#CC79A7"
INK, GREY, PALE = "#222222", "#666666", "#DDDDDD"
WIDTH = 8.4  # inches; as wide as GitHub shows a README, so that letters keep their size

matplotlib.rcParams.update({
    # Verdana is as wide as DejaVu Sans, which the places of letters are made for.
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"], "font.size": 9.5,
    "svg.fonttype": "none", "svg.hashsalt": "mediatoken", "text.color": INK, "text.parse_math": False,
    "figure.facecolor": "white", "savefig.facecolor": "white", "figure.constrained_layout.use": True,
    "axes.edgecolor": GREY, "axes.labelcolor": INK, "axes.titlesize": 11, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": PALE, "grid.linewidth": 0.6, "xtick.color": INK, "ytick.color": INK,
    "xtick.labelsize": 9, "ytick.labelsize": 9, "lines.linewidth": 2,
})


def panels(rows, columns, height, **options):
    """Axes of a figure that is as wide as a page."""
    return pyplot.subplots(rows, columns, figsize=(WIDTH, height), **options)


def by_key(records, height, **options):
    """A panel for each key: the figure, and for each key its axis and its records."""
    keys = sorted({record["key"] for record in records})
    figure, axes = panels(1, len(keys), height, sharey=True, squeeze=False, **options)
    for axis, key in zip(axes[0], keys):
        axis.set_title(f"RSA-{key}")
    return figure, {key: (axis, [record for record in records if record["key"] == key]) for axis, key in zip(axes[0], keys)}


def multiple(floor):
    return f"× {'bare RSA verification' if floor == FLOOR else floor}"


def below(figure, text):
    """One label for the horizontal axes of all panels."""
    figure.supxlabel(text, fontsize=9.5)


def beside(axis, x, y, text, **options):
    """A label to the right of a point."""
    axis.annotate(text, (x, y), (5, 0), textcoords="offset points", va="center", **{"fontsize": 9, **options})


def at_ends(axis, ends, height):
    """A label at the end (x, y, text, colour) of each line, moved up where it would lie on one with the same x.

    `height`: the part of the axis's height that a label takes. The axis's limits must be final.
    """
    to_share = axis.transData + axis.transAxes.inverted()
    least = {}
    for place, x, text, colour in sorted((to_share.transform((x, y))[1], x, *how) for x, y, *how in ends):
        place = max(place, least.get(x, 0))
        axis.annotate(text, (x, place), (5, 0), axis.get_xaxis_transform(), textcoords="offset points", va="center",
                      fontsize=9, color=colour)
        least[x] = place + height


def rows(axis):
    """For axes with a line of words for each bar."""
    axis.tick_params(axis="y", left=False)
    axis.grid(axis="y", visible=False)


def by_percent(axis, step):
    axis.set_major_locator(ticker.MultipleLocator(step))
    axis.set_major_formatter(ticker.PercentFormatter(1, decimals=0, symbol=" %"))


def in_digits(axis, places, written):
    """A logarithmic axis with numbers instead of powers of ten, at these places of each decade."""
    axis.set_major_locator(ticker.LogLocator(subs=places))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: written(value)))
    axis.set_minor_locator(ticker.NullLocator())


def save(figure, path, title, source):
    figure.savefig(path, format="svg", metadata={"Date": None, "Title": title, "Source": f"results.json {source}"})
    pyplot.close(figure)
