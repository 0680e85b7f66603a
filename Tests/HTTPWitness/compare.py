"""Has the same streams read by our reader and by two kept parsers. What ours accepts, both accept, and understand the same:
method, target, fields, body, and whether the connection goes on; or the difference is on the list in `differences.py`.

    compare.py STREAMS [--mutants N] [--seed N] [--jobs N]

STREAMS is the program that makes the mutants and reads them with our reader. Exit status 1 if anything differs that is not
on the list, if something on the list did not occur, or if too little was compared to mean anything.
"""

import argparse
import array
import collections
import concurrent.futures
import json
import os
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import differences
import known_streams
import witnesses
from differences import Ours
from witnesses import Reading

# One of so many streams goes through a server of ours, too; of those that are refused at once, one of so many is shown to
# the kept parsers; and of those with several requests, one of so many is read by h11 in one go, which is slow.
SERVER_SHARE, REFUSED_SHARE, PIPELINE_SHARE = 50, 40, 20
# Requests that were compared already are kept, so as not to be compared again.
KEPT = 300_000
SHOWN = 12


class Comparison:
    """What one run has seen."""

    def __init__(self):
        self.counts = collections.Counter()
        self.excused = collections.Counter()
        # What we refuse, by our reason, and how the others read it.
        self.refused = collections.Counter()
        self.failures = []
        self.known = {}

    def fail(self, what, stream):
        self.counts["failures"] += 1
        if len(self.failures) < SHOWN:
            self.failures.append(f"{what}\n    in {stream!r}")

    def take(self, stream, end, taken, requests):
        is_plain = True
        for start, stop, numbers in requests:
            key = numbers + stream[start:stop]
            if key not in self.known:
                if len(self.known) > KEPT:
                    self.known.clear()
                self.known[key] = self.compare(stream[start:stop], array.array("I", numbers), stream)
            is_plain = self.known[key] and is_plain
            self.counts["requests"] += 1
        whole = len(requests) - (end == "incomplete" and bool(requests) and requests[-1][1] > taken)
        if whole > 1 and is_plain:
            self.compare_row(stream, taken, whole)
        if end == "incomplete" and whole == len(requests):
            self.compare_part(stream, taken)
        elif end[0] in "45":
            self.compare_refused(stream, taken, end)

    def compare(self, raw, numbers, stream):
        """Whether both kept parsers understand a request as we do, without an excuse."""
        ours = reading_of(raw, numbers)
        is_plain = True
        for name, read, known in (
            ("h11", witnesses.read_with_h11, differences.H11),
            ("httptools", witnesses.read_with_httptools, differences.HTTPTOOLS),
        ):
            theirs = read(raw)
            if theirs == ours.reading:
                continue
            is_plain = False
            self.excuse(name, read, known, ours, theirs, stream)
        self.counts["different requests"] += 1
        return is_plain

    def excuse(self, name, read, known, ours, theirs, stream):
        """Looks for differences on the list that explain what was read otherwise."""
        rest, used = ours, []
        for difference in known:
            without = difference.without(rest)
            if without is not None and not (difference.is_refusal and isinstance(theirs, Reading)):
                rest, used = without, [*used, difference.name]
                if read(rest.raw) == rest.reading:
                    for which in used:
                        self.excused[f"{name}: {which}"] += 1
                    return
        self.fail(f"{name} read {theirs!r}\n    and we {ours.reading!r}", stream)

    def compare_row(self, stream, taken, whole):
        """All requests of a stream, read by one parser in one go."""
        self.counts["rows"] += 1
        if (found := witnesses.count_with_httptools(stream[:taken])) != whole:
            self.fail(f"httptools found {found} requests in a row, we {whole}", stream)
        if self.counts["rows"] % PIPELINE_SHARE == 0:
            if (found := witnesses.count_with_h11(stream[:taken])) != whole:
                self.fail(f"h11 found {found} requests in a row, we {whole}", stream)

    def compare_part(self, stream, taken):
        """Half a head is one for every server."""
        self.counts["parts"] += 1
        for name, read in ("h11", witnesses.read_with_h11), ("httptools", witnesses.read_with_httptools):
            if isinstance(theirs := read(stream[taken:]), Reading):
                self.fail(f"{name} read {theirs!r}\n    and we wait for the rest of the head", stream)

    def compare_refused(self, stream, taken, end):
        """Counts what others think of what we refuse; nothing of it is a failure."""
        h11, httptools = witnesses.read_with_h11(stream[taken:]), witnesses.read_with_httptools(stream[taken:])
        accepted = [
            theirs[:4] for theirs in (h11, httptools) if isinstance(theirs, Reading) and theirs.is_whole]
        verdict = "neither" if not accepted else "one" if len(accepted) == 1 else "alike"
        if verdict == "alike" and accepted[0] != accepted[1]:
            verdict = "unlike"
        self.refused[end, verdict] += 1


