#!/usr/bin/env -S python3 -B
"""The kit for Node.js: its package in an empty node_modules, conformance, types, the ten lines, what prints a token, threads, and
middleware in real servers, one of them with four workers of `cluster`."""

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
from scenario import ROOT, check, count, finish, needs, path, scratch
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/node"
KIT = kits.CLIENTS / "node"


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def package():
    """As npm has it."""
    package, *others = kits.built_twice("node", KIT / "build-package").iterdir()
    check("under its name", package.name == f"mediatoken-{kits.VERSION}.tgz" and not others, [package, *others])
    with tarfile.open(package) as archive:
        files = {member.name: member for member in archive if member.isfile()}
        metadata = json.load(archive.extractfile("package/package.json"))
        licence = archive.extractfile("package/LICENSE").read()
    sources = {f"package/lib/{name}" for name in os.listdir(KIT / "lib")}
    wanted = sources | {"package/package.json", "package/README.md", "package/LICENSE"}
    check("with the package and nothing else", set(files) == wanted, set(files) ^ wanted)
    check("as anyone may read it", all(member.mode == 0o644 and member.uid == 0 for member in files.values()))
    check("of this version, under the project's licence", metadata["version"] == kits.VERSION
          and metadata["license"] == "Apache-2.0" and licence == (ROOT / "LICENSE").read_bytes(), metadata)
    others = [name for name in metadata if "ependencies" in name or name == "scripts"]
    check("which needs nothing else, and runs nothing when it is installed", not others, others)
    entries = [entry if isinstance(entry, dict) else {"default": entry} for entry in metadata["exports"].values()]
    targets = {target for entry in entries for target in entry.values()}
    check("and exports what is there", all("package/" + target[2:] in files for target in targets) and len(targets) == 5, targets)
    return package


def environment(name):
    """An empty folder, in whose node_modules the package is unpacked as npm does it: without its first folder."""
    folder = path("empty")
    unpacked = os.path.join(folder, "node_modules/mediatoken")
    os.makedirs(unpacked)
    run("tar", "--extract", "--gzip", "--file", name, "--strip-components", "1", "--directory", unpacked, check=True)
    for program in [KIT / "conformance.mjs", KIT / "example.mjs", *HERE.iterdir()]:
        shutil.copy(program, folder)
    check("it is imported from an empty folder", len(names(folder)) == 11, names(folder))
    by_npm(name, unpacked)
    return folder


def names(folder):
    """What the package exports."""
    program = "console.log(...Object.keys(await import('mediatoken')))"
    return run("node", "--input-type=module", "--eval", program, cwd=folder).stdout.split()


def by_npm(name, unpacked):
    """Where there is an npm it installs the same files. Debian's nodejs has none."""
    if shutil.which("npm") is None:
        count("npm is not here")
        return
    folder = path("npm")
    os.makedirs(folder)
    installed = run("npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", path("npm-cache"), name, cwd=folder)
    same = run("diff", "--recursive", unpacked, os.path.join(folder, "node_modules/mediatoken"))
    check("npm installs it offline, with the same files", installed.returncode == 0 and same.returncode == 0, f"{installed} {same}")


def types(folder, daemon, signer):
    """tsc finds nothing in a program that uses all of the types, which then runs, and each misuse for its own reason."""
    lines = (HERE / "misuse.mts").read_text().splitlines()
    wanted = {f"misuse.mts({number}": line.rsplit(" // ", 1)[1] for number, line in enumerate(lines, 1) if " // " in line}
    # Types of Node.js are no part of the language, and the kit's need none of them: tsconfig.json has none.
    checked = run("tsc", "--project", "tsconfig.json", "--pretty", "false", cwd=folder)
    found, place = collections.defaultdict(str), "before"
    for line in checked.stdout.splitlines():
        place = line.split(",")[0] if re.match(r"\S+\(\d+,\d+\): ", line) else place if line.startswith(" ") else line
        found[place] += line
    wrong = {place: found[place] for place in set(found) | set(wanted) if place not in wanted or wanted[place] not in found[place]}
    check(f"tsc finds each of {len(wanted)} misuses, and nothing else", not wrong and len(wanted) > 17, f"{wrong} {checked.stderr}")
    ours = re.findall(r"(?m)^export (?:abstract )?(?:class|const|function) (\w+)", (KIT / "lib/index.d.ts").read_text())
    check("the types have what the package has", sorted(ours) == sorted(names(folder)), f"{ours} {names(folder)}")
    tokens = [token.decode() for token in signer.issue(2, form="base64")]
    said = run("node", "typed.mjs", daemon.socket, *tokens, cwd=folder)
    members = json.loads(said.stdout or "{}")
    check("and what they say is so", said.returncode == 0 and len(members["texts"]) == 8
          and all(type(text) is str for text in members["texts"]) and members["texts"][1:3] == ["REF30", "TNT"]
          and members["times"][1] - members["times"][0] == 3_600_000
          and members["optional"] == [None] * 3 and members["use"] == "first" and members["kinds"] == ["function"] * 3
          and members["refused"] == "INVALID_TOKEN_FORMAT unknown-form INVALID_TOKEN_FORMAT new-token", said)


