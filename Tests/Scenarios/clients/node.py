#!/usr/bin/env -S python3 -B
"""The kit for Node.js: its package in an empty node_modules, conformance, types, the ten lines, what prints a token, and middleware in
real servers, one of them with four workers of `cluster`."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, needs, path, scratch
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/node"
KIT = kits.CLIENTS / "node"
FOLDER = path("empty")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def install():
    """Into an empty folder, in whose node_modules the package is unpacked as npm does it: without its first folder."""
    package, *others = kits.built_twice("node", KIT / "build-package").iterdir()
    with tarfile.open(package) as archive:
        files = {member.name: member for member in archive if member.isfile()}
        metadata = json.load(archive.extractfile("package/package.json"))
        licence = archive.extractfile("package/LICENSE").read()
    wanted = {f"package/lib/{name}" for name in os.listdir(KIT / "lib")} | {"package/package.json", "package/README.md", "package/LICENSE"}
    check("node: the package has the kit's name and version, its files and no others", package.name == f"mediatoken-{kits.VERSION}.tgz"
          and not others and set(files) == wanted, [package, *others, set(files) ^ wanted])
    check("node: anyone may read the package's files", all(member.mode == 0o644 and member.uid == 0 for member in files.values()))
    check("node: the package is of this version, under the project's licence, with what a registry shows", metadata["version"] == kits.VERSION
          and metadata["license"] == "Apache-2.0" and {"author", "homepage", "keywords"} <= metadata.keys() and licence == (ROOT / "LICENSE").read_bytes(), metadata)
    others = [name for name in metadata if "ependencies" in name or name == "scripts"]
    check("node: the package needs nothing else, and runs nothing when it is installed", not others, others)
    unpacked = os.path.join(FOLDER, "node_modules/mediatoken")
    os.makedirs(unpacked)
    run("tar", "--extract", "--gzip", "--file", package, "--strip-components", "1", "--directory", unpacked, check=True)
    for program in [KIT / "conformance.mjs", KIT / "example.mjs", *HERE.iterdir()]:
        shutil.copy(program, FOLDER)


def types(daemon, signer):
    """tsc finds nothing in a program that uses all of the types, which then runs, and each misuse for its own reason."""
    # Types of Node.js are no part of the language, and the kit's need none of them: tsconfig.json has none.
    checked = run("tsc", "--project", "tsconfig.json", "--pretty", "false", cwd=FOLDER)
    found, place = collections.defaultdict(str), "before"
    for line in checked.stdout.splitlines():
        start = re.match(r"misuse\.mts\((\d+),\d+\): ", line)
        place = int(start[1]) if start else place if line.startswith(" ") else line
        found[place] += line
    kits.misuses("node", HERE / "misuse.mts", " // ", found)
    names = run("node", "--input-type=module", "--eval", "console.log(...Object.keys(await import('mediatoken')))", cwd=FOLDER).stdout.split()
    ours = re.findall(r"(?m)^export (?:abstract )?(?:class|const|function) (\w+)", (KIT / "lib/index.d.ts").read_text())
    check("node: the types have what the package has", sorted(ours) == sorted(names) and len(names) == 11, f"{ours} {names}")
    tokens = [token.decode() for token in signer.issue(2, form="base64")]
    said = run("node", "typed.mjs", daemon.socket, *tokens, cwd=FOLDER)
    members = json.loads(said.stdout or "{}")
    check("node: members have the types that are written", said.returncode == 0 and len(members["texts"]) == 8
          and all(type(text) is str for text in members["texts"]) and members["texts"][1:3] == ["REF30", "TNT"]
          and members["times"][1] - members["times"][0] == 3_600_000
          and members["optional"] == [None] * 3 and members["use"] == "first" and members["kinds"] == ["function"] * 3
          and members["refused"] == "INVALID_TOKEN_FORMAT unknown-form INVALID_TOKEN_FORMAT new-token", said)


def readme(daemon, signer):
    """Its programs are the one that is run here, and one that takes all kinds of middleware; its commands play where there is an npm."""
    text, program = (KIT / "README.md").read_text(), (KIT / "example.mjs").read_text().split("*/", 1)[1]
    kits.shown("node", program, text, list(filter(None, program.splitlines())))
    _, second, _ = re.findall(r"(?s)```js\n(.*?)\n```", text)
    around = ("import { Client } from 'mediatoken'; const daemon = new Client('x'), CHANNELS = {}, play = () => {}, said = [];\n"
              f"const app = {{ get: (...all) => said.push(all.length) }};\n{second}\nconsole.log(said.join());")
    said = run("node", "--input-type=module", "--eval", around, cwd=FOLDER)
    check("node: the README's middleware can be made", said.stdout == "3,3\n", said)
    written = re.search(r"(?s)```sh\n(.*?)```", text)[1]
    check("node: the README gives npm a file", re.search(r"(?m)^npm install \./packages/", written), written)
    if shutil.which("npm") is not None:
        folder = path("reader")
        os.makedirs(folder)
        shutil.copy(KIT / "example.mjs", folder)
        alone = os.environ | {"npm_config_offline": "true", "npm_config_cache": path("cache"), "npm_config_update_notifier": "false"}
        kits.readme_commands("node", written.replace("clients/node", str(KIT)), daemon, signer, folder,
                             lambda text: run("bash", "-e", "-c", text, cwd=folder, env=alone))


def servers(daemon, signer):
    for kind in ("http", "express", "fastify"):
        address = path(kind + ".sock")
        server = launch(["node", "server.mjs", address, daemon.socket, kind], cwd=FOLDER)
        check(f"a server of the kind {kind} serves", serves(address))
        gate(kind, address, signer, daemon, joins=False)
        server.terminate()
        check(f"a server of the kind {kind} ends", server.wait(60) == 0)
    # The primary's client has asked already.
    address = path("cluster.sock")
    primary = launch(["node", "server.mjs", address, daemon.socket, "http", "4"], cwd=FOLDER)
    check("four workers of a cluster serve", serves(address))
    each_plays_once("a cluster", address, signer)
    primary.terminate()
    check("four workers of a cluster end", primary.wait(60) == 0)


needs("node", "tsc")
install()
kits.conformance("node", ["node", os.path.join(FOLDER, "conformance.mjs")])
signer = Signer()
daemon = Daemon(signer).start()
kits.example("node", ["node", os.path.join(FOLDER, "example.mjs")], daemon, signer)
readme(daemon, signer)
types(daemon, signer)
kits.inside("node", ["node", "inside.mjs", daemon.socket], 32, signer.issue(20, form="base64"), cwd=FOLDER, env=os.environ | {"TMPDIR": scratch})
kits.inside("node", ["node", "fake.mjs"], 4, [], cwd=FOLDER)
servers(daemon, signer)
finish()