def reading_of(raw, numbers):
    is_whole, ends, m, m_end, t, t_end, b, b_end, *fields = numbers
    names = tuple(zip(fields[0::4], fields[1::4]))
    values = zip(fields[2::4], fields[3::4])
    reading = Reading(
        raw[m:m_end], raw[t:t_end],
        tuple((raw[n:n_end], raw[v:v_end]) for (n, n_end), (v, v_end) in zip(names, values)), raw[b:b_end],
        bool(is_whole), bool(is_whole and ends), 0)
    return Ours(raw, reading, (m, m_end), (t, t_end), names)


def texts(items):
    return struct.pack("<I", len(items)) + b"".join(struct.pack("<I", len(item)) + item for item in items)


def run(program, seed, mutants):
    """One program's streams."""
    comparison = Comparison()
    process = subprocess.Popen(
        [program, str(seed), str(mutants), str(SERVER_SHARE), str(REFUSED_SHARE)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, bufsize=1 << 20)
    process.stdin.write(texts(known_streams.STREAMS) + texts(known_streams.words()))
    process.stdin.close()
    read = process.stdout.read

    def number():
        return int.from_bytes(read(4), "little")

    while kind := number():
        if kind == 1:
            stream, end, taken = read(number()), read(number()).decode(), number()
            requests = []
            for _ in range(number()):
                start, stop, count = struct.unpack("<3I", read(12))
                requests.append((start, stop, read(4 * count)))
            comparison.take(stream, end, taken, requests)
        elif kind == 2:
            stream, what = read(number()), read(number()).decode()
            comparison.fail(f"the server: {what}", stream)
        else:
            comparison.counts.update(json.loads(read(number())))
            comparison.counts["finished"] += 1
    if process.wait() != 0:
        comparison.fail(f"streams ended with {process.returncode}", b"")
    comparison.known.clear()
    return comparison


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("streams")
    arguments.add_argument("--mutants", type=int, default=300_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    options = arguments.parse_args()
    start = time.monotonic()
    total = Comparison()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        runs = [
            pool.submit(run, options.streams, options.seed * 1000 + job, options.mutants // options.jobs)
            for job in range(options.jobs)]
        for done in runs:
            part = done.result()
            total.counts += part.counts
            total.excused += part.excused
            total.refused += part.refused
            total.failures += part.failures
    report(total, options, time.monotonic() - start)


def report(total, options, seconds):
    counts = total.counts
    print("on the list, and of how many different requests:")
    listed = [f"h11: {each.name}" for each in differences.H11]
    listed += [f"httptools: {each.name}" for each in differences.HTTPTOOLS]
    for name in listed:
        print(f"  {total.excused[name]:>9} {name}")
    print("refused by us, and accepted by both others alike, by both but otherwise by each, by one of them, by neither:")
    ends = sorted({end for end, _ in total.refused}, key=lambda end: -total.refused[end, "alike"])
    for end in ends:
        numbers = "".join(f"{total.refused[end, verdict]:>9}" for verdict in ("alike", "unlike", "one", "neither"))
        print(f" {numbers} {end[:100]}")
    for failure in total.failures[:SHOWN]:
        print(f"FAILED: {failure}")
    broken = [f"{counts['failures']} differences are not on the list"] if counts["failures"] else []
    broken += [f"{name} is on the list and did not occur" for name in listed if not total.excused[name]]
    if counts["finished"] != options.jobs:
        broken.append(f"{counts['finished']} of {options.jobs} programs finished")
    if counts["accepted"] * 10 < counts["streams"] or counts["server"] < len(known_streams.STREAMS) or not counts["rows"]:
        broken.append("too little was accepted to mean anything")
    for what in broken:
        print(f"FAILED: {what}")
    print(
        f"{counts['streams']} streams, {counts['different']} of them different: of {counts['accepted']} something was accepted or "
        f"awaited; {counts['requests']} requests, {counts['different requests']} of them different, are the same to h11 and "
        f"httptools; {counts['server']} streams went through a server; {counts['failures']} failures; seed {options.seed}, "
        f"{seconds:.0f} s")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
