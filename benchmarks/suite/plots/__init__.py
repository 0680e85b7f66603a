"""The plots, each in a file of its own. What can be drawn is known without matplotlib."""

import importlib

# What each shows, and the benchmarks of which it needs one at least.
PLOTS = {
    "steps": ("The cost of each step as a share of the bare RSA verification", ["step"]),
    "peers": ("The time that other verifiers take, as multiples of ours", ["peers"]),
    "latency": ("The daemon's latency at 25, 50, 75 and 90 % of saturation", ["latency"]),
    "replay": ("Spends a second of the replay table, beside Redis, and by how full it is", ["replay"]),
    "growth": ("How cost grows with the payload, trusted keys, connections, seats and living tokens",
               ["payload", "keys", "daemon", "seats of a fleet", "live tokens of a seat", "live tokens"]),
}


def possible(results):
    """What can be drawn from these results: names with what they show."""
    if any(skipped["name"] == "plots" for skipped in results.skipped):
        return {}
    return {name: shows for name, (shows, needs) in PLOTS.items() if any(results.find(need) for need in needs)}


def draw(results, folder, source):
    """Writes the plots; `source`, which is written into each, says of which results."""
    style = importlib.import_module("suite.plots.style") if possible(results) else None
    drawable = possible(results)
    for name in PLOTS:
        path = folder / f"{name}.svg"
        if name in drawable:
            figure = importlib.import_module(f"suite.plots.{name}").draw(results)
            style.save(figure, path, title=drawable[name], source=source)
        else:
            path.unlink(missing_ok=True)
