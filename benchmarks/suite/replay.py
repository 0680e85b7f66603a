"""The replay table: how many tokens a second can be used up in it, and what one costs."""

import json
import os
import pathlib
import shutil
import tempfile
from contextlib import ExitStack

from suite import replay_beside_redis
from suite.bench import run
from suite.contender import Contender, in_turn
from suite.results import CPU
from suite.spends import PREPARED, add, floor, new_table, processes, threads

MILLION = 1_000_000
PASSES = ["first fill", "refill", "used"]


def measure(bench):
    folder = memory_folder()
    try:
        for workers, by in [(2, processes), (1, processes), (2, threads)]:
            passes(bench, folder, MILLION, workers, by, 7)
        passes(bench, folder, MILLION, 2, processes, 7, ", prepared", *PREPARED)
        one_spend(bench, folder)
        replay_beside_redis.measure(bench, folder)
        by_fill(bench)
        live_tokens(bench)
        for workers, where, options in [(2, "", []), (2, ", prepared", PREPARED), (1, "", [])]:
            passes(bench, folder, 16 * MILLION, workers, processes, 1 if bench.quick else 3, where, *options)
        opening(bench, folder)
        if in_memory(folder) and not in_memory(bench.work):
            passes(bench, bench.work, MILLION, 2, processes, 7, " on a disk")
        else:
            bench.results.skip("a table on a disk beside one in memory", "this machine has no two such folders")
    finally:
        shutil.rmtree(folder)


def memory_folder():
    """On tmpfs where there is one with room: a simulated clock renews the table's lease far more often than a real one
    does, and each renewal waits for a disk."""
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2 * 512 * MILLION
    return pathlib.Path(tempfile.mkdtemp(prefix="mediatoken-benchmarks-", dir=memory if roomy else None))


def in_memory(folder):
    return run("stat", "--file-system", "--format", "%T", folder).strip() == b"tmpfs"


def passes(bench, folder, capacity, workers, by, rounds, how="", *options):
    """Three passes over a new table, each of exactly as many spends as the capacity."""
    bare_times, times = [], {name: [] for name in PASSES}
    with floor(bench) as bare:
        bare.run(1000)
        for _ in range(bench.rounds(rounds)):
            table = new_table(bench, folder / "table", capacity)
            with by(bench, table, capacity, workers, "new,new,used", *options) as spenders:
                bare_times.append(bare.run(1000))
                for name in PASSES:
                    times[name].append(spenders.run(capacity))
    for name in PASSES:
        whom = "1 process" if workers == 1 else f"{workers} {by.__name__}"
        add(bench, f"{name}{how}, {capacity // MILLION} M entries, {whom}", times[name], bare_times,
            capacity=capacity, workers=workers, by=by.__name__, **{"pass": name + how})


def by_fill(bench):
    """What a spend costs when so many of the rated entries are live already."""
    fills = [0, 0.25, 0.5, 0.75, 0.9, 1.0]
    # All spend a million before a round, so that the caches hold as much of every table.
    commands = [[f"anonymous:{MILLION}", 2 * MILLION, 0, "new", "--ended", round((1 - fill) * MILLION), "--live",
                 round(fill * MILLION)] for fill in fills]
    with ExitStack() as running:
        contenders = alone(bench, running, commands)
        bare_times, *times = in_turn(contenders, [1000] + [20_000] * len(fills), bench.rounds(15))
    for fill, found in zip(fills, times):
        add(bench, f"{100 * fill:.0f} % of 1 M entries live before", found, bare_times, clock=CPU, capacity=MILLION,
            workers=1, fill=fill)


def live_tokens(bench):
    """Refills by one process, of tables of several sizes."""
    capacities = [10_000, 100_000, MILLION, 4 * MILLION, 16 * MILLION]
    # With the round that is not counted, as many spends as the largest table has entries: each is refilled whole.
    rounds = 15
    count = capacities[-1] // (rounds + 1)
    with ExitStack() as running:
        contenders = alone(bench, running, [[f"anonymous:{capacity}", capacity, 0, "new"] for capacity in capacities])
        for contender, capacity in zip(contenders[1:], capacities):
            contender.run(capacity)
        bare_times, *times = in_turn(contenders, [1000] + [count] * len(capacities), bench.rounds(rounds))
    for capacity, found in zip(capacities, times):
        add(bench, f"{capacity:,} entries", found, bare_times, benchmark="live tokens", clock=CPU,
            capacity=capacity)


def alone(bench, running, commands):
    """The floor, and a contender with a table of its own for each of these."""
    return [running.enter_context(floor(bench))] + [
        running.enter_context(Contender("spends", [bench.programs / "spends", "pass", *words], cpu=bench.cpu))
        for words in commands]


def one_spend(bench, folder):
    """Each spend between two readings of the clock."""
    table = new_table(bench, folder / "table", MILLION)
    found = run("taskset", "-c", bench.cpu, bench.programs / "spends", "percentiles", table, MILLION, 200_000)
    percentiles = json.loads(found)
    bench.results.add(
        {"benchmark": "replay", "case": "one spend, 1 M", "capacity": MILLION, "percentiles": percentiles},
        ", ".join(f"{name} %: {value} ns" for name, value in percentiles.items()))
    size = os.stat(table).st_size / MILLION
    bench.results.add(
        {"benchmark": "replay", "case": "bytes for a token", "bytes_per_token": size}, f"{size:.1f} bytes")


def opening(bench, folder):
    """Of the table that the last passes left."""
    with floor(bench) as bare, \
            Contender("opening", [bench.programs / "spends", "opening", folder / "table"], cpu=bench.cpu) as ours:
        bare_times, times = in_turn([bare, ours], [1000, 1], bench.rounds(15))
    bench.results.ratio(
        "replay", "opening 16 M", times, bare_times, floor_name="EVP_PKEY_verify", capacity=16 * MILLION)
