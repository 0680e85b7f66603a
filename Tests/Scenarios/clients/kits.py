"""What the scenarios of all kits share: the table, a real daemon, the package, the example."""

import os
import pathlib
import re
import subprocess

import against
from scenario import ROOT, check, count, finish, path

CLIENTS = ROOT / "clients"
VERSION = re.search(r'current = "(.+?)"', (ROOT / "Sources/MediaToken/Facts/Version.swift").read_text())[1]


def built_twice(kit, *command):
    """The folder into which a command builds a package: the same bytes at another time, and in other surroundings."""
    made = []
    for name, umask, surroundings in (
            ("package", "022", {}), ("again", "077", {"TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "HOME": path("elsewhere")})):
        os.utime(CLIENTS / kit / "README.md")
        said = subprocess.run(["bash", "-c", 'umask "$0"; exec "$@"', umask, *map(str, command), path(name)],
                              env=os.environ | surroundings, capture_output=True, text=True)
        if not check(f"{kit}: the package is built", said.returncode == 0, said):
            finish()
        folder = pathlib.Path(path(name))
        made.append({file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()})
    first, second = made
    check(f"{kit}: a package that is built again has the same bytes", first and first == second,
          {file for file in first | second if first.get(file) != second.get(file)})
    return folder.with_name("package")


def judge(kit, command):
    """Plays the table to the kit's driver, which then asks a real daemon."""
    command = [str(part) for part in command]
    said = subprocess.run([CLIENTS / "conformance/run", kit, *command], capture_output=True, text=True)
    for line in said.stdout.splitlines():
        count(line)
    check(f"{kit}: every case of the table is as it should be", said.returncode == 0 and ", 0 not" in said.stdout, said.stderr[-2000:])
    against.judge(kit, command)


def misuses(kit, source, mark, found):
    """Each line of a file that ends with a comment is an error for the compiler, and the comment is what it says. `found` is what it said, or
    that by the line's number."""
    if isinstance(found, str):
        said, found, place = found.splitlines(), {}, None
        for line in said:
            if start := re.match(r"\S*?([^/\s]+?)[:(](\d+)", line):
                place = int(start[2]) if start[1] == source.name else line
            found[place] = found.get(place, "") + line
    lines = source.read_text().splitlines()
    wanted = {number: line.rsplit(mark, 1)[1] for number, line in enumerate(lines, 1) if mark in line}
    wrong = {number: (wanted.get(number), found.get(number)) for number in wanted.keys() | found.keys()
             if number not in wanted or wanted[number] not in found.get(number, "")}
    check(f"{kit}: each of {len(wanted)} misuses in {source.name} is found for its own reason, and nothing else is",
          len(wanted) > 2 and not wrong, wrong)


def project(kit, file, daemon, signer, **environment):
    """An empty folder, in which all is done that the kit's README says: its program is saved as FILE, and its commands are typed, with another
    address. The last one asks about a token: again with a fresh one, where a busy machine let the kit's time pass."""
    folder, text = pathlib.Path(path(f"{kit}-project")), (CLIENTS / kit / "README.md").read_text()
    folder.mkdir()
    (folder / file).write_text(re.search(r"(?s)```\w+\n(.*?)```", text)[1])
    (folder / "clients").symlink_to(CLIENTS)
    commands = re.search(r"(?s)```sh\n(.*?)```", text)[1].replace("/run/mediatokend/mediatokend.sock", daemon.socket).strip()
    install, question = commands.rsplit("\n", 1)

    def run(command, token):
        (folder / "token").write_bytes(token)
        return subprocess.run(["bash", "-eu", "-c", command], cwd=folder, env=os.environ | environment, capture_output=True, text=True)

    said = run(install, b"")
    check(f"{kit}: the README's commands build and install the package", said.returncode == 0, said)
    exported = "".join(f"{line}\n" for line in install.splitlines() if line.startswith(("export ", ". ")))
    for token in signer.issue(20, form="base64"):
        first = run(exported + question, token)
        if "; then retry" not in first.stderr:
            break
    second = run(exported + question, token)
    check(f"{kit}: the README's program plays a good token, once, and shows none", first.stdout.startswith("play TNT until ")
          and second.returncode == 1 and "TOKEN_REPLAYED" in second.stderr and "new-token" in second.stderr
          and token[:24].decode() not in f"{first}{second}", [first, second])
    return folder


def inside(kit, command, wanted, tokens, **options):
    """A program that is given tokens, and prints a line for each thing that holds, without a warning; what does not is on standard error."""
    said = subprocess.run([str(part) for part in command], input=b"\n".join(tokens), capture_output=True, **options)
    lines = said.stdout.decode().splitlines()
    for line in lines:
        check(f"{kit}: {line}", True)
    is_quiet = not re.search(rb"Warning|Notice|Deprecated", said.stderr)
    check(f"{kit}: {wanted} things hold, and it ends well", said.returncode == 0 and len(lines) == wanted and is_quiet,
          f"{len(lines)} {said.stderr.decode()[-3000:]}")
