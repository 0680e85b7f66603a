#!/usr/bin/env -S python3 -B
"""Every figure of the README and of RESULTS.md is what results.json says, and each plot is of this results.json.

The check itself is tried on copies in which one figure, one plot or one result was changed by hand.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/../../../benchmarks")

from scenario import ROOT, check, finish
from suite import figures, report


def copied(folder):
    """The texts that are checked, and what they are made from, in a folder of their own."""
    root = pathlib.Path(folder)
    shutil.copytree(ROOT / "benchmarks/results", root / "benchmarks/results")
    for name in ("README.md", "benchmarks/BENCHMARKS.md"):
        shutil.copy(ROOT / name, root / name)
    return root


def another_figure(path, begin):
    """Changes the first digit of the first table after `begin`."""
    text = path.read_text()
    place = text.index("|", text.index(begin))
    path.write_text(text[:place] + re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text[place:], count=1))


def another_result(path):
    """Changes one result, as if it had been measured again and nothing written."""
    whole = json.loads(path.read_text())
    record = next(record for record in whole["records"] if "ratio" in record)
    record["ratio"]["median"] *= 2
    path.write_text(json.dumps(whole))


def check_changes():
    changes = {
        "README.md": lambda root: another_figure(root / "README.md", "<!-- benchmarks: begin -->"),
        "RESULTS.md": lambda root: another_figure(root / "benchmarks/results/RESULTS.md", "## Budgets"),
        "BENCHMARKS.md": lambda root: another_figure(root / "benchmarks/BENCHMARKS.md", "<!-- budgets: begin -->"),
        "a plot": lambda root: next((root / "benchmarks/results").glob("*.svg")).write_text("<svg/>"),
        "a result": lambda root: another_result(root / "benchmarks/results/results.json"),
    }
    for name, change in changes.items():
        with tempfile.TemporaryDirectory() as folder:
            root = copied(folder)
            change(root)
            check(f"{name}, changed by hand, is found", report.check(root))


def check_figures():
    writings = {
        "1.4949 ×": (figures.written(1.4949, figures.TIMES), "1.49 ×"),
        "9.996 ×": (figures.written(9.996, figures.TIMES), "10.0 ×"),
        "0.0020449 ×": (figures.written(0.0020449, figures.TIMES), "0.00204 ×"),
        "1234.5 ×": (figures.written(1234.5, figures.TIMES), "1,230 ×"),
        "-0.0125 ×": (figures.written(-0.0125, figures.TIMES), "-0.0125 ×"),
        "999.4 ns": (figures.written(999.4, figures.NANOSECONDS), "999 ns"),
        "999.6 ns": (figures.written(999.6, figures.NANOSECONDS), "1.00 µs"),
        "999,600 ns": (figures.written(999_600, figures.NANOSECONDS), "1.00 ms"),
        "12 s": (figures.written(12e9, figures.NANOSECONDS), "12.0 s"),
        "15 M/s, chosen": (figures.exactly(15e6, figures.PER_SECOND), "15 M/s"),
        "1.50 ×, chosen": (figures.exactly(1.5, figures.TIMES), "1.5 ×"),
        "100 bytes, counted": (figures.exactly(100, figures.BYTES), "100 bytes"),
        "no calls, counted": (figures.exactly(0, figures.CALLS), "0"),
        "a spread": (figures.spread({"median": 1050, "low": 990, "high": 1100}, figures.NANOSECONDS), "1.05 µs (0.990–1.10)"),
    }
    for name, (found, expected) in writings.items():
        check(f"{name} is written {expected}", found.replace(figures.SPACE, " ") == expected, found)


def main():
    check_figures()
    wrong = report.check(ROOT)
    check("every text and plot is what results.json says", not wrong, "\n".join(wrong))
    if not wrong:
        check_changes()
    finish()


main()
