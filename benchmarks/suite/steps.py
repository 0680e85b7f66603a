"""Each of the seven steps alone, and what the whole takes beyond them."""

from contextlib import ExitStack

from suite.contender import Contender, in_turn
from suite.results import CPU
from suite.verifications import COUNTS, ROUNDS, verification

# Number, name, the contender's word for it, and how many times as often as a whole verification it is done in a round.
STEPS = [
    (1, "armor", "armor", 20), (2, "envelope", "envelope", 20), (3, "identity", "identity", 10),
    (3, "signature", "signature", 1), (4, "fields", "fields", 5), (5, "lifetime", "lifetime", 20),
    (6, "binding", "binding", 20), (7, "one use", "use", 5),
]


def measure(bench, key, bare):
    rounds, count = bench.rounds(ROUNDS), COUNTS[key]
    public, tokens = bench.key(key)[1], bench.tokens(key, (rounds + 1) * count, "--form", "raw")
    with ExitStack() as running:
        contenders = [bare, running.enter_context(verification(bench, public, tokens, "--table"))]
        contenders += [
            running.enter_context(
                Contender(f"step {name}", [bench.programs / "steps", word, public, tokens], cpu=bench.cpu))
            for _, name, word, _ in STEPS]
        floor, whole, *alone = in_turn(
            contenders, [count, count, *(count * often for *_, often in STEPS)], rounds)
    # The pool, the result, the way from step to step.
    rest = [(wall - sum(step[0] for step in steps), processor - sum(step[1] for step in steps))
            for (wall, processor), *steps in zip(whole, *alone)]
    for (number, name, *_), times in zip([*STEPS, (8, "rest")], [*alone, rest]):
        bench.results.ratio(
            "step", f"RSA-{key}, {name if number == 8 else f'step {number}: {name}'}", times, floor,
            floor_name="EVP_PKEY_verify", clock=CPU, key=key, step=number, name=name)
