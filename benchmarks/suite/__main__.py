"""Runs the parts in order and writes what they found."""

import argparse
import importlib
import pathlib
import sys

from suite import machine
from suite.bench import HERE, Bench
from suite.contender import Failed
from suite.results import Results

PARTS = ["allocations", "library", "replay", "daemon", "peers"]


def main():
    parser = argparse.ArgumentParser(prog="benchmarks/run")
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--product", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"expected parts of {', '.join(PARTS)}; found {', '.join(sorted(unknown))}")
    parts = [part for part in PARTS if part in options.parts] or PARTS
    whole = parts == PARTS and not options.quick
    folder = options.into or (HERE / "results" if whole else HERE / ".build" / "results")

    results = Results(machine.describe())
    bench = Bench(options.programs.resolve(), options.product.resolve(), options.library.resolve(), results,
                  quick=options.quick)
    try:
        for number, part in enumerate(parts, 1):
            results.say(f"part {number} of {len(parts)}: {part}")
            importlib.import_module(f"suite.{part}").measure(bench)
    except Failed as failure:
        sys.exit(f"benchmarks/run: {failure}")
    finally:
        bench.clean()

    from suite import report
    folder.mkdir(parents=True, exist_ok=True)
    results.write(folder / "results.json")
    report.write(folder / "results.json", folder)
    results.say(f"written: {folder}")


main()
