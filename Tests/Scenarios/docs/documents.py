#!/usr/bin/env -S python3 -B
"""What README and the articles show is so.

The tour, the daemon that is tried and the fleet print what README shows, but for what is new in every run; the fleet's articles show
what their commands compute.
Blocks in Swift and C compile, as they are printed, for a stranger who uses the library.
Each block becomes a function of a package that depends on this one by its path, or a function of a C file. What a block
takes for granted is declared in `documents/Given.swift` and `documents/given.h`, and nothing else is added.
README's block is also run, with a valid token and with the same one for another resource.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish

HERE = pathlib.Path(__file__).resolve().parent / "documents"


def blocks(language):
    """All blocks of a language: the document, its number there, and its text."""
    documents = [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
    for document in documents:
        fences = re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.S | re.M)
        for number, text in enumerate(fences, 1):
            yield document, number, text


def name(document, number):
    return f"{document.stem}{number}"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


# MARK: Swift


def swift_function(document, number, text):
    """A block as a function. Its imports go to the top of the file."""
    lines = text.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    body = [f"  {line}".rstrip() for line in lines if not line.startswith("import ")]
    # A block may lean on what the block before it in the same article made.
    given = "\n".join(f"  {line}" for line in leanings(document, number))
    return "\n".join([*imports, "import MediaTokenMemories", "import MediaTokenReplay", "import MediaToken", "",
                      f"func {name(document, number)}() throws {{", given, *body, "}", ""])


def leanings(document, number):
    """What an article's reader has by then: keys, and what its blocks before this one made."""
    if document.stem in ("MediaTokenReplay", "MediaTokenFleet"):
        return ["let keys = try keysOfTheArticle()"]
    if document.stem == "MediaTokenMemories":
        opened = 'let opened = try ReplayAddress("shared:/var/lib/mediatoken/replay.table").open(policy: policy)'
        return ["let keys = try keysOfTheArticle()"] if number == 1 else [opened]
    if document.stem in ("FromAdobesLibrary", "MediaTokenHandover"):
        return ["let verifier = try TokenVerifier(trustedKeys: keysOfTheArticle(), replayMemory: .none)"]
    return []


def swift(scratch):
    sources = scratch / "Sources" / "documents"
    sources.mkdir(parents=True, exist_ok=True)
    count = 0
    for document, number, text in blocks("swift"):
        (sources / f"{name(document, number)}.swift").write_text(swift_function(document, number, text))
        count += 1
    check("there are blocks in Swift", count >= 6, str(count))
    for file in ("Given.swift", "main.swift"):
        (sources / file).write_text((HERE / file).read_text())
    (scratch / "Package.swift").write_text((HERE / "Package.swift.in").read_text().replace("@ROOT@", str(ROOT)))
    built = run("swift", "build", "--package-path", str(scratch))
    errors = [line for line in built.stdout.splitlines() if " error: " in line]
    check(f"{count} blocks in Swift compile in a package that depends on this one", built.returncode == 0,
          "\n".join(errors[:20]) or built.stdout[-2000:] + built.stderr[-2000:])
    return built.returncode == 0


def readme_is_run(scratch):
    """README's block with a token for its resource, and with one for another, where /etc/mediatoken/keys has a key."""
    with tempfile.TemporaryDirectory() as folder:
        run(MEDIATOKEN, "keys", "generate", "--out", f"{folder}/made", check=True)
        apart = """
            mount -t tmpfs none "$1/etc" && mkdir "$1/etc/up" "$1/etc/work" &&
            mount -t overlay -o "lowerdir=/etc,upperdir=$1/etc/up,workdir=$1/etc/work" none /etc &&
            mkdir -p /etc/mediatoken/keys && cp "$1/made/development.pem" /etc/mediatoken/keys/ && shift && exec "$@"
            """
        os.mkdir(f"{folder}/etc")
        for resource, wanted in (("TNT", "plays TNT"), ("TBS", "INVALID_RESOURCE_ID")):
            token = run(MEDIATOKEN, "issue", "--key", f"{folder}/made/development.private.pem", "--requestor", "REF30",
                        "--resource", resource, check=True).stdout
            ran = run("unshare", "--mount", "sh", "-c", apart, "sh", folder, str(scratch / ".build/debug/documents"), token)
            check(f"README's block with a token for {resource}: {wanted}", wanted in ran.stdout and ran.returncode == 0,
                  ran.stdout + ran.stderr)


# MARK: what is printed

VOLATILE = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"), (r"\d{4}-\d\d-\d\d [\d:]+ -0[78]00", "TIME"), (r"\d{5,} ms", "SPAN"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"), (r"\b[0-9a-f]{32}\b", "GUID"), (r"\b[0-9a-f]{16}\b", "ID"),
    (r"PHNpZ25hdHVy[A-Za-z0-9+/=…]*", "TOKEN"), (r" +$", ""),
]


