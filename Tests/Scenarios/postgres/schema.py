"""The SQL of a fleet's schema for a ring of any size, of the text that `mediatoken replay schema` fills in."""

import pathlib
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "Sources/MediaToken/Replay/Fleet/Postgres/SeatSchema.swift"


def schema(fleet, slots, unlogged=False):
    text = textwrap.dedent(SOURCE.read_text().split('#"""\n')[1].split('"""#')[0])
    for mark, value in {"schema": f"mt1_{fleet}", "slots": slots, "digest": fleet, "logged": "UNLOGGED" if unlogged else ""}.items():
        text = text.replace("{" + mark + "}", str(value))
    return text
