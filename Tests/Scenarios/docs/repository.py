#!/usr/bin/env -S python3 -B
"""What README, ARCHITECTURE and other pages say about the repository: links, articles, places, modules, packages."""
import pathlib
import re
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../../Releases"]

from scenario import ROOT, check, count, finish
from sources import files
import table

README, ARCHITECTURE, CONTRIBUTING, GLOSSARY, MANIFEST = (
    (ROOT / name).read_text() for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "Package.swift"))
SET_UP = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/SetUp.md").read_text()
#: Those that are read where the repository is, and not in the site, whose links docc checks.
PAGES = sorted(page for folder in (".", "keys", "benchmarks", "clients", "examples", ".github", "Tests/Scenarios")
               for page in (ROOT / folder).glob("*.md"))


def none(text, wrong):
    wrong = sorted(wrong)
    check(text, not wrong, f"{len(wrong)}: {wrong[:12]}")


# MARK: flaws of the proofs


PATCHES = sorted((ROOT / "Tests/Proofs").glob("*/mutations/*.patch"))
check("the proofs have flaws to find", len(PATCHES) > 20, len(PATCHES))
none("the flaws of the proofs can be made in the sources as they are",
     [patch.name for patch in PATCHES if subprocess.run(["git", "apply", "--check", patch], cwd=ROOT, capture_output=True).returncode])


# MARK: links


def without_blocks(text):
    return re.sub(r"(?ms)^ *```.*?^ *```$", "", text)


def anchors(text):
    """As GitHub makes them of headings."""
    headings = re.findall(r"(?m)^#+ (.*)$", without_blocks(text))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page, text):
    for link in re.findall(r"\]\(([^)\s]+)\)", without_blocks(text)):
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        leads = (place.startswith("https://") if re.match(r"[a-z]+:", place)
                 else target.is_relative_to(ROOT) and target.exists() and (not anchor or anchor in anchors(target.read_text())))
        if not leads:
            yield f"{page.name}: {link}"


def links():
    none("every link of the repository's pages leads somewhere", (one for page in PAGES for one in broken_links(page, page.read_text())))
    leads_to = {pathlib.Path(link).name for link in re.findall(r"\]\(([^)#]+)", README)}
    none("README leads to what its readers look for", {
        "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "GLOSSARY.md", "ARCHITECTURE.md", "LICENSE", "Tour.md", "ThreatModel.md",
        "Troubleshooting.md", "Deployment.md", "mediatoken.h", "BENCHMARKS.md"} - leads_to)
    landing = (ROOT / "documentation/Overview.docc/Overview.md").read_text().split("## Topics")[1]
    articles = {path.stem for path in ROOT.glob("Sources/*/*.docc/*.md") if not path.read_text().startswith("# ``")}
    check("the modules have more than twelve articles", len(articles) > 12, articles)
    none("the site's landing page leads to every article", articles - set(re.findall(r"[/:](\w+)>", landing)))


# MARK: places


def first_cells(text):
    """Of each row of each table."""
    return [row.split(" | ")[0] for row in re.findall(r"(?m)^\| (.*) \|$", text) if not row.startswith("---")]


def places(text):
    """Paths in the text: what is written as code, begins with a folder of the repository or with a file of its root."""
    top = {path.name for path in ROOT.iterdir()}
    return {name.rstrip("/") for name in re.findall(r"`([\w./*+-]+)`", text) if name.split("/")[0].split("*")[0] in top}


def missing(text):
    return {name for name in places(text) if not any(ROOT.glob(name))}


def architecture():
    none("every place that ARCHITECTURE and CONTRIBUTING name is there", missing(ARCHITECTURE + CONTRIBUTING))
    named = {path for name in places(ARCHITECTURE) for path in ROOT.glob(name)}
    modules = {path for path in (ROOT / "Sources").iterdir() if path.is_dir()}
    check("there are modules, and ARCHITECTURE names places", len(modules) > 15 and len(named) > 80, (len(modules), len(named)))
    none("every module is in ARCHITECTURE",
         (path.name for path in modules if not any(path in (one, *one.parents) for one in named)))
    none("every folder of the repository is in ARCHITECTURE", (
        path.name for path in ROOT.iterdir()
        if path.is_dir() and not path.name.startswith(".") and path not in (ROOT / "Sources", *named)))
    # The table of modules, against what Package.swift lets each import.
    rows = first_cells(ARCHITECTURE.split("\n## Modules\n")[1].split("\nIn `Sources/MediaToken`, besides")[0])
    rank = {name: row for row, cell in enumerate(rows) for name in re.findall(r"Sources/(\w+\*?)", cell)}
    imports = [(module, "CLib*" if other.startswith("CLib") else other)
               for module, others in re.findall(r'(?s)\.(?:target|executableTarget)\(\s*name: "(\w+)",\s*dependencies: \[(.*?)\]', MANIFEST)
               for other in re.findall(r'"(\w+)"', others)]
    check("Package.swift has modules that import others", len(imports) > 40, len(imports))
    none("every module imports only those above it, or next to it, in ARCHITECTURE", (
        f"{module} imports {other}" for module, other in imports if rank.get(other, 99) > rank.get(module, -1)))


