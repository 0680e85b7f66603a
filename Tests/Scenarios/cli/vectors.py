#!/usr/bin/env -S python3 -B
"""Every vector through `mediatoken verify -` and through `mediatoken verify --batch`.

Takes the program from $MEDIATOKEN, prints one check per group of vectors and a closing count.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from vector_files import VECTORS, all_vectors, by_options, run_batch


def single(vector):
    """What is wrong with the answer of `verify -`, or None."""
    run = subprocess.run(vector.asking(), input=vector.received, capture_output=True)
    lines = run.stdout.decode(errors="replace").split("\n")
    status = 0 if vector.expect == "VALID_TOKEN" else 1
    if lines[0] != vector.expect or run.returncode != status:
        return f"{vector.name}: {lines[0]}, exit {run.returncode}; expected {vector.expect}, exit {status}"
    if vector.reason and f"reason: {vector.reason}" not in lines:
        return f"{vector.name}: another reason than {vector.reason}"
    if any(secret in run.stdout + run.stderr for secret in vector.secrets()):
        return f"{vector.name}: the answer shows the session GUID"
    return None


def batch(vectors):
    """What is wrong with the answers of one `verify --batch`."""
    run = run_batch(vectors)
    answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
    wrong = []
    if [answer.get("id") for answer in answers] != [vector.name for vector in vectors]:
        wrong.append("the answers are not one a line in the order of the lines")
    for number, (vector, answer) in enumerate(zip(vectors, answers), 1):
        if answer.get("verdict") != vector.expect or answer.get("line") != number:
            wrong.append(f"{vector.name}: {answer}; expected {vector.expect} on line {number}")
        elif vector.reason and answer.get("reason") != vector.reason:
            wrong.append(f"{vector.name}: another reason than {vector.reason}")
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
    failures = []
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
            failures += wrong
            proved += len(members) - len(wrong)
            print(f"{'ok' if not wrong else 'FAILED'}: verify - agrees with {len(members)} vectors {group}-*")
    agreed = 0
    batches = by_options(vector for members in groups.values() for vector in members)
    for members in batches:
        wrong = batch(members)
        failures += wrong
        agreed += len(members) if not wrong else 0
    proved += agreed
    print(f"{'ok' if agreed == sum(map(len, batches)) else 'FAILED'}: verify --batch agrees with {agreed} "
          f"vectors under {len(batches)} sets of keys and policies")
    for option in ("--requestor", "--resource"):
        right = empty_expectation(option)
        proved += right
        if not right:
            failures.append(f"an empty {option} is not a usage error")
        print(f"{'ok' if right else 'FAILED'}: an empty {option} is a usage error")
    for why, count in unsaid.items():
        print(f"not asked: {count} vectors with {why}")
    for failure in failures:
        print("FAILED:", failure)
    print(f"vectors-cli: {proved} answers agree, {len(failures)} do not")
    # All but a handful must have been asked, twice.
    sys.exit(0 if not failures and proved > 2 * len(vectors) - 100 else 1)


main()
