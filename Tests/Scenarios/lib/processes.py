"""The programs that are tested, and processes that end with the scenario, by their ids."""

import atexit
import contextlib
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
#: Uses up tokens by their identities: Tests/Proofs/Sources/spend.
SPEND = os.path.abspath(os.environ.get("MEDIATOKEN_SPEND") or os.path.join(os.path.dirname(MEDIATOKEN), "spend"))
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


def free_port(number=1):
    """A port of loopback on which nothing listens, or the first of as many in a row, for this scenario alone until it ends: the
    datagram ports with their numbers keep our other tests from them. They are below those that the kernel gives to connections, which
    would take them between two of our own listeners."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        below = int(file.read().split()[0])
    while True:
        first = random.randrange(below // 2, below - number)
        with contextlib.ExitStack() as taken, contextlib.suppress(OSError):
            for port in range(first, first + number):
                taken.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)).bind(("127.0.0.1", port))
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            _reservations.append(taken.pop_all())
            return first


_reservations = []