def glossary():
    """Where a term's thing is: a file's name or a path under Sources, or a type's or an article's name."""
    files = [str(path.relative_to(ROOT)) for path in (ROOT / "Sources").rglob("*")]
    words = set(re.findall(r"\w+", "\n".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift")))) | {
        pathlib.Path(file).stem for file in files}
    where = [name for row in re.findall(r"(?m)^\| (.*) \|$", GLOSSARY)[1:] for name in re.findall(r"`([^`]+)`", row.split(" | ")[-1])]
    check("the glossary says where its terms are", len(where) > 30, where)
    none("every place that the glossary names is there", (
        name for name in where
        if not any(file.endswith(name.rstrip("/")) for file in files) and not set(re.findall(r"\w+", name)) <= words))


def scenarios():
    """Those that scripts name, with braces as shells read them."""
    folder = ROOT / "Tests/Scenarios"
    text = "\n".join(path.read_text() for path in (ROOT / "Tests/run", *(ROOT / "Tests/Releases").iterdir()) if path.is_file())
    folders = "|".join(path.name for path in folder.iterdir() if path.is_dir())
    words = re.findall(rf"(?<![\w/])(?:{folders})/(?:[\w-]+|{{[\w,-]+}})(?:\.py|\.sh)", text)
    named = subprocess.run(["bash", "-c", "printf '%s\\n' " + " ".join(words)], capture_output=True, text=True).stdout.split()
    check("scripts name scenarios", len(named) > 40, named)
    none("every scenario that a script names is there", (name for name in named if not (folder / name).exists()))


# MARK: packages


def installed():
    """Debian packages that scripts of the repository install, and what they take from PyPI."""
    scripts = [*(ROOT / "tools").glob("install-*"), ROOT / "benchmarks/run",
               *(path for path in files(ROOT / "Tests") if path.name == "run" or path.name.startswith("install-"))]
    texts = [path.read_text() for path in scripts]
    # Words such as redis-server:redis-server, with what follows in continued lines.
    listed = [words for text in texts
              for words in re.findall(r"(?:install-missing|install_for|for need in|printf '%s\\n') ((?:[^\n]*\\\n)*[^\n]*)", text)]
    listed.append((ROOT / "benchmarks/peers/packages").read_text())
    debian = {name for words in listed for name in re.findall(r"(?<!\S)'?[\w./+*-]+[:=]([a-z][a-z0-9.+-]+)(?=['\s;)])", words + " ")}
    # Sequences of debhelper are in its package.
    debian |= set(re.findall(r"(?m)^ (?!dh-sequence-)([a-z0-9.-]+?)(?:-compat \(= \d+\))?,?$",
                             (ROOT / "debian/control").read_text().split("\nPackage:")[0]))
    texts += [path.read_text().split("\n# What these need:")[0] for path in files(ROOT) if path.name == "requirements.txt"]
    return debian, {name.lower() for text in texts for name in re.findall(r"(?m)(?:^| )([A-Za-z][\w-]+)==\d", text)}


def packages():
    debian, python = installed()
    named = set(re.findall(r"`([a-z0-9.+-]+)`", "\n".join(first_cells(ARCHITECTURE))))
    from_pypi = {name.strip().lower() for cell in first_cells(ARCHITECTURE) for text in re.findall(r"from PyPI ([^;`]*)", cell)
                 for name in text.split(",")}
    count(f"{len(debian)} Debian packages, {len(python)} of PyPI")
    check("the repository's scripts install packages", len(debian) > 30 and len(python) > 10, (debian, python))
    none("every Debian package that is installed has its reason in ARCHITECTURE", debian - named)
    none("the packages of PyPI that are installed are those that have a reason in ARCHITECTURE", python ^ from_pypi)


def releases():
    """Rows of other releases are compared where their tests run."""
    part = SET_UP.split("<!-- releases: begin -->")[1].split("<!-- releases: end -->")[0]
    found = first_cells(part)[1:]
    check("SetUp has a row for each release of Debian that is tested", found == list(table.NAMES.values()), found)
    if "VERSION_CODENAME=bookworm" in pathlib.Path("/etc/os-release").read_text():
        here = table.row("bookworm", "everything")
        check("this release of Debian has the libraries that its row in SetUp says", here in part.split("\n"), here)


links()
architecture()
glossary()
scenarios()
packages()
releases()
finish()
