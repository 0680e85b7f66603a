"""Whether an alert's rule fires in a state of the daemon, and not before or after, by the daemon's own metrics."""

import json
import re
import shutil
import subprocess
import time

# Prometheus asks every 15 s: ten minutes of health, 20 of the state, and then long enough for every window to pass.
WELL, BAD, CURED = 40, 80, 320


def samples(page):
    """A page of metrics, each by its name with labels."""
    return {name: float(value) for name, value in re.findall(r"^(mediatoken_\S+) (\S+)$", page, re.M)}


def series(name, well, bad, cured):
    """A series as promtool writes it, over health, the state and the time after its cure. Counters grow evenly."""
    is_counter = re.match(r"\w+_(total|count|sum|bucket)\b", name)
    phases, last = [], None
    for value, steps in ((well, WELL), (bad, BAD), (cured, CURED)):
        if value is None:
            phases.append(f"_x{steps}")
            continue
        start = value if not is_counter or last is None else 0 if value < last else last
        step = (value - start) / steps
        phases.append(f"{start!r}+{step!r}x{steps - 1}" if value == value else f"{value!r} " * steps)
        last = value
    return " ".join(phases).replace("nan", "NaN")


def fires(rules, alert, well, bad, cured):
    """Whether the rule is silent in health, fires in the state, and is silent after its cure."""
    lines = [f"  - {{series: 'up{{job=\"mediatokend\", instance=\"a\"}}', values: "
             f"'{' '.join(f'{int(page is not None)}x{steps - 1}' for page, steps in ((well, WELL), (bad, BAD), (cured, CURED)))}'}}"]
    for name in sorted({name for page in (well, bad, cured) for name in page or ()}):
        labels = name[name.index("{") + 1:-1] + ", " if "{" in name else ""
        values = [None if page is None else page.get(name) for page in (well, bad, cured)]
        if name.startswith("mediatoken_key_not_after"):
            # promtool's clock begins at 0.
            values = [None if value is None else value - int(time.time()) for value in values]
        lines.append(f"  - {{series: '{name.split('{')[0]}{{{labels}instance=\"a\"}}', values: '{series(name, *values)}'}}")
    expression = f'clamp_max(count(ALERTS{{alertname="{alert}", alertstate="firing"}}), 1)'
    moments = ((WELL - 1, []), (WELL + BAD - 1, [{"labels": "{}", "value": 1}]), (WELL + BAD + CURED - 1, []))
    tests = [{"expr": expression, "eval_time": f"{step * 15}s", "exp_samples": samples} for step, samples in moments]
    shutil.copy(rules, "rules.yml")
    with open("test.yml", "w") as file:
        file.write("rule_files: [rules.yml]\nevaluation_interval: 15s\ntests:\n- interval: 15s\n  input_series:\n")
        file.write("\n".join(lines) + f"\n  promql_expr_test: {json.dumps(tests)}\n")
    result = subprocess.run(["promtool", "test", "rules", "test.yml"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode == 0, result.stdout[-600:]
