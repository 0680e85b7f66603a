"""What the scenarios of all kits share: conformance, whose row is in the README of the kits, and the example."""

import os
import pathlib
import re
import subprocess

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
    check(f"{kit}: a package that is built again has the same bytes", first and first == second, {file for file in first | second if first.get(file) != second.get(file)})
    return folder.with_name("package")


def conformance(kit, command):
    """Plays all cases to the kit's driver. The table of the README has just what came of it."""
    said = subprocess.run([CLIENTS / "conformance/run", kit, *command], capture_output=True, text=True)
    lines = said.stdout.splitlines()
    for line in lines:
        count(line)
    check(f"{kit}: every case of the conformance is as it should be",
          said.returncode == 0 and len(lines) == 2, f"{said.stdout[-2000:]} {said.stderr[-2000:]}")
    readme = (CLIENTS / "README.md").read_text().splitlines()
    check(f"{kit}: the table of the README has the groups of the conformance, and what came of them",
          len(lines) == 2 and lines[0] in readme and lines[1].replace(f"| {kit} |", "| each |", 1) in readme, lines)


def patiently(run):
    """What a program says that asks as the kit's README has it, with the kit's own time limit: a busy machine may let that pass, or the
    daemon be undecided. Then it runs again, 20 times at most."""
    said = run()
    for _ in range(20):
        if "; then retry" in f"{said.stdout} {said.stderr}":
            said = run()
    return said


def misuses(kit, source, mark, found):
    """Each line of a file that ends with a comment is an error for the compiler, and the comment is what it says. `found` is what it said,
    by the line's number."""
    lines = source.read_text().splitlines()
    wanted = {number: line.rsplit(mark, 1)[1] for number, line in enumerate(lines, 1) if mark in line}
    wrong = {number: (wanted.get(number), found.get(number)) for number in wanted.keys() | found.keys()
             if number not in wanted or wanted[number] not in found.get(number, "")}
    check(f"{kit}: each of {len(wanted)} misuses in {source.name} is found for its own reason, and nothing else is",
          len(wanted) > 2 and not wrong, wrong)


def shown(kit, program, readme, lines):
    """The example is in the kit's README."""
    check(f"{kit}: the example has ten lines, and is in the kit's README", 0 < len(lines) <= 10 and program.strip() in readme, lines)


def readme_commands(kit, commands, daemon, signer, folder, run):
    """The commands of a kit's README, which end with a question about a token: they are typed as they are written, with another address.
    The question alone is asked again if need be, with a fresh token, as the last one may be used up."""
    commands = commands.replace("/run/mediatokend/mediatokend.sock", daemon.socket)
    whole = commands.replace("\\\n", "").strip()
    scripts = iter([commands])

    def ask():
        with open(os.path.join(folder, "token"), "wb") as file:
            file.write(signer.issue(1, form="base64")[0])
        return run(next(scripts, whole.splitlines()[-1]))

    said = patiently(ask)
    played = said.stdout.splitlines()[-1:]
    check(f"{kit}: the README's commands install the kit and play", said.returncode == 0 and played and played[0].startswith("play TNT until "), said)
    return said


def example(kit, command, daemon, signer):
    """The ten lines of the kit's README: COMMAND... SOCKET REQUESTOR RESOURCE < token."""
    arguments, tokens = [*command, daemon.socket, "REF30", "TNT"], []

    def play():
        tokens.append(signer.issue(1, form="base64")[0])
        return subprocess.run(arguments, input=tokens[-1], capture_output=True)

    first = patiently(play)
    token = tokens[-1]
    check(f"{kit}: the example plays a good token", first.returncode == 0 and first.stdout.startswith(b"play TNT"), first)
    second = patiently(lambda: subprocess.run(arguments, input=token, capture_output=True))
    check(f"{kit}: the example plays no token twice", second.returncode == 1 and b"TOKEN_REPLAYED" in second.stderr and b"new-token" in second.stderr, second)
    check(f"{kit}: the example never shows a token", token[:24] not in first.stdout + first.stderr + second.stdout + second.stderr)


def inside(kit, command, wanted, tokens, **options):
    """A program that is given tokens, and prints a line for each thing that holds, without a warning; what does not is on standard error."""
    said = subprocess.run([str(part) for part in command], input=b"\n".join(tokens), capture_output=True, **options)
    lines = said.stdout.decode().splitlines()
    name = next(os.path.basename(part) for part in map(str, command) if part.endswith((".mjs", ".php", ".py", "Inside", "Faked")))
    for line in lines:
        check(f"{kit}: {line}", True)
    is_quiet = not re.search(rb"Warning|Notice|Deprecated", said.stderr)
    check(f"{kit}: {wanted} things hold in {name}, and it ends well", said.returncode == 0 and len(lines) == wanted and is_quiet,
          f"{len(lines)} {said.stderr.decode()[-3000:]}")
