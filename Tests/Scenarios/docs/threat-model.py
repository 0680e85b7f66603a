#!/usr/bin/env -S python3 -B
"""The article ThreatModel: every test that it names is there, and every case that a comment names is in it.

What its section "Build and operation" says about the sources themselves is looked at here.
"""
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish
from sources import files

ARTICLE = ROOT / "Sources/MediaToken/MediaToken.docc/ThreatModel.md"
TESTS = ROOT / "Tests"
SCENARIOS = TESTS / "Scenarios"
UNITS = {path.stem: path for path in TESTS.glob("MediaToken*Tests/**/*.swift")}
TEXTS = (".swift", ".py", ".sh", ".md", ".h", ".c", ".yml", ".lua")
#: `case 12`, `cases 12, 13`, `Case 7 and 9`.
CASES = re.compile(r"(?i)\bcases? (\d+(?:(?:, | and )\d+)*)\b")


def rows():
    """Every case, whether it says that no test covers it, and the tests that it names."""
    for line in ARTICLE.read_text().splitlines():
        cells = re.fullmatch(r"\| (\d+) \| (.+?) \| (.+) \| (.*?) ?\|", line)
        if cells:
            yield int(cells[1]), cells[4].startswith("**no test**"), re.findall(r"`([^`]+)`", cells[4])


def vectors_of_cases():
    """The numbers that comments of vectors name."""
    named = set()
    for path in TESTS.glob("Vectors/*/*.token"):
        comment = path.read_bytes().split(b"\n", 1)[0].decode()
        named.update(numbers(comment))
    return named


def numbers(text):
    return {int(number) for found in CASES.findall(text) for number in re.findall(r"\d+", found)}


def problem(case, test, vectors):
    """Why there is no such test; None if there is."""
    file, _, name = test.partition(": ")
    if file == "vectors":
        if not name:
            return None if case in vectors else "no vector names the case"
        return None if list(TESTS.glob(f"Vectors/*/{name}.token")) else "no such vector"
    if file in UNITS:
        held = re.search(rf"@Test\b(?:(?!@Test)[\s\S])*?\bfunc `?{re.escape(name)}`?\s*[(<]", UNITS[file].read_text())
        return None if held else "no such test"
    if file.startswith("Proofs/"):
        sources = (TESTS / "Proofs/Sources" / file.removeprefix("Proofs/")).glob("*.swift")
        return None if any(name in path.read_text() for path in sources) and name else "no such words"
    path = next((path for path in (SCENARIOS / file, TESTS / file) if path.is_file()), None)
    if path is None:
        return "no such file"
    return None if name in path.read_text() else "no such words"


def named_in_comments():
    """Each file outside the article and the vectors with the cases that its comments name."""
    folders = [ROOT / name for name in ("Sources", "Tests", "benchmarks", "deploy", "examples", "clients", "tools")]
    for folder in folders:
        for path in files(folder):
            if "Vectors" in path.parts and path.suffix == ".token" or path == ARTICLE:
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
    vectors = vectors_of_cases()
    known = [case for case, _, _ in cases]
    check("ThreatModel has 200 cases and more", len(cases) >= 200, len(cases))
    check("every case has a number of its own", len(set(known)) == len(known), sorted({n for n in known if known.count(n) > 1}))
    wrong = [f"{case}: {test}: {why}" for case, _, tests in cases for test in tests if (why := problem(case, test, vectors))]
    total = sum(len(tests) for _, _, tests in cases)
    check(f"all of {total} tests that ThreatModel names are there", total >= 300 and not wrong, "\n" + "\n".join(wrong))
    untested = [case for case, says_none, tests in cases if not tests and not says_none]
    check("every case has a test, or says that it has none", not untested, untested)
    check("a case that no vector names is found to be missing", problem(1000, "vectors", vectors) is not None)
    check("a test that no file has is found to be missing", all(problem(1, test, vectors) for test in
          ("KeysInPEMTests: noTest", "cli/keys.sh: no such words", "cli/none.sh: x", "Proofs/ProofRace: no such words")))
    strangers = [f"{path}: {sorted(found - set(known))}" for path, found in named_in_comments() if found - set(known)]
    check("every case that a comment names is in ThreatModel", not strangers, "\n" + "\n".join(strangers))
    check("every case that a vector names is in ThreatModel", vectors <= set(known), sorted(vectors - set(known)))
    check("comments of 20 files and more name cases", sum(1 for _ in named_in_comments()) >= 20)


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
