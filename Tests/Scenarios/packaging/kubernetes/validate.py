"""Run with the Python that has kubernetes-validate: reads objects as JSON Lines, or a manifest with --manifest, and prints JSON.

    validate.py --manifest FILE         its objects
    validate.py VERSION... <OBJECTS     for each object what each version's strict schema has against it
"""
import json
import sys

import kubernetes_validate
import yaml

if sys.argv[1] == "--manifest":
    with open(sys.argv[2], encoding="utf-8") as file:
        print(json.dumps([one for one in yaml.safe_load_all(file) if one]))
else:
    answers = []
    for line in sys.stdin:
        wrong = []
        for version in sys.argv[1:]:
            try:
                used = kubernetes_validate.validate(json.loads(line), version, strict=True)
                if used != version:
                    wrong.append(f"{version}: there is no schema but that of {used}")
            except kubernetes_validate.ValidationError as error:
                wrong.append(f"{version}: {'.'.join(map(str, error.path))}: {error.message[:300]}")
        answers.append(wrong)
    print(json.dumps(answers))
