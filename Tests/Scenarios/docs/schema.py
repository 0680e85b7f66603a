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
DAEMON = os.environ["MEDIATOKEND"]
schema = json.loads((ROOT / "deploy/mediatokend.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)


def key(steps):
    """As the daemon writes it: auth.routes[0].prefix."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def found_by_schema(configuration):
    """The key of the first thing that is wrong; of an unknown or missing one, that of the object."""
    errors = sorted(validator.iter_errors(configuration), key=lambda error: list(map(str, error.absolute_path)))
    return [(error.validator, key(error.absolute_path)) for error in errors]


def refused_by_daemon(configuration):
    with open(path("broken.json"), "w") as file:
        json.dump(configuration, file)
    result = subprocess.run([DAEMON, "--check-config", "--config", path("broken.json")], capture_output=True, text=True)
    return result.returncode == 3, result.stderr


sample = json.loads((ROOT / "deploy/mediatokend.sample.json").read_text())
subprocess.run(["openssl", "genrsa", "-out", path("private.pem"), "2048"], check=True, capture_output=True)
subprocess.run(["openssl", "rsa", "-in", path("private.pem"), "-pubout", "-out", path("key.pem")], check=True,
               capture_output=True)
sample["keys"] = [path("key.pem")]
sample["replay"] = {"address": "none:"}
sample["$schema"] = str(ROOT / "deploy/mediatokend.schema.json")
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
    if isinstance(value, dict):
        for name, member in value.items():
            yield steps + (name,)
            yield from places(member, steps + (name,))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from places(element, steps + (index,))


def changed(steps, change):
    """The sample after a change of the object that has the last step's member."""
    configuration = copy.deepcopy(sample)
    owner = configuration
    for step in steps[:-1]:
        owner = owner[step]
    change(owner, steps[-1])
    return configuration


def rename(owner, name):
    # A message repeats a name only if it is short.
    owner[name[:8] + "x"] = owner.pop(name)


def retype(owner, name):
    owner[name] = 1.5


def overflow(owner, name):
    owner[name] = 10 ** 15 if isinstance(owner[name], int) else "" if isinstance(owner[name], str) else owner[name]


wrong, tried = [], 0
for steps in places(sample):
    for change in (rename, retype, overflow):
        configuration = changed(steps, change)
        if configuration == sample or isinstance(sample.get(steps[0]), bool):
            continue
        value = sample
        for step in steps:
            value = value[step]
        if change is overflow and (isinstance(value, bool) or not isinstance(value, (int, str))):
            continue
        tried += 1
        found = [place for _, place in found_by_schema(configuration)]
        expected = key(steps[:-1] if change is rename else steps)
        is_refused, message = refused_by_daemon(configuration)
        if expected not in found or not is_refused or expected not in message:
            wrong.append((change.__name__, key(steps), found, message))
count(f"{tried} wrong configurations")
check("schema and daemon refuse each wrong configuration, at its place", tried > 80 and not wrong, wrong[:5])

missing = changed(("tenants",), lambda owner, name: owner.pop(name))
check("the schema finds that a key is missing", ("required", "") in found_by_schema(missing), found_by_schema(missing))
finish()
