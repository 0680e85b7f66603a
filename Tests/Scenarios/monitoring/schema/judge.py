"""What is wrong with a dashboard's file by Grafana's own schema, one fault per line: members that it does not know, values of
another type or of no name, units that it does not have.

    judge.py FILE
"""

import enum
import json
import sys
import types
import typing

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models import dashboard, units

UNITS = {typing.get_args(hint)[0] for hint in units.__annotations__.values()}
#: What the schema leaves to the data source, by its own comment: an annotation's query, and how it is printed.
OF_THE_SOURCE = {"target.expr", "target.interval", "target.refId", "tagKeys", "textFormat", "titleFormat"}


def unknown(given, known, place):
    """Members that the schema's types did not keep."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            if name in known:
                yield from unknown(value, known[name], f"{place}.{name}")
            else:
                yield f"{place}.{name}: unknown"
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for number, (one, other) in enumerate(zip(given, known)):
            yield from unknown(one, other, f"{place}[{number}]")
    elif given != known:
        yield f"{place}: expected {known!r}, found {given!r}"


def fits(value, hint):
    """Whether a value is of a type; None: the schema does not say."""
    kind, choices = typing.get_origin(hint), typing.get_args(hint)
    if kind in (typing.Union, types.UnionType):
        return any(fits(value, choice) is not False for choice in choices)
    if kind is typing.Literal:
        return value in choices
    if kind in (list, dict):
        return isinstance(value, kind)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return value in [member.value for member in hint]
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) and hint is not object else None


def mistyped(value, place):
    if isinstance(value, (list, tuple)):
        for number, one in enumerate(value):
            yield from mistyped(one, f"{place}[{number}]")
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from mistyped(one, f"{place}.{name}")
    elif type(value).__module__.startswith("grafana_foundation_sdk.models"):
        for name, hint in typing.get_type_hints(type(value), vars(sys.modules[type(value).__module__])).items():
            member = getattr(value, name)
            if fits(member, hint) is False and member is not None:
                yield f"{place}.{name}: {member!r} is no {hint}"
            if name == "unit" and member not in UNITS and member is not None:
                yield f"{place}.{name}: {member!r} is no unit"
            if not isinstance(member, enum.Enum):
                yield from mistyped(member, f"{place}.{name}")


def main():
    register_default_plugins()
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    parsed = dashboard.Dashboard.from_json(given)
    known = json.loads(JSONEncoder(sort_keys=True).encode(parsed))
    faults = [fault for fault in unknown(given, known, "dashboard")
              if not (fault.startswith("dashboard.annotations.list[") and fault.split("].", 1)[1].split(":")[0] in OF_THE_SOURCE)]
    faults += mistyped(parsed, "dashboard")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
