"""Runs the parts in order and writes what they found."""

import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys

from suite import machine
from suite.bench import HERE, Bench
from suite.results import Results
from suite.running import Failed

PARTS = ["allocations", "library", "replay", "seats", "daemon", "fleet", "latency", "peers"]


def main():
    parser = argparse.ArgumentParser(prog="benchmarks/run")
    # What benchmarks/run says by itself.
    for name in ("--programs", "--product", "--library", "--from"):
        parser.add_argument(name, type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--preparation", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--check-words", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="few rounds: to see that it works")
    parser.add_argument("--into", type=pathlib.Path, metavar="FOLDER", help="where the results go")
    parser.add_argument("--compare-with", type=pathlib.Path, metavar="MEDIATOKEND",
                        help="another one, which latency measures in turn with ours")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"expected parts of {', '.join(PARTS)}; found {', '.join(sorted(unknown))}")
    parts = [part for part in PARTS if part in options.parts] or PARTS
    if options.compare_with and "latency" not in parts:
        parser.error("expected the part latency with --compare-with")
    whole = parts == PARTS and not options.quick and not options.compare_with
    folder = HERE / ("results" if whole else ".build/results")
    if options.into:
        folder = getattr(options, "from") / options.into
    if folder.resolve() == HERE / "results" and not whole:
        parser.error("expected another folder: benchmarks/results is for complete runs")
    compared = getattr(options, "from") / options.compare_with if options.compare_with else None
    if compared and not os.access(compared, os.X_OK):
        parser.error(f"expected a mediatokend that can be started; found none at {options.compare_with}")
    if options.check_words:
        return

    results = Results(machine.describe(), options.preparation)
    bench = Bench(options.programs.resolve(), options.product.resolve(), options.library.resolve(), results,
                  quick=options.quick, compared=compared)
    try:
        for number, part in enumerate(parts, 1):
            results.say(f"part {number} of {len(parts)}: {part}")
            importlib.import_module(f"suite.{part}").measure(bench)
    except (Failed, subprocess.CalledProcessError) as failure:
        # What was measured until then is not lost.
        unfinished = HERE / ".build" / "unfinished.json"
        results.write(unfinished)
        sys.exit(f"benchmarks/run: {failure}; what was measured is in {unfinished}")
    finally:
        bench.clean()

    if importlib.util.find_spec("matplotlib") is None:
        results.skip("plots", "matplotlib is not installed")
    from suite import report
    folder.mkdir(parents=True, exist_ok=True)
    results.write(folder / "results.json")
    report.write(folder / "results.json", folder)
    results.say(f"written: {folder}")


main()
