"""The SQL of a fleet's schema for a ring of any size, of the text that `mediatoken replay schema` fills in."""

import pathlib
import re
import textwrap

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "Sources/MediaToken/Store/Nodes/Postgres"
VERSION = "mp3"


def template():
    """Its parts, in the order in which NodeSchema.swift puts them together."""
    source = "".join(path.read_text() for path in sorted(SOURCES.glob("NodeSchema*.swift")))
    parts = dict(re.findall(r'static let (\w+) = #"""\n(.*?)\n *"""#', source, re.DOTALL))
    order = re.search(r"static let template = (.*)", source)[1].split(" + ")
    return "".join(textwrap.dedent(parts[name]) for name in order)


def name(fleet):
    return f"{VERSION}_{fleet}"


def schema(fleet, slots, unlogged=False, minute=60):
    text = template()
    for mark, value in {"schema": name(fleet), "version": VERSION, "slots": slots, "minute": minute, "digest": fleet,
                        "logged": "UNLOGGED" if unlogged else ""}.items():
        text = text.replace("{" + mark + "}", str(value))
    return text
