"""One seat of a fleet: what a first use costs it, against a bare `SET NX PX` on the same Redis."""

import json

from suite.definitions import ALONE, BARE, BATCHES, CLAIM, PIPELINED, SINGLE
from suite.measure.contender import Contender, in_turn
from suite.measure.machine import package
from suite.measure.recording import CPU, WALL
from suite.measure.running import run
from suite.measure.servers import SEAT, has_redis, redis

# Seconds; for so many a seat keeps buckets, and a few more.
MAX_TTL = 420
# Connections with the claims in a batch of each, connections with the commands in a pipeline of each, and the clock.
CASES = {
    SINGLE: ((16, 1), (16, 1), CPU), ALONE: ((1, 1), (1, 1), WALL), BATCHES: ((16, 16), (16, 1), CPU),
    PIPELINED: ((1, 16), (1, 16), CPU),
}


def measure(bench):
    if not has_redis():
        bench.results.skip("seats", "redis-server is not installed")
        return
    with redis(bench, SEAT, bench.cpu) as seat:
        for case, (ours, bare, clock) in CASES.items():
            empty(bench, seat)
            against(bench, "seats", case, claims(bench, seat, *ours), sets(bench, seat, *bare), clock=clock,
                   versions={"redis-server": package("redis-server")})
        percentiles(bench, seat)
        memory(bench, seat)
        for tokens in (10_000, 100_000, 1_000_000):
            growth(bench, seat, tokens)


def empty(bench, seat):
    """The seat forgets all, and vouches for all tokens at once."""
    seat.flush()
    run(bench.product / "mediatoken", "replay", "found", "--replay", f"redis:bench@{seat.path}", "--fresh",
        "--max-ttl", 1000 * MAX_TTL, "--future-tolerance", 0)


def claims(bench, seat, connections, batch, ages=1, **how):
    command = [bench.programs / "seat-claims", "pass", seat.path, connections, batch, seat.pid, ages]
    return Contender(CLAIM, command, **{"cpu": bench.apart[1], **how})


def sets(bench, seat, connections, depth, **how):
    command = [bench.programs / "redis-spends", "seat", seat.path, connections, depth, next(seat.workers), seat.pid]
    return Contender(BARE, command, **{"cpu": bench.apart[1], **how})


def against(bench, benchmark, case, ours, bare, **about):
    """The record of claims and bare commands in turn. The seat has a processor of its own where there are two."""
    mine, theirs = in_turn([ours, bare], 1024 if bench.quick else 8192, bench.rounds(15))
    bench.results.ratio(benchmark, case, mine, theirs, floor_name=BARE, **about)


def growth(bench, seat, tokens):
    """The first case on a seat that has so many living tokens already, in as many buckets as it keeps."""
    empty(bench, seat)
    with claims(bench, seat, 1, 50, MAX_TTL, warm=tokens):
        pass
    against(bench, "live tokens of a seat", f"{tokens:,} living tokens", claims(bench, seat, 16, 1, MAX_TTL),
           sets(bench, seat, 16, 1), tokens=tokens)


def percentiles(bench, seat):
    """How long a client waits for an idle seat; of the runs the one counts whose ninety-ninth of a hundred is in the middle."""
    empty(bench, seat)
    count = 2_000 if bench.quick else 20_000
    commands = {CLAIM: lambda: ["seat-claims", "percentiles", seat.path, count],
                BARE: lambda: ["redis-spends", "seat-percentiles", seat.path, count, next(seat.workers)]}
    found = {name: [] for name in commands}
    for _ in range(bench.rounds(7)):
        for name, command in commands.items():
            program, *words = command()
            found[name].append(json.loads(run("taskset", "-c", bench.apart[1], bench.programs / program, *words)))
    for name, runs in found.items():
        runs.sort(key=lambda each: each["99"])
        bench.results.percentiles("one claim on a seat", name, runs[len(runs) // 2], rounds=len(runs),
                                  runs=[each["99"] for each in runs])


def memory(bench, seat):
    """What a living token takes of a seat: buckets of 5,000, and as many keys."""
    keys = 20_000 if bench.quick else 100_000
    for name, contender in {CLAIM: claims, BARE: sets}.items():
        empty(bench, seat)
        with contender(bench, seat, 1, 1, cpu=bench.cpu, warm=100) as filling:
            before = seat.used_memory()
            filling.run(keys)
            bench.results.size("seat memory", name, "bytes", (seat.used_memory() - before) / keys)
