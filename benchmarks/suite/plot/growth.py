"""How cost grows: panels with the same question, each about something else."""

from matplotlib import ticker

from suite.plot import style


def draw(results):
    connections = results.find("daemon", key=2048, endpoint="verify", kept=True, workers=1)
    found = [
        ("Payload, RSA-2048", "bytes of the resource id", "resource_bytes",
         by(results.find("payload", key=2048), "form"), [0, 16384, 32768, 49152, 65536]),
        ("Trusted keys", "keys, the right one last", "keys", by(results.find("keys"), "key"), [1, 2, 4, 8, 16]),
        ("Connections, RSA-2048", "kept connections to the daemon", "connections", by(connections, "key"), None),
        ("Nodes of a fleet: a request, RSA-1024", "nodes", "nodes", by(results.find("nodes of a fleet"), "by"), [1, 3, 5, 7]),
        ("Living tokens of a node: one claim", "tokens", "tokens", by(results.find("live tokens of a node"), "by"), None),
        ("Living tokens: one spend", "entries of the table", "capacity", by(results.find("live tokens"), "by"), None),
    ]
    found = [(title, *about) for title, *about in found if about[2]]
    rows = (len(found) + 1) // 2
    figure, axes = style.panels(rows, 2, 2.7 * rows, squeeze=False)
    figure.get_layout_engine().set(hspace=0.08, wspace=0.06)
    for axis, (title, *about) in zip(axes.flat, found):
        axis.set_title(title)
        panel(axis, *about)
    for axis in axes.flat[len(found):]:
        axis.set_axis_off()
    return figure


def by(records, name):
    """Records in groups: one line for each."""
    groups = {}
    for record in records:
        group = record.get(name, "")
        groups.setdefault(f"RSA-{group}" if name == "key" else group, []).append(record)
    return groups


def panel(axis, label, parameter, lines, ticks):
    """What grows in proportion is a straight line where `ticks` are given; else the axis is logarithmic."""
    places = sorted({record[parameter] for records in lines.values() for record in records})
    ends = []
    for (name, records), colour in zip(lines.items(), [style.BLUE, style.RED, style.GREEN]):
        records = sorted(records, key=lambda record: record[parameter])
        heights = [record["ratio"]["median"] for record in records]
        axis.plot([record[parameter] for record in records], heights, color=colour, marker="o", markersize=4, label=name)
        ends.append((records[-1][parameter], heights[-1], name, colour))
    axis.set_xscale("linear" if ticks else "log")
    axis.set_xticks(ticks or places, [short(place) for place in ticks or places])
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    axis.margins(x=0.05)
    if len(lines) > 1:  # their names are to the right
        axis.set_xlim(right=1.25 * places[-1])
    axis.set_ylim(0, 1.12 * max(record["ratio"]["median"] for records in lines.values() for record in records))
    axis.set_xlabel(label)
    axis.set_ylabel(style.multiple(records[0]["floor_name"]))
    if len({end for end, *_ in ends}) > 1:  # there names would lie on one another
        axis.legend(loc="upper left", frameon=False, fontsize=9)
    elif len(lines) > 1:
        style.at_ends(axis, ends, height=0.1)


def short(value):
    """16, 1 Ki, 60 Ki for bytes that are whole kibibytes; 10 k, 16 M for numbers of things."""
    for unit, size in (("M", 1_000_000), ("k", 1000), ("Ki", 1024)):
        if value >= size and value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:,}"
