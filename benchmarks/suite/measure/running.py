"""Commands and processes of a run. A process lives as long as a `with` block."""

import subprocess
import tempfile


class Failed(Exception):
    """A process could not do its work."""


class Unavailable(Failed):
    """What ours is compared with is not here, or does not work here."""


def run(*command, **options):
    """Standard output of a command that must succeed."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, **options).stdout


class Running:
    """A subclass says in `_get_ready` and `_ask_to_end` how a process starts and ends in order. Where the block fails, the
    process is killed. `cpu` pins it to one processor; `streams` are those of `Popen` that its failure does not quote."""

    streams = {}

    def __init__(self, name, command, cpu=None):
        pin = [] if cpu is None else ["taskset", "-c", cpu]
        self.name, self.command = name, [str(word) for word in [*pin, *command]]

    def __enter__(self):
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, **{"stdout": self.output, "stderr": self.output, **self.streams})
        try:
            self._get_ready()
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self._kill()
            return
        self._ask_to_end()
        status = self.process.wait(timeout=300)
        if status != 0:
            raise self._failure(f"expected exit status 0, found {status}")

    def _kill(self):
        self.process.kill()
        self.process.wait()

    def _failure(self, what, kind=Failed):
        self._kill()
        self.output.seek(0)
        said = self.output.read().decode(errors="replace").strip()
        return kind(f"{self.name}: {what}; it said: {said[-400:] or 'nothing'}")
