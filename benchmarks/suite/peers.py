"""Other verifiers, doing the same work on the same machine in the same run."""

import contextlib

from suite import machine
from suite.contender import Contender, in_turn, must_refuse, spread
from suite.peer_programs import BUILDERS, Peer
from suite.peer_tokens import token_files
from suite.results import WALL
from suite.running import Failed, Unavailable

ROUNDS = 31
TOKENS = 100


def measure(bench):
    peers = [ours(bench), *built(bench.results)]
    for bits in (1024, 2048):
        with contextlib.ExitStack() as running:
            measure_key(bench, bits, peers, running)


def ours(bench):
    return Peer(
        "mediatoken", "whole verification by the Swift library, all fields checked; one use not enforced", "raw",
        [bench.programs / "verification"], {"mediatoken": machine.git()}, count=4000)


def built(results):
    for name, build in BUILDERS.items():
        results.say(f"building the peer {name}")
        try:
            yield build()
        except Unavailable as why:
            results.skip(name, str(why))


def measure_key(bench, bits, peers, running):
    """All that can work with a key of this size, in turn."""
    _, key, _ = bench.key(bits)
    files = token_files(bench, bits, {peer.form for peer in peers}, TOKENS)
    floor = Contender("floor", [bench.programs / "floor", key, files["raw"]["valid"]], cpu=bench.cpu)
    contenders, able = [running.enter_context(floor)], []
    for peer in peers:
        contender = started(bench, peer, bits, files[peer.form])
        if contender is None:
            continue
        contenders.append(running.enter_context(contender))
        able.append(peer)
        for reason in files[peer.form].keys() - {"valid"}:
            must_refuse(peer.name, reason, lambda: contender_of(bench, peer, bits, files[peer.form][reason]),
                        "token 0 ", "valid")
    bare, *times = in_turn(contenders, [5000, *(peer.count for peer in able)], bench.rounds(ROUNDS))
    for peer, took in zip(able, times):
        record = bench.results.ratio(
            "peers", f"{peer.name}, RSA-{bits}", took, bare, floor_name="EVP_PKEY_verify", peer=peer.name, key=bits,
            what=peer.what, versions=peer.versions)
        # Ours is the first of them: without it there is no run.
        record["to_ours"] = spread([mine[WALL] / own[WALL] for mine, own in zip(took, times[0])])


def started(bench, peer, bits, files):
    """The contender of a peer, which has verified each token once; nothing if it doesn't work here."""
    bench.results.say(f"starting {peer.name} for RSA-{bits}")
    try:
        contender = contender_of(bench, peer, bits, files["valid"])
        contender.run(TOKENS)
        return contender
    except Failed as why:
        if peer.name == "mediatoken":
            raise
        bench.results.skip(f"{peer.name}, RSA-{bits}", str(why))
        return None


def contender_of(bench, peer, bits, tokens):
    # A refusal ends ours as a fatal error, and its reason must not drown in a backtrace.
    quiet = {"SWIFT_BACKTRACE": "enable=no"}
    return Contender(peer.name, [*peer.command, bench.key(bits)[1], tokens], bench.cpu, quiet)
