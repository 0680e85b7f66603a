"""Run with the Python that has kubernetes-validate: the objects of a manifest and, for each version of Kubernetes, what its strict schemas
have against them, as JSON.

    validate.py MANIFEST VERSION...
"""
import json
import sys

import kubernetes_validate
import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    objects = [one for one in yaml.safe_load_all(file) if one]
wrong = []
for version in sys.argv[2:]:
    for one in objects:
        try:
            used = kubernetes_validate.validate(one, version, strict=True)
            wrong += [f"{version}: there is no schema but that of {used}"] if used != version else []
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"{version}: {'.'.join(map(str, error.path))}: {error.message[:300]}")
print(json.dumps({"objects": objects, "wrong": wrong}))
