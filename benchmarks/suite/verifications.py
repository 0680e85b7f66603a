"""The floor, and whole verifications beside it."""

from suite.contender import Contender, in_turn
from suite.resources import resource
from suite.results import CPU
from suite.running import Failed

ROUNDS = 31
# How often each verifies in a round: some milliseconds.
COUNTS = {1024: 600, 2048: 250, 4096: 60}
# The same for a token of 60 KiB.
GREAT_COUNTS = {1024: 60, 2048: 50, 4096: 30}


def floor(bench, key):
    return Contender("floor", [bench.programs / "floor", bench.key(key)[1], bench.tokens(key, 100)], cpu=bench.cpu)


def verification(bench, keys, tokens, *options, pinned=True):
    return Contender("verification", [bench.programs / "verification", keys, tokens, *options],
                     cpu=bench.cpu if pinned else None)


def whole(bench, benchmark, key, form, length, bare, *, table=False, rounds=ROUNDS):
    """One kind of token, verified whole. `length` is that of an MRSS document; without one the resource is TNT."""
    rounds = bench.rounds(rounds)
    count = (GREAT_COUNTS if (length or 0) > 16_384 else COUNTS)[key]
    options = ["--table"] if table else []
    # In a round no token comes twice; with a table in none, not even in the one that is not counted.
    tokens = token_file(bench, key, form, length, (rounds + 1) * count if table else count)
    if length is not None:
        (bench.work / "resource").write_text(resource(length))
        options += ["--resource", bench.work / "resource"]
    with verification(bench, bench.key(key)[1], tokens, *options) as ours:
        bare_times, times = in_turn([bare, ours], count, rounds)
    size = f"resource of {length:,} bytes" if length is not None else "small"
    bench.results.ratio(
        benchmark, f"RSA-{key}, {form}, {size}{', one use enforced' if table else ''}", times, bare_times,
        floor_name="EVP_PKEY_verify", clock=CPU, key=key, form=form, resource_bytes=length or len("TNT"), table=table,
        threads=1, keys=1)


def token_file(bench, key, form, length, count):
    if length is None:
        return bench.tokens(key, count, "--form", form)
    path = bench.tokens(key, count, "--form", form, "--cdata", resource=resource(length))
    with path.open("rb") as file:
        longest = len(file.readline()) - 1
    if longest > 65_536:
        raise Failed(f"expected a token of at most 65,536 bytes, found {longest:,}: {form} with {length:,} of resource")
    return path
