#!/usr/bin/env -S python3 -B
"""The kit for Node.js: its package in an empty project, the table, a real daemon, types, and middleware in four workers of `cluster`."""

import os
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from scenario import finish, needs, path
from servers import play

KIT, HERE = kits.CLIENTS / "node", kits.HERE / "node"


def without_npm():
    """Where there is no npm, what it does with a file: it is unpacked without its first folder."""
    os.mkdir(path("bin"))
    if shutil.which("npm") is None:
        with open(os.open(path("bin/npm"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as script:
            script.write("#!/bin/sh\nmkdir -p node_modules/mediatoken && tar -xzf $2 --strip-components 1 -C node_modules/mediatoken\n")
    return {"PATH": f"{path('bin')}:{os.environ['PATH']}", "npm_config_offline": "true", "npm_config_cache": path("cache"),
            "npm_config_update_notifier": "false"}


needs("node", "tsc")
kits.package("node", [KIT / "build-package"], f"mediatoken-{kits.VERSION}.tgz",
             kits.files("node", "lib/*") | {"package.json", "README.md"}, "package/")
folder = kits.project("node", "example.mjs", **without_npm())
for program in [KIT / "conformance.mjs", *HERE.iterdir()]:
    shutil.copy(program, folder)
# The kit's types need none of Node.js.
flags = "--strict --exactOptionalPropertyTypes --noEmit --module node16 --target es2022 --lib es2022 --pretty false misuse.mts"
kits.misuses("node", HERE / "misuse.mts", " // ", kits.run("tsc", *flags.split(), cwd=folder).stdout)
kits.judge("node", "node", folder / "conformance.mjs")
kits.inside("node", 5, "node", "inside.mjs", kits.daemon.socket, tokens=kits.signer.issue(2, form="base64"), cwd=folder)
play("a cluster", path("web"), "node", "server.mjs", path("web"), kits.daemon.socket, cwd=folder)
finish()
