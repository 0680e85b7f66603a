"""The peers: what each is, how it is built from peers/NAME and started."""

import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass

from suite import machine
from suite.bench import HERE, run

BUILT = HERE / ".build" / "peers"
PYTHON_VERSIONS = """
import cryptography, jwt
from cryptography.hazmat.backends.openssl.backend import backend
print(jwt.__version__, cryptography.__version__, backend.openssl_version_text().split()[1])
"""


class Unavailable(Exception):
    """A peer cannot be built here."""


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
    build_c("libjwt", "libjwt")
    return Peer(
        "libjwt", "RS256 token, claims checked; parses the key's PEM each time; no one use", "jwt", [BUILT / "libjwt"],
        {"libjwt": package_version("libjwt"), "OpenSSL": machine.package("libssl3")}, count=500)


def build_pyjwt():
    versions = dict(zip(("PyJWT", "cryptography", "OpenSSL"), command(sys.executable, "-c", PYTHON_VERSIONS).split()))
    versions["Python"] = sys.version.split()[0]
    return Peer(
        "PyJWT", "RS256 token, claims checked; no one use", "jwt",
        [sys.executable, HERE / "peers" / "pyjwt" / "verification.py"], versions)


def build_xmlsec1():
    build_c("xmlsec1", "xmlsec1-openssl")
    return Peer(
        "xmlsec1", "XML with an enveloped signature, exclusive C14N, all fields checked; no one use", "xml",
        [BUILT / "xmlsec1"], {"libxmlsec1": package_version("xmlsec1-openssl"), "libxml2": machine.package("libxml2"),
                              "OpenSSL": machine.package("libssl3")})


BUILDERS = {"Java": build_java, "libjwt": build_libjwt, "PyJWT": build_pyjwt, "xmlsec1": build_xmlsec1}


def build_c(name, library):
    flags = command("pkg-config", "--cflags", "--libs", library).split()
    protocol = HERE / "Sources" / "CContender"
    sources = [*(HERE / "peers" / name).glob("*.c"), HERE / "peers" / "common" / "files.c", protocol / "contender.c"]
    BUILT.mkdir(parents=True, exist_ok=True)
    command("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-I", protocol / "include", "-I", HERE / "peers" / "common",
            "-o", BUILT / name, *sources, *flags)


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
