"""The programs that are tested, and processes that end with the scenario, by their ids."""

import atexit
import os
import random
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
    """A port of loopback on which nothing listens, for this scenario alone until it ends: the datagram port with its number
    keeps our other tests from it. It is below those that the kernel gives to connections, which would take it between two of our
    own listeners."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        below = int(file.read().split()[0])
    while True:
        port = random.randrange(below // 2, below)
        reservation = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            reservation.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        return port


_reservations = []
