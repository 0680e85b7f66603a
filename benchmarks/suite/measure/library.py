"""The library: whole verifications in every form and each step alone, against the bare RSA verification, and how cost grows."""

import json
import shutil

from suite.measure import library_callers, worst
from suite.measure.contender import Contender, in_turn
from suite.measure.running import run
from suite.measure.verifications import COUNTS, MRSS, verification, whole

ROUNDS = 31
LENGTHS = [16, 256, 1024, 4096, 16_384, 32_768, 40_960, 48_128, 61_440]
# Number, name, and the contender's word for it.
STEPS = [
    (1, "armor", "armor"), (2, "envelope", "envelope"), (3, "identity", "identity"), (3, "signature", "signature"),
    (4, "fields", "fields"), (5, "lifetime", "lifetime"), (6, "binding", "binding"), (7, "one use", "use"),
]


def measure_allocations(bench):
    """How often one verification allocates, and which library asks."""
    for case, options in [("RSA-2048, raw", []), ("RSA-2048, raw, one use enforced", ["--table"])]:
        counted = json.loads(run(
            bench.programs / "verify-allocations", bench.key(2048).public, bench.tokens(2048, 2), *options))
        bench.results.add({"benchmark": "allocations", "case": case, "key": 2048, "table": bool(options), **counted},
                          ", ".join(f"{owner} {count}" for owner, count in counted.items()))


def measure(bench):
    for key in COUNTS:
        for form, length in MRSS.items():
            whole(bench, "verify", key, form, None, ROUNDS)
            whole(bench, "verify", key, form, length, ROUNDS)
        whole(bench, "verify", key, "raw", None, ROUNDS, table=True)
        whole(bench, "verify", key, "raw", MRSS["raw"], ROUNDS, table=True)
        steps(bench, key)
    for form, longest in MRSS.items():
        for length in filter(lambda length: length <= longest, LENGTHS):
            whole(bench, "payload", 2048, form, length, 15)
    for key in (1024, 2048):
        for number in (1, 2, 4, 8, 16):
            trusting(bench, key, number)
    worst.measure(bench)
    library_callers.measure(bench)


def steps(bench, key):
    """Each of the seven steps alone, and what the whole takes beyond them."""
    rounds, count, public = bench.rounds(ROUNDS), COUNTS[key], bench.key(key).public
    tokens = bench.tokens(key, (rounds + 1) * count, "--form", "raw")
    alone = [Contender(f"step {name}", [bench.programs / "steps", word, public, tokens], bench.cpu)
             for _, name, word in STEPS]
    floor, verified, *found = in_turn(
        [bench.floor(key), verification(bench, public, tokens, "--table"), *alone],
        count, rounds)
    # The pool, the result, the way from step to step.
    rest = [tuple(took - sum(parts) for took, *parts in zip(*round)) for round in zip(verified, *found)]
    for (number, name, *_), times in zip([*STEPS, (8, "rest")], [*found, rest]):
        bench.results.ratio("step", f"RSA-{key}, {name if name == 'rest' else f'step {number}: {name}'}", times, floor,
                            key=key, step=number, name=name)


def trusting(bench, key, number):
    """One key signed and is the last in order; as many as one verification can meet before it are of the same size."""
    folder = bench.work / f"{number}-keys-{key}"
    folder.mkdir()
    for other in range(number - 1):
        shutil.copy(bench.key(key, f"other-{other:02}-").public, folder)
    shutil.copy(bench.key(key).public, folder / "signing.pem")
    bench.compare("keys", f"RSA-{key}, {number} trusted {'key' if number == 1 else 'keys'}",
                  verification(bench, folder, bench.tokens(key, 100)), bench.floor(key), max(COUNTS[key] // number, 40),
                  bench.rounds(15), key=key, keys=number)
