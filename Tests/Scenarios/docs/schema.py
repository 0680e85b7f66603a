#!/usr/bin/env -S python3 -B
"""The JSON Schema of the daemon's configuration: a validator that is not ours finds what the daemon finds, and where.

Every setting is written wrongly in turn: by another name, by another type, out of its range. What only the daemon can know (that
a file is there, that two settings agree) is not the schema's to say.
"""
import copy
import json
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, count, finish, needs, path, skip

try:
    from jsonschema import Draft202012Validator
except ImportError:
    # Debian's packages are for Debian's Python, which need not be the first in PATH.
    debian = "/usr/bin/python3"
    if sys.executable != debian and os.path.exists(debian):
        os.execv(debian, [debian, "-B", *sys.argv])
    skip("python3-jsonschema is missing")

needs("openssl")
SCHEMA = json.loads((ROOT / "deploy/mediatokend.schema.json").read_text())
Draft202012Validator.check_schema(SCHEMA)
VALIDATOR = Draft202012Validator(SCHEMA)


def key(steps):
    """As the daemon writes it: auth.routes[0].prefix."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def found_by_schema(configuration):
    """What is wrong, and its key; of an unknown or missing one, that of the object."""
    return [(error.validator, key(error.absolute_path)) for error in VALIDATOR.iter_errors(configuration)]


def refused_by_daemon(configuration):
    with open(path("broken.json"), "w") as file:
        json.dump(configuration, file)
    result = subprocess.run([os.environ["MEDIATOKEND"], "--check-config", "--config", path("broken.json")], capture_output=True, text=True)
    # Of what it could read it says more, such as that a folder is missing here.
    return result.returncode == 3 and not result.stdout, result.stderr


sample = json.loads((ROOT / "deploy/mediatokend.sample.json").read_text())
subprocess.run(f"openssl genrsa 2048 2>/dev/null | openssl rsa -pubout -out {path('key.pem')}", shell=True, check=True, capture_output=True)
sample |= {"keys": [path("key.pem")], "replay": {"address": "none:"}, "$schema": str(ROOT / "deploy/mediatokend.schema.json")}
is_refused, message = refused_by_daemon(sample)
check("schema and daemon take the sample, with the schema named in it", not found_by_schema(sample) and not is_refused,
      (found_by_schema(sample), message))
for file in [ROOT / "deploy/mediatokend.sample.json", *sorted((ROOT / "deploy").glob("*/mediatokend.json"))]:
    shipped = json.loads(file.read_text())
    if file.parent.name != "grafana":  # Its dashboard has the same name.
        check(f"{file.relative_to(ROOT)} names the schema where packages put it, and is right by it",
              next(iter(shipped.items())) == ("$schema", "/usr/share/mediatoken/mediatokend.schema.json") and not found_by_schema(shipped),
              found_by_schema(shipped))


def places(value, steps=()):
    """Every member of every object, with the steps to it."""
    for step, member in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(value, dict):
            yield steps + (step,), member
        yield from places(member, steps + (step,))


def changed(steps, change):
    """The sample after a change of the object that has the last step's member."""
    configuration = copy.deepcopy(sample)
    owner = configuration
    for step in steps[:-1]:
        owner = owner[step]
    change(owner, steps[-1])
    return configuration


# A message repeats a name only if it is short.
CHANGES = {"another name": lambda owner, name: owner.__setitem__(name[:8] + "x", owner.pop(name)),
           "another type": lambda owner, name: owner.__setitem__(name, 1.5),
           "out of range": lambda owner, name: owner.__setitem__(name, 10 ** 15 if isinstance(owner[name], int) else "")}
wrong, tried = [], 0
for steps, value in places(sample):
    for what, change in CHANGES.items():
        if isinstance(sample[steps[0]], bool) or what == "out of range" and (isinstance(value, bool) or not isinstance(value, (int, str))):
            continue
        tried += 1
        configuration = changed(steps, change)
        found = [place for _, place in found_by_schema(configuration)]
        expected = key(steps[:-1] if what == "another name" else steps)
        is_refused, message = refused_by_daemon(configuration)
        if expected not in found or not is_refused or expected not in message:
            wrong.append((what, key(steps), found, message))
count(f"{tried} wrong configurations")
check("schema and daemon refuse each wrong configuration, at its place", tried > 80 and not wrong, wrong[:5])
missing = found_by_schema(changed(("tenants",), lambda owner, name: owner.pop(name)))
check("the schema finds that a key is missing", ("required", "") in missing, missing)
finish()
