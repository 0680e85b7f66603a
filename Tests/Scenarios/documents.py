#!/usr/bin/env python3
"""What README and the articles show in Swift and C compiles, as it is printed, for a stranger who uses the library.

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

sys.dont_write_bytecode = True

from claim import claim, finish  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "documents"
MEDIATOKEN = os.environ["MEDIATOKEN"]


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
    if document.stem == "MediaTokenReplay":
        return ["let keys = try keysOfTheArticle()"]
    if document.stem == "MediaTokenMemories":
        opened = 'let opened = try ReplayAddress("shared:/var/lib/mediatoken/replay.table").open(policy: policy)'
        return ["let keys = try keysOfTheArticle()"] if number == 1 else [opened]
    if document.stem == "FromAdobesLibrary":
        return ["let verifier = try TokenVerifier(trustedKeys: keysOfTheArticle(), replayMemory: .none)"]
    return []


def swift(scratch):
    sources = scratch / "Sources" / "documents"
    sources.mkdir(parents=True, exist_ok=True)
    count = 0
    for document, number, text in blocks("swift"):
        (sources / f"{name(document, number)}.swift").write_text(swift_function(document, number, text))
        count += 1
    claim("there are blocks in Swift", count >= 6, str(count))
    for file in ("Given.swift", "main.swift"):
        (sources / file).write_text((HERE / file).read_text())
    (scratch / "Package.swift").write_text((HERE / "Package.swift.in").read_text().replace("@ROOT@", str(ROOT)))
    built = run("swift", "build", "--package-path", str(scratch))
    errors = [line for line in built.stdout.splitlines() if " error: " in line]
    claim(f"{count} blocks in Swift compile in a package that depends on this one", built.returncode == 0,
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
            claim(f"README's block with a token for {resource}: {wanted}", wanted in ran.stdout and ran.returncode == 0,
                  ran.stdout + ran.stderr)


# MARK: C


def c(folder):
    given = (HERE / "given.h").read_text()
    count = 0
    for document, number, text in blocks("c"):
        file = pathlib.Path(folder) / f"{name(document, number)}.c"
        file.write_text(f"{given}\nvoid block(void);\nvoid block(void) {{\n{text}}}\n")
        compiled = run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       f"-I{ROOT}/Sources/CMediaToken/include", str(file))
        claim(f"{document.name}: block {number} in C compiles", compiled.returncode == 0, compiled.stderr)
        count += 1
    claim("there are blocks in C", count >= 1)


def main():
    # Kept, so that the library is not built again each time.
    scratch = ROOT / ".build/tests/documents-package"
    if swift(scratch):
        readme_is_run(scratch)
    with tempfile.TemporaryDirectory() as folder:
        c(folder)
    finish()


main()
