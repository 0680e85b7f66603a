"""The programs that are tested, and processes that end with the scenario, by their ids."""

import atexit
import os
import signal
import socket
import subprocess
import sys

for _variable in ("MEDIATOKEN", "MEDIATOKEND"):
    if not os.environ.get(_variable):
        sys.exit(f"expected the program to test in {_variable}")
MEDIATOKEN = os.path.abspath(os.environ["MEDIATOKEN"])
MEDIATOKEND = os.path.abspath(os.environ["MEDIATOKEND"])
_running = set()


def launch(command, **options):
    """Starts a program, which is killed at the scenario's end if it was not waited for."""
    process = subprocess.Popen(command, **options)
    _running.add(process)
    return process


@atexit.register
def _end_all():
    for process in _running:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
