"""How often one verification allocates, and who asks."""

import json

from suite.bench import run


def measure(bench):
    _, public, _ = bench.key(2048)
    tokens = bench.tokens(2048, 2)
    for case, options in [("RSA-2048, raw", []), ("RSA-2048, raw, one use enforced", ["--table"])]:
        counted = json.loads(run(bench.programs / "verify-allocations", public, tokens, *options))
        bench.results.add(
            {"benchmark": "allocations", "case": case, "key": 2048, "table": bool(options), **counted},
            ", ".join(f"{owner} {count}" for owner, count in counted.items()))
