#!/usr/bin/env -S python3 -B
"""Every vector through `mediatoken verify -` and through `mediatoken verify --batch`."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import check, count, finish
from vector_files import VECTORS, all_vectors, by_options, run_batch


def single(vector):
    """What is wrong with the answer of `verify -`, or None."""
    run = subprocess.run(vector.asking(), input=vector.received, capture_output=True)
    lines = run.stdout.decode(errors="replace").split("\n")
    status = 0 if vector.expect == "VALID_TOKEN" else 1
    if lines[0] != vector.expect or run.returncode != status:
        return f"{vector.name}: {lines[0]}, exit {run.returncode}; expected {vector.expect}, exit {status}"
    if vector.reason and f"reason: {vector.reason}" not in lines:
        return f"{vector.name}: the reason is not {vector.reason}"
    if any(secret in run.stdout + run.stderr for secret in vector.secrets()):
        return f"{vector.name}: the answer shows the session GUID"
    return None


def batch(vectors):
    """What is wrong with the answers of one `verify --batch`."""
    run = run_batch(vectors)
    answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
    wrong = []
    if [answer.get("id") for answer in answers] != [vector.name for vector in vectors]:
        wrong.append("the answers are not one per line in the order of the lines")
    for number, (vector, answer) in enumerate(zip(vectors, answers), 1):
        if answer.get("verdict") != vector.expect or answer.get("line") != number:
            wrong.append(f"{vector.name}: {answer}; expected {vector.expect} on line {number}")
        elif vector.reason and answer.get("reason") != vector.reason:
            wrong.append(f"{vector.name}: the reason is not {vector.reason}")
    status = 0 if all(vector.expect == "VALID_TOKEN" for vector in vectors) else 1
    if run.returncode != status:
        wrong.append(f"exit {run.returncode}, expected {status}")
    return wrong


def empty_expectation(option):
    run = subprocess.run([MEDIATOKEN, "verify", "-", "--keys", str(VECTORS / "shared/keys/rsa2048.pem"), "--any-resource"
                          if option == "--requestor" else "--any-requestor", option, ""],
                         input=b"x", capture_output=True)
    return run.returncode == 2 and run.stdout == b""


def main():
    vectors = all_vectors()
    unsaid = defaultdict(int)
    groups = defaultdict(list)
    for vector in vectors:
        if why := vector.cannot_be_said():
            unsaid[why] += 1
        else:
            groups[vector.group].append(vector)

    proved = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for group, members in groups.items():
            wrong = [problem for problem in pool.map(single, members) if problem]
            proved += len(members) - len(wrong)
            check(f"verify - agrees with {len(members)} vectors {group}-*", not wrong, wrong)
    batches = by_options(vector for members in groups.values() for vector in members)
    wrong = {members[0].name: problems for members in batches if (problems := batch(members))}
    proved += sum(len(members) for members in batches if members[0].name not in wrong)
    check(f"verify --batch agrees under {len(batches)} sets of keys and policies", not wrong, wrong)
    for option in ("--requestor", "--resource"):
        check(f"an empty {option} is a usage error", empty_expectation(option))
    for why, number in unsaid.items():
        count(f"not asked: {number} vectors with {why}")
    count(f"{proved} answers agree")
    check("all but a handful of the vectors were asked, twice", proved > 2 * len(vectors) - 100, proved)
    finish()


main()
