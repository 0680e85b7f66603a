"""The library: whole verifications in every form, beside the bare RSA verification that no verifier can avoid."""

from suite import growth, library_abi, steps, throughput, worst
from suite.resources import MRSS
from suite.verifications import COUNTS, floor, whole


def measure(bench):
    for key in COUNTS:
        with floor(bench, key) as bare:
            for form, length in MRSS.items():
                whole(bench, "verify", key, form, None, bare)
                whole(bench, "verify", key, form, length, bare)
            whole(bench, "verify", key, "raw", None, bare, table=True)
            whole(bench, "verify", key, "raw", MRSS["raw"], bare, table=True)
            steps.measure(bench, key, bare)
    growth.measure(bench)
    worst.measure(bench)
    throughput.measure(bench)
    library_abi.measure(bench)
