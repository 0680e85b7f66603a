"""How the cost of a verification grows with the payload and with the number of trusted keys."""

import shutil

from suite.bench import run
from suite.contender import in_turn
from suite.resources import MRSS
from suite.results import CPU
from suite.verifications import COUNTS, floor, verification, whole

LENGTHS = [16, 256, 1024, 4096, 16_384, 32_768, 40_960, 48_128, 61_440]
KEYS = [1, 2, 4, 8, 16]


def measure(bench):
    with floor(bench, 2048) as bare:
        for form, longest in MRSS.items():
            for length in LENGTHS:
                if length <= longest:
                    whole(bench, "payload", 2048, form, length, bare, rounds=15)
    for key in (1024, 2048):
        with floor(bench, key) as bare:
            for number in KEYS:
                trusting(bench, key, number, bare)


def trusting(bench, key, number, bare):
    """One key signed and is the last in order; as many as one verification can meet before it are of the same size."""
    folder = bench.work / f"{number}-keys-{key}"
    folder.mkdir()
    for other in range(number - 1):
        shutil.copy(other_key(bench, key, other), folder)
    shutil.copy(bench.key(key)[1], folder / "signing.pem")
    count = max(COUNTS[key] // number, 40)
    with verification(bench, folder, bench.tokens(key, 100)) as ours:
        bare_times, times = in_turn([bare, ours], count, bench.rounds(15))
    bench.results.ratio(
        "keys", f"RSA-{key}, {number} trusted {'key' if number == 1 else 'keys'}", times, bare_times,
        floor_name="EVP_PKEY_verify", clock=CPU, key=key, keys=number)


def other_key(bench, bits, number):
    """A public key that signs nothing."""
    path = bench.work / f"other-{bits}-{number:02}.pem"
    if not path.exists():
        private = run("openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}")
        run("openssl", "pkey", "-pubout", "-out", path, input=private)
    return path
