"""Writes what people read from results.json: the figures of README.md, BENCHMARKS.md and Deployment.md.

    python3 -m suite.report FOLDER           writes FOLDER/RESULTS.md; if that is benchmarks/results, these texts instead
    python3 -m suite.report --all [ROOT]     prints the tables of all published figures, with their spread
    python3 -m suite.report --check [ROOT]   fails where a text or a plot of the repository is not what results.json says
"""

import argparse
import html
import pathlib
import re
import sys

from suite.report import sections
from suite.results import BENCHMARKS, PUBLISHED, Results, digest

DEPLOYMENT = "Sources/MediaToken/MediaToken.docc/Deployment.md"


def main():
    parser = argparse.ArgumentParser(prog="python3 -m suite.report")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=pathlib.Path, nargs="?", metavar="FOLDER")
    what.add_argument("--check", type=pathlib.Path, nargs="?", const=BENCHMARKS.parent, metavar="ROOT")
    what.add_argument("--all", type=pathlib.Path, nargs="?", const=BENCHMARKS.parent, metavar="ROOT")
    options = parser.parse_args()
    if options.check:
        sys.exit("\n".join(check(options.check)) or 0)
    if options.all:
        folder = options.all / "benchmarks/results"
        sys.exit(print(sections.document(Results.read(folder), drawn(folder)), end=""))
    folder = options.folder.resolve()
    written = texts(BENCHMARKS.parent) if folder == PUBLISHED else {
        folder / "RESULTS.md": sections.document(Results.read(folder), drawn(folder))}
    for path, text in written.items():
        path.write_text(text)


def drawn(folder):
    """The plots of the results in a folder: by name, what each shows."""
    plots = {}
    for path in folder.glob("*.svg"):
        text = path.read_text()
        title = re.search("<dc:title>(.*?)</dc:title>", text)
        if title and digest(folder) in text:
            plots[path.stem] = html.unescape(title[1])
    return plots


def texts(root):
    """What the published results make of each text of the repository."""
    folder = root / "benchmarks/results"
    results, plots = Results.read(folder), drawn(folder)
    written = {}
    for path, name, body in ((root / "README.md", "benchmarks", sections.readme(results, plots)),
                             (root / "benchmarks/BENCHMARKS.md", "results", sections.page(results, plots)),
                             (root / DEPLOYMENT, "sizes", sections.sizes(results))):
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
    # Texts show the plots that are there, so with a wrong plot they would be wrong, too.
    wrong = [f"benchmarks/results/{path.name}: expected a plot of this results.json"
             for path in sorted(folder.glob("*.svg")) if path.stem not in drawn(folder)]
    wrong = wrong or [f"{path.relative_to(root)}: expected what results.json says; it is written by benchmarks/run, not by hand"
                      for path, text in texts(root).items() if not path.exists() or path.read_text() != text]
    defined = set(re.findall(r"(?m)^\| \*([^*|]+)\* \|", (root / "benchmarks/BENCHMARKS.md").read_text()))
    wrong += [f"BENCHMARKS.md: expected a definition of {name}"
              for name in sorted({section.part for section in sections.SECTIONS} - defined)]
    unknown = {record["benchmark"] for record in Results.read(folder).records} - {
        section.benchmark for section in sections.SECTIONS}
    return wrong + [f"results.json: expected a section for {benchmark}" for benchmark in sorted(unknown)]


if __name__ == "__main__":
    main()
