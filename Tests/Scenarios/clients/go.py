#!/usr/bin/env -S python3 -B
"""The kit for Go: its module from a proxy in a folder into an empty module, conformance, misuse that does not compile, the ten lines,
and middleware in a server of net/http. Goroutines, contexts and what is printed are the module's own tests."""

import hashlib
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


def package():
    """As a module proxy has it."""
    folder = kits.built_twice("go", KIT / "build-package") / MODULE / "@v"
    names = {file.name for file in folder.iterdir()}
    check("its files are those of a module proxy", names == {"list", VERSION + ".info", VERSION + ".mod", VERSION + ".zip"}, names)
    with zipfile.ZipFile(folder / f"{VERSION}.zip") as archive:
        files = {name.removeprefix(f"{MODULE}@{VERSION}/"): archive.read(name) for name in archive.namelist()}
    check("with the licence, which is the project's", files.get("LICENSE") == (ROOT / "LICENSE").read_bytes())
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "clients/go"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        skip(f"not a checkout: {listed.stderr.strip()}")
    wanted = {name.removeprefix("clients/go/") for name in listed.stdout.split("\0") if name} | {"LICENSE"}
    check("with the files of the repository and nothing else", set(files) == wanted and len(wanted) > 10, set(files) ^ wanted)
    check("which needs nothing else", "require" not in files["go.mod"].decode() and "go 1.19" in files["go.mod"].decode(), files["go.mod"])
    return files


def install(files):
    """Into an empty module, from the built package alone."""
    os.mkdir(path("backend"))
    os.mkdir(path("home"))
    check("an empty module is made", run("go", "mod", "init", "example.invalid/backend").returncode == 0)
    installed = run("go", "get", f"{MODULE}@{VERSION}")
    if not check("the kit installs into it", installed.returncode == 0, installed):
        finish()
    found = run("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", MODULE).stdout.split()
    check("and is used from there", found[0] == VERSION and found[1].startswith(path("gopath")), found)
    lines = "".join(f"{hashlib.sha256(text).hexdigest()}  {MODULE}@{VERSION}/{name}\n" for name, text in sorted(files.items()))
    wanted = subprocess.run(["openssl", "base64", "-A"], input=hashlib.sha256(lines.encode()).digest(), capture_output=True).stdout.decode()
    sums = open(path("backend/go.sum")).read()
    check("under the sum that its files have", f"{MODULE} {VERSION} h1:{wanted}\n" in sums, sums)
    latest = run("go", "list", "-m", "-f", "{{.Version}}", f"{MODULE}@latest").stdout.strip()
    check("it is the latest version", latest == VERSION, latest)


def build(name, package, *flags):
    built = run("go", "build", *flags, "-o", path(name), package)
    if not check(f"it builds: {name}", built.returncode == 0, built):
        finish()
    return path(name)


def build_ours(name, *flags):
    """A program of this folder, as one of the empty module's."""
    os.mkdir(path("backend/" + name))
    with open(path(f"backend/{name}/main.go"), "w") as file:
        file.write((HERE / name / "main.go").read_text())
    return build(name, "./" + name, *flags)


def misuse():
    os.mkdir(path("backend/misuse"))
    text = (HERE / "misuse/main.go").read_text()
    with open(path("backend/misuse/main.go"), "w") as file:
        file.write(text)
    wanted = {number: line.rsplit(" // ", 1)[1] for number, line in enumerate(text.splitlines(), 1) if " // " in line}
    built = run("go", "build", "-gcflags=-e", "-o", os.devnull, "./misuse")
    found = {}
    for number, said in re.findall(r"main\.go:(\d+):\d+: (.*(?:\n\t.*)*)", built.stderr):
        found[int(number)] = found.get(int(number), "") + said
    check("no misuse compiles", set(found) == set(wanted) and all(text in found[number] for number, text in wanted.items())
          and len(wanted) > 15, f"{built.stderr} {set(found) ^ set(wanted)}")


def quality():
    """Of the sources, and of the programs of this scenario."""
    said = run("gofmt", "-l", KIT, HERE)
    check("gofmt changes nothing", said.returncode == 0 and said.stdout == "", said)
    for name, arguments in (("go vet finds nothing", ["vet", "./..."]),
                            ("its own tests hold, and race nowhere", ["test", "-race", "-count=1", "./..."])):
        said = run("go", *arguments, cwd=KIT)
        check(name, said.returncode == 0, said)
    said = run("go", "vet", "./server")
    check("go vet finds nothing in a program that uses it", said.returncode == 0, said)


def readme(daemon, signer):
    """Its program, its commands as they are printed, in a folder without a module, and its middleware."""
    text = (KIT / "README.md").read_text()
    program = (KIT / "example/main.go").read_text()
    body = program.split("func main() {\n")[1]
    lines = [line for line in body.splitlines() if line.strip("\t})")]
    check("the example has ten lines", len(lines) <= 10, lines)
    check("and is in the kit's README", program.split("package main", 1)[1].strip() in text)
    server = (HERE / "server/main.go").read_text()
    blocks = re.findall(r"(?s)## Middleware\n.*?```go\n(.*?)```", text)
    check("the README's middleware is the server's", len(blocks) == 1 and all(
        line.strip() in server for line in blocks[0].splitlines()), blocks)
    commands = re.findall(r"(?s)```sh\n(.*?)```", text)
    os.mkdir(path("reader"))
    os.symlink(kits.CLIENTS, path("reader/clients"))
    script = commands[0].replace("/run/mediatokend/mediatokend.sock", daemon.socket)
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in ("GOPROXY", "GONOSUMDB")} | {"GOFLAGS": "-modcacherw"}
    said = kits.readme_commands(script, signer, path("reader/token"), lambda text: subprocess.run(
        ["bash", "-eu", "-c", text], cwd=path("reader"), env=environment, capture_output=True, text=True))
    check("the README's commands play", len(commands) == 1 and said.returncode == 0 and said.stdout.startswith("play TNT until "), said)


def serve(program, daemon, signer):
    address = path("server.sock")
    server = launch([program, address, daemon.socket])
    check("the server serves", serves(address))
    gate("net/http", address, signer, daemon, joins=False)
    each_plays_once(address, signer, has_workers=False)
    server.terminate()
    server.wait(60)


def main():
    needs("go", "gcc", "git", "openssl")
    install(package())
    check("its version is that of the daemon", kits.version_of_the_command() == kits.VERSION)
    driver = [build("driver", MODULE + "/conformance")]
    example = [build("example", MODULE + "/example")]
    server = build_ours("server", "-race")
    misuse()
    quality()
    kits.conformance("go", driver)
    signer = Signer()
    daemon = Daemon(signer).start()
    kits.example(example, daemon, signer)
    readme(daemon, signer)
    serve(server, daemon, signer)
    check("the daemon ends well", daemon.end() == 0)
    kits.overhead("go", driver)
    finish()


main()
