"""The SQL of a fleet's schema, until `mediatoken replay schema` prints it."""

import pathlib

TEXT = pathlib.Path(__file__).with_name("schema.sql")


def schema(fleet, slots, unlogged=False):
    text = TEXT.read_text()
    for mark, value in {"schema": f"mt1_{fleet}", "slots": slots, "digest": fleet, "logged": "UNLOGGED" if unlogged else ""}.items():
        text = text.replace("{" + mark + "}", str(value))
    return text
