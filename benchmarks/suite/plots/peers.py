"""Other verifiers: how much longer each takes than ours does, and how long the bare verification takes."""

from suite import figures
from suite.plots import style


def draw(results):
    records = [record for record in results.find("peers") if "to_ours" in record]
    names = sorted({record["peer"] for record in records},
                   key=lambda peer: min(record["to_ours"]["median"] for record in records if record["peer"] == peer))
    keys = sorted({record["key"] for record in records})
    figure, axes = style.panels(1, len(keys), 1 + 0.46 * len(names), sharey=True, sharex=True, squeeze=False)
    for axis, key in zip(axes[0], keys):
        panel(axis, names, {record["peer"]: record for record in records if record["key"] == key})
        axis.set_title(f"RSA-{key}")
    style.below(figure, "time for one token, as a multiple of mediatoken's")
    return figure


def panel(axis, names, records):
    bare = next(record["to_ours"]["median"] / record["ratio"]["median"] for record in records.values())
    for row, name in enumerate(names):
        if name not in records:
            style.beside(axis, bare, row, "not measured", color=style.GREY)
            continue
        found = records[name]["to_ours"]["median"]
        axis.barh(row, found, height=0.62, color=style.RED if name == "mediatoken" else style.BLUE)
        style.beside(axis, found, row, figures.written(found, figures.TIMES))
    axis.plot([bare] * 2, [-0.75, len(names) - 0.5], color=style.INK, linewidth=1.2, linestyle=(0, (4, 2)))
    style.beside(axis, bare, -0.7, "bare RSA verification")
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -1)
    axis.margins(x=0.2)
    style.rows(axis)
