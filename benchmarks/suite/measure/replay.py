"""The replay table: how many tokens can be used up in it per second, what one costs, and both against Redis."""

import json
import pathlib
import shutil
import tempfile

from suite.definitions import ONE_BY_ONE, PIPELINES, REDIS, REFILL
from suite.measure import machine
from suite.measure.contender import Contender, in_turn, take_turns
from suite.measure.recording import CPU, WALL, per_second, said, spread
from suite.measure.running import Failed, run
from suite.measure.servers import has_redis, redis
from suite.measure.spends import PREPARED, processes, record, spender, threads, together

MILLION = 1_000_000
PASSES = ["first fill", "refill", "used"]


def measure(bench):
    folder = memory_folder()
    try:
        for workers, by in [(2, processes), (1, processes), (2, threads)]:
            passes(bench, folder, MILLION, workers, by, 7)
        passes(bench, folder, MILLION, 2, processes, 7, ", prepared", *PREPARED)
        one_spend(bench, folder)
        beside_redis(bench, folder)
        by_fill(bench)
        live_tokens(bench)
        for workers, how, options in [(2, "", []), (2, ", prepared", PREPARED), (1, "", [])]:
            passes(bench, folder, 16 * MILLION, workers, processes, 1 if bench.quick else 3, how, *options)
        opening(bench, folder)
        if in_memory(folder) and not in_memory(bench.work):
            passes(bench, bench.work, MILLION, 2, processes, 7, " on a disk")
        else:
            bench.results.skip("a table on a disk against one in memory", "this machine has no two such folders")
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
    with bench.floor(1024) as bare:
        bare.run(1000)
        for _ in range(bench.rounds(rounds)):
            table = bench.new_table(folder / "table", capacity)
            with by(bench, table, capacity, workers, "new,new,used", *options) as spenders:
                bare_times.append(bare.run(1000))
                for name in PASSES:
                    times[name].append(spenders.run(capacity))
    whom = "1 process" if workers == 1 else f"{workers} {by.__name__}"
    for name, found in times.items():
        record(bench, f"{name}{how}, {capacity // MILLION} M entries, {whom}", found, bare_times, capacity=capacity,
               workers=workers, by=by.__name__, **{"pass": name + how})


def by_fill(bench):
    """What a spend costs when so many of the rated entries are live already."""
    fills = [0, 0.25, 0.5, 0.75, 0.9, 1.0]
    # All spend a million before a round, so that the caches hold as much of every table.
    tables = [spender(bench, f"anonymous:{MILLION}", 2 * MILLION, 0, "new", "--ended", round((1 - fill) * MILLION), "--live",
                      round(fill * MILLION), cpu=bench.cpu) for fill in fills]
    bare, *times = in_turn([bench.floor(1024), *tables], [1000] + [20_000] * len(fills), bench.rounds(15))
    for fill, found in zip(fills, times):
        record(bench, f"{100 * fill:.0f} % of 1 M entries live before", found, bare, clock=CPU, capacity=MILLION, workers=1,
               fill=fill)


def live_tokens(bench):
    """Refills by one process, of tables of several sizes."""
    capacities = [10_000, 100_000, MILLION, 4 * MILLION, 16 * MILLION]
    rounds = 15
    # With the round that is not counted, as many spends as the largest table has entries: each is refilled whole.
    count = capacities[-1] // (rounds + 1)
    tables = [spender(bench, f"anonymous:{capacity}", capacity, 0, "new", cpu=bench.cpu, warm=capacity)
              for capacity in capacities]
    bare, *times = in_turn([bench.floor(1024), *tables], [1000] + [count] * len(capacities), bench.rounds(rounds))
    for capacity, found in zip(capacities, times):
        record(bench, f"{capacity:,} entries", found, bare, benchmark="live tokens", clock=CPU, capacity=capacity)


def one_spend(bench, folder):
    """Each spend between two readings of the clock."""
    table = bench.new_table(folder / "table", MILLION)
    found = run("taskset", "-c", bench.cpu, bench.programs / "spends", "percentiles", table, MILLION, 200_000)
    bench.results.percentiles("replay", "one spend, 1 M", json.loads(found), capacity=MILLION)
    bench.results.size("replay", "bytes for a token", "bytes_per_token", table.stat().st_size / MILLION)


def opening(bench, folder):
    """Of the table that the last passes left."""
    ours = Contender("opening", [bench.programs / "spends", "opening", folder / "table"], bench.cpu)
    bench.compare("replay", "opening 16 M", ours, bench.floor(1024), [1000, 1], bench.rounds(15), clock=WALL,
                  capacity=16 * MILLION)


def beside_redis(bench, folder):
    """The table and `SET key 1 NX PX 3600000` on a local Redis, in turn."""
    if not has_redis():
        bench.results.skip("Redis", "redis-server is not installed")
        return
    table = bench.new_table(folder / "table", MILLION)
    try:
        with redis(bench) as server, processes(bench, table, MILLION, 2, "new", *PREPARED) as ours:
            against(bench, server, ours, ONE_BY_ONE, 1, 50_000)
            against(bench, server, ours, PIPELINES, 64, 64 * 4000)
            one_set(bench, server)
    except Failed as failure:
        bench.results.skip("Redis", failure)


def against(bench, server, ours, floor_name, depth, share):
    """The record of prepared refills by two processes, and of two clients that each set so many keys."""
    clients = [Contender("Redis", [bench.programs / "redis-spends", "pass", server.path, depth, number])
               for number in range(2)]
    with together(clients, before=server.flush) as asking:
        theirs, times = take_turns([asking, ours], [2 * share, MILLION], bench.rounds(7))
    # How many times as many: of two rates it is the reverse of what it is of two times.
    ratio = spread(other[WALL] / mine[WALL] for mine, other in zip(times, theirs))
    bench.results.add(
        {"benchmark": "replay",
         "case": f"{REFILL}, 1 M entries, 2 processes, against Redis {floor_name.removeprefix(REDIS)}",
         "capacity": MILLION, "pass": REFILL, "workers": 2, "by": "processes", "floor_name": floor_name, "clock": "wall",
         "versions": {"redis-server": machine.package("redis-server")}, "rounds": len(times), "ratio": ratio,
         "nanoseconds": spread(wall for wall, _ in times), "floor_nanoseconds": spread(wall for wall, _ in theirs),
         "spends_per_second": per_second(times)},
        f"{said(ratio)} times as many spends")


def one_set(bench, server):
    """What one `SET` takes by itself, and what a key takes of memory."""
    keys = 100_000
    server.flush()
    before = server.used_memory()
    found = json.loads(run(bench.programs / "redis-spends", "percentiles", server.path, keys))
    bench.results.percentiles("replay", "one SET NX PX on Redis", found)
    bench.results.size("replay", "bytes for a key in Redis", "bytes_per_key", (server.used_memory() - before) / keys)