def stable(text):
    for pattern, replacement in VOLATILE:
        text = re.sub(pattern, replacement, text, flags=re.M)
    return text.strip()


def is_shown(text, readme):
    """Whether one of README's plain blocks is this text."""
    plain = re.findall(r"^```\n(.*?)^```$", readme, re.S | re.M)
    return any(stable(block) == stable(text) for block in plain)


def tour(readme):
    toured = run("./tour", cwd=ROOT)
    printed = toured.stdout[toured.stdout.find("\n$ mediatoken") + 1:]
    check("the tour ends well", toured.returncode == 0 and printed, toured.stdout + toured.stderr)
    check("and prints what README shows", is_shown(printed, readme), "\n" + printed)


def trial(readme):
    """`mediatokend --dev`, and the line that it prints, typed twice."""
    with tempfile.TemporaryDirectory() as folder:
        daemon = subprocess.Popen([MEDIATOKEND, "--dev"], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            said = iter(daemon.stdout.readline, "")
            command = next((line.strip() for line in said if "curl " in line and "/v1/verify?" in line), "")
            check("the daemon prints a line to paste", command.startswith("curl "), command)
            printed = "".join(f"$ {command}\n{run('bash', '-c', command, cwd=folder).stdout}" for _ in range(2))
            check("which does what README shows", is_shown(printed, readme), "\n" + stable(printed))
        finally:
            daemon.terminate()
            check("the daemon ends well", daemon.wait() == 0)


def fleet(readme):
    """README's fleet in five commands, each typed when what it needs is there, in one shell."""
    shown = next((block for block in re.findall(r"^```\n(.*?)^```$", readme, re.S | re.M) if "dev-fleet" in block), "")
    commands = [line[2:] for line in shown.splitlines() if line[:2] == "$ "]
    check("README shows a fleet in five commands", len(commands) == 5, shown)
    waits = {0: "until grep -s 'Stop with' dev-fleet.log >/dev/null; do sleep 0.1; done",
             1: "until [ -S a.sock ] && [ -S b.sock ]; do sleep 0.1; done"}
    script = "\n".join(f"echo 'command {number}'\n{command}\n{waits.get(number, '')}"
                       for number, command in enumerate(commands))
    ends = "kill $(jobs -p) 2>/dev/null; wait"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.dirname(MEDIATOKEN) + ":" + os.path.dirname(MEDIATOKEND) + ":" + os.environ["PATH"]
        ran = run("timeout", "120", "bash", "-c", f"{script}\n{ends}", cwd=folder, env={**os.environ, "PATH": path})
        printed = ran.stdout
        for number, command in enumerate(commands):
            printed = printed.replace(f"command {number}\n", f"$ {command}\n")
        logs = "".join(log.read_text() for log in sorted(pathlib.Path(folder).glob("*.log")))
    check("which print what it shows", printed == shown and shown, f"\n{printed}\n{ran.stderr}\n{logs}")
    check("and leave nothing", not os.path.exists("/tmp/dev-fleet"))


def consoles():
    """What the fleet's articles compute, computed."""
    count = 0
    for document, number, text in blocks("console"):
        if "MediaTokenFleet.docc" not in str(document):
            continue  # Those of the daemon are daemon-articles.py's.
        printed = "".join(f"{line}\n{run('bash', '-c', line[2:]).stdout}" for line in text.splitlines() if line[:2] == "$ ")
        check(f"{document.name}: console {number} prints what it shows", printed == text and text, printed)
        count += 1
    check("the fleet's articles compute something", count >= 2, str(count))


# MARK: C


def c(folder):
    given = (HERE / "given.h").read_text()
    count = 0
    for document, number, text in blocks("c"):
        file = pathlib.Path(folder) / f"{name(document, number)}.c"
        file.write_text(f"{given}\nvoid block(void);\nvoid block(void) {{\n{text}}}\n")
        compiled = run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       f"-I{ROOT}/Sources/CMediaToken/include", str(file))
        check(f"{document.name}: block {number} in C compiles", compiled.returncode == 0, compiled.stderr)
        count += 1
    check("there are blocks in C", count >= 1)


def main():
    readme = (ROOT / "README.md").read_text()
    tour(readme)
    trial(readme)
    fleet(readme)
    consoles()
    # Kept, so that the library is not built again each time.
    scratch = ROOT / ".build/tests/documents-package"
    if swift(scratch):
        readme_is_run(scratch)
    with tempfile.TemporaryDirectory() as folder:
        c(folder)
    finish()


main()
