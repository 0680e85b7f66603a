"""Blocks of Markdown pages, what claims them, and whether something printed is what one shows. With --update on its command line a
scenario writes what was printed into the article, to be looked at by the author of the change."""
import os
import re
import subprocess
import sys

from scenario import ROOT, check

# What is shown is what a machine prints whose time zone is UTC.
os.environ["TZ"] = "UTC"

README = ROOT / "README.md"
ARTICLES = sorted(ROOT.glob("Sources/*/*.docc/*.md"))


class Page:
    """A page each of whose blocks has to be claimed: the caller that asks for one runs or compares it."""

    def __init__(self, path):
        self.name = path.name
        self._blocks = {}
        self._claimed = set()
        heading, fence, text = "", "", []
        for line in path.read_text().splitlines(keepends=True):
            mark = re.match(r"[ >]*(```|~~~)", line)
            if fence and mark and mark[1] == fence:
                number = sum(place[0] == heading for place in self._blocks) + 1
                self._blocks[heading, number] = "".join(text)
                fence, text = "", []
            elif fence:
                text.append(line)
            elif mark:
                fence = mark[1]
            elif line.startswith("#"):
                heading = line.strip("# \n")

    def __iter__(self):
        """All blocks in their order. To go through them claims nothing."""
        return iter(self._blocks.values())

    def block(self, heading, number=1):
        """The text of a block, by the heading that it is under; empty if there is no such block."""
        self._claimed.add((heading, number))
        return self._blocks.get((heading, number), "")

    def wrong(self):
        """Blocks that nothing claims, and claims that have no block."""
        return [f"{self.name}: {heading}, block {number}" for heading, number in sorted(self._blocks.keys() ^ self._claimed)]


def blocks(language):
    """All blocks of a language: the document, its number there, and its text."""
    for document in (README, *ARTICLES):
        fences = re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.S | re.M)
        for number, text in enumerate(fences, 1):
            yield document, number, text


#: What is new in every run.
VOLATILE = [
    (r"\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\.\d+)?Z", "TIME"), (r"\d{4}-\d\d-\d\d [\d:]+ -0[78]00", "TIME"), (r"\d{5,} ms|\b\d+ days?(?: \d+ hours?)?", "SPAN"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"), (r"\b[0-9a-f]{32}\b", "GUID"), (r"\b[0-9a-f]{16}\b", "ID"), (r"\b\d{10}\b", "SECONDS"),
    (r'"sessionGUID":"[^"]*"', "GUID"), (r"clockLead: -?\d+ s", "clockLead"), (r"PHNpZ25hdHVy[A-Za-z0-9+/=…]*", "TOKEN"),
    (r"^<signatureInfo>.*$", "TOKEN"), (r"/tmp/tmp\.\w+", "FOLDER"), (r"^Date: .*$", "Date"), (r"[ \r]+$", ""),
]


def stable(text):
    """Without what is new in every run."""
    for pattern, replacement in VOLATILE:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text.strip()


def commands(block):
    """Each command of a block, with the lines that continue it."""
    found, goes_on = [], False
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(line[2:])
        elif goes_on:
            found[-1] += "\n" + line
        goes_on = (line.startswith("$ ") or goes_on) and (line.endswith("\\") or "<<END" in found[-1] and line != "END")
    return found


def typed(block, before=lambda command: None, **options):
    """A block with what its commands print, each in a shell of its own, in which $? is the status of the one before."""
    text, status = "", 0
    for command in commands(block):
        before(command)
        ended = subprocess.run(["bash", "-c", f"(exit {status})\n{command}"], timeout=600, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, **options)
        said = ended.stdout.replace("\r", "").rstrip("\n")
        text, status = f"{text}$ {command}\n{said}" + ("\n" if said else ""), ended.returncode
    return text


def consoles(article, printed, settled=stable):
    """Checks that every console block of an article shows what was printed: a function of the block."""
    text = article.read_text()
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", text)
    check(f"the article {article.stem} has examples", blocks)
    for number, block in enumerate(blocks, 1):
        found = printed(block)
        holds = settled(found) == settled(block)
        if "--update" in sys.argv and not holds:
            text = text.replace(f"```console\n{block}```", f"```console\n{found}```")
        check(f"example {number} of {article.stem} prints what the article shows", holds, "\n" + found)
    if "--update" in sys.argv:
        article.write_text(text)


def is_part(shown, printed):
    """Whether what is shown was printed. A line with nothing but … is any lines that were left out, and … any part of a line."""
    pattern = re.escape(stable(shown)).replace(re.escape("\n…\n"), "\n(?:.*\n)*?").replace("…", ".*")
    return bool(stable(shown)) and re.search(rf"(?m)^{pattern}$", stable(printed)) is not None


def is_all(shown, printed):
    """Whether it is all that was printed."""
    pattern = re.escape(stable(shown)).replace("…", ".*")
    return bool(stable(shown)) and re.fullmatch(pattern, stable(printed)) is not None
