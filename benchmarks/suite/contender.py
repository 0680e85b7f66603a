"""A contender is a process that does one kind of work, as often as it is told to, and says how long that took.

Ours, the floor and the peers all speak the same three lines, so that any two can be compared in turn (A B A B):

    it writes  ready                once its keys are parsed and its buffers made
    it reads   COUNT                and does its work so many times; each result is checked
    it writes  WALL_NS CPU_NS       what that took by the monotonic clock, and in processor time

A work that fails ends it with another exit status than 0. The processor time is that of the process that does the work: for a
server the server's.
"""

import os
import statistics
import subprocess
import tempfile

from suite.running import Failed, Running


class Contender(Running):
    """A running contender. `cpu` pins it to one processor: two that are compared by the wall clock share one."""

    def __init__(self, name, command, cpu=None, environment=None):
        self.name = name
        self.errors = tempfile.TemporaryFile()
        pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
        self.process = subprocess.Popen(
            pin + [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, bufsize=1, env={**os.environ, **(environment or {})})
        if self._line() != "ready":
            raise self._failure("expected it to be ready")

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

    def close(self):
        self.process.stdin.close()
        self._await_end()
        self.errors.close()

    def _line(self):
        return self.process.stdout.readline().strip()

    def _failure(self, what):
        self._kill()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip()
        return Failed(f"{self.name}: {what}; it said: {said[-400:] or 'nothing'}")


def in_turn(contenders, counts, rounds):
    """Runs them in turn, `rounds` times after one that is not counted.

    `counts` is how often each works in a round: one number for all, or one for each. Gives for each contender its list of
    (wall, cpu) nanoseconds for one work.
    """
    if isinstance(counts, int):
        counts = [counts] * len(contenders)
    times = [[] for _ in contenders]
    for turn in range(rounds + 1):
        for contender, count, found in zip(contenders, counts, times):
            took = contender.run(count)
            if turn > 0:
                found.append(took)
    return times


def must_refuse(name, reason, start, *said):
    """What `start` gives, asked about one token that is no good, has to fail and say so: who takes such a token does less
    work than the others."""
    try:
        with start() as contender:
            contender.run(1)
    except Failed as refusal:
        if all(words in str(refusal) for words in said):
            return
        raise
    raise Failed(f"{name}: expected a refusal of a token that is {reason}; found it accepted")


def spread(values):
    """Median, and the tenth and ninetieth of a hundred."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "median": statistics.median(ordered), "low": ordered[round(last * 0.1)], "high": ordered[round(last * 0.9)]
    }
