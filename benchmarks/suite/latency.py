"""How long a viewer waits, questions coming whatever is answered: BENCHMARKS.md, "latency"."""

import os
import statistics
import subprocess

from suite import daemon
from suite.contender import Failed, in_turn, spread
from suite.results import CPU, WALL
from suite.servers import mediatokend

LOADS = [0.25, 0.5, 0.75, 0.9]
PERCENTILES = ["50", "90", "99", "99.9", "100"]
SECONDS, CONNECTIONS = 3, 128


def measure(bench, tokens):
    saturation, bare = saturate(bench, tokens)
    seconds = 1 if bench.quick else SECONDS
    questions = {load: round(load * saturation * seconds) for load in LOADS}
    file = bench.tokens(tokens.bits, tokens.warm + max(questions.values()))
    for load, count in questions.items():
        times, late = ask(bench, tokens, file, load * saturation, count)
        record = {
            "benchmark": "latency", "case": f"RSA-{tokens.bits}, {load:.0%} of saturation", "key": tokens.bits,
            "load": load, "rate": load * saturation, "connections": CONNECTIONS,
            "percentiles": {name: times[rank(float(name) / 100, count)] for name in PERCENTILES},
            "floor_nanoseconds": bare, "distribution": distribution(times), "late": late, "questions": count,
        }
        shown = ", ".join(f"{name} % {record['percentiles'][name] / bare:.1f}" for name in PERCENTILES)
        bench.results.add(record, f"{shown} × EVP_PKEY_verify; {late} of {count} asked late")


def processors(bench):
    """The daemon's processor, and another one for those who ask: saturation must be the daemon's, not theirs."""
    others = os.sched_getaffinity(0) - {bench.cpu}
    return bench.cpu, max(others) if others else bench.cpu


def saturate(bench, tokens):
    """Requests a second of one worker that always has another one waiting; and a bare verification's nanoseconds."""
    with daemon.floor(bench, tokens) as floor, \
            daemon.asking(bench, tokens, connections=CONNECTIONS, cpus=processors(bench)) as ours:
        bare, times = in_turn([floor, ours], tokens.each, tokens.rounds)
    rates = daemon.rates(times)
    bench.results.ratio(
        "saturation", f"RSA-{tokens.bits}, {CONNECTIONS} connections, one processor", times, bare,
        floor_name="EVP_PKEY_verify", clock=CPU, key=tokens.bits, connections=CONNECTIONS, tokens_per_second=rates,
        busy=spread([took[CPU] / took[WALL] for took in times]))
    return rates["median"], statistics.median(took[CPU] for took in bare)


def ask(bench, tokens, file, rate, questions):
    """The times of all questions in order of size, and how many were asked late."""
    daemon_cpu, client_cpu = processors(bench)
    with mediatokend(bench, tokens.bits, 1, cpu=daemon_cpu) as server:
        found = subprocess.run(
            ["taskset", "-c", str(client_cpu), bench.programs / "daemon-load", "schedule", server.path, file,
             str(CONNECTIONS), str(tokens.warm), str(rate), str(questions)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        if found.returncode != 0:
            raise Failed(f"daemon-load: {found.stderr.strip()}")
    late, *times = map(int, found.stdout.split())
    return sorted(times), late


def rank(fraction, count):
    """The place, from 0, of the smallest value that so many are not above."""
    return max(0, min(count - 1, -int(-fraction * count // 1) - 1))


def distribution(times):
    """Up to 118 points [nanoseconds, share of the questions that took no longer], close together towards the greatest."""
    count = len(times)
    shares = [1 - 10 ** (-step / 25) for step in range(1, 117)]
    ranks = sorted({rank(share, count) for share in shares} | {0, count - 1})
    return [[times[place], (place + 1) / count] for place in ranks]
