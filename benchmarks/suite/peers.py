"""Other verifiers, doing the same work on the same machine in the same run."""

import contextlib

from suite import machine
from suite.bench import run
from suite.contender import Contender, Failed, in_turn, spread
from suite.peer_programs import BUILDERS, Peer, Unavailable
from suite.peer_tokens import forge, spell
from suite.results import WALL

ROUNDS = 31
TOKENS = 100


def measure(bench):
    peers = [ours(bench), *built(bench.results)]
    for bits in (1024, 2048):
        with contextlib.ExitStack() as running:
            measure_key(bench, bits, peers, running)


def ours(bench):
    return Peer("mediatoken", "whole verification by the Swift library, all fields checked; one use not enforced", "raw",
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
    files = token_files(bench, bits, {peer.form for peer in peers})
    floor = running.enter_context(Contender("floor", [bench.programs / "floor", key, files["raw"]["valid"]], cpu=bench.cpu))
    contenders, able = [floor], []
    for peer in peers:
        contender = started(bench, peer, bits, key, files[peer.form])
        if contender is not None:
            contenders.append(running.enter_context(contender))
            able.append(peer)
    bare, *times = in_turn(contenders, [5000, *(peer.count for peer in able)], bench.rounds(ROUNDS))
    for peer, took in zip(able, times):
        record = bench.results.ratio(
            "peers", f"{peer.name}, RSA-{bits}", took, bare, floor_name="EVP_PKEY_verify", peer=peer.name, key=bits,
            what=peer.what, versions=peer.versions)
        # Ours is the first of them: without it there is no run.
        record["to_ours"] = spread([mine[WALL] / own[WALL] for mine, own in zip(took, times[0])])


def started(bench, peer, bits, key, files):
    """The contender of a peer that accepts valid tokens and refuses the others; nothing if it doesn't work here."""
    bench.results.say(f"starting {peer.name} for RSA-{bits}")
    try:
        contender = Contender(peer.name, [*peer.command, key, files["valid"]], cpu=bench.cpu)
        contender.run(TOKENS)
    except Failed as why:
        if peer.name == "mediatoken":
            raise
        bench.results.skip(f"{peer.name}, RSA-{bits}", " ".join(str(why).split()))
        return None
    for reason, file in files.items():
        if reason != "valid":
            must_refuse(bench, peer, key, reason, file)
    return contender


def must_refuse(bench, peer, key, reason, file):
    """A contender that accepted such a token would do less work than the others."""
    try:
        with Contender(peer.name, [*peer.command, key, file], bench.cpu, {"SWIFT_BACKTRACE": "enable=no"}) as contender:
            contender.run(1)
    except Failed as refusal:
        if "token 0 " in str(refusal) and "is not valid" in str(refusal):
            return
        raise
    raise Failed(f"{peer.name}: expected a refusal of a token that is {reason}; found it accepted")


def token_files(bench, bits, forms):
    """For each form the paths of files: many valid tokens, and one of each kind that must be refused."""
    private, _, _ = bench.key(bits)
    valid = issue(bench, private, count=TOKENS)
    other = {
        "for another requestor": issue(bench, private, requestor="REF31"),
        "for another resource": issue(bench, private, resource="TBS"),
        "expired": issue(bench, private, issue_time="2020-01-01T00:00:00Z"),
        "not yet valid": issue(bench, private, issue_time="2200-01-01T00:00:00Z"),
    }
    files = {}
    for form in forms:
        good = [spell(form, token, private) for token in valid]
        kinds = {"valid": good, "forged": [forge(form, good[0])]}
        kinds |= {kind: [spell(form, token, private) for token in tokens] for kind, tokens in other.items()}
        files[form] = {kind: bench.work / f"peers-{bits}-{form}-{kind.replace(' ', '-')}" for kind in kinds}
        for kind, tokens in kinds.items():
            files[form][kind].write_bytes(b"".join(token + b"\n" for token in tokens))
    return files


def issue(bench, key, *, requestor="REF30", resource="TNT", count=1, issue_time=None):
    words = [bench.product / "mediatoken", "issue", "--key", key, "--requestor", requestor, "--resource", resource,
             "--ttl", "86400000", "--count", str(count)]
    words += ["--issue-time", issue_time] if issue_time else []
    return run(*words).splitlines()
