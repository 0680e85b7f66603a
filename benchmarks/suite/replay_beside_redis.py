"""The replay table and `SET key 1 NX PX 3600000` on a local Redis, in turn."""

import json

from suite import machine
from suite.bench import run
from suite.contender import Contender, in_turn, spread
from suite.redis import Redis, is_missing
from suite.running import Failed
from suite.spends import PREPARED, Together, new_table, processes, rates

MILLION = 1_000_000
WORKERS = 2


def measure(bench, folder):
    if is_missing():
        bench.results.skip("Redis", "redis-server is not installed")
        return
    table = new_table(bench, folder / "table", MILLION)
    try:
        compare(bench, table)
    except Failed as failure:
        bench.results.skip("Redis", str(failure))


def compare(bench, table):
    with Redis(bench.work) as redis, processes(bench, table, MILLION, WORKERS, "new", *PREPARED) as ours:
        beside(bench, redis, ours, "one by one", 1, 50_000 * WORKERS)
        beside(bench, redis, ours, "in pipelines of 64", 64, 64 * 4000 * WORKERS)
        memory(bench, redis)


def beside(bench, redis, ours, how, depth, count):
    with Together([
        Contender("Redis", [bench.programs / "redis-spends", "pass", redis.path, depth, number])
        for number in range(WORKERS)
    ], before=redis.flush) as asking:
        theirs, times = in_turn([asking, ours], [count, MILLION], bench.rounds(7))
    # How many times as many: of two rates it is the other way round than of two times.
    ratio = spread([other / mine for (mine, _), (other, _) in zip(times, theirs)])
    bench.results.add(
        {"benchmark": "replay", "case": f"refill, prepared, 1 M entries, {WORKERS} processes, beside Redis {how}",
         "capacity": MILLION, "pass": "refill, prepared", "workers": WORKERS, "by": "processes",
         "floor_name": f"Redis SET NX PX, {how}", "clock": "wall",
         "versions": {"redis-server": machine.package("redis-server")}, "rounds": len(times), "ratio": ratio,
         "nanoseconds": spread([wall for wall, _ in times]), "floor_nanoseconds": spread([wall for wall, _ in theirs]),
         "spends_per_second": spread(rates(times))},
        f"{ratio['median']:.1f} times as many spends ({ratio['low']:.1f} to {ratio['high']:.1f})")


def memory(bench, redis):
    """What one spend takes by itself, and what a key takes of memory."""
    keys = 100_000
    redis.flush()
    before = redis.used_memory()
    percentiles = json.loads(run(bench.programs / "redis-spends", "percentiles", redis.path, keys))
    bench.results.add(
        {"benchmark": "replay", "case": "one SET NX PX on Redis", "percentiles": percentiles},
        ", ".join(f"{name} %: {value} ns" for name, value in percentiles.items()))
    size = (redis.used_memory() - before) / keys
    bench.results.add(
        {"benchmark": "replay", "case": "bytes for a key in Redis", "bytes_per_key": size}, f"{size:.1f} bytes")
