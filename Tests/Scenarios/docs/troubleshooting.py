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

DOCC = ROOT / "Sources/MediaTokenService/MediaTokenService.docc"
ARTICLE, OPERATIONS = ((DOCC / name).read_text() for name in ("Troubleshooting.md", "Operations.md"))


def rows(title):
    """The cells of each row of a section's tables."""
    section = ARTICLE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in section.splitlines() if re.match(r"\| *[^ -]", line)]


def coded(cell):
    return re.findall(r"`([^`]+)`", cell)


def enumerated(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


REFUSED = [(coded(cells[0]), cells[2]) for cells in rows("A token is refused")]
reasons = sorted(raw or name for name, raw in enumerated("Sources/MediaToken/Reason.swift", r'^ +case (\w+)(?: = "([a-z0-9-]+)")?$'))
named = sorted(name for names, _ in REFUSED for name in names)
check("every reason is once in Troubleshooting's table of refused tokens", len(named) >= 45 and named == reasons, set(named) ^ set(reasons))
# A sentence has more than one word; names have one.
steps = enumerated("Sources/MediaTokenFormats/Explain/StepReport.swift", r'^ +(?:case .*: |default: )?"([^" ]+ [^"]+)"$')
missing = [step for step in steps if not any(step in cure for _, cure in REFUSED)]
check("what explain says to do is in Troubleshooting's table of refused tokens", len(steps) >= 15 and not missing, missing)
said = subprocess.run([MEDIATOKEN, "explain", "-", "--keys", ROOT / "Tests/Vectors/shared/keys/rsa2048.pem", "--any-requestor", "--any-resource"],
                      input="", capture_output=True, text=True).stdout
check("explain of an empty token prints what Troubleshooting says to do",
      any(f"next: {cure}\n" in said for names, cure in REFUSED if names == ["empty"]), said)
faults = {name for name in enumerated("Sources/MediaToken/Verdict.swift", r'row\("([A-Z_]+)"')
          if name.endswith(("_UNAVAILABLE", "_FULL", "_MEMORY", "_FAULT"))} - {"TOKEN_PREDATES_REPLAY_MEMORY"}
named = {name for cells in rows("There is no verdict") for name in coded(cells[0]) if name.isupper()}
check("every fault is in Troubleshooting's table of what has no verdict", len(faults) >= 5 and named == faults, named ^ faults)
alerts = set(enumerated("deploy/prometheus/mediatoken.rules.yml", r"- alert: (\w+)"))
named = {cells[0] for cells in rows("Alerts")} - {"Alert"}
check("every alert is in Troubleshooting's table of alerts", len(alerts) >= 16 and named == alerts, named ^ alerts)
check("every alert has its section in Operations", all(f"\n### {name}\n" in OPERATIONS for name in alerts))
told = set(re.findall(r'(?<=go on with ")[^"]+', ARTICLE)) | {cells[1].strip('"') for cells in rows("Overview")} - {"Continue with"}
check("every section that Troubleshooting sends to is there", len(told) >= 8 and all(f"\n## {title}\n" in ARTICLE for title in told), told)
finish()
