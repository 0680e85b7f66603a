"""What memory a kept connection takes: BENCHMARKS.md, "kept connections"."""

import contextlib
import pathlib
import resource

from suite.asking import Tokens, asker
from suite.contender import Contender, spread
from suite.servers import mediatokend

BITS, CONNECTIONS, ROUNDS = 1024, 8000, 3
# Descriptors that daemon and client have besides: sockets, table, log, libraries.
OTHERS = 192


def measure(bench):
    with descriptors(CONNECTIONS + OTHERS) as enough:
        if not enough:
            bench.results.skip("kept connections", f"it needs {CONNECTIONS + OTHERS:,} descriptors (ulimit -Hn)")
            return
        found = [memory(bench) for _ in range(bench.rounds(ROUNDS))]
    taken = spread([(held - before) / CONNECTIONS / 1024 for before, held in found])
    before, held = (spread([sizes[index] / 1024**2 for sizes in found]) for index in (0, 1))
    bench.results.add(
        {"benchmark": "kept connections", "case": f"{CONNECTIONS:,} connections, each asked once", "connections": CONNECTIONS,
         "kibibytes": taken, "mebibytes_before": before, "mebibytes_with_all": held, "rounds": len(found)},
        f"{taken['median']:.3f} KiB each ({taken['low']:.3f} to {taken['high']:.3f})")


@contextlib.contextmanager
def descriptors(count):
    """Whether processes may have so many; those that start meanwhile may, if they may at all."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        yield False
        return
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def memory(bench):
    """Resident bytes of a daemon before, and with all connections, none of which has a question under way."""
    tokens, kept = Tokens(bench, BITS), bench.tokens(BITS, CONNECTIONS)
    with mediatokend(bench, BITS, 1, cpu=bench.cpu) as server:
        with asker(bench, server, tokens.file, bench.cpu) as first:
            first.run(tokens.warm)
        before = resident(server.pid, "/table")
        with Contender("daemon-load", [bench.programs / "daemon-load", "keep", server.pid, server.path, kept, CONNECTIONS],
                       bench.cpu) as connections:
            connections.run(CONNECTIONS)
            return before, resident(server.pid, "/table")


def resident(pid, without):
    """The bytes of a process that are in memory, but for mapped files whose path ends so: proc_pid_smaps(5)."""
    total, counted = 0, True
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            counted = not line.endswith(without)
        elif first == "Rss:" and counted:
            total += int(rest[0]) * 1024
    return total
