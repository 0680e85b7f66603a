"""A contender is a process that does one kind of work, as often as it is told to, and says how long that took.

Ours, the floor and the peers all speak the same three lines, so that any two can be compared in turn (A B A B):

    it writes  ready                once its keys are parsed and its buffers made
    it reads   COUNT                and does its work so many times; each result is checked
    it writes  WALL_NS CPU_NS       what that took by the monotonic clock, and in processor time

A work that fails ends it with an exit status other than 0. The processor time is that of the process that does the work: for a
server the server's.
"""

import subprocess
from contextlib import ExitStack

from suite.measure.running import Failed, Running


class Contender(Running):
    """A contender that runs in a `with` block, after `warm` works that are not counted. Two that are compared by the wall
    clock share one processor."""

    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}

    def __init__(self, name, command, cpu=None, warm=0):
        super().__init__(name, command, cpu)
        self.warm = warm

    def run(self, count):
        """Nanoseconds for one work: by the wall clock, and in processor time."""
        self.begin(count)
        return self.end(count)

    def begin(self, count):
        try:
            self.process.stdin.write(f"{count}\n")
        except BrokenPipeError:
            raise self._failure("it ended") from None

    def end(self, count):
        words = self._line().split()
        if len(words) != 2:
            raise self._failure("expected two times")
        return int(words[0]) / count, int(words[1]) / count

    def _get_ready(self):
        if self._line() != "ready":
            raise self._failure("expected it to be ready")
        if self.warm:
            self.run(self.warm)

    def _ask_to_end(self):
        self.process.stdin.close()

    def _line(self):
        return self.process.stdout.readline().strip()


def in_turn(works, counts, rounds):
    """Starts all of `works` and runs them in turn, `rounds` times after one that is not counted: see `take_turns`."""
    with ExitStack() as running:
        return take_turns([running.enter_context(work) for work in works], counts, rounds)


def take_turns(works, counts, rounds):
    """`counts` is how often each works in a round: one number for all, or one for each. Gives for each of `works`, which are
    running, its (wall, cpu) nanoseconds for one work, by round."""
    if isinstance(counts, int):
        counts = [counts] * len(works)
    taken = [[work.run(count) for work, count in zip(works, counts)] for _ in range(rounds + 1)]
    return list(zip(*taken[1:]))


def must_refuse(name, reason, contender, *said):
    """Asked about a token that is no good, a contender has to fail and say so: one that accepts it does less work than the
    others."""
    try:
        with contender:
            contender.run(1)
    except Failed as refusal:
        if all(words in str(refusal) for words in said):
            return
        raise
    raise Failed(f"{name}: expected a refusal of a token that is {reason}; found it accepted")
