"""Runs the parts in order, writes what they found to results.json, and says in which folder."""

import argparse
import os
import pathlib
import subprocess
import sys

from suite.measure import daemon, fleet, latency, library, machine, peers, replay, nodes, start
from suite.measure.bench import Bench
from suite.measure.recording import Recording
from suite.measure.running import Failed
from suite.results import BENCHMARKS, PUBLISHED, Results

PARTS = {
    "allocations": library.measure_allocations, "library": library.measure, "replay": replay.measure,
    "nodes": nodes.measure, "daemon": daemon.measure, "fleet": fleet.measure, "latency": latency.measure,
    "start": start.measure, "peers": peers.measure,
}


def main():
    options = understood()
    if options.check_words:
        return
    results = Recording(machine.describe(), options.preparation)
    bench = Bench(options.programs.resolve(), options.product.resolve(), options.library.resolve(), results,
                  quick=options.quick, compared=options.compare_with)
    try:
        for number, part in enumerate(options.parts, 1):
            results.say(f"part {number} of {len(options.parts)}: {part}")
            PARTS[part](bench)
    except (Failed, subprocess.CalledProcessError) as failure:
        # What was measured until then is not lost.
        unfinished = BENCHMARKS / ".build/unfinished"
        results.write(unfinished)
        sys.exit(f"benchmarks/run: {failure}; what was measured is in {unfinished}/results.json")
    finally:
        bench.clean()
    if options.again:
        results = Results.read(PUBLISHED).replaced_by(results, options.parts)
    results.write(options.into)
    print(options.into)


def understood():
    """The options, with the folder of the results, whose combination makes sense."""
    parser = argparse.ArgumentParser(prog="benchmarks/run")
    # What benchmarks/run says by itself.
    for name in ("--programs", "--product", "--library", "--from"):
        parser.add_argument(name, type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--preparation", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--check-words", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="few rounds: to see that it works")
    parser.add_argument("--again", action="store_true", help="replaces the named parts in the published results, and says so there")
    parser.add_argument("--into", type=pathlib.Path, metavar="FOLDER", help="where the results go")
    parser.add_argument("--compare-with", type=pathlib.Path, metavar="MEDIATOKEND",
                        help="another one, which latency measures in turn with ours")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named")
    options = parser.parse_args()
    unknown = set(options.parts) - PARTS.keys()
    if unknown:
        parser.error(f"expected parts of {', '.join(PARTS)}; found {', '.join(sorted(unknown))}")
    options.parts = [part for part in PARTS if part in options.parts] or list(PARTS)
    if options.compare_with and "latency" not in options.parts:
        parser.error("expected the part latency with --compare-with")
    whole = options.parts == list(PARTS) and not options.quick and not options.compare_with
    start = getattr(options, "from")
    if options.again and (options.quick or options.compare_with or options.into or options.parts == list(PARTS)):
        parser.error("expected parts that are measured again, and no other option with --again")
    options.into = start / options.into if options.into else PUBLISHED if whole or options.again else BENCHMARKS / ".build/results"
    if options.into.resolve() == PUBLISHED and not whole and not options.again:
        parser.error("expected another folder: benchmarks/results is for complete runs")
    if options.compare_with:
        options.compare_with = start / options.compare_with
        if not os.access(options.compare_with, os.X_OK):
            parser.error(f"expected a mediatokend that can be started; found none at {options.compare_with}")
    return options


if __name__ == "__main__":
    main()
