"""The SQL of a fleet's schema, until `mediatoken replay schema` prints it."""

import pathlib

TEXT = pathlib.Path(__file__).with_name("schema.sql")


def schema(fleet, slots, unlogged=False):
    text = TEXT.read_text().replace("FLEET", fleet).replace("SLOTS", str(slots))
    return text.replace("/* UNLOGGED */", "UNLOGGED") if unlogged else text
