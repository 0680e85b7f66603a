"""Draws results.json.

    python3 -m suite.plot FOLDER     FOLDER/results.json as FOLDER/NAME.svg; what cannot be drawn of it is removed there
"""

import importlib.util
import pathlib
import sys

from suite.results import Results, digest

# What each plot shows, and the benchmarks of which it needs one at least.
PLOTS = {
    "starts": ("Starts of playback that one processor takes: ours, and what else could be run", ["other servers", "verify"]),
    "steps": ("The cost of each step as a share of the bare RSA verification", ["step"]),
    "peers": ("The time that other verifiers take, as multiples of ours", ["peers"]),
    "latency": ("The daemon's latency at 100, 1,000, 5,000 and 20,000 starts a second, and at 90 % of what it can do", ["latency"]),
    "replay": ("Spends per second of the replay table, against Redis, and by how full it is", ["replay"]),
    "growth": ("How cost grows with the payload, trusted keys, connections, nodes and living tokens",
               ["payload", "keys", "daemon", "nodes of a fleet", "live tokens of a node", "live tokens"]),
}


def main(folder):
    for name in PLOTS:
        (folder / f"{name}.svg").unlink(missing_ok=True)
    if importlib.util.find_spec("matplotlib") is None:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return
    from suite.plot import growth, latency, peers, replay, starts, steps, style
    drawings = {"starts": starts, "steps": steps, "peers": peers, "latency": latency, "replay": replay, "growth": growth}
    results = Results.read(folder)
    for name, (shows, needs) in PLOTS.items():
        if any(results.find(need) for need in needs):
            style.save(drawings[name].draw(results), folder / f"{name}.svg", shows, digest(folder))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
