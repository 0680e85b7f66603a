"""How long a viewer waits, questions coming whatever is answered: BENCHMARKS.md, "own processor" and "latency"."""

import math
from typing import NamedTuple

from suite.definitions import FLOOR
from suite.measure.asking import Tokens, asking
from suite.measure.contender import in_turn
from suite.measure.recording import CPU, WALL, per_second, spread
from suite.measure.running import Failed, run
from suite.measure.servers import mediatokend

# Starts of playback a second, and a share of what the daemon can do at most.
RATES, NEARLY_ALL = [100, 1000, 5000, 20_000], 0.9
PERCENTILES = ["50", "90", "99", "99.9", "100"]
# So long, but at least for so many questions: with fewer the ninety-ninth of a hundred says little.
SECONDS, FEWEST, CONNECTIONS = 3, 1000, 100
# Other guests of the host show in the last hundredth first. Of so many runs the middle one counts.
TURNS = 3


def measure(bench):
    programs = [None, bench.compared] if bench.compared else [None]
    for bits in (1024, 2048):
        tokens = Tokens(bench, bits)
        own_processor(bench, tokens, 8, programs)
        saturated = own_processor(bench, tokens, CONNECTIONS, programs)
        under_load(bench, tokens, programs, saturated)


def own_processor(bench, tokens, connections, programs):
    """The record of one worker that has a processor of its own, for each mediatokend, in turn."""
    bare, *found = in_turn(
        [bench.floor(tokens.bits),
         *(asking(bench, tokens, bench.apart, connections=connections, program=program) for program in programs)],
        tokens.each, tokens.rounds)
    return [bench.results.ratio(
        "own processor", f"RSA-{tokens.bits}, {connections} connections{whose(program)}", times, bare, key=tokens.bits,
        connections=connections, other=program is not None, tokens_per_second=per_second(times),
        busy=spread(took[CPU] / took[WALL] for took in times)) for program, times in zip(programs, found)]


def whose(program):
    return "" if program is None else ", the other mediatokend"


def under_load(bench, tokens, programs, saturated):
    """Every mediatokend is asked at the same rates, of which the highest is a share of what the slowest can do: its record is one
    of `saturated`, of daemons that always have another question waiting."""
    daemon_cpu, client_cpu = bench.apart
    if daemon_cpu == client_cpu:
        bench.results.skip("latency", "it needs a processor for the daemon and one for those who ask")
        return
    highest = NEARLY_ALL * min(record["tokens_per_second"]["median"] for record in saturated)
    questions = {rate: round(rate * (1 if bench.quick else max(SECONDS, FEWEST / rate))) for rate in (*RATES, highest)}
    file = bench.tokens(tokens.bits, tokens.warm + max(questions.values()))
    runs = {(rate, program): [] for rate in questions for program in programs}
    for _ in range(1 if bench.quick else TURNS):
        for (rate, program), found in runs.items():
            with mediatokend(bench, tokens.bits, cpu=daemon_cpu, program=program) as server:
                found.append(ask(bench, client_cpu, server, file, tokens.warm, rate, questions[rate]))
    for (rate, program), found in runs.items():
        record(bench, tokens.bits, rate, program, found, saturated[0]["floor_nanoseconds"]["median"], nearly_all=rate == highest)


class Run(NamedTuple):
    """`late`: how many were asked late; `busy`: the daemon's share of its processor; `times`: of all questions, in order of size."""

    late: int
    busy: float
    times: list


def ask(bench, cpu, server, file, warm, rate, questions):
    late, served, wall, *times = map(int, run(
        "taskset", "-c", cpu, bench.programs / "daemon-load", "schedule", server.pid, server.path, file, CONNECTIONS, warm, rate,
        questions, timeout=120).split())
    if len(times) != questions:
        raise Failed(f"daemon-load: expected {questions} times, found {len(times)}")
    return Run(late, served / wall, sorted(times))


def record(bench, bits, rate, program, runs, bare, *, nearly_all):
    """Of several runs, the one that is in the middle by its ninety-ninth percentile."""
    runs = sorted(runs, key=lambda run: percentile(run.times, "99"))
    late, busy, times = runs[len(runs) // 2]
    percentiles = {name: percentile(times, name) for name in PERCENTILES}
    shown = ", ".join(f"{name} % {time / 1000:.1f} µs" for name, time in percentiles.items())
    case = f"{NEARLY_ALL:.0%} of saturation" if nearly_all else f"{rate:,} starts a second"
    bench.results.add({
        "benchmark": "latency", "case": f"RSA-{bits}, {case}{whose(program)}", "key": bits, "nearly_all": nearly_all,
        "other": program is not None, "rate": rate, "connections": CONNECTIONS, "percentiles": percentiles,
        "floor_nanoseconds": bare, "distribution": distribution(times), "late": late, "busy": busy, "questions": len(times),
        "runs": [percentile(run.times, "99") for run in runs],
    }, f"{shown}; {busy:.1%} of a processor; {late} of {len(times)} asked late")


def percentile(times, name):
    return times[place(float(name) / 100, len(times))]


def place(share, count):
    """The place, among `count` ordered values, of the smallest that this share of them does not exceed."""
    return min(count, max(1, math.ceil(share * count))) - 1


def distribution(times):
    """Up to 118 points [nanoseconds, share that took no longer], closer together the greater the share."""
    count = len(times)
    shares = [1 - 10 ** (-step / 25) for step in range(1, 117)]
    places = sorted({0, count - 1, *(place(share, count) for share in shares)})
    return [[times[index], (index + 1) / count] for index in places]
