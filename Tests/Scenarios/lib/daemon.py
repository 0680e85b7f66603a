"""A daemon in the scenario's folder, started with a configuration of its own and ended by its process id."""

import json
import os
import re
import signal
import subprocess
import time

from connection import Connection, Unanswered, Unsent
from processes import MEDIATOKEN, MEDIATOKEND, launch
from scenario import path, until


class Daemon:
    """`settings` are members of the configuration over those that every scenario has. Unless they have a replay memory, there is
    a table that vouches for all tokens."""

    def __init__(self, signer, name="daemon", table="replay.table", capacity=100_000, **settings):
        self.name, self.signer = name, signer
        self.socket = settings.get("socket", {}).get("path", path(name + ".sock"))
        self.log = path(name + ".log")
        self.file, self.table = path(name + ".json"), path(table)
        if "replay" not in settings and not os.path.exists(self.table):
            # Fresh: these tokens are issued before the table would vouch for anything. Three seconds are waited for the users of
            # a table that was in its folder; this one's has not changed for long.
            os.utime(os.path.dirname(self.table), (0, 0))
            subprocess.run([MEDIATOKEN, "replay", "create", "--table", self.table, "--capacity", str(capacity), "--fresh"],
                           check=True, capture_output=True)
        self.settings = {
            "socket": {"path": self.socket, "mode": "0600"},
            "keys": [signer.keys],
            "allowRSA1024": [signer.fingerprint],
            "replay": {"address": "shared:" + self.table},
            "tenants": [{"requestor": "REF30"}],
            "threads": 2,
        } | settings
        self.process, self.started = None, None
        self.configure()

    def configure(self, **settings):
        """Changes the configuration file in one step."""
        self.settings |= settings
        self.write(json.dumps(self.settings, indent=1))

    def write(self, text):
        new = self.file + ".new"
        with open(new, "w") as file:
            file.write(text)
        os.chmod(new, 0o600)
        os.rename(new, self.file)

    def spawn(self, stderr=None, **options):
        """Starts the program and waits for nothing."""
        self.started = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = launch(
                [MEDIATOKEND, "--config", self.file], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log if stderr is None else stderr, **options)
        return self

    def start(self, **options):
        """Starts the program and waits until it is ready."""
        return self._start(self.is_ready, options)

    def start_unready(self, **options):
        """Starts the program and waits until it answers, ready or not."""
        return self._start(self.is_answering, options)

    def _start(self, holds, options):
        self.spawn(**options)
        if not until(60, lambda: self.process.poll() is not None or holds()) or self.process.poll() is not None:
            raise RuntimeError(f"the daemon does not start: {self.said()[-2000:]}")
        return self

    def is_ready(self):
        return self._is_well("/readyz")

    def is_answering(self):
        return self._is_well("/livez")

    def _is_well(self, target):
        try:
            return self.get(target).status == 200
        except (Unsent, Unanswered):
            return False

    def is_alive(self):
        return self.process.poll() is None

    def connect(self, **options):
        return Connection(self.socket, **options)

    def ask(self, token, **options):
        """One question on a connection of its own."""
        with self.connect() as connection:
            return connection.ask(token, **options)

    def get(self, target):
        with self.connect() as connection:
            return connection.get(target)

    def metrics(self):
        """Every sample by its name with labels."""
        page = self.get("/metrics").body.decode()
        return {name: float(value) for name, value in re.findall(r"^([^#\s]\S*) (\S+)$", page, re.M)}

    def spent(self):
        return self.metrics()['mediatoken_verdicts_total{verdict="VALID_TOKEN",reason="none"}']

    def tell(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGTERM, seconds=60):
        """Sends the signal and waits for the end: the exit status, or minus the signal."""
        if self.is_alive():
            self.tell(number)
        return self.process.wait(seconds)

    def said(self):
        with open(self.log, "rb") as file:
            return file.read().decode(errors="replace")

    def events(self, event):
        """The log's lines about this event. What has no line feed yet is still being written."""
        lines = [json.loads(line) for line in self.said().split("\n")[:-1] if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    # What the kernel says about the process.

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(rf"^{name}:\s+(\d+)", file.read(), re.M)[1])

    def resident(self):
        return self.status("VmRSS") * 1024

    def most_resident(self):
        return self.status("VmHWM") * 1024

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def open_descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
