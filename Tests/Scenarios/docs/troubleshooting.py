#!/usr/bin/env -S python3 -B
"""The tables of the article Troubleshooting: every reason, fault and alert that there is, and what explain says to do.

Its commands are run by daemon-articles.py, and the runbooks of alerts by monitoring/runbooks.sh.
"""
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import ROOT, check, finish

ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Troubleshooting.md").read_text()
OPERATIONS = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Operations.md").read_text()


def section(title):
    return ARTICLE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title):
    """The cells of each row of a section's tables, without their heads."""
    for line in section(title).splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and not set(cells[0]) <= {"-"}:
            yield cells


def coded(cell):
    return re.findall(r"`([^`]+)`", cell)


def enumerated(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def reasons():
    found = enumerated("Sources/MediaToken/Reason.swift", r'^  case (\w+)(?: = "([a-z0-9-]+)")?$')
    return {raw or name for name, raw in found}


def check_reasons():
    named = [name for cells in rows("A token is refused") for name in coded(cells[0])]
    check("every reason is in Troubleshooting's table of refused tokens", set(named) == reasons(), str(set(named) ^ reasons()))
    check("no reason is twice in Troubleshooting's table of refused tokens", len(named) == len(set(named)) >= 45, len(named))
    # A sentence has more than one word; names have one.
    steps = enumerated("Sources/MediaTokenFormats/Explain/StepReport.swift", r'^ +(?:case .*: |default: )?"([^" ]+ [^"]+)"$')
    check("the source of explain has advice", len(steps) >= 15, steps)
    cures = [cells[2] for cells in rows("A token is refused")]
    missing = [step for step in steps if not any(step in cure for cure in cures)]
    check("what explain says to do is in Troubleshooting's table of refused tokens", not missing, missing)


def check_advice():
    """What explain prints for a token without anything in it is the row of `empty`."""
    said = subprocess.run([MEDIATOKEN, "explain", "-", "--keys", str(ROOT / "Tests/Vectors/shared/keys/rsa2048.pem"),
                           "--any-requestor", "--any-resource"], input="", capture_output=True, text=True).stdout
    cure = next(cells[2] for cells in rows("A token is refused") if coded(cells[0]) == ["empty"])
    check("explain of an empty token prints what Troubleshooting says to do", f"next: {cure}\n" in said, said)


def check_faults_and_alerts():
    verdicts = enumerated("Sources/MediaToken/Verdict.swift", r'row\("([A-Z_]+)"')
    faults = {name for name in verdicts if name.endswith(("_UNAVAILABLE", "_FULL", "_MEMORY", "_FAULT"))}
    faults -= {"TOKEN_PREDATES_REPLAY_MEMORY"}
    named = {name for cells in rows("There is no verdict") for name in coded(cells[0]) if name.isupper()}
    check("every fault is in Troubleshooting's table of what has no verdict",
          len(faults) >= 5 and named == faults, str(named ^ faults))
    alerts = set(enumerated("deploy/prometheus/mediatoken.rules.yml", r"- alert: (\w+)"))
    named = {cells[0] for cells in rows("Alerts")} - {"Alert"}
    check("every alert is in Troubleshooting's table of alerts", len(alerts) >= 16 and named == alerts, str(named ^ alerts))
    check("every alert has its section in Operations", all(f"\n### {name}\n" in OPERATIONS for name in alerts))
    told = set(re.findall(r'(?<=go on with ")[^"]+', ARTICLE)) | {cells[1].strip('"') for cells in rows("Overview")}
    told = {title for title in told if title != "Continue with"}
    check("every section that Troubleshooting sends to is there",
          len(told) >= 8 and all(f"\n## {title}\n" in ARTICLE for title in told), told)


check_reasons()
check_advice()
check_faults_and_alerts()
finish()
