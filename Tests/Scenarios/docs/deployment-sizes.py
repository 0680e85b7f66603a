#!/usr/bin/env -S python3 -B
"""The table of sizes of a host, in the article Deployment: what was measured, and nothing else."""
import json
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish

ARTICLE = (ROOT / "Sources/MediaTokenReplay/MediaTokenReplay.docc/Deployment.md").read_text()
RESULTS = json.loads((ROOT / "benchmarks/results/results.json").read_text())
#: Seconds that a token lives, for each column of the table.
LIVES = (420, 3600)


def record(benchmark, case):
    return next(found for found in RESULTS["records"] if (found["benchmark"], found["case"]) == (benchmark, case))


def rounded(value):
    return float(f"{value:.2g}")


def share(starts, key):
    """Of one processor, in percent."""
    nanoseconds = record("daemon", f"RSA-{key}, /v1/verify, 8 connections, 1 worker")["nanoseconds"]["median"]
    return f"{rounded(starts * nanoseconds / 1e7):g} %"


def size(tokens):
    value = rounded(tokens * record("replay", "bytes for a token")["bytes_per_token"])
    return f"{value / 1e9:.1f} GB" if value >= 1e9 else f"{value / 1e6:.{1 if value < 1e7 else 0}f} MB"


section = ARTICLE.split("### Size a host\n")[1].split("\n## ")[0]
rows = re.findall(r"^\| ([\d,]+) \| (.+? %) \| (.+? %) \| (.+?) \| (.+?) \|$", section, re.M)
check("the table of the section Size a host has rows", len(rows) >= 4, rows)
for row in rows:
    starts = int(row[0].replace(",", ""))
    wanted = (row[0], share(starts, 1024), share(starts, 2048), *(size(starts * life) for life in LIVES))
    check(f"{row[0]} starts a second take what was measured", row == wanted, f"expected {' | '.join(wanted)}")
check("the section Size a host names the processor that was measured",
      RESULTS["machine"]["processor"] in section, RESULTS["machine"]["processor"])
finish()
