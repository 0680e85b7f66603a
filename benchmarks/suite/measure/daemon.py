"""What a request costs mediatokend: BENCHMARKS.md, "daemon", and what memory a connection: "kept connections"."""

import pathlib
import resource

from suite.definitions import AUTH, MUCH, RESOURCES, ROUTES, TENANTS
from suite.measure import other_servers
from suite.measure.asking import Tokens, asker, asking
from suite.measure.contender import Contender, in_turn
from suite.measure.recording import per_second, said, spread
from suite.measure.servers import mediatokend

# Configurations with much of one thing.
LARGE = {
    TENANTS: {"settings": {"others": MUCH}},
    # Which of the resources a path means is said by a route.
    RESOURCES: {"settings": {"tenant": {"resources": ["TNT", *(f"T{number}" for number in range(1, MUCH))]}, "routes": 1}},
    ROUTES: {"settings": {"routes": MUCH}, "endpoint": "auth"},
}
KEPT = 8000
# Some more for sockets, table, log and libraries of daemon and client.
DESCRIPTORS = KEPT + 192


def measure(bench):
    small, large = Tokens(bench, 1024), Tokens(bench, 2048)
    for tokens in (small, large):
        compare(bench, tokens)
        compare(bench, tokens, pipeline=16)
    compare(bench, large, endpoint="auth")
    against(bench, small, AUTH, "/v1/verify", endpoint="auth")
    for case, how in LARGE.items():
        against(bench, small, case, "one", **how)
    compare(bench, large, kept=False)
    for connections in (1, 32, 128, 256):
        compare(bench, large, connections=connections)
    workers(bench, large)
    other_servers.measure(bench, small, large)
    kept_connections(bench)


def compare(bench, tokens, **how):
    """The record of one way of asking one worker, by the daemon's processor time."""
    record(bench, tokens, *in_turn([bench.floor(tokens.bits), asking(bench, tokens, **how)], tokens.each, tokens.rounds), **how)


def record(bench, tokens, bare, times, *, endpoint="verify", pipeline=1, connections=8, kept=True, workers=1):
    way = f"/v1/{endpoint}" if pipeline == 1 else f"pipelines of {pipeline}"
    line = f"{connections} connection{'s' * (connections > 1)}" if kept else "a connection each"
    case = f"RSA-{tokens.bits}, {way}, {line}, {workers} worker{'s' * (workers > 1)}"
    bench.results.ratio("daemon", case, times, bare, key=tokens.bits, endpoint=endpoint if pipeline == 1 else "pipeline",
                        pipeline=pipeline, connections=connections, kept=kept, workers=workers)


def against(bench, tokens, case, usual, *, endpoint="verify", settings=None):
    """Requests to a daemon with other settings against the same requests to the usual one, or without settings those to another
    endpoint against /v1/verify, by the daemon's processor time."""
    theirs = asking(bench, tokens, endpoint=endpoint if settings else "verify")
    ours, theirs = in_turn([asking(bench, tokens, endpoint=endpoint, settings=settings), theirs], tokens.each, tokens.rounds)
    bench.results.ratio("requests", f"RSA-{tokens.bits}, {case}", ours, theirs, floor_name=usual, key=tokens.bits, request=case)


def workers(bench, tokens, connections=100):
    """Two workers against one, in turn, with all processors for all of them."""
    bare, alone, both = in_turn(
        [bench.floor(tokens.bits), *(asking(bench, tokens, (None, None), connections=connections, workers=many)
                                     for many in (1, 2))], tokens.each, tokens.rounds)
    record(bench, tokens, bare, both, connections=connections, workers=2)
    bench.results.ratio(
        "workers", f"RSA-{tokens.bits}, {connections} connections, two workers / one", both, alone, floor_name="one worker",
        key=tokens.bits, connections=connections, tokens_per_second=per_second(both),
        floor_tokens_per_second=per_second(alone))


def kept_connections(bench):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < DESCRIPTORS:
        bench.results.skip("kept connections", f"it needs {DESCRIPTORS:,} descriptors (ulimit -Hn)")
        return
    found = [memory(bench) for _ in range(bench.rounds(3))]
    taken = spread((held - before) / KEPT / 1024 for before, held in found)
    before, held = (spread(size / 1024**2 for size in sizes) for sizes in zip(*found))
    bench.results.add(
        {"benchmark": "kept connections", "case": f"{KEPT:,} connections, each asked once", "connections": KEPT,
         "kibibytes": taken, "mebibytes_before": before, "mebibytes_with_all": held, "rounds": len(found)},
        f"{said(taken)} KiB each")


def memory(bench):
    """Resident bytes of a daemon before, and with all connections, none of which has a question under way."""
    tokens, kept = Tokens(bench, 1024), bench.tokens(1024, KEPT)
    limit = ["prlimit", f"--nofile={DESCRIPTORS}"]
    with mediatokend(bench, 1024, cpu=bench.cpu, under=limit) as server:
        with asker(bench, server, tokens.file, bench.cpu, warm=tokens.warm):
            pass
        before = resident(server.pid, "/table")
        command = [*limit, bench.programs / "daemon-load", "keep", server.pid, server.path, kept, KEPT]
        with Contender("daemon-load", command, bench.cpu, warm=KEPT):
            return before, resident(server.pid, "/table")


def resident(pid, without):
    """The bytes of a process that are in memory, except for mapped files whose path ends so: proc_pid_smaps(5)."""
    total, counted = 0, True
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            counted = not line.endswith(without)
        elif first == "Rss:" and counted:
            total += int(rest[0]) * 1024
    return total
