#!/usr/bin/env -S python3 -B
"""What each Debian package says that it is made of, in sbom.spdx.json, is what it is made of.

Validators that are not ours take the document: SPDX's own, and one of NTIA's minimum elements. Files, checksums, libraries and
licences are compared with the installed files, with dpkg's Depends and with debian/copyright. What tools/sbom does with a binary
whose parts are known, and what it refuses, is tried on a small one. That a second build makes the same bytes is in reproducible.sh.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/sbom")

from scenario import ROOT, check, finish, from_pypi, needs, scratch
from small import try_small_binary

needs("dpkg-deb", "readelf", "swiftc", "ar")
PACKAGES = pathlib.Path(os.environ["MEDIATOKEN_PACKAGES"])
PROGRAMS = from_pypi("sbom", ROOT / "Tests/Scenarios/packaging/sbom/requirements.txt")
#: Licences as debian/copyright names them.
DEBIAN_NAMES = {"Apache-2.0": "Apache-2.0", "Apache-2.0 WITH Swift-exception": "Apache-2.0 with Swift exception",
                "Apache-2.0 WITH LLVM-exception": "Apache-2.0 with LLVM exception", "Unicode-3.0": "Unicode-3.0",
                "BSD-3-Clause": "BSD-3-clause", "MIT": "Expat",
                "GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3+ with GCC exception",
                "LGPL-2.1-or-later WITH GCC-exception-2.0-note": "LGPL-2.1+ with linking exception"}


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def takes(file):
    """Whether both validators take it, and what they say."""
    for command in ([f"{PROGRAMS}/pyspdxtools", "-i", file, "--version", "SPDX-2.3"], [f"{PROGRAMS}/sbomcheck", "--quiet", "--comply", "ntia", file]):
        said = run(*command)
        if said.returncode != 0:
            return False, said
    return True, ""


def linked(document, file, kind):
    """The names that a binary has of a kind of link, each with its package."""
    names = {package["SPDXID"]: package["name"] for package in document["packages"]}
    return {name: names[relation["relatedSpdxElement"]] for relation in document["relationships"]
            if relation["spdxElementId"] == file["SPDXID"] and relation["relationshipType"] == kind
            for name in relation["comment"].split(", ")}


def check_binary(name, document, file, path, depends):
    here = f"{name}: {path.name}"
    needed = set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.+)\]", run("readelf", "-dW", path).stdout))
    needed |= {"libpq.so.5"} if b"libpq.so.5" in path.read_bytes() else set()
    loaded = linked(document, file, "DYNAMIC_LINK")
    check(f"{here}: what is loaded is in the SBOM, and nothing else",
          needed and set(loaded) == needed, set(loaded) ^ needed)
    check(f"{here}: the packages of what is loaded are those that the package depends on or suggests",
          set(loaded.values()) == depends, set(loaded.values()) ^ depends)
    inside = linked(document, file, "STATIC_LINK")
    swift = sorted(part for part, package in inside.items() if package.startswith("Swift "))
    # The metadata of every type names its module, and a message of its own the file.
    text = path.read_bytes()
    check(f"{here}: Swift's standard library is inside", "libswiftCore.a" in swift, swift)
    for module, archive in (("Synchronization", "libswiftSynchronization.a"), ("_StringProcessing", "libswift_StringProcessing.a"),
                            ("_Concurrency", "libswift_Concurrency.a"), ("Dispatch", "libswiftDispatch.a"),
                            ("FoundationEssentials", "libFoundationEssentials.a"), ("Observation", "libswiftObservation.a")):
        is_inside = any(b"\0" + module.encode() + end in text for end in (b"\0", b"/"))
        check(f"{here}: {archive} is in the document if its module is in the binary", (archive in swift) == is_inside, swift)
    others = {re.sub(r"-\d+-", "-", package) for package in inside.values()} - {"Swift runtime and standard library"}
    json_reader = set() if ".so" in path.name else {"libjansson-dev"}
    check(f"{here}: the rest is hiredis, jansson in a program, and parts of the C library and of GCC",
          others == {"libc6-dev", "libgcc-dev", "libhiredis-dev"} | json_reader, others)


def check_package(deb):
    name = run("dpkg-deb", "-f", deb, "Package").stdout.strip()
    root = pathlib.Path(scratch, name)
    run("dpkg-deb", "-R", deb, root)
    place = root / "usr/share/doc" / name / "sbom.spdx.json"
    if not check(f"{name} has an SBOM", place.is_file()):
        return
    check(f"{name}: SPDX's validator takes the SBOM, and it has NTIA's minimum elements", *takes(place))
    document = json.loads(place.read_text())
    main = document["packages"][0]
    version = run("dpkg-deb", "-f", deb, "Version").stdout.strip()
    check(f"{name}: the SBOM is of this package and version", (main["name"], main["versionInfo"]) == (name, version), main)
    check(f"{name}: every licence in the SBOM is known",
          all(package["licenseDeclared"] != "NOASSERTION" for package in document["packages"]))

    installed = {f"./{path.relative_to(root)}": path for path in root.rglob("*")
                 if path.is_file() and not path.is_symlink() and path != place and path.relative_to(root).parts[0] != "DEBIAN"}
    files = {file["fileName"]: file for file in document["files"]}
    check(f"{name}: every file is in the SBOM, and nothing else", set(files) == set(installed), set(files) ^ set(installed))
    for kind in ("sha1", "sha256"):
        wrong = [path for path in installed if hashlib.new(kind, installed[path].read_bytes()).hexdigest() not in
                 [found["checksumValue"] for found in files[path]["checksums"] if found["algorithm"] == kind.upper()]]
        check(f"{name}: the SBOM has the {kind} of every installed file", not wrong, wrong)

    binaries = [path for path in installed if installed[path].read_bytes()[:4] == b"\x7fELF"]
    depends = set(re.findall(r"(lib[^ ,]+) \(>=", run("dpkg-deb", "-f", deb, "Depends", "Suggests").stdout))
    for path in binaries:
        check_binary(name, document, files[path], installed[path], depends)
    licences = {DEBIAN_NAMES[licence] for licence in main["licenseConcluded"].split(" AND ")}
    text = (root / "usr/share/doc" / name / "copyright").read_text()
    head = set(re.search(r"(?m)^License: (.+)$", text.split("\n\n")[0])[1].split(" and "))
    # debian/copyright is one file: what it has besides is in another package.
    inside = head if "mediatoken" in map(os.path.basename, binaries) else licences & head
    check(f"{name}: the licences in the SBOM are those of debian/copyright",
          licences == (inside if binaries else {"Apache-2.0"}), licences ^ head)
    lacking = [licence for licence in head if not re.search(rf"(?m)^License: {re.escape(licence)}\n ", text)]
    check(f"{name}: debian/copyright has the text of each licence", not lacking, lacking)


debs = sorted(PACKAGES.glob("*.deb"))
check("the folder of the packages has four", len(debs) == 4, debs)
for deb in debs:
    check_package(deb)
try_small_binary(pathlib.Path(scratch, "small"), takes, linked)
finish()
