"""Other verifiers, doing the same work on the same machine in the same run."""

from suite.contender import Contender, in_turn


def measure(bench):
    _, public, _ = bench.key(2048)
    tokens = bench.tokens(2048, 100)
    with Contender("floor", [bench.programs / "floor", public, tokens], cpu=bench.cpu) as floor, \
            Contender("verification", [bench.programs / "verification", public, tokens], cpu=bench.cpu) as ours:
        bare, whole = in_turn([floor, ours], 2000, bench.rounds(21))
    bench.results.ratio("peers", "mediatoken", whole, bare, floor_name="EVP_PKEY_verify", peer="mediatoken")
