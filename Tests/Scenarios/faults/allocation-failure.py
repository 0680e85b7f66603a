# Asks the program the same question again and again; each time another allocation of libcrypto's, libxml2's or libjansson's fails, until
# none is left that could. Part of allocation-failure.sh.
import json
import os
import subprocess
import sys

library, record, question, step = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
command = sys.argv[5:]
settings = dict(setting.split("=") for setting in os.environ["SETTINGS"].split())


def ask(environment):
    with open(question, "rb") as file:
        return subprocess.run(command, stdin=file, capture_output=True, env=os.environ | environment, timeout=60)


def is_undecided(run):
    if run.returncode != 3:
        return False
    if "--batch" not in command:
        return run.stdout == b""
    # Each line is as it should be, or names a fault and no verdict. No line at all: the program did not get that far.
    lines, expected = run.stdout.splitlines(), plain.stdout.splitlines()
    if not lines:
        return True
    return len(lines) == len(expected) and all(
        line == other or {"line", "fault", "action", "adobeCode"} == set(json.loads(line)) for line, other in zip(lines, expected))


plain = ask({})
answered, undecided, wrong = 0, 0, 0
number = 1
while True:
    run = ask(settings | {
        "LD_PRELOAD": library, "FAILING_ALLOCATION": str(number), "FAILING_ALLOCATION_RECORD": record})
    with open(record) as file:
        if file.read() == "-":
            break
    if (run.returncode, run.stdout) == (plain.returncode, plain.stdout):
        answered += 1
    elif is_undecided(run):
        undecided += 1
    else:
        wrong += 1
        print(f"  without allocation {number}: exit {run.returncode}, {run.stdout[:100]}")
    number += step
print(f"  {answered + undecided + wrong} failures: {answered} answered, {undecided} undecided, {wrong} wrong")
# The last run, in which nothing failed, must be as the first; and if no failure mattered, nothing was shown.
last = (run.returncode, run.stdout) == (plain.returncode, plain.stdout)
sys.exit(0 if last and wrong == 0 and undecided > 0 else 1)
