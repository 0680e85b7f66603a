"""Private servers of a run: on UNIX sockets in its folder, and gone with it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from suite.bench import HERE, run
from suite.running import Failed, Running, Unavailable

READY_SECONDS = 10
# As long as mediatokend's answer to such a token.
ANSWER = json.dumps({
    "verdict": "VALID_TOKEN", "number": 0, "identity": "0" * 64, "requestorID": "REF30", "resourceID": "TNT",
    "mvpdId": "Sample_MVPD", "sessionGUID": "0" * 32, "issueTime": "2026-01-01T00:00:00.000Z", "ttl": 3600000,
    "expiresAt": "2026-01-01T01:00:00.000Z", "keyFingerprint": "0" * 64, "unknownFields": [], "use": "first", "retry": False,
    "requestID": "0" * 16}, separators=(",", ":")) + "\n"


class Server(Running):
    """A running server that answers on its socket. `cpu` pins it to one processor; `under` is what runs it; `end` is the
    signal on which it ends with status 0."""

    def __init__(self, name, command, path, folder, cpu=None, under=(), environment=None, end=signal.SIGTERM):
        self.name, self.path, self.end = name, path, end
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
        self.process.send_signal(self.end)
        self._await_end()
        self.output.close()

    def _wait(self):
        end = time.monotonic() + READY_SECONDS
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(str(self.path)) == 0:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                raise self._failure("expected it to answer on its socket", Unavailable)
            time.sleep(0.02)

    def _failure(self, what, kind=Failed):
        self.output.seek(0)
        return kind(f"{self.name}: {what}; it said: {self.output.read().strip()[-400:] or 'nothing'}")


def mediatokend(bench, bits, workers, name="daemon", cpu=None, program=None, fleet=None, **how):
    """A daemon with a new table of 1,000,000 entries that takes every age; what is not named here is its default.

    `program`, if not ours, is another mediatokend. `fleet`, if it has one in place of the table, is its address.
    """
    folder = fresh(bench.work / name)
    _, public, fingerprint = bench.key(bits)
    table, path, configuration = folder / "table", folder / "socket", folder / "configuration.json"
    # The longest deadline: what else the machine has to do makes no fault.
    replay = {"address": fleet, "fleet": {"deadlineMilliseconds": 1000}}
    if fleet is None:
        replay = {"address": f"shared:{table}"}
        run(bench.product / "mediatoken", "replay", "create", "--table", table, "--capacity", "1000000", "--fresh")
    configuration.write_text(json.dumps({
        "socket": {"path": str(path)}, "threads": workers, "keys": [str(public)],
        "allowRSA1024": [fingerprint] if bits < 2048 else [], "replay": replay,
        "tenants": [{"requestor": "REF30", "resources": ["TNT"]}], "auth": {"tokenHeader": "X-Media-Token"},
    }))
    program = program or bench.product / "mediatokend"
    return Server("mediatokend", [program, "--config", configuration], path, folder, cpu, **how)


def answering(bench, name, program):
    """A server that says always the same, where our daemon runs too."""
    folder = fresh(bench.work / name)
    return Server(name, [program, folder / "socket", ANSWER], folder / "socket", folder, bench.cpu)


def haproxy(bench, bits):
    """HAProxy with one thread, which verifies JSON web tokens, where our daemon runs too."""
    program = in_sbin("haproxy")
    if program is None:
        raise Unavailable("haproxy is missing")
    folder = fresh(bench.work / "haproxy")
    (folder / "answer").write_text(ANSWER)
    return Server("haproxy", [program, "-db", "-f", HERE / "peers/haproxy/haproxy.cfg"], folder / "socket", folder,
                  bench.cpu, end=signal.SIGUSR1, environment={
                      "SOCKET": str(folder / "socket"), "KEY": str(bench.key(bits)[1]), "ANSWER": str(folder / "answer")})


def munged(bench):
    """munged with one thread, where our daemon runs too."""
    program = in_sbin("munged")
    if program is None or shutil.which("remunge") is None:
        raise Unavailable("munged or remunge is missing")
    folder = fresh(bench.work / "munge")
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))
    files = [word for name in ("log", "pid", "seed") for word in (f"--{name}-file", folder / name)]
    return Server("munged", [program, "--foreground", "--force", "--num-threads", "1", "--socket", folder / "socket",
                             "--key-file", key, *files], folder / "socket", folder, bench.cpu)


def in_sbin(program):
    """Where a server's program is, also for users who have no /usr/sbin in their PATH."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")


def fresh(folder: pathlib.Path):
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder
