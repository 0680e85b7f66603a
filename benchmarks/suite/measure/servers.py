"""Private servers of a run: on UNIX sockets in its folder, and gone with it."""

import contextlib
import itertools
import json
import shutil
import signal
import socket
import time

from suite.measure.running import Failed, Running, Unavailable
from suite.results import BENCHMARKS

# Under callgrind, on a machine that does other things, a start takes a minute.
READY_SECONDS = 300
# A node has the settings that are shipped, and no password.
NODE = [BENCHMARKS.parent / "deploy/redis/node.conf"]


class Server(Running):
    """A server that answers on its socket. `end` is the signal on which it ends with status 0."""

    def __init__(self, name, command, path, cpu=None, end=signal.SIGTERM):
        super().__init__(name, command, cpu)
        self.path, self.end = path, end

    @property
    def pid(self):
        return self.process.pid

    def _get_ready(self):
        end = time.monotonic() + READY_SECONDS
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(str(self.path)) == 0:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                raise self._failure("expected it to answer on its socket", Unavailable)
            time.sleep(0.02)

    def _ask_to_end(self):
        self.process.send_signal(self.end)


@contextlib.contextmanager
def mediatokend(bench, bits, workers=1, cpu=None, program=None, under=(), **settings):
    """A daemon with a new table of 1,000,000 entries that takes tokens of every age; what is not named here is its default.

    `program`, if not ours, is another mediatokend. `under` are the words of a command that runs it.
    """
    with bench.folder() as folder:
        command = [*under, program or bench.product / "mediatokend", "--config", configuration(bench, folder, bits, workers, **settings)]
        with Server("mediatokend", command, folder / "socket", cpu) as server:
            yield server


def configuration(bench, folder, bits, workers=1, fleet=None, tenant=None, others=0, routes=0):
    """The path of a daemon's configuration in a new folder, where its socket will be.

    `fleet`, if it has one in place of the table, is its address. `tenant` has more settings of the tenant that is asked for, and so
    many routes lead to it besides `/live`; of `others` each has times of its own.
    """
    key = bench.key(bits)
    # The longest deadline: what else the machine has to do makes no fault.
    replay = {"address": fleet, "fleet": {"deadlineMilliseconds": 1000}}
    if fleet is None:
        replay = {"address": f"shared:{bench.new_table(folder / 'table', 1_000_000)}"}
    tenants = [{"requestor": "REF30", "resources": ["TNT"]} | (tenant or {})]
    tenants += [{"requestor": f"R{number}", "resources": [f"T{number}"], "maxTTLMilliseconds": 300_000 + number} for number in range(others)]
    auth = {"tokenHeader": "X-Media-Token"}
    # A tenant that is alone with one resource needs no route.
    if others or routes:
        auth["routes"] = [{"prefix": f"/live{more}", "requestor": "REF30", "resource": "TNT"}
                          for more in ("", *(f"/{number}" for number in range(routes)))]
    path = folder / "configuration.json"
    path.write_text(json.dumps({
        "socket": {"path": str(folder / "socket")}, "threads": workers, "keys": [str(key.public)],
        "allowRSA1024": [key.fingerprint] if bits < 2048 else [], "replay": replay,
        "tenants": tenants, "auth": auth,
    }, separators=(",", ":")))
    return path


class Redis(Server):
    """A redis-server, with a connection to it. Nothing of it survives its end."""

    def __init__(self, folder, options, cpu=None):
        path = folder / "socket"
        super().__init__("redis-server", ["redis-server", *options, "--port", "0", "--unixsocket", path, "--dir", folder],
                         path, cpu)
        # Numbers for those who set keys, each with another one.
        self.workers = itertools.count(1)

    def flush(self):
        """Forgets every key."""
        self._ask("FLUSHALL SYNC")

    def used_memory(self):
        """In bytes."""
        length = int(self._ask("INFO memory").lstrip(b"$"))
        lines = self.answers.read(length + 2).decode().splitlines()
        return next(int(line.partition(":")[2]) for line in lines if line.startswith("used_memory:"))

    def _get_ready(self):
        super()._get_ready()
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.connect(str(self.path))
        self.answers = self.connection.makefile("rb")

    def _ask_to_end(self):
        self.connection.close()
        super()._ask_to_end()

    def _ask(self, command):
        self.connection.sendall(command.encode() + b"\r\n")
        answer = self.answers.readline().strip()
        if not answer or answer.startswith(b"-"):
            raise Failed(f"redis-server: expected an answer to {command}, found {answer.decode() or 'nothing'}")
        return answer


@contextlib.contextmanager
def redis(bench, options=("--save", "", "--appendonly", "no"), cpu=None):
    """Redis as fast as it can be, without saving and append-only file, or what `options` make of it."""
    with bench.folder() as folder, Redis(folder, options, cpu) as server:
        yield server


def has_redis():
    return shutil.which("redis-server") is not None
