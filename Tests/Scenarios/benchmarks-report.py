#!/usr/bin/env python3
"""Every figure of the README and of RESULTS.md is what results.json says, and each plot is of this results.json.

The check itself is tried on copies in which one figure, one plot or one result was changed by hand.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from suite import report  # noqa: E402

failures = []
held = 0


def claim(text, holds, otherwise=""):
    global held
    if holds:
        held += 1
        print(f"ok: {text}")
    else:
        failures.append(text)
        print(f"FAILED: {text}{': ' if otherwise else ''}{otherwise}")


def copied(folder):
    """The texts that are checked, and what they are made from, in a folder of their own."""
    root = pathlib.Path(folder)
    shutil.copytree(ROOT / "benchmarks/results", root / "benchmarks/results")
    for name in ("README.md", "benchmarks/BENCHMARKS.md"):
        shutil.copy(ROOT / name, root / name)
    return root


def another_figure(path, begin):
    """Changes the first digit of the first table behind `begin`."""
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
            claim(f"{name}, changed by hand, is found", report.check(root))


def main():
    wrong = report.check(ROOT)
    claim("every text and plot is what results.json says", not wrong, "\n".join(wrong))
    if not wrong:
        check_changes()
    print(f"benchmarks-report.py: {held} claims hold, {len(failures)} do not")
    sys.exit(1 if failures or not held else 0)


main()
