#!/usr/bin/env -S python3 -B
"""The kit for Go: its module from a proxy in a folder into an empty module, conformance, misuse that does not compile, the ten lines,
and middleware in a server of net/http. Goroutines, contexts and what is printed are the module's own tests."""

import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, needs, path, skip
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/go"
KIT = kits.CLIENTS / "go"
MODULE, VERSION = "mediatoken.invalid/mediatoken", "v" + kits.VERSION
#: The environment of a user who has nothing and no network: what Go fetches comes from the proxy in the folder.
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": path("home"), "GOENV": "off", "GOPATH": path("gopath"), "GOCACHE": path("gocache"),
               "GOFLAGS": "-mod=mod -modcacherw", "GOPROXY": "file://" + path("package"), "GONOSUMDB": MODULE, "GOTMPDIR": path("")}


def run(*command, cwd=path("backend"), **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT, **options)


def install():
    """As a module proxy has it, into an empty module."""
    folder = kits.built_twice("go", KIT / "build-package") / MODULE / "@v"
    names = {file.name for file in folder.iterdir()}
    check("go: the package's files are those of a module proxy", names == {"list", VERSION + ".info", VERSION + ".mod", VERSION + ".zip"}, names)
    with zipfile.ZipFile(folder / f"{VERSION}.zip") as archive:
        files = {name.removeprefix(f"{MODULE}@{VERSION}/"): archive.read(name) for name in archive.namelist()}
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "clients/go"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        skip(f"not a checkout: {listed.stderr.strip()}")
    wanted = {name.removeprefix("clients/go/") for name in listed.stdout.split("\0") if name} | {"LICENSE"}
    check("go: the module has the files of the repository, the project's licence and nothing else", set(files) == wanted and len(wanted) > 10
          and files["LICENSE"] == (ROOT / "LICENSE").read_bytes(), set(files) ^ wanted)
    check("go: the module needs Go 1.19 and nothing else", b"require" not in files["go.mod"] and b"go 1.19" in files["go.mod"], files["go.mod"])
    os.mkdir(path("backend"))
    os.mkdir(path("home"))
    run("go", "mod", "init", "example.invalid/backend")
    installed = run("go", "get", f"{MODULE}@{VERSION}")
    if not check("go: the kit installs into an empty module", installed.returncode == 0, installed):
        finish()
    found = run("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", MODULE).stdout.split()
    check("go: the kit is used from where it was installed", found[0] == VERSION and found[1].startswith(path("gopath")), found)


def build(name, package, *flags):
    built = run("go", "build", *flags, "-o", path(name), package)
    if not check(f"go: {name} is built from the installed kit", built.returncode == 0, built):
        finish()
    return path(name)


def ours(name):
    """A program of this folder, as one of the empty module's."""
    os.mkdir(path("backend/" + name))
    with open(path(f"backend/{name}/main.go"), "w") as file:
        file.write((HERE / name / "main.go").read_text())
    return "./" + name


def misuse():
    built = run("go", "build", "-gcflags=-e", "-o", os.devnull, ours("misuse"))
    found = {}
    for number, said in re.findall(r"main\.go:(\d+):\d+: (.*(?:\n\t.*)*)", built.stderr):
        found[int(number)] = found.get(int(number), "") + said
    kits.misuses("go", HERE / "misuse/main.go", " // ", found)


def quality():
    """Of the sources, and of the programs of this scenario."""
    said = run("gofmt", "-l", KIT, HERE)
    check("go: gofmt changes nothing", said.returncode == 0 and said.stdout == "", said)
    for name, arguments, folder in (("go vet finds nothing in the kit", ["vet", "./..."], KIT), ("go vet finds nothing in a program that uses the kit", ["vet", "./server"], path("backend")),
                                    ("the kit's own tests hold, and race nowhere", ["test", "-race", "-count=1", "./..."], KIT)):
        said = run("go", *arguments, cwd=folder)
        check(f"go: {name}", said.returncode == 0, said)


def readme(daemon, signer):
    """Its program, its commands as they are printed, in a folder without a module, and its middleware."""
    text, program = (KIT / "README.md").read_text(), (KIT / "example/main.go").read_text()
    kits.shown("go", program.split("package main", 1)[1], text,
               [line for line in program.split("func main() {\n")[1].splitlines() if line.strip("\t})")])
    server = (HERE / "server/main.go").read_text()
    blocks = re.findall(r"(?s)## Middleware\n.*?```go\n(.*?)```", text)
    check("go: the README's middleware is the server's", len(blocks) == 1 and all(
        line.strip() in server for line in blocks[0].splitlines()), blocks)
    os.mkdir(path("reader"))
    os.symlink(kits.CLIENTS, path("reader/clients"))
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in ("GOPROXY", "GONOSUMDB")} | {"GOFLAGS": "-modcacherw"}
    kits.readme_commands("go", re.search(r"(?s)```sh\n(.*?)```", text)[1], daemon, signer, path("reader"), lambda text: subprocess.run(
        ["bash", "-eu", "-c", text], cwd=path("reader"), env=environment, capture_output=True, text=True))


def serve(program, daemon, signer):
    address = path("server.sock")
    server = launch([program, address, daemon.socket])
    check("go: the server serves", serves(address))
    gate("net/http", address, signer, daemon, joins=False)
    each_plays_once("net/http", address, signer, has_workers=False)
    server.terminate()
    server.wait(60)


needs("go", "gcc", "git")
install()
driver, example, server = [build("driver", MODULE + "/conformance")], [build("example", MODULE + "/example")], build("server", ours("server"), "-race")
misuse()
quality()
kits.conformance("go", driver)
signer = Signer()
daemon = Daemon(signer).start()
kits.example("go", example, daemon, signer)
readme(daemon, signer)
serve(server, daemon, signer)
finish()