def inside(folder, daemon, signer):
    tokens = b"\n".join(signer.issue(600, form="base64"))
    said = subprocess.run(["node", "inside.mjs", daemon.socket], input=tokens, capture_output=True, cwd=folder,
                          env=os.environ | {"TMPDIR": scratch})
    lines = said.stdout.decode().splitlines()
    for line in lines:
        check(line, True)
    check("all of that", said.returncode == 0 and len(lines) == 44, f"{len(lines)} {said.stderr.decode()}")


def readme(folder):
    """The programs of the README are the one that is run here, and one that takes all kinds of middleware."""
    text = (KIT / "example.mjs").read_text()
    program = text.split("*/", 1)[1].strip()
    check("the example has ten lines", len([line for line in program.splitlines() if line]) <= 10)
    first, second = re.findall(r"(?s)```js\n(.*?)\n```", (KIT / "README.md").read_text())
    check("and is in the kit's README", first == program)
    around = ("import { Client } from 'mediatoken'; const daemon = new Client('x'), CHANNELS = {}, play = () => {}, said = [];\n"
              f"const app = {{ get: (...all) => said.push(all.length) }};\n{second}\nconsole.log(said.join());")
    said = run("node", "--input-type=module", "--eval", around, cwd=folder)
    check("whose middleware can be made", said.stdout == "3,3\n", said)


def commands(daemon, signer):
    """The README's commands, as they are written, in an empty folder that has the ten lines."""
    written = re.search(r"(?s)```sh\n(.*?)```", (KIT / "README.md").read_text())[1]
    # npm takes what is not a path that begins with a dot or slash for a repository.
    check("npm is given a file", re.search(r"(?m)^npm install \./packages/", written), written)
    if shutil.which("npm") is None:
        return count("npm is not here")
    folder = path("reader")
    os.makedirs(folder)
    shutil.copy(KIT / "example.mjs", folder)
    written = written.replace("clients/node", str(KIT)).replace("/run/mediatokend/mediatokend.sock", daemon.socket)
    alone = {"npm_config_offline": "true", "npm_config_cache": path("reader-cache"), "npm_config_update_notifier": "false"}
    said = kits.readme_commands(written, signer, os.path.join(folder, "token"),
                                lambda text: run("bash", "-e", "-c", text, cwd=folder, env=os.environ | alone))
    return check("the README's commands play", said.returncode == 0 and said.stdout.splitlines()[-1].startswith("play TNT until 20"), said)


def servers(folder, daemon, signer):
    for kind in ("http", "express", "fastify"):
        address = path(kind + ".sock")
        server = launch(["node", "server.mjs", address, daemon.socket, kind], cwd=folder)
        check(f"a server of the kind {kind} serves", serves(address))
        gate(kind, address, signer, daemon, joins=False)
        server.terminate()
        check("and ends", server.wait(60) == 0)


def cluster(folder, daemon, signer):
    """Four workers, of a primary whose client has asked already."""
    address = path("cluster.sock")
    primary = launch(["node", "server.mjs", address, daemon.socket, "http", "4"], cwd=folder)
    check("four workers serve", serves(address))
    each_plays_once(address, signer)
    primary.terminate()
    check("and end", primary.wait(60) == 0)


def main():
    needs("node", "tsc")
    folder = environment(package())
    check("its version is that of the daemon", kits.version_of_the_command() == kits.VERSION)
    driver = ["node", os.path.join(folder, "conformance.mjs")]
    kits.conformance("node", driver)
    readme(folder)
    signer = Signer()
    daemon = Daemon(signer).start()
    kits.example(["node", os.path.join(folder, "example.mjs")], daemon, signer)
    commands(daemon, signer)
    types(folder, daemon, signer)
    inside(folder, daemon, signer)
    servers(folder, daemon, signer)
    cluster(folder, daemon, signer)
    check("the daemon ends well", daemon.end() == 0)
    kits.overhead("node", driver)
    finish()


main()
