#!/usr/bin/env -S python3 -B
"""The kit for Go: its module from a proxy in a folder into an empty module, the table, a real daemon, and middleware in a server of net/http."""

import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, needs, path
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/go"
KIT = kits.CLIENTS / "go"
MODULE, VERSION = "mediatoken.invalid/mediatoken", "v" + kits.VERSION
#: A user who has nothing and no network: what Go fetches comes from the proxy in the folder.
ENVIRONMENT = {"HOME": path("home"), "GOENV": "off", "GOPATH": path("gopath"), "GOCACHE": path("gocache"), "GOFLAGS": "-mod=mod -modcacherw",
               "GOPROXY": "off"}


def run(*command, cwd):
    said = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd,
                          env=os.environ | ENVIRONMENT | {"GOPROXY": f"file://{path('package')}", "GONOSUMDB": MODULE})
    check(f"go: {' '.join(map(str, command))}", said.returncode == 0 and not (command[0] == "gofmt" and said.stdout), said)


def module():
    """As a module proxy has it; it needs nothing."""
    folder = kits.built_twice("go", KIT / "build-package") / MODULE / "@v"
    with zipfile.ZipFile(folder / f"{VERSION}.zip") as archive:
        files = {name.removeprefix(f"{MODULE}@{VERSION}/"): archive.read(name) for name in archive.namelist()}
    wanted = {file.relative_to(KIT).as_posix() for file in KIT.rglob("*") if file.is_file()} | {"LICENSE"}
    names = {file.name for file in folder.iterdir()}
    check("go: the module has the kit's version, its files and the licence, and needs nothing", set(files) == wanted
          and names == {"list", VERSION + ".info", VERSION + ".mod", VERSION + ".zip"} and b"require" not in files["go.mod"], [names, set(files) ^ wanted])


needs("go", "gcc")
module()
signer = Signer()
daemon = Daemon(signer).start()
folder = kits.project("go", "main.go", daemon, signer, **ENVIRONMENT)
readme, program = (KIT / "README.md").read_text(), (HERE / "server/main.go").read_text()
shown = re.search(r"(?s)## Middleware\n.*?```go\n(.*?)```", readme)[1]
check("go: the README's middleware is the server's", all(line.strip() in program for line in shown.splitlines()), shown)
(folder / "server").mkdir()
(folder / "server/main.go").write_text(program)
run("gofmt", "-l", KIT, HERE, cwd=folder)
run("go", "vet", "./...", cwd=KIT)
run("go", "vet", "./server", cwd=folder)
run("go", "build", "-race", "-o", path("driver"), MODULE + "/conformance", cwd=folder)
run("go", "build", "-race", "-o", path("server"), "./server", cwd=folder)
kits.judge("go", [path("driver")])
address = path("server.sock")
with open(path("said"), "w") as said:
    server = launch([path("server"), address, daemon.socket], stdout=said)
check("go: the server serves", serves(address))
with open(path("said")) as said:
    check("go: the double and a cancelled call", len(said.readlines()) == 6)
gate("net/http", address, signer, daemon, joins=False)
each_plays_once("net/http", address, signer, has_workers=False)
server.terminate()
server.wait(60)
finish()
