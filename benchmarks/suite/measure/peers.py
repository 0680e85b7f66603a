"""Other verifiers, doing the same work on the same machine in the same run."""

from suite.measure import machine
from suite.measure.contender import Contender, in_turn, must_refuse
from suite.measure.peer_programs import BUILDERS, Peer
from suite.measure.peer_tokens import token_files
from suite.measure.recording import WALL
from suite.measure.running import Failed, Unavailable

TOKENS = 100


def measure(bench):
    peers = [Peer("mediatoken", "whole verification by the Swift library, all fields checked; one use not enforced", "raw",
                  [bench.programs / "verification"], {"mediatoken": machine.git()}, count=4000)]
    for name, build in BUILDERS.items():
        bench.results.say(f"building the peer {name}")
        try:
            peers.append(build())
        except Unavailable as why:
            bench.results.skip(name, why)
    for bits in (1024, 2048):
        measure_key(bench, bits, peers)


def measure_key(bench, bits, peers):
    """All that can work with a key of this size, in turn."""
    files = token_files(bench, bits, {peer.form for peer in peers}, TOKENS)
    peers = [peer for peer in peers if is_able(bench, peer, bits, files[peer.form])]
    contenders = [contender(bench, peer, bits, files[peer.form]["valid"]) for peer in peers]
    bare, *times = in_turn([bench.floor(bits), *contenders], [5000, *(peer.count for peer in peers)], bench.rounds(31))
    for peer, took in zip(peers, times):
        # Ours is the first of them: without it there is no run.
        bench.results.ratio("peers", f"{peer.name}, RSA-{bits}", took, bare, clock=WALL, ours=times[0], peer=peer.name,
                            key=bits, what=peer.what, versions=peer.versions)


def is_able(bench, peer, bits, files):
    """Whether a peer works here. If so it must refuse what has to be refused."""
    bench.results.say(f"trying {peer.name} with RSA-{bits}")
    try:
        with contender(bench, peer, bits, files["valid"]) as trial:
            trial.run(TOKENS)
    except Failed as why:
        if peer.name == "mediatoken":
            raise
        bench.results.skip(f"{peer.name}, RSA-{bits}", why)
        return False
    for reason in files.keys() - {"valid"}:
        must_refuse(peer.name, reason, contender(bench, peer, bits, files[reason]), "token 0 ", "valid")
    return True


def contender(bench, peer, bits, tokens):
    return Contender(peer.name, [*peer.command, bench.key(bits).public, tokens], bench.cpu)
