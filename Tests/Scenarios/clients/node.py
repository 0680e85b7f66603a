#!/usr/bin/env -S python3 -B
"""The kit for Node.js: its package in an empty project, the table, a real daemon, types, and middleware in real servers, one of them with
four workers of `cluster`."""

import os
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, needs, path
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/node"
KIT = kits.CLIENTS / "node"


def package():
    """Has all of the kit."""
    built, *others = kits.built_twice("node", KIT / "build-package").iterdir()
    with tarfile.open(built) as archive:
        files = {member.name: member.mode for member in archive if member.isfile()}
    wanted = {f"package/lib/{name}" for name in os.listdir(KIT / "lib")} | {"package/package.json", "package/README.md", "package/LICENSE"}
    check("node: the package has the kit's version, and its files, for anyone to read", built.name == f"mediatoken-{kits.VERSION}.tgz"
          and not others and set(files) == wanted and set(files.values()) == {0o644}, [others, set(files) ^ wanted])


def without_npm():
    """Where there is no npm, what it does with a file: it is unpacked without its first folder."""
    os.mkdir(path("bin"))
    if shutil.which("npm") is None:
        with open(os.open(path("bin/npm"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as script:
            script.write("#!/bin/sh\nmkdir -p node_modules/mediatoken && tar -xzf $2 --strip-components 1 -C node_modules/mediatoken\n")
    return {"PATH": f"{path('bin')}:{os.environ['PATH']}", "npm_config_offline": "true", "npm_config_cache": path("cache"),
            "npm_config_update_notifier": "false"}


def types(folder):
    """tsc finds nothing but each misuse, for its own reason; the kit's types need none of Node.js."""
    flags = "--strict --exactOptionalPropertyTypes --noEmit --module node16 --target es2022 --lib es2022 --pretty false misuse.mts"
    checked = subprocess.run(["tsc", *flags.split()], cwd=folder, capture_output=True, text=True)
    kits.misuses("node", HERE / "misuse.mts", " // ", checked.stdout)


def served(name, daemon, folder, *workers):
    launch(["node", "server.mjs", path(name + ".sock"), daemon.socket, *workers], cwd=folder)
    check(f"{name} serves", serves(path(name + ".sock")))
    return path(name + ".sock")


needs("node", "tsc")
package()
signer = Signer()
daemon = Daemon(signer).start()
folder = kits.project("node", "example.mjs", daemon, signer, **without_npm())
for program in [KIT / "conformance.mjs", *HERE.iterdir()]:
    shutil.copy(program, folder)
types(folder)
kits.judge("node", ["node", folder / "conformance.mjs"])
kits.inside("node", ["node", "inside.mjs", daemon.socket], 7, signer.issue(5, form="base64"), cwd=folder)
gate("node:http", served("node:http", daemon, folder), signer, daemon, joins=False)
each_plays_once("a cluster", served("a cluster", daemon, folder, "4"), signer)
finish()
