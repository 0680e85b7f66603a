#!/usr/bin/env -S python3 -B
"""Every figure of the README and of RESULTS.md is what results.json says, and each plot is of this results.json.

The check itself is tried on copies in which one figure, one plot or one result was changed by hand. What measures, plots and
reports know of each other is results.json alone.
"""
import ast
import graphlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/../../../benchmarks")

from scenario import ROOT, check, finish
from suite import figures

BENCHMARKS = ROOT / "benchmarks"


def python(*words):
    """How a program in Python ends, in the folder of the benchmarks, and what it says."""
    return subprocess.run([sys.executable, "-B", *words], cwd=BENCHMARKS, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def wrong_in(root):
    """What the report finds that is not as results.json says."""
    found = python("-m", "suite.report", "--check", root)
    assert "Traceback" not in found.stdout, found.stdout
    return found.stdout if found.returncode else ""


def copied(folder):
    """The texts that are checked, and what they are made from, in a folder of their own."""
    root = pathlib.Path(folder)
    shutil.copytree(ROOT / "benchmarks/results", root / "benchmarks/results")
    for name in ("README.md", "benchmarks/BENCHMARKS.md"):
        shutil.copy(ROOT / name, root / name)
    return root


def another_figure(path, begin, mark="|"):
    """Changes the first digit of the first table after `begin`, or of what else `mark` opens."""
    text = path.read_text()
    place = text.index(mark, text.index(begin))
    path.write_text(text[:place] + re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text[place:], count=1))


def another_result(path):
    """Changes one result, as if it had been measured again and nothing written."""
    whole = json.loads(path.read_text())
    record = next(record for record in whole["records"] if "ratio" in record)
    record["ratio"]["median"] *= 2
    path.write_text(json.dumps(whole))


def check_changes():
    changes = {
        "README.md": lambda root: another_figure(root / "README.md", "<!-- benchmarks: begin -->", "- **"),
        "RESULTS.md": lambda root: another_figure(root / "benchmarks/results/RESULTS.md", "## Budgets"),
        "BENCHMARKS.md": lambda root: another_figure(root / "benchmarks/BENCHMARKS.md", "<!-- budgets: begin -->"),
        "a plot": lambda root: next((root / "benchmarks/results").glob("*.svg")).write_text("<svg/>"),
        "a result": lambda root: another_result(root / "benchmarks/results/results.json"),
    }
    for name, change in changes.items():
        with tempfile.TemporaryDirectory() as folder:
            root = copied(folder)
            change(root)
            check(f"{name}, changed by hand, is found", wrong_in(root))


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


def modules():
    """Every module of the suite, with those of the suite that it imports."""
    paths = {".".join(path.relative_to(BENCHMARKS).with_suffix("").parts): path
             for path in (BENCHMARKS / "suite").rglob("*.py")}
    found = {}
    for name, path in paths.items():
        froms = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        named = [(node.module, f"{node.module}.{alias.name}") for node in froms for alias in node.names]
        found[name] = {whole if whole in paths else module for module, whole in named if module.split(".")[0] == "suite"}
    return found


def check_imports():
    graph = modules()
    try:
        circle = []
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
    check("no module of the benchmarks' suite needs one that needs it", not circle, " → ".join(circle))
    rooms = {"suite.measure", "suite.plot", "suite.report"}
    strange = [f"{name} imports {other}" for name, others in graph.items() for other in others
               if {name.rpartition(".")[0], other.rpartition(".")[0]} <= rooms
               and name.rpartition(".")[0] != other.rpartition(".")[0]]
    check("what measures, plots and reports imports nothing of the others", not strange, ", ".join(strange))
    # What draws needs matplotlib, which only the benchmarks install.
    for name in sorted(name for name in graph if name == "suite.plot.__main__" or not name.startswith("suite.plot.")):
        alone = python("-c", f"import {name}")
        check(f"{name} can be imported alone", alone.returncode == 0, alone.stdout)


def main():
    check_figures()
    check_imports()
    wrong = wrong_in(ROOT)
    check("every text and plot is what results.json says", not wrong, wrong)
    if not wrong:
        check_changes()
    finish()


main()
