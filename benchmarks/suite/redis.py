"""A private Redis behind a UNIX socket; nothing of it survives its end."""

import shutil
import socket
import subprocess
import time

from suite.contender import Failed


class Redis:
    """Debian's server with a configuration of its own: no TCP, no saving, no append-only file."""

    def __init__(self, folder):
        self.path = folder / "redis.socket"
        configuration = folder / "redis.conf"
        configuration.write_text("\n".join([
            "port 0", f"unixsocket {self.path}", 'save ""', "appendonly no", f"dir {folder}", "daemonize no",
            f"logfile {folder / 'redis.log'}", ""]))
        self.process = subprocess.Popen(["redis-server", configuration], stdout=subprocess.DEVNULL)
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + 10
        while self.connection.connect_ex(str(self.path)) != 0:
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.close()
                raise Failed("redis-server: expected it to listen")
            time.sleep(0.05)
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
        self.process.terminate()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _ask(self, command):
        self.connection.sendall(command.encode() + b"\r\n")
        answer = self.answers.readline().strip()
        if not answer or answer.startswith(b"-"):
            raise Failed(f"redis-server: expected an answer to {command}, found {answer.decode() or 'nothing'}")
        return answer


def is_missing():
    return shutil.which("redis-server") is None
