#!/usr/bin/env -S python3 -B
"""The cases of the article ThreatModel, in threat-model.tsv: every test that they name is there, and every case that a comment names
is one of them.

What the part "Build and operation" says about the sources themselves is looked at here.
"""
import csv
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish
from sources import files

TESTS = ROOT / "Tests"
SCENARIOS = TESTS / "Scenarios"
CASES_FILE = SCENARIOS / "docs/threat-model.tsv"
UNITS = {path.stem: path for path in TESTS.glob("*Tests/**/*.swift")}
TEXTS = (".swift", ".py", ".sh", ".md", ".h", ".c", ".yml", ".lua")
#: `case 12`, `cases 12, 13`, `Case 7 and 9`.
CASES = re.compile(r"(?i)\bcases? (\d+(?:(?:, | and )\d+)*)\b")


def rows():
    """Every case, whether it says that no test covers it, and the tests that it names."""
    with CASES_FILE.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True):
            tests = row["tests"]
            yield int(row["case"]), tests.startswith("no test: "), [] if tests.startswith("no test: ") else tests.split(" | ")


def numbers(text):
    return {int(number) for found in CASES.findall(text) for number in re.findall(r"\d+", found)}


VECTORS = set().union(*(numbers(path.read_bytes().split(b"\n", 1)[0].decode()) for path in TESTS.glob("Vectors/*/*.token")))


def problem(case, test):
    """Why there is no such test; None if there is."""
    file, _, name = test.partition(": ")
    if file == "vectors":
        found = list(TESTS.glob(f"Vectors/*/{name}.token")) if name else case in VECTORS
    elif file in UNITS:
        found = re.search(rf"@Test\b(?:(?!@Test)[\s\S])*?\bfunc `?{re.escape(name)}`?\s*[(<]", UNITS[file].read_text())
    else:
        proofs = (TESTS / "Proofs/Sources" / file.removeprefix("Proofs/")).glob("*.swift") if file.startswith("Proofs/") else ()
        paths = [path for path in (SCENARIOS / file, TESTS / file, *proofs) if path.is_file()]
        found = (name or not proofs) and any(name in path.read_text() for path in paths)
    return None if found else f"{case}: {test}"


def named_in_comments():
    """Each file other than the vectors with the cases that its comments name."""
    folders = [ROOT / name for name in ("Sources", "Tests", "benchmarks", "deploy", "examples", "clients", "tools")]
    for folder in folders:
        for path in files(folder):
            if "Vectors" in path.parts and path.suffix == ".token":
                continue
            if path.suffix not in TEXTS or not path.is_file():
                continue
            text = path.read_text()
            if path.suffix in (".swift", ".h", ".c"):
                text = "\n".join(re.findall(r"//(.*)", text))
            found = numbers(text)
            if found:
                yield path.relative_to(ROOT), found


def check_cases():
    cases = list(rows())
    known = [case for case, _, _ in cases]
    twice = sorted({case for case in known if known.count(case) > 1})
    check("there are 200 cases and more, each with a number of its own", len(known) >= 200 and not twice, twice)
    tests = [(case, test) for case, _, tests in cases for test in tests]
    wrong = [why for case, test in tests if (why := problem(case, test))]
    check(f"all of {len(tests)} tests that the cases name are there", len(tests) >= 300 and not wrong, "\n".join(wrong))
    untested = [case for case, says_none, tests in cases if not tests and not says_none]
    check("every case has a test, or says that it has none", not untested, untested)
    made_up = ("vectors", "vectors: none", "KeysInPEMTests: noTest", "cli/keys.sh: no such words", "cli/none.sh: x", "Proofs/ProofRace: no such words")
    found = [test for test in made_up if not problem(1000, test)]
    check("a test that is made up is found to be missing", not found, found)
    named = list(named_in_comments())
    strangers = [f"{path}: {sorted(found - set(known))}" for path, found in named if found - set(known)]
    check("every case that a comment names is there", len(named) >= 20 and not strangers, "\n".join(strangers))
    check("every case that a vector names is there", VECTORS and VECTORS <= set(known), sorted(VECTORS - set(known)))


def check_sources():
    package = (ROOT / "Package.swift").read_text()
    check("no Swift package is fetched", ".target(" in package and ".package(" not in package)
    sources = {path: path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    conditions = [str(path) for path, text in sources.items() if re.search(r"^\s*#if\b(?! (os|arch|canImport)\()", text, re.M)]
    check("no code is compiled by conditions", len(sources) > 300 and not conditions, conditions)
    builds = [ROOT / "Package.swift", ROOT / "debian/rules", *(ROOT / "deploy").glob("build-*"), ROOT / "deploy/shipped.sh"]
    off = [f"{path.name}: {word}" for path in builds for word in
           ("-Ounchecked", "unsafeFlags", "exclusivity=unchecked", "-remove-runtime-asserts", "-assume-single-threaded")
           if word in path.read_text()]
    check("no check is switched off in what ships", len(builds) >= 5 and not off, off)


check_cases()
check_sources()
finish()
