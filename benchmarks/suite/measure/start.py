"""How long a program takes from its start to its first verdict, and what memory it has had by then: BENCHMARKS.md, "start"."""

import contextlib
import pathlib
import re
import socket
import subprocess
import time

from suite.definitions import COMMAND_LINE
from suite.measure.peer_programs import java
from suite.measure.recording import said, spread
from suite.measure.running import Failed, Unavailable
from suite.measure.servers import configuration

KEY = 2048


def measure(bench):
    programs = {"mediatokend": daemon, COMMAND_LINE: command_line}
    try:
        command = java().command
        programs["Java"] = lambda bench: java_program(bench, command)
    except Unavailable as why:
        bench.results.skip("start of Java", why)
    for name, begun in programs.items():
        record(bench, name, [begun(bench) for _ in range(bench.rounds(15))])


def record(bench, name, found):
    """`found`: nanoseconds, and bytes of memory where they are known."""
    times, sizes = zip(*found)
    memory = {} if None in sizes else {"mebibytes": spread(size / 1024**2 for size in sizes)}
    bench.results.add({"benchmark": "start", "case": name, "nanoseconds": spread(times), **memory, "rounds": len(found)},
                      f"{said(spread(time / 1e6 for time in times))} ms")


def daemon(bench):
    token = bench.tokens(KEY, 1).read_bytes().strip()
    question = (b"POST /v1/verify?requestor=REF30&resource=TNT HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
                b"Content-Length: %d\r\n\r\n%b" % (len(token), token))
    with bench.folder() as folder, socket.socket(socket.AF_UNIX) as connection, started(
            bench.product / "mediatokend", "--config", configuration(bench, folder, KEY)) as (process, since):
        while connection.connect_ex(str(folder / "socket")) != 0:
            if process.poll() is not None:
                raise Failed(f"mediatokend: expected it to listen, found exit status {process.returncode}")
        connection.sendall(question)
        return until(b"VALID_TOKEN" in connection.recv(8192), process, since)


def command_line(bench):
    """Its memory is not known when it has ended."""
    with bench.folder() as folder:
        table, token = bench.new_table(folder / "table", 1_000_000), bench.tokens(KEY, 1).read_text().strip()
        with started(bench.product / "mediatoken", "verify", token, "--keys", bench.key(KEY).public, "--requestor", "REF30",
                     "--resource", "TNT", "--replay", f"shared:{table}") as (process, since):
            if process.wait() != 0:
                raise refused(process)
            return time.perf_counter_ns() - since, None


def java_program(bench, command):
    with started(*command, bench.key(KEY).public, bench.tokens(KEY, 1), "0") as (process, since):
        process.stdout.readline()  # ready
        process.stdin.write(b"1\n")
        process.stdin.flush()
        return until(len(process.stdout.readline().split()) == 2, process, since)


@contextlib.contextmanager
def started(*command):
    """A process and when it was started; it is gone after the block."""
    since = time.perf_counter_ns()
    with subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        try:
            yield process, since
        finally:
            process.kill()


def until(is_valid, process, since):
    """What it took until a token was found to be valid, and the most memory that the process had: proc_pid_status(5)."""
    now = time.perf_counter_ns()
    if not is_valid:
        raise refused(process)
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return now - since, int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def refused(process):
    return Failed(f"{process.args[0]}: expected its first verdict to be that the token is valid")
