"""How many starts of playback one processor takes: by the library in a process, by servers, and what each leaves out."""

from suite import figures
from suite.definitions import HAPROXY, NGINX, OURS
from suite.plot import style

KEY, MANY = 1024, 5000


def draw(results):
    """A bar for each that was measured: its nanoseconds of a processor for one token."""
    bars = [(label, record["nanoseconds"]["median"], is_ours) for label, is_ours, benchmark, wanted in (
        ("mediatoken in a process,\none use enforced", True, "verify", {"form": "raw", "resource_bytes": len("TNT"), "table": True}),
        ("Java in a process", False, "peers", {"peer": "Java"}),
        ("mediatokend,\none use enforced", True, "other servers", {"server": OURS}),
        ("HAProxy, JWT", False, "other servers", {"server": HAPROXY}),
        ("nginx, JWT in JavaScript", False, "other servers", {"server": NGINX}),
    ) for record in results.find(benchmark, key=KEY, **wanted)]
    figure, axis = style.panels(1, 1, 1.0 + 0.5 * len(bars))
    for row, (_, nanoseconds, is_ours) in enumerate(bars):
        rate = 1e9 / nanoseconds
        axis.barh(row, rate, height=0.6, color=style.RED if is_ours else style.BLUE)
        style.beside(axis, rate, row, figures.written(rate, figures.PER_SECOND))
    axis.axvline(MANY, color=style.INK, linewidth=1.2, linestyle=(0, (4, 2)))
    style.beside(axis, MANY, -0.75, f"{MANY:,} starts a second")
    axis.set_yticks(range(len(bars)), [label for label, *_ in bars])
    axis.set_ylim(len(bars) - 0.5, -1.1)
    axis.set_xlim(0, 1.12e9 / min(nanoseconds for _, nanoseconds, _ in bars))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    style.rows(axis)
    style.below(figure, "tokens a second that one processor verifies, RSA-1024")
    return figure
