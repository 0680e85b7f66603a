#!/usr/bin/env -S python3 -B
"""No text of the repository has the words that the table in CONTRIBUTING.md replaces.

The first column of the table has the words, the third the phrases in which they are right: `in backquotes`, with … for any text of
up to 60 characters. A phrase may continue on the next line, in a comment too.

    words.py [FOLDER]     only the texts in this folder
"""
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish, needs, skip

GUIDE = "CONTRIBUTING.md"
FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."
#: Data, texts by others, and what is written from texts that are read here.
NOT_READ = re.compile(
    r"Tests/Vectors/|Tests/Fixtures/keys/|LICENSE|debian/copyright$|manual/|deploy/completions/|benchmarks/results/|Tests/Scenarios/doors/.*json$")
#: Between two words: white space, and the margin of a comment.
GAP = r"\s+(?:(?://+|#+|\*)\s+)?"


class Row:
    def __init__(self, words, instead, right):
        self.words, self.instead, self.right = quoted(words), instead, quoted(right)
        self.pattern = either(self.words)
        self.exception = either(self.right) if self.right else None

    def found(self, text):
        """Where a word of this row starts that no right phrase covers."""
        starts = [match.span() for match in self.pattern.finditer(text)]
        if not starts or self.exception is None:
            return [start for start, _ in starts]
        right = [match.span() for match in self.exception.finditer(text)]
        return [start for start, end in starts if not any(first <= start and end <= last for first, last in right)]


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def either(phrases):
    """A pattern of these phrases in prose: `.behind`, `beside(` and `is None` are code. Only the first letter may be upper case, and
    where a phrase has it in upper case it must be."""
    return re.compile("|".join(rf"(?<![\w.]){cased(phrase)}(?![\w(])" for phrase in phrases))


def cased(phrase):
    first = f"[{re.escape(phrase[0].upper() + phrase[0])}]"
    rest = GAP.join(re.escape(word) for word in f"_{phrase[1:]}".split())[1:]
    return first + rest.replace(f"{GAP}…{GAP}", r"\W(?:[^|]{0,60}?\W)?")


def rows():
    for line in (ROOT / GUIDE).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            yield Row(*cells)


def texts(folder):
    """Every text of the repository in a folder, and its path."""
    # The checkout may not belong to the user who runs the tests.
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        skip(f"not a checkout: {listed.stderr.strip()}")
    for path in filter(None, listed.stdout.split("\0")):
        data = b"\0" if NOT_READ.match(path) or not (ROOT / path).exists() else (ROOT / path).read_bytes()
        if b"\0" not in data:
            text = data.decode(errors="replace")
            yield path, re.sub(r"(?m)^\| `.*", "", text) if path == GUIDE else text


def main():
    needs("git")
    table = list(rows())
    wrong = [word for row in table for word in row.words if not row.found(f"it {word} it")]
    wrong += [phrase for row in table for phrase in row.right if row.found(phrase.replace("…", "one of these"))]
    check("each word of CONTRIBUTING.md's table is found, and right in its phrases", len(table) >= 8 and not wrong, wrong)
    read = list(texts(FOLDER))
    found = [f"{path}:{text.count(chr(10), 0, start) + 1}: {' '.join(row.pattern.match(text, start)[0].split())}: write {row.instead}"
             for path, text in read for row in table for start in row.found(text)]
    print(*found, sep="\n")
    check(f"{len(read)} texts have none of the words that CONTRIBUTING.md replaces", read and not found, f"{len(found)} in {FOLDER}")
    finish()


main()
