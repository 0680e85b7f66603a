#!/usr/bin/env -S python3 -B
"""Every figure of the README, of BENCHMARKS.md and of the article Deployment is what results.json says, and each plot is of this
results.json. The check is tried on copies in which one figure, one plot or one result was changed by hand."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../../../benchmarks"]

from scenario import ROOT, check, finish
from suite import figures
from suite.report import sections

BENCHMARKS = ROOT / "benchmarks"
DEPLOYMENT = "Sources/MediaToken/MediaToken.docc/Deployment.md"


def wrong_in(root):
    """What the report finds that is not as results.json says."""
    found = subprocess.run([sys.executable, "-B", "-m", "suite.report", "--check", root], cwd=BENCHMARKS, text=True, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert "Traceback" not in found.stdout, found.stdout
    return found.stdout if found.returncode else ""


def another_figure(path, begin, mark="|"):
    """Changes the first digit of the first table after `begin`, or of what else `mark` opens."""
    text = path.read_text()
    place = text.index(mark, text.index(begin))
    path.write_text(text[:place] + re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text[place:], count=1))


def without_a_row(path, begin):
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith(begin)))


def another_result(path):
    """Changes one result, as if it had been measured again and nothing written."""
    whole = json.loads(path.read_text())
    next(record for record in whole["records"] if "ratio" in record)["ratio"]["median"] *= 2
    path.write_text(json.dumps(whole))


def check_changes():
    for name, change in {
        "README.md": lambda root: another_figure(root / "README.md", "<!-- benchmarks: begin -->", "- **"),
        "BENCHMARKS.md": lambda root: another_figure(root / "benchmarks/BENCHMARKS.md", "<!-- results: begin -->"),
        "a definition": lambda root: without_a_row(root / "benchmarks/BENCHMARKS.md", "| *start* |"),
        "Deployment.md": lambda root: another_figure(root / DEPLOYMENT, "<!-- sizes: begin -->"),
        "a plot": lambda root: next((root / "benchmarks/results").glob("*.svg")).write_text("<svg/>"),
        "a result": lambda root: another_result(root / "benchmarks/results/results.json"),
    }.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(BENCHMARKS / "results", root / "benchmarks/results")
            for file in ("README.md", "benchmarks/BENCHMARKS.md", DEPLOYMENT):
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, root / file)
            change(root)
            check(f"{name}, changed by hand, is found", wrong_in(root))


def check_tables():
    """All figures, as they are printed."""
    said = subprocess.run([sys.executable, "-B", "-m", "suite.report", "--all"], cwd=BENCHMARKS, text=True, capture_output=True)
    missing = [section.title for section in sections.SECTIONS if f"\n## {section.title}\n" not in said.stdout]
    check("--all prints a table for each section that was measured", said.returncode == 0 and not missing and "not measured" not in said.stdout,
          (missing, said.stderr))


def check_figures():
    """Three digits, or all that were chosen or counted."""
    for found, wanted in (
            (figures.written(1.4949, figures.TIMES), "1.49 ×"), (figures.written(9.996, figures.TIMES), "10.0 ×"),
            (figures.written(0.0020449, figures.TIMES), "0.00204 ×"), (figures.written(1234.5, figures.TIMES), "1,230 ×"),
            (figures.written(-0.0125, figures.TIMES), "-0.0125 ×"), (figures.written(999.6, figures.NANOSECONDS), "1.00 µs"),
            (figures.written(12e9, figures.NANOSECONDS), "12.0 s"), (figures.exactly(15e6, figures.PER_SECOND), "15 M/s"),
            (figures.exactly(0, figures.CALLS), "0"),
            (figures.spread({"median": 1050, "low": 990, "high": 1100}, figures.NANOSECONDS), "1.05 µs (0.990–1.10)")):
        check(f"a figure is written {wanted}", found.replace(figures.SPACE, " ") == wanted, found)


def check_rooms():
    paths = list(BENCHMARKS.glob("suite/*/*.py"))
    strange = [f"{path.name}: suite.{room}" for path in paths
               for room in re.findall(r"(?m)^ *(?:from|import) suite\.(measure|plot|report)\b", path.read_text()) if room != path.parent.name]
    check("what measures, plots and reports imports nothing of the others", len(paths) > 10 and not strange, strange)


check_figures()
check_tables()
check_rooms()
wrong = wrong_in(ROOT)
if check("every text and plot is what results.json says", not wrong, wrong):
    check_changes()
finish()
