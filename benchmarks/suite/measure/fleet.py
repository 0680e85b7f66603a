"""The daemon with a fleet of three nodes, near and far, against the same daemon with a host's table."""

import contextlib

from suite.definitions import DISTANCES, MANY
from suite.measure.asking import Tokens, asking
from suite.measure.recording import CPU, WALL
from suite.measure.running import run
from suite.measure.servers import NODE, Server, has_redis, redis

BITS = 1024


def measure(bench):
    if not has_redis():
        bench.results.skip("fleet", "redis-server is not installed")
        return
    tokens = Tokens(bench, BITS)
    for distance, microseconds in DISTANCES.items():
        for connections, clock in ((MANY, CPU), (1, WALL)):
            compare(bench, tokens, "fleet", f"{plural(connections, 'connection')}, nodes {distance} away", 3, microseconds,
                    connections, clock=clock, connections=connections, distance=distance)
    for count in (1, 3, 5, 7):
        compare(bench, tokens, "nodes of a fleet", plural(count, "node"), count, 0, MANY, nodes=count)


def plural(count, thing):
    return f"{count} {thing}{'s' * (count > 1)}"


def compare(bench, tokens, benchmark, case, count, microseconds, clients, **about):
    """The record of a fleet of so many nodes, in turn with a host's table."""
    with nodes(bench, count, microseconds) as fleet:
        # One question after another takes a round trip each.
        each = tokens.each if clients > 1 else tokens.each // 8
        table, ours = (asking(bench, tokens, bench.apart, connections=clients, settings={"fleet": address}) for address in (None, fleet))
        bench.compare(benchmark, case, ours, table, each, tokens.rounds, floor_name="a host's table", key=BITS, **about)


@contextlib.contextmanager
def nodes(bench, count, microseconds):
    """The address of a new fleet that takes tokens of every age. It runs where those run who ask the daemon."""
    with contextlib.ExitStack() as running:
        paths = []
        for _ in range(count):
            server = running.enter_context(redis(bench, NODE, bench.apart[1]))
            if microseconds:
                server = running.enter_context(network(bench, server.path, microseconds))
            paths.append(str(server.path))
        address = f"redis:bench@{','.join(paths)}"
        run(bench.product / "mediatoken", "replay", "init", "--replay", address, "--fresh")
        yield address


@contextlib.contextmanager
def network(bench, path, microseconds):
    """A peer in place of the network to a node, with this round trip."""
    with bench.folder() as folder:
        command = [bench.programs / "delaying-peer", folder / "socket", path, microseconds]
        with Server("delaying-peer", command, folder / "socket", bench.apart[1]) as peer:
            yield peer
