"""The peers: what each is, how it is built from peers/NAME and started."""

import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass

from suite.measure.machine import first_line, package
from suite.measure.running import Unavailable, run
from suite.results import BENCHMARKS

PEERS, BUILT = BENCHMARKS / "peers", BENCHMARKS / ".build/peers"
# What every peer in C that is a contender shares.
CONTENDER = ["Sources/CContender/contender.c", "peers/common/files.c", "peers/common/tokens.c"]
PYTHON_VERSIONS = """
import cryptography, jwt
from cryptography.hazmat.backends.openssl.backend import backend
print(jwt.__version__, cryptography.__version__, backend.openssl_version_text().split()[1])
"""


@dataclass
class Peer:
    """`form`: the spelling of its tokens; `command`: how it starts, followed by key and tokens.

    `count`: how many it verifies in a round, so that each contender's takes about as long.
    """

    name: str
    what: str
    form: str
    command: list
    versions: dict
    count: int = 2000


def java():
    command("javac", "-d", BUILT / "java", *sorted((PEERS / "java").glob("*.java")))
    # Compiling at once: on one processor the compiler would otherwise wait for what it is to make faster, and so would Java.
    return Peer("Java", "Signature SHA256withRSA, StAX, all fields checked; no one use", "raw",
                ["java", "-Xbatch", "-cp", BUILT / "java", "Verification"], {"Java": first_line("java", "--version")})


def libjwt():
    return Peer("libjwt", "RS256 token, claims checked; parses the key's PEM each time; no one use", "jwt", [build_c("libjwt")],
                {"libjwt": version("libjwt"), "OpenSSL": package("libssl3")}, count=500)


def cjose():
    return Peer("cjose", "RS256 token, claims read by jansson and checked; no one use", "jwt", [build_c("cjose")],
                {"cjose": version("cjose"), "jansson": package("libjansson4"), "OpenSSL": package("libssl3")})


def pyjwt():
    versions = dict(zip(("PyJWT", "cryptography", "OpenSSL"), command(sys.executable, "-c", PYTHON_VERSIONS).split()))
    return Peer("PyJWT", "RS256 token, claims checked; no one use", "jwt", [sys.executable, PEERS / "pyjwt/verification.py"],
                {**versions, "Python": sys.version.split()[0]})


def xmlsec1():
    return Peer("xmlsec1", "XML with an enveloped signature, exclusive C14N, all fields checked; no one use", "xml",
                [build_c("xmlsec1", library="xmlsec1-openssl")],
                {"libxmlsec1": version("xmlsec1-openssl"), "libxml2": package("libxml2"), "OpenSSL": package("libssl3")})


BUILDERS = {"Java": java, "libjwt": libjwt, "cjose": cjose, "PyJWT": pyjwt, "xmlsec1": xmlsec1}


def build_c(name, shared=CONTENDER, library=None):
    """The program of peers/NAME and of sources that others have too, with a library of the same name if it has no other."""
    flags = command("pkg-config", "--cflags", "--libs", library or name).split()
    sources = [*(PEERS / name).glob("*.c"), *(BENCHMARKS / path for path in shared)]
    folders = {folder for source in sources for folder in (source.parent, source.parent / "include")}
    BUILT.mkdir(parents=True, exist_ok=True)
    command("cc", "-O2", "-Wall", "-Wextra", "-Werror", *(f"-I{folder}" for folder in folders), "-o", BUILT / name,
            *sources, *flags)
    return BUILT / name


def version(library):
    return command("pkg-config", "--modversion", library).strip()


def command(*words):
    """Standard output of a command; a peer is unavailable if it is missing or fails."""
    if shutil.which(words[0]) is None:
        raise Unavailable(f"{words[0]} is not installed")
    try:
        return run(*words, stderr=subprocess.PIPE, text=True)
    except subprocess.CalledProcessError as failure:
        said = failure.stderr.replace(f"{BENCHMARKS}/", "").split()
        raise Unavailable(f"{pathlib.Path(words[0]).name} failed: {' '.join(said)[-400:]}") from None
