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
