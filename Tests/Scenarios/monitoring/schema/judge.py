"""What is wrong with a dashboard's file by Grafana's own schema, one fault per line: members that it does not know, and units that it
does not have.

    judge.py FILE
"""

import json
import sys
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
            if name == "unit" and value not in UNITS:
                yield f"{place}.unit: {value!r} is no unit"
            if name in known:
                yield from unknown(value, known[name], f"{place}.{name}")
            else:
                yield f"{place}.{name}: unknown"
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for number, (one, other) in enumerate(zip(given, known)):
            yield from unknown(one, other, f"{place}[{number}]")
    elif given != known:
        yield f"{place}: expected {known!r}, found {given!r}"


register_default_plugins()
with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
known = json.loads(JSONEncoder(sort_keys=True).encode(dashboard.Dashboard.from_json(given)))
faults = [fault for fault in unknown(given, known, "dashboard")
          if not (fault.startswith("dashboard.annotations.list[") and fault.split("].", 1)[1].split(":")[0] in OF_THE_SOURCE)]
print("\n".join(faults))
sys.exit(1 if faults else 0)
