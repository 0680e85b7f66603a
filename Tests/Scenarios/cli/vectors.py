#!/usr/bin/env -S python3 -B
"""Every vector through `mediatoken verify --batch`, and one of each group, verdict and reason through `mediatoken verify -`."""
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import check, count, finish
from vector_files import all_vectors, by_options, run_batch


def single(vector):
    """What is wrong with the answer of `verify -`, or None."""
    run = subprocess.run(vector.asking(), input=vector.received, capture_output=True)
    lines = run.stdout.decode(errors="replace").split("\n")
    wanted = vector.expect, 0 if vector.expect == "VALID_TOKEN" else 1
    if (lines[0], run.returncode) != wanted or vector.reason and f"reason: {vector.reason}" not in lines:
        return f"{vector.name}: {lines[:3]}, exit {run.returncode}; expected {wanted}, {vector.reason}"
    if any(secret in run.stdout + run.stderr for secret in vector.secrets()):
        return f"{vector.name}: the answer shows the session GUID"
    return None


def batch(vectors):
    """What is wrong with the answers of one `verify --batch`."""
    run = run_batch(vectors)
    answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
    found = [(answer.get("id"), answer.get("line"), answer.get("verdict"), answer.get("reason")) for answer in answers]
    # A vector without a reason says nothing about it.
    wanted = [(vector.name, number, vector.expect, vector.reason or (found[number - 1][3] if number <= len(found) else None))
              for number, vector in enumerate(vectors, 1)]
    status = 0 if all(vector.expect == "VALID_TOKEN" for vector in vectors) else 1
    wrong = [pair for pair in zip(found, wanted) if pair[0] != pair[1]]
    return wrong or ([] if (len(found), run.returncode) == (len(vectors), status) else [(len(found), run.returncode)])


def main():
    vectors = all_vectors()
    unsaid = Counter(why for vector in vectors if (why := vector.cannot_be_said()))
    said = [vector for vector in vectors if not vector.cannot_be_said()]
    # A process each. What the path says about every vector is VectorTests' and the batch's; here it is what one answer looks like.
    ones = list({(vector.group, vector.expect, vector.reason): vector for vector in said}.values())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(filter(None, pool.map(single, ones)))
    check(f"verify - agrees with {len(ones)} vectors, one of each group, verdict and reason", not wrong and len(ones) > 100, wrong)
    batches = by_options(said)
    wrong = {members[0].name: problems for members in batches if (problems := batch(members))}
    check(f"verify --batch agrees under {len(batches)} sets of keys and policies", not wrong, wrong)
    for why, number in unsaid.items():
        count(f"not asked: {number} vectors with {why}")
    check("all but a handful of the vectors were asked", len(said) > len(vectors) - 50, len(said))
    finish()


main()
