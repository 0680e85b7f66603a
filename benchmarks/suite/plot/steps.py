"""Cost per step: one stack for each key, unfolded from top to bottom, and whole in the last line."""

from suite import figures
from suite.definitions import WHOLE
from suite.plot import style

COLOURS = {
    "armor": style.SKY, "envelope": style.GREEN, "identity": style.ORANGE, "signature": style.BLUE, "fields": style.RED,
    "lifetime": style.PINK, "binding": "#8C6D31", "one use": "#5D3A9B", "rest": "#999999",
}


def draw(results):
    figure, found = style.by_key([record for record in results.find("step") if record["key"] in WHOLE], 3.9, sharex=True)
    for key, (axis, steps) in found.items():
        panel(axis, key, steps)
    style.below(figure, "share of one bare RSA verification (EVP_PKEY_verify) with the same key")
    return figure


def panel(axis, key, steps):
    last, end = len(steps) + 0.3, 0
    for row, step in enumerate(steps):
        share, colour = step["ratio"]["median"], COLOURS.get(step["name"], style.GREY)
        axis.barh([row, last], share, left=end, height=[0.72, 0.9], color=colour)
        below = row + 1 if row + 1 < len(steps) else last
        axis.plot([end + share] * 2, [row, below], color=style.GREY, linewidth=0.7, zorder=0.5)
        style.beside(axis, max(end, end + share), row, figures.percent(share))
        end += share
    budget(axis, WHOLE[key], end, last)
    labels = [f"{step['step']}  {step['name']}" if step["name"] != "rest" else "the rest" for step in steps]
    axis.set_yticks([*range(len(steps)), last], [*labels, "all"])
    axis.set_ylim(last + 1.5, -0.7)
    axis.set_xlim(0, 1.25 * max(WHOLE.values()))
    style.by_percent(axis.xaxis, 0.5)
    style.rows(axis)


def budget(axis, limit, whole, row):
    """A mark across the last line, with the budget under it."""
    axis.plot([limit] * 2, [row - 0.6, row + 0.75], color=style.INK, linewidth=2)
    axis.annotate(f"budget {figures.percent(limit)}", (limit, row + 0.8), (0, -3), textcoords="offset points", va="top",
                  ha="center", fontsize=9)
    style.beside(axis, max(whole, limit), row, figures.percent(whole), fontweight="bold")
