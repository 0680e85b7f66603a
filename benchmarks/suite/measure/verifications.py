"""Whole verifications in turn with the floor, and the tokens that they verify."""

from suite.measure.contender import Contender
from suite.measure.running import Failed

HEAD = '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>{}</title>'
ITEM = ("<item><title>Episode {0:05}</title><guid>{0:08}</guid>"
        '<media:rating scheme="urn:v-chip">tv-pg</media:rating></item>')
TAIL = "</channel></rss>"
# How long an MRSS document may be in each form: with 60 KiB a raw token is nearly the longest there can be.
MRSS = {"raw": 60 * 1024, "base64": 47 * 1024, "percent": 40 * 1024}
LONGEST = 65_536
# How often each verifies in a round: some milliseconds. The same for a token of 60 KiB.
COUNTS = {1024: 600, 2048: 250, 4096: 60}
GREAT_COUNTS = {1024: 60, 2048: 50, 4096: 30}


def verification(bench, keys, tokens, *options, pinned=True):
    return Contender("verification", [bench.programs / "verification", keys, tokens, *options], bench.cpu if pinned else None)


def whole(bench, benchmark, key, form, length, rounds, *, table=False):
    """One kind of token, verified whole. `length` is that of an MRSS document; without one the resource is TNT."""
    rounds = bench.rounds(rounds)
    count = (GREAT_COUNTS if (length or 0) > 16_384 else COUNTS)[key]
    options = ["--table"] if table else []
    # In a round no token comes twice; with a table in none, not even in the one that is not counted.
    tokens = token_file(bench, key, form, length, (rounds + 1) * count if table else count)
    if length is not None:
        (bench.work / "resource").write_text(resource(length))
        options += ["--resource", bench.work / "resource"]
    size = f"resource of {length:,} bytes" if length is not None else "small"
    bench.compare(benchmark, f"RSA-{key}, {form}, {size}{', one use enforced' if table else ''}",
                  verification(bench, bench.key(key).public, tokens, *options), bench.floor(key), count, rounds, key=key,
                  form=form, resource_bytes=length or len("TNT"), table=table, threads=1, keys=1)


def token_file(bench, key, form, length, count):
    if length is None:
        return bench.tokens(key, count, "--form", form)
    path = bench.tokens(key, count, "--form", form, "--cdata", resource=resource(length))
    with path.open("rb") as file:
        longest = len(file.readline()) - 1
    if longest > LONGEST:
        raise Failed(f"expected a token of at most {LONGEST:,} bytes, found {longest:,}: {form} with {length:,} of resource")
    return path


def resource(length):
    """A resource id of this length: a name, or from 256 bytes on an MRSS document in one line, as production sends them."""
    if length < 256:
        return ("channel" + "0" * length)[:length]
    items = (length - len(HEAD.format("") + TAIL)) // len(ITEM.format(0))
    body = "".join(ITEM.format(number) for number in range(items))
    title = "T" * (length - len(HEAD.format("") + body + TAIL))
    return HEAD.format(title) + body + TAIL
