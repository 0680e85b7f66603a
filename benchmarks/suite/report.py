"""Writes what people read from results.json: RESULTS.md, plots, the figures of README.md, the budgets of BENCHMARKS.md.

    python3 -m suite.report --write    writes all anew from benchmarks/results/results.json; needs matplotlib
    python3 -m suite.report --check    fails where a text or a plot is not what results.json says
"""

import argparse
import hashlib
import pathlib
import re
import sys

from suite import figures, plots, sections, tables
from suite.bench import HERE
from suite.budgets import BUDGETS
from suite.results import Results

ROOT = HERE.parent
IN_README = ["steps", "peers", "latency", "replay", "growth"]


def write(source, folder):
    """Plots and texts for the results in `source`. Those of benchmarks/results are shown in README.md."""
    results = Results.read(source)
    plots.draw(results, folder, digest(source))
    (folder / "RESULTS.md").write_text(document(results))
    if folder.resolve() == HERE / "results":
        for path, text in texts(ROOT).items():
            path.write_text(text)


def texts(root):
    """What results.json makes of each text of the repository."""
    results = Results.read(root / "benchmarks/results/results.json")
    written = {root / "benchmarks/results/RESULTS.md": document(results)}
    for path, name, body in ((root / "README.md", "benchmarks", readme(results)),
                             (root / "benchmarks/BENCHMARKS.md", "budgets", promises())):
        before, begin, rest = path.read_text().partition(f"<!-- {name}: begin -->\n")
        _, end, after = rest.partition(f"<!-- {name}: end -->\n")
        if not begin or not end:
            sys.exit(f"{path.name}: expected the marks <!-- {name}: begin --> and <!-- {name}: end -->, each in a line")
        written[path] = f"{before}{begin}\n{body}\n\n{end}{after}"
    return written


def check(root):
    """What is not as results.json says, a line for each; none if all is well."""
    folder = root / "benchmarks/results"
    if not (folder / "results.json").exists():
        return ["expected benchmarks/results/results.json, found none: run benchmarks/run"]
    wrong = [f"{path.relative_to(root)}: expected what results.json says; it is written by benchmarks/run, not by hand"
             for path, text in texts(root).items() if not path.exists() or path.read_text() != text]
    source, results = digest(folder / "results.json"), Results.read(folder / "results.json")
    wrong += [f"benchmarks/results/{name}.svg: expected a plot of this results.json"
              for name in plots.possible(results)
              if not (folder / f"{name}.svg").exists() or source not in (folder / f"{name}.svg").read_text()]
    headings = re.findall(r"(?m)^#+ (.*)$", (root / "benchmarks/BENCHMARKS.md").read_text())
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    linked = {section.anchor for section in sections.SECTIONS}
    wrong += [f"BENCHMARKS.md: expected a section {anchor}" for anchor in sorted(linked - anchors)]
    return wrong + [f"results.json: expected a section for {benchmark}" for benchmark in sections.unknown(results)]


def document(results):
    """RESULTS.md."""
    out = sections.left_out(results)
    return "\n\n".join([
        "# Results", "Written by `benchmarks/run` from [results.json](results.json). What each figure means is defined "
        "in [BENCHMARKS](../BENCHMARKS.md). Figures have three digits; in brackets: the tenth and the ninetieth of a "
        "hundred rounds.",
        machine(results), "## Budgets", budgets(results), sections.rendered(results, plots.possible(results)),
        *(["## Left out", out] if out else []),
    ]) + "\n"


def readme(results):
    """The figures of README.md."""
    possible = plots.possible(results)
    images = [f"![{possible[name]}](benchmarks/results/{name}.svg)" for name in IN_README if name in possible]
    found = results.machine
    where = (f"Measured on {found['date']} with {processors(found)}, {found['system']}. All figures, their spread and "
             "the versions are in [RESULTS](benchmarks/results/RESULTS.md); what they mean is defined in "
             "[BENCHMARKS](benchmarks/BENCHMARKS.md).")
    return "\n\n".join([budgets(results), *images, where])


def budgets(results):
    """What was promised, and what was found."""
    return tables.markdown(["< Work", "> budget", "> measured", "< "], [budget.row(results) for budget in BUDGETS]) + (
        "\n\n× is times the bare RSA verification, `EVP_PKEY_verify`, with the same key in the same run, or what the work is "
        "beside; medians.")


def promises():
    """The section of BENCHMARKS.md."""
    return tables.markdown(["< Work", "> budget"], [[budget.work, budget.promise] for budget in BUDGETS])


def machine(results):
    found = results.machine
    versions = ", ".join(version if name in version.lower() else f"{name} {version}"
                         for name, version in found["versions"].items() if version)
    minutes = figures.number(results.seconds / 60)
    if results.preparation is not None:
        minutes += f" minutes, installing and building before it {figures.number(results.preparation / 60)}"
    return "\n".join([
        f"- {found['date']}; measuring took {minutes} minutes; load at the start {found['load at the start']:.2f}",
        f"- {processors(found)}",
        f"- {found['system']}, Linux {found['kernel']}", f"- {versions}"])


def processors(found):
    return f"{found['processors']}{' virtual' if found['virtual'] else ''} processors, {found['processor']}"


def digest(source):
    return hashlib.sha256(source.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser(prog="python3 -m suite.report")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true")
    what.add_argument("--check", action="store_true")
    if parser.parse_args().write:
        write(HERE / "results" / "results.json", HERE / "results")
    else:
        sys.exit("\n".join(check(ROOT)) or 0)


if __name__ == "__main__":
    main()
