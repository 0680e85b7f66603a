"""Other verifiers: how much longer each takes than ours does, and how long the bare verification takes."""

from suite import figures
from suite.plot import style


def draw(results):
    records = [record for record in results.find("peers") if "to_ours" in record]
    names = sorted({record["peer"] for record in records},
                   key=lambda peer: min(record["to_ours"]["median"] for record in records if record["peer"] == peer))
    figure, found = style.by_key(records, 1.1 + 0.36 * len(names), sharex=True)
    for axis, of_key in found.values():
        panel(axis, names, {record["peer"]: record for record in of_key})
    axis.set_xlim(0.4, 2.8 * max(record["to_ours"]["median"] for record in records))
    style.below(figure, "time for one token, as a multiple of mediatoken's")
    return figure


def panel(axis, names, records):
    """On a logarithmic axis a line from 1 is as long as the multiple is great."""
    for row, name in enumerate(names):
        if name not in records:
            style.beside(axis, 1, row, "not measured", color=style.GREY)
            continue
        found = records[name]["to_ours"]["median"]
        colour = style.RED if name == "mediatoken" else style.BLUE
        axis.plot([1, found], [row, row], color=colour, linewidth=7, solid_capstyle="butt")
        axis.plot(found, row, color=colour, marker="o", markersize=9)
        axis.annotate(figures.written(found, figures.TIMES), (found, row), (9, 0), textcoords="offset points",
                      va="center", fontsize=9)
    bare = next(record["to_ours"]["median"] / record["ratio"]["median"] for record in records.values())
    axis.plot([bare] * 2, [-0.9, len(names) - 0.5], color=style.INK, linewidth=1.2, linestyle=(0, (4, 2)))
    style.beside(axis, bare, -0.85, "bare RSA verification")
    axis.set_xscale("log")
    style.in_digits(axis.xaxis, (1, 2, 5), "{:g}".format)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -1.2)
    style.rows(axis)
