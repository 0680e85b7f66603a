"""What every part is given: programs, keys and tokens of this run, and what its findings go to."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from suite.measure.contender import Contender, in_turn
from suite.measure.running import run


class Key(NamedTuple):
    """The paths of a pair's PEM files, and the fingerprint."""

    private: pathlib.Path
    public: pathlib.Path
    fingerprint: str


@dataclass
class Bench:
    """`programs`: the folder of the benchmarks' own programs; `product`: that of mediatoken and mediatokend; `library`:
    libmediatoken.so.0; `results`: a `Recording`; `compared`: another mediatokend, if there is one to compare with."""

    programs: pathlib.Path
    product: pathlib.Path
    library: pathlib.Path
    results: object
    quick: bool = False
    compared: pathlib.Path | None = None
    work: pathlib.Path = field(default_factory=lambda: pathlib.Path(tempfile.mkdtemp(prefix="mediatoken-benchmarks-")))

    def rounds(self, usual):
        """How many rounds to take."""
        return min(usual, 3) if self.quick else usual

    @property
    def cpu(self):
        """The processor that contenders share: the last, which has the fewest interrupts."""
        return max(os.sched_getaffinity(0))

    @property
    def apart(self):
        """A processor for a server, and another one for those who ask, where there is one."""
        return self.cpu, max(os.sched_getaffinity(0) - {self.cpu}, default=self.cpu)

    def key(self, bits, whose=""):
        """A key pair of this run."""
        private, public = self.work / f"{whose}rsa{bits}.private.pem", self.work / f"{whose}rsa{bits}.pem"
        if not public.exists():
            run("openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", private)
            run("openssl", "pkey", "-in", private, "-pubout", "-out", public)
        der = run("openssl", "pkey", "-pubin", "-in", public, "-outform", "DER")
        return Key(private, public, hashlib.sha256(der).hexdigest())

    def tokens(self, bits, count, *options, resource="TNT"):
        """A file of `count` distinct tokens for requestor REF30 and this resource, raw, one per line; they live a day."""
        path = self.work / "-".join(["tokens", str(bits), str(count), str(len(resource)), *options])
        if not path.exists():
            # Signing is what takes long, and each process signs on one processor.
            processors = len(os.sched_getaffinity(0))
            shares = [(count + number) // processors for number in range(processors)]
            issue = [self.product / "mediatoken", "issue", "--key", self.key(bits).private, "--requestor", "REF30",
                     "--resource", resource, "--ttl", "86400000", *options]
            with ThreadPoolExecutor() as signing:
                pieces = list(signing.map(lambda share: run(*issue, "--count", share), filter(None, shares)))
            path.write_bytes(b"".join(pieces))
        return path

    def floor(self, bits):
        """The bare verification of one token, as a contender."""
        return Contender("floor", [self.programs / "floor", self.key(bits).public, self.tokens(bits, 1)], self.cpu)

    def compare(self, benchmark, case, ours, floor, counts, rounds, **about):
        """The record of two contenders in turn: `ours`, and `floor`, of which it is a multiple and which works first."""
        theirs, times = in_turn([floor, ours], counts, rounds)
        self.results.ratio(benchmark, case, times, theirs, **about)

    def new_table(self, path, capacity):
        """Makes a replay table that vouches for all tokens."""
        path.unlink(missing_ok=True)
        # Else three seconds are waited for the users of a table that was in this folder.
        os.utime(path.parent, (0, 0))
        run(self.product / "mediatoken", "replay", "create", "--table", path, "--capacity", capacity, "--fresh")
        return path

    @contextlib.contextmanager
    def folder(self):
        """An empty folder for a server, gone with it."""
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            yield pathlib.Path(name)

    def clean(self):
        shutil.rmtree(self.work, ignore_errors=True)
