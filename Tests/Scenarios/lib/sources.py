"""The repository's files, without what builds and installations put there, which comes and goes while a scenario looks."""

import os
import pathlib

_MADE = {".build", ".git", "__pycache__"}


def files(folder):
    """All files in a folder, sorted."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _MADE]
        found += [pathlib.Path(place, name) for name in names]
    return sorted(found)


def literals(text):
    """Every literal of one line in a text of Swift, also in the interpolations of others: a list of what is between its interpolations."""
    found = []

    def literal(at):
        parts = [""]
        while text[at] not in '"\n':
            if text.startswith("\\(", at):
                parts.append("")
                at, depth = at + 2, 1
                while depth > 0:
                    depth += {"(": 1, ")": -1}.get(text[at], 0)
                    at = literal(at + 1) if text[at] == '"' else at + 1
            else:
                at += text[at] == "\\"
                parts[-1] += text[at]
                at += 1
        found.append(parts)
        return at + 1
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at) % (len(text) + 1)
        elif text.startswith('"""', at):
            at = text.index('"""', at + 3) + 3
        else:
            at = literal(at + 1) if text[at] == '"' else at + 1
    return found
