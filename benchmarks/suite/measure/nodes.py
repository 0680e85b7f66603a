"""One node of a fleet: what a first use costs it, against a bare `SET NX PX` on the same Redis."""

import json

from suite.definitions import ALONE, BARE, BATCHES, CLAIM, PIPELINED, SINGLE
from suite.measure.contender import Contender, in_turn
from suite.measure.machine import package
from suite.measure.recording import CPU, WALL
from suite.measure.running import run
from suite.measure.servers import NODE, has_redis, redis

# Seconds; for so many a node keeps buckets, and a few more.
MAX_TTL = 420
# Connections with the claims in a batch of each, connections with the commands in a pipeline of each, and the clock.
CASES = {
    SINGLE: ((16, 1), (16, 1), CPU), ALONE: ((1, 1), (1, 1), WALL), BATCHES: ((16, 16), (16, 1), CPU),
    PIPELINED: ((1, 16), (1, 16), CPU),
}


def measure(bench):
    if not has_redis():
        bench.results.skip("nodes", "redis-server is not installed")
        return
    with redis(bench, NODE, bench.cpu) as node:
        for case, (ours, bare, clock) in CASES.items():
            empty(bench, node)
            against(bench, "nodes", case, claims(bench, node, *ours), sets(bench, node, *bare), clock=clock,
                   versions={"redis-server": package("redis-server")})
        percentiles(bench, node)
        memory(bench, node)
        for tokens in (10_000, 100_000, 1_000_000):
            growth(bench, node, tokens)


def empty(bench, node):
    """The node forgets all, and vouches for all tokens at once."""
    node.flush()
    file = bench.work / "node.json"
    file.write_text(json.dumps({
        "replay": {"address": f"redis:bench@{node.path}"},
        "tenants": [{"requestor": "REF30", "maxTTLMilliseconds": 1000 * MAX_TTL, "futureToleranceMilliseconds": 0}]}))
    run(bench.product / "mediatoken", "replay", "init", "--config", file, "--fresh")


def claims(bench, node, connections, batch, ages=1, **how):
    command = [bench.programs / "node-claims", "pass", node.path, connections, batch, node.pid, ages]
    return Contender(CLAIM, command, **{"cpu": bench.apart[1], **how})


def sets(bench, node, connections, depth, **how):
    command = [bench.programs / "redis-spends", "node", node.path, connections, depth, next(node.workers), node.pid]
    return Contender(BARE, command, **{"cpu": bench.apart[1], **how})


def against(bench, benchmark, case, ours, bare, **about):
    """The record of claims and bare commands in turn. The node has a processor of its own where there are two."""
    mine, theirs = in_turn([ours, bare], 1024 if bench.quick else 8192, bench.rounds(15))
    bench.results.ratio(benchmark, case, mine, theirs, floor_name=BARE, **about)


def growth(bench, node, tokens):
    """The first case on a node that has so many living tokens already, in as many buckets as it keeps."""
    empty(bench, node)
    with claims(bench, node, 1, 50, MAX_TTL, warm=tokens):
        pass
    against(bench, "live tokens of a node", f"{tokens:,} living tokens", claims(bench, node, 16, 1, MAX_TTL),
           sets(bench, node, 16, 1), tokens=tokens)


def percentiles(bench, node):
    """How long a client waits for an idle node; of the runs the one counts whose ninety-ninth of a hundred is in the middle."""
    empty(bench, node)
    count = 2_000 if bench.quick else 20_000
    commands = {CLAIM: lambda: ["node-claims", "percentiles", node.path, count],
                BARE: lambda: ["redis-spends", "node-percentiles", node.path, count, next(node.workers)]}
    found = {name: [] for name in commands}
    for _ in range(bench.rounds(7)):
        for name, command in commands.items():
            program, *words = command()
            found[name].append(json.loads(run("taskset", "-c", bench.apart[1], bench.programs / program, *words)))
    for name, runs in found.items():
        runs.sort(key=lambda each: each["99"])
        bench.results.percentiles("one claim on a node", name, runs[len(runs) // 2], rounds=len(runs),
                                  runs=[each["99"] for each in runs])


def memory(bench, node):
    """What a living token takes of a node: buckets of 5,000, and as many keys."""
    keys = 20_000 if bench.quick else 100_000
    for name, contender in {CLAIM: claims, BARE: sets}.items():
        empty(bench, node)
        with contender(bench, node, 1, 1, cpu=bench.cpu, warm=100) as filling:
            before = node.used_memory()
            filling.run(keys)
            bench.results.size("node memory", name, "bytes", (node.used_memory() - before) / keys)
