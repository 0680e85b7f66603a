"""What every part of the suite is given."""

import os
import pathlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

from suite.running import Failed

HERE = pathlib.Path(__file__).resolve().parent.parent


@dataclass
class Bench:
    """`programs`: the folder of the benchmarks' own programs; `product`: that of mediatoken and mediatokend; `library`:
    libmediatoken.so.0; `compared`: another mediatokend, if there is one to compare with."""

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

    def key(self, bits, whose=""):
        """A key pair of this run: the paths of its private and its public PEM file, and its fingerprint."""
        private, public = self.work / f"{whose}rsa{bits}.private.pem", self.work / f"{whose}rsa{bits}.pem"
        if not public.exists():
            run("openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", private)
            run("openssl", "pkey", "-in", private, "-pubout", "-out", public)
        der = run("openssl", "pkey", "-pubin", "-in", public, "-outform", "DER")
        fingerprint = run("sha256sum", input=der).split()[0].decode()
        return private, public, fingerprint

    def tokens(self, bits, count, *options, resource="TNT"):
        """A file of `count` distinct tokens for requestor REF30 and this resource, raw, one a line; they live a day."""
        path = self.work / "-".join(["tokens", str(bits), str(count), str(len(resource)), *options])
        if path.exists():
            return path
        # Signing is what takes long, and each process signs on one processor.
        shares = len(os.sched_getaffinity(0))
        pieces = [tempfile.TemporaryFile() for _ in range(shares)]
        signing = [
            subprocess.Popen(
                [self.product / "mediatoken", "issue", "--key", self.key(bits)[0], "--requestor", "REF30", "--resource",
                 resource, "--ttl", "86400000", "--count", str(share), *options], stdout=piece)
            for piece, share in zip(pieces, [(count + number) // shares for number in range(shares)]) if share > 0]
        if any([process.wait() for process in signing]):
            raise Failed("mediatoken issue: expected exit status 0")
        with path.open("wb") as file:
            for piece in pieces:
                piece.seek(0)
                shutil.copyfileobj(piece, file)
                piece.close()
        return path

    def clean(self):
        shutil.rmtree(self.work, ignore_errors=True)


def run(*command, **options):
    """Standard output of a command that must succeed."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, **options).stdout
