"""Daemons of a run, and the client that asks them: what the parts about mediatokend have in common."""

import contextlib

from suite.measure.contender import Contender
from suite.measure.servers import mediatokend


class Tokens:
    """Tokens of one key, enough for one comparison; as each has a new table, they serve all.

    `warm`: how many are asked about before anything is counted, so that most pages of the new table have been touched;
    `each`: how many in a round.
    """

    def __init__(self, bench, bits):
        self.bits = bits
        self.rounds = bench.rounds(15)
        self.warm, self.each = (2048, 1024) if bench.quick else (20480, 4096)
        self.file = bench.tokens(bits, self.warm + (self.rounds + 1) * self.each)


@contextlib.contextmanager
def asking(bench, tokens, cpus=None, *, workers=1, program=None, settings=None, **how):
    """A contender that asks a daemon of its own, which has been asked before.

    `settings` are more words for `servers.configuration`. `cpus` are the daemon's processor and the contender's. With one for both the daemon always finds work, so none of its time
    is waking up.
    """
    daemon_cpu, client_cpu = cpus or (bench.cpu, bench.cpu)
    with mediatokend(bench, tokens.bits, workers, daemon_cpu, program, **(settings or {})) as server, asker(
            bench, server, tokens.file, client_cpu, warm=tokens.warm, **how) as contender:
        yield contender


def asker(bench, server, file, cpu, *, connections=8, endpoint="verify", pipeline=1, kept=True, warm=0):
    """A contender that asks any server about the tokens of a file, so many at once on each connection."""
    return Contender(
        "daemon-load", [bench.programs / "daemon-load", "ask", server.pid, server.path, file, connections, endpoint, pipeline,
                        int(kept)], cpu, warm=warm)
