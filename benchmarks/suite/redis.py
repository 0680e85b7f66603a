"""A private Redis behind a UNIX socket; nothing of it survives its end."""

import shutil
import socket

from suite.bench import HERE
from suite.running import Failed
from suite.servers import Server, fresh


class Redis(Server):
    """Debian's server with a configuration of its own: no TCP, no saving, no append-only file."""

    def __init__(self, folder):
        folder = fresh(folder / "redis")
        configuration = folder / "configuration"
        configuration.write_text("\n".join(["port 0", 'save ""', "appendonly no", "daemonize no", ""]))
        self._start(configuration, folder)

    def _start(self, configuration, folder, cpu=None):
        path = folder / "socket"
        command = ["redis-server", configuration, "--port", "0", "--unixsocket", path, "--dir", folder]
        super().__init__("redis-server", command, path, folder, cpu)
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.connect(str(path))
        self.answers = self.connection.makefile("rb")

    def flush(self):
        """Forgets every key."""
        self._ask("FLUSHALL SYNC")

    def used_memory(self):
        """In bytes."""
        length = int(self._ask("INFO memory").lstrip(b"$"))
        lines = self.answers.read(length + 2).decode().splitlines()
        return next(int(line.partition(":")[2]) for line in lines if line.startswith("used_memory:"))

    def close(self):
        self.connection.close()
        super().close()

    def _ask(self, command):
        self.connection.sendall(command.encode() + b"\r\n")
        answer = self.answers.readline().strip()
        if not answer or answer.startswith(b"-"):
            raise Failed(f"redis-server: expected an answer to {command}, found {answer.decode() or 'nothing'}")
        return answer


class Seat(Redis):
    """A seat with the settings that are shipped, and no password, where those who ask it run too."""

    def __init__(self, bench, name="seat", cpu=None):
        self.workers = 0
        self._start(HERE.parent / "deploy/redis/seat.conf", fresh(bench.work / name), bench.cpu if cpu is None else cpu)

    def next_worker(self):
        """A number that no other who sets keys has."""
        self.workers += 1
        return self.workers


def is_missing():
    return shutil.which("redis-server") is None
