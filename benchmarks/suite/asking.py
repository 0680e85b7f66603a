"""Daemons of a run, and the client that asks them: what the parts about mediatokend have in common."""

import contextlib
import os

from suite.contender import Contender, spread
from suite.results import WALL
from suite.servers import mediatokend

ROUNDS, EACH = 15, 4096
# Asked before anything is counted, so that most pages of the new table have been touched.
WARM = 20480


class Tokens:
    """Tokens of one key, enough for one comparison; as each has a new table, they serve all."""

    def __init__(self, bench, bits):
        self.bits = bits
        self.each = 1024 if bench.quick else EACH
        self.warm = 2048 if bench.quick else WARM
        self.rounds = bench.rounds(ROUNDS)
        self.file = bench.tokens(bits, self.warm + (self.rounds + 1) * self.each)


def together(bench):
    """One processor for the daemon and for those who ask: it always finds work, so none of its time is waking up."""
    return bench.cpu, bench.cpu


def apart(bench):
    """The daemon's processor, and another one for those who ask, where there is one."""
    others = os.sched_getaffinity(0) - {bench.cpu}
    return bench.cpu, max(others, default=bench.cpu)


def anywhere(_):
    return None, None


def floor(bench, tokens):
    """The bare verification, as a contender."""
    return Contender("floor", [bench.programs / "floor", bench.key(tokens.bits)[1], tokens.file], bench.cpu)


@contextlib.contextmanager
def asking(bench, tokens, place=together, *, workers=1, connections=8, endpoint="verify", batch=1, kept=True,
           program=None, fleet=None):
    """A contender that asks a daemon of its own, which has been asked before."""
    daemon_cpu, client_cpu = place(bench)
    name = "other-daemon" if program else "fleet-daemon" if fleet else f"daemon-{workers}"
    with mediatokend(bench, tokens.bits, workers, name, daemon_cpu, program, fleet) as server, asker(
            bench, server, tokens.file, client_cpu, connections, endpoint, batch, kept) as contender:
        contender.run(whole_batches(tokens.warm, batch))
        yield contender


def asker(bench, server, file, cpu, connections=8, endpoint="verify", batch=1, kept=True):
    """A contender that asks any server about the tokens of a file."""
    return Contender(
        "daemon-load", [bench.programs / "daemon-load", "ask", server.pid, server.path, file, connections, endpoint, batch,
                        int(kept)], cpu)


def whole_batches(tokens, batch):
    return tokens // batch * batch


def rates(times):
    """Tokens in a second of the wall clock, by round."""
    return spread([1e9 / took[WALL] for took in times])
