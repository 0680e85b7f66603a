"""The peers: what each is, how it is built from peers/NAME and started."""

import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass

from suite import machine
from suite.bench import HERE, run
from suite.running import Unavailable

BUILT = HERE / ".build" / "peers"
# What every peer in C that is a contender shares.
CONTENDER = ["Sources/CContender/contender.c", "peers/common/files.c"]
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


def build_java():
    command("javac", "-d", BUILT / "java", *sorted((HERE / "peers" / "java").glob("*.java")))
    # Compiling at once: on one processor the compiler would else wait for what it is to make faster, and so would Java.
    return Peer(
        "Java", "Signature SHA256withRSA, StAX, all fields checked; no one use", "raw",
        ["java", "-Xbatch", "-cp", BUILT / "java", "Verification"], {"Java": machine.first_line("java", "--version")})


def build_libjwt():
    return Peer(
        "libjwt", "RS256 token, claims checked; parses the key's PEM each time; no one use", "jwt",
        [build_c("libjwt", "libjwt")],
        {"libjwt": package_version("libjwt"), "OpenSSL": machine.package("libssl3")}, count=500)


def build_cjose():
    return Peer(
        "cjose", "RS256 token, claims read by jansson and checked; no one use", "jwt", [build_c("cjose", "cjose")],
        {"cjose": package_version("cjose"), "jansson": machine.package("libjansson4"),
         "OpenSSL": machine.package("libssl3")})


def build_pyjwt():
    versions = dict(zip(("PyJWT", "cryptography", "OpenSSL"), command(sys.executable, "-c", PYTHON_VERSIONS).split()))
    versions["Python"] = sys.version.split()[0]
    return Peer(
        "PyJWT", "RS256 token, claims checked; no one use", "jwt",
        [sys.executable, HERE / "peers" / "pyjwt" / "verification.py"], versions)


def build_xmlsec1():
    return Peer(
        "xmlsec1", "XML with an enveloped signature, exclusive C14N, all fields checked; no one use", "xml",
        [build_c("xmlsec1", "xmlsec1-openssl")],
        {"libxmlsec1": package_version("xmlsec1-openssl"), "libxml2": machine.package("libxml2"),
         "OpenSSL": machine.package("libssl3")})


BUILDERS = {"Java": build_java, "libjwt": build_libjwt, "cjose": build_cjose, "PyJWT": build_pyjwt,
            "xmlsec1": build_xmlsec1}


def build_c(name, library, shared=CONTENDER):
    """The program of peers/NAME and of sources that others have too."""
    flags = command("pkg-config", "--cflags", "--libs", library).split()
    sources = [*(HERE / "peers" / name).glob("*.c"), *(HERE / path for path in shared)]
    folders = {folder for source in sources for folder in (source.parent, source.parent / "include")}
    BUILT.mkdir(parents=True, exist_ok=True)
    command("cc", "-O2", "-Wall", "-Wextra", "-Werror", *(f"-I{folder}" for folder in folders), "-o", BUILT / name,
            *sources, *flags)
    return BUILT / name


def package_version(library):
    return command("pkg-config", "--modversion", library).strip()


def command(*words):
    """Standard output of a command; a peer is unavailable if it is missing or fails."""
    if shutil.which(words[0]) is None:
        raise Unavailable(f"{words[0]} is not installed")
    try:
        return run(*words, stderr=subprocess.PIPE, text=True)
    except subprocess.CalledProcessError as failure:
        said = failure.stderr.replace(f"{HERE}/", "").split()
        raise Unavailable(f"{pathlib.Path(words[0]).name} failed: {' '.join(said)[-400:]}") from None
