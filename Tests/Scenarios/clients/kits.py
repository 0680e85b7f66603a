"""What the scenarios of all kits share: a daemon, the package, the README's example, the table, and programs that say what holds."""

import os
import pathlib
import re
import subprocess
import tarfile
import zipfile

import against
from daemon import Daemon
from scenario import ROOT, check, count, finish, path
from tokens import Signer
from vector_files import VECTORS

CLIENTS, HERE = ROOT / "clients", ROOT / "Tests/Scenarios/clients"
VERSION = re.search(r'current = "(.+?)"', (ROOT / "Sources/MediaToken/Facts/Version.swift").read_text())[1]
signer = Signer()
daemon = Daemon(signer, requestIDHeader="X-Request-ID", keys=[signer.keys, str(VECTORS / "shared/keys/rsa2048.pem")])


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def package(kit, command, name, wanted, prefix=""):
    """The files in the package that a command builds: those that are wanted, and the same bytes at another time and in other surroundings."""
    made = []
    for folder, umask, surroundings in (
            ("package", "022", {}), ("again", "077", {"TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "HOME": path("elsewhere")})):
        os.utime(CLIENTS / kit / "README.md")
        said = run("bash", "-c", 'umask "$0"; exec "$@"', umask, *command, path(folder), env=os.environ | surroundings)
        if not check(f"{kit}: the package is built", said.returncode == 0, said):
            finish()
        made.append({file.relative_to(path(folder)): file.read_bytes() for file in pathlib.Path(path(folder)).rglob("*") if file.is_file()})
    check(f"{kit}: a package that is built again has the same bytes", made[0] == made[1])
    if name.endswith(".tgz"):
        with tarfile.open(path("package/" + name)) as archive:
            files = {member.name.removeprefix(prefix): archive.extractfile(member).read() for member in archive if member.isfile()}
    else:
        with zipfile.ZipFile(path("package/" + name)) as archive:
            files = {each.removeprefix(prefix): archive.read(each) for each in archive.namelist()}
    names = {re.sub(r"(\$\w+)?\.class$", ".java", each) for each in files if "META-INF/" not in each and ".dist-info/" not in each}
    check(f"{kit}: the package has the kit's version, its files and the licence",
          names | {"LICENSE"} == wanted | {"LICENSE"} and any(each.endswith("LICENSE") for each in files), names ^ wanted)
    return files


def files(kit, *patterns):
    """The names of a kit's files."""
    return {file.relative_to(CLIENTS / kit).as_posix() for pattern in patterns for file in (CLIENTS / kit).glob(pattern) if file.is_file()}


def judge(kit, *command):
    """Plays the table to the kit's driver, which then asks a real daemon."""
    said = run(CLIENTS / "conformance/run", kit, *command)
    for line in said.stdout.splitlines():
        count(line)
    check(f"{kit}: every case of the table is as it should be", said.returncode == 0 and ", 0 not" in said.stdout, said.stderr[-2000:])
    against.judge(kit, [str(part) for part in command], daemon, signer)


def misuses(kit, source, mark, said):
    """Each line of a file that ends with a comment is an error for the compiler, and the comment is what it says."""
    found, place = {}, None
    for line in said.splitlines():
        if start := re.match(r"\S*?([^/\s]+?)[:(](\d+)", line):
            place = int(start[2]) if start[1] == source.name else line
        found[place] = found.get(place, "") + line
    lines = source.read_text().splitlines()
    wanted = {number: line.rsplit(mark, 1)[1] for number, line in enumerate(lines, 1) if mark in line}
    wrong = {number: (wanted.get(number), found.get(number)) for number in wanted.keys() | found.keys()
             if number not in wanted or wanted[number] not in found.get(number, "")}
    check(f"{kit}: each of {len(wanted)} misuses in {source.name} is found for its own reason, and nothing else is",
          len(wanted) > 2 and not wrong, wrong)


def project(kit, file, **environment):
    """An empty folder, in which all is done that the kit's README says: its program is saved as FILE, and its commands are typed, with another
    address. The last one asks about a token: again with a fresh one, where a busy machine let the kit's time pass."""
    daemon.start()
    folder, text = pathlib.Path(path(f"{kit}-project")), (CLIENTS / kit / "README.md").read_text()
    folder.mkdir()
    (folder / file).write_text(re.search(r"(?s)```\w+\n(.*?)```", text)[1])
    (folder / "clients").symlink_to(CLIENTS)
    commands = re.search(r"(?s)```sh\n(.*?)```", text)[1].replace("/run/mediatokend/mediatokend.sock", daemon.socket).strip()
    install, question = commands.rsplit("\n", 1)

    def typed(command, token):
        (folder / "token").write_bytes(token)
        return run("bash", "-eu", "-c", command, cwd=folder, env=os.environ | environment)

    said = typed(install, b"")
    check(f"{kit}: the README's commands build and install the package", said.returncode == 0, said)
    exported = "".join(f"{line}\n" for line in install.splitlines() if line.startswith("export "))
    for token in signer.issue(20, form="base64"):
        first = typed(exported + question, token)
        if "; then retry" not in first.stderr:
            break
    second = typed(exported + question, token)
    check(f"{kit}: the README's program plays a good token, once, and shows none", first.stdout.startswith("play TNT until ")
          and second.returncode == 1 and "TOKEN_REPLAYED" in second.stderr and "new-token" in second.stderr
          and token[:24].decode() not in f"{first}{second}", [first, second])
    return folder


def inside(kit, wanted, *command, tokens=(), **options):
    """A program that is given tokens, and prints a line for each thing that holds, without a warning; what does not is on standard error."""
    said = run(*command, input=b"\n".join(tokens).decode(), **options)
    lines = said.stdout.splitlines()
    for line in lines:
        check(f"{kit}: {line}", True)
    is_quiet = not re.search("Warning|Notice|Deprecated", said.stderr)
    check(f"{kit}: {wanted} things hold, and it ends well", said.returncode == 0 and len(lines) == wanted and is_quiet,
          f"{len(lines)} {said.stderr[-3000:]}")
