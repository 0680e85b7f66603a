"""One seat of a fleet: what a first use costs it, beside a bare `SET NX PX` on the same Redis."""

import json

from suite import machine
from suite.asking import apart
from suite.bench import run
from suite.contender import Contender, in_turn, spread
from suite.redis import Seat, is_missing
from suite.results import CPU, WALL
from suite.seat_tables import ALONE, BARE, BATCHES, CLAIM, PIPELINED, SINGLE

# A claim waits for its answer on each of so many lanes: hosts' threads that know nothing of each other.
CLIENTS, BATCH = 16, 16
ROUNDS, EACH = 15, 8192
# Seconds; for so many a seat keeps buckets, and a few more.
MAX_TTL = 420
LIVE = [10_000, 100_000, 1_000_000]
# Claims in a batch where a seat is filled.
FILL = 50


def measure(bench):
    if is_missing():
        bench.results.skip("seats", "redis-server is not installed")
        return
    with Seat(bench) as seat:
        beside(bench, seat, SINGLE, claims(CLIENTS, 1), sets(CLIENTS, 1), CPU)
        beside(bench, seat, ALONE, claims(1, 1), sets(1, 1))
        beside(bench, seat, BATCHES, claims(CLIENTS, BATCH), sets(CLIENTS, 1), CPU)
        beside(bench, seat, PIPELINED, claims(1, BATCH), sets(1, BATCH), CPU)
        percentiles(bench, seat)
        memory(bench, seat)
        for tokens in LIVE:
            growth(bench, seat, tokens)


def empty(bench, seat):
    """The seat forgets all, and vouches for all tokens at once."""
    seat.flush()
    run(bench.product / "mediatoken", "replay", "found", "--replay", f"redis:bench@{seat.path}", "--fresh",
        "--max-ttl", 1000 * MAX_TTL, "--future-tolerance", 0)


def claims(lanes, batch, ages=1):
    return lambda bench, seat, _: [bench.programs / "seat-claims", "pass", seat.path, lanes, batch, seat.pid, ages]


def sets(connections, depth):
    return lambda bench, seat, worker: [
        bench.programs / "redis-spends", "seat", seat.path, connections, depth, worker, seat.pid]


def beside(bench, seat, case, ours, bare, clock=WALL):
    """In turn, on an empty seat."""
    empty(bench, seat)
    mine, theirs = together(bench, seat, ours, bare)
    bench.results.ratio("seats", case, mine, theirs, floor_name=BARE, clock=clock,
                        versions={"redis-server": machine.package("redis-server")})


def together(bench, seat, ours, bare):
    """The seat has a processor of its own where there are two."""
    _, client = apart(bench)
    with Contender("seat-claims", ours(bench, seat, 0), client) as claiming, Contender(
            "redis-spends", bare(bench, seat, seat.next_worker()), client) as setting:
        return in_turn([claiming, setting], 1024 if bench.quick else EACH, bench.rounds(ROUNDS))


def growth(bench, seat, tokens):
    """The same on a seat that has so many living tokens already, in as many buckets as it keeps."""
    empty(bench, seat)
    with Contender("seat-claims", claims(1, FILL, MAX_TTL)(bench, seat, 0), bench.cpu) as filling:
        filling.run(tokens)
    mine, theirs = together(bench, seat, claims(CLIENTS, 1, MAX_TTL), sets(CLIENTS, 1))
    bench.results.ratio("live tokens of a seat", f"{tokens:,} living tokens", mine, theirs, floor_name=BARE, clock=CPU,
                        tokens=tokens)


def percentiles(bench, seat):
    """What one waits for an idle seat, in turn; of the rounds the one counts whose p99 is in the middle."""
    empty(bench, seat)
    count = 2_000 if bench.quick else 20_000
    _, client = apart(bench)
    found = {name: [] for name in (CLAIM, BARE)}
    for _ in range(bench.rounds(7)):
        for name, command in zip(found, ([bench.programs / "seat-claims", "percentiles", seat.path, count],
                                         [bench.programs / "redis-spends", "seat-percentiles", seat.path, count,
                                          seat.next_worker()])):
            found[name].append(json.loads(run("taskset", "-c", client, *command)))
    for name, rounds in found.items():
        rounds.sort(key=lambda each: each["99"])
        middle = rounds[len(rounds) // 2]
        bench.results.add(
            {"benchmark": "one claim on a seat", "case": name, "percentiles": middle, "rounds": len(rounds),
             "runs": [each["99"] for each in rounds]},
            ", ".join(f"{share} %: {value} ns" for share, value in middle.items()))


def memory(bench, seat):
    """What a living token takes of a seat: buckets of 5,000, and as many keys."""
    for name, command in ((CLAIM, claims(1, 1)), (BARE, sets(1, 1))):
        empty(bench, seat)
        with Contender(name, command(bench, seat, seat.next_worker()), bench.cpu) as contender:
            contender.run(100)
            before, keys = seat.used_memory(), 20_000 if bench.quick else 100_000
            contender.run(keys)
            size = (seat.used_memory() - before) / keys
        bench.results.add({"benchmark": "seat memory", "case": name, "bytes": size}, f"{size:.1f} bytes")
