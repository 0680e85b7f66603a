"""Private servers of a run: on UNIX sockets in its folder, and gone with it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from suite.bench import run
from suite.running import Failed, Running

READY_SECONDS = 10


class Server(Running):
    """A running server that answers on its socket. `cpu` pins it to one processor; `under` is what runs it."""

    def __init__(self, name, command, path, folder, cpu=None, under=(), environment=None):
        self.name, self.path = name, path
        pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
        self.output = (folder / "output").open("w+")
        self.process = subprocess.Popen(
            pin + [str(word) for word in [*under, *command]], stdout=self.output, stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})})
        try:
            self._wait()
        except BaseException:
            self._kill()
            raise

    @property
    def pid(self):
        return self.process.pid

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self._await_end()
        self.output.close()

    def _wait(self):
        end = time.monotonic() + READY_SECONDS
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(str(self.path)) == 0:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                raise self._failure("expected it to answer on its socket")
            time.sleep(0.02)

    def _failure(self, what):
        self.output.seek(0)
        return Failed(f"{self.name}: {what}; it said: {self.output.read().strip()[-400:] or 'nothing'}")


def mediatokend(bench, bits, workers, name="daemon", cpu=None, **how):
    """A daemon with a new table of 1,000,000 entries that takes every age; what is not named here is its default."""
    folder = fresh(bench.work / name)
    _, public, fingerprint = bench.key(bits)
    table, path, configuration = folder / "table", folder / "socket", folder / "configuration.json"
    run(bench.product / "mediatoken", "replay", "create", "--table", table, "--capacity", "1000000", "--fresh")
    configuration.write_text(json.dumps({
        "socket": {"path": str(path)}, "threads": workers, "keys": [str(public)],
        "allowRSA1024": [fingerprint] if bits < 2048 else [], "replay": {"address": f"shared:{table}"},
        "tenants": [{"requestor": "REF30", "resources": ["TNT"]}], "auth": {"tokenHeader": "X-Media-Token"},
    }))
    return Server("mediatokend", [bench.product / "mediatokend", "--config", configuration], path, folder, cpu, **how)


def bare_http(bench):
    """libmicrohttpd alone, where our daemon runs too."""
    folder = fresh(bench.work / "bare-http")
    return Server("bare-http", [bench.programs / "bare-http", folder / "socket"], folder / "socket", folder, bench.cpu)


def munged(bench):
    """munged with one thread, where our daemon runs too; or nothing where it or its client is missing."""
    program = shutil.which("munged", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None or shutil.which("remunge") is None:
        return None
    folder = fresh(bench.work / "munge")
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))
    files = [word for name in ("log", "pid", "seed") for word in (f"--{name}-file", folder / name)]
    return Server("munged", [program, "--foreground", "--force", "--num-threads", "1", "--socket", folder / "socket",
                             "--key-file", key, *files], folder / "socket", folder, bench.cpu)


def fresh(folder: pathlib.Path):
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder
