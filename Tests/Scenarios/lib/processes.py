"""The programs that are tested, and processes that end with the scenario, by their ids."""

import atexit
import fcntl
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile

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
    """A port of loopback on which nothing listens, for this scenario alone until it ends. It is below those that the kernel gives to
    connections, which would take it between two of our own listeners."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        below = int(file.read().split()[0])
    while True:
        port = random.randrange(below // 2, below)
        lock = open(os.path.join(tempfile.gettempdir(), f"mediatoken-port-{port}.lock"), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            lock.close()
            continue
        _ports[port] = lock
        return port


_ports = {}


@atexit.register
def _give_ports_back():
    for lock in _ports.values():
        os.unlink(lock.name)
