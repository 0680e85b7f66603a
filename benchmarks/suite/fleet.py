"""The daemon with a fleet of three seats, near and far, beside the same daemon with a host's table."""

import contextlib

from suite.asking import Tokens, apart, asking
from suite.bench import run
from suite.contender import in_turn
from suite.distances import DISTANCES, MANY
from suite.redis import Seat, is_missing
from suite.results import CPU, WALL
from suite.servers import Server, fresh

SEATS = 3
SEAT_COUNTS = [1, 3, 5, 7]
BITS = 1024
TABLE = "a host's table"


def measure(bench):
    if is_missing():
        bench.results.skip("fleet", "redis-server is not installed")
        return
    tokens = Tokens(bench, BITS)
    for name, microseconds in DISTANCES.items():
        for connections, clock in ((MANY, CPU), (1, WALL)):
            with seats(bench, SEATS, microseconds) as address:
                mine, theirs = beside(bench, tokens, address, connections)
            many = "1 connection" if connections == 1 else f"{connections} connections"
            bench.results.ratio("fleet", f"{many}, seats {name} away", mine, theirs, floor_name=TABLE, clock=clock, key=BITS,
                                connections=connections, distance=name)
    for count in SEAT_COUNTS:
        with seats(bench, count, 0) as address:
            mine, theirs = beside(bench, tokens, address, MANY)
        bench.results.ratio("seats of a fleet", f"{count} {'seat' if count == 1 else 'seats'}", mine, theirs,
                            floor_name=TABLE, clock=CPU, key=BITS, seats=count)


def beside(bench, tokens, address, connections):
    """In turn. The daemon on one processor; client and seats on another one, where there is one."""
    with asking(bench, tokens, apart, connections=connections, fleet=address) as ours, asking(
            bench, tokens, apart, connections=connections) as table:
        # One after the other, each of which takes a round trip.
        count = tokens.each if connections > 1 else tokens.each // 8
        return in_turn([ours, table], count, tokens.rounds)


@contextlib.contextmanager
def seats(bench, count, microseconds):
    """The address of a new fleet that takes tokens of every age."""
    _, others = apart(bench)
    with contextlib.ExitStack() as running:
        paths = []
        for number in range(1, count + 1):
            seat = running.enter_context(Seat(bench, f"seat{number}", others))
            paths.append(seat.path if microseconds == 0 else running.enter_context(
                peer(bench, number, seat.path, microseconds, others)).path)
        address = f"redis:bench@{','.join(map(str, paths))}"
        run(bench.product / "mediatoken", "replay", "found", "--replay", address, "--fresh")
        yield address


def peer(bench, number, path, microseconds, cpu):
    """Stands for the network to a seat."""
    folder = fresh(bench.work / f"peer{number}")
    return Server("delaying-peer", [bench.programs / "delaying-peer", folder / "socket", path, microseconds],
                  folder / "socket", folder, cpu)
