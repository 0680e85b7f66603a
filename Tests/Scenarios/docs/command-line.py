#!/usr/bin/env -S python3 -B
"""The article CommandLine prints what its commands print.

  MEDIATOKEN=... command-line.py [--update]

`console` blocks are run command by command in one folder, and must print what the article shows, except for what is new in every
run. `--update` writes what was printed into the article, to be looked at by the author of the change.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish, needs, path, scratch

ARTICLE = ROOT / "Sources/mediatoken/mediatoken.docc/CommandLine.md"
MEDIATOKEN = os.path.realpath(os.environ["MEDIATOKEN"])
#: What is new in every run: times, digests, the first line of a file of tokens.
VOLATILE = [(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"), (r"\b[0-9a-f]{64}\b", "DIGEST"), (r"\b\d{10}\b", "SECONDS"), (r"clockLead: -?\d+ s", "clockLead"),
            (r"(?m)^<signatureInfo>.*$", "TOKEN"), (r" +$", "")]
ENVIRONMENT = {**os.environ, "PATH": f"{path('bin')}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def run(command, **options):
    return subprocess.run(["bash", "-c", command], cwd=scratch, env=ENVIRONMENT, timeout=120, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)


def issue(key, *options):
    made = run(f"mediatoken issue --key {key} --requestor REF30 --resource TNT {' '.join(options)}")
    assert made.returncode == 0, made.stdout
    return made.stdout.splitlines()


def prepare():
    """What the article's reader has: the keys of the repository, a licensee's keystore, and files that it shows or speaks of."""
    os.mkdir(path("bin"))
    os.symlink(MEDIATOKEN, path("bin/mediatoken"))
    for file in ("keys/development.pem", "keys/development.private.pem"):
        os.makedirs(os.path.dirname(path(file)), mode=0o755, exist_ok=True)
        shutil.copyfile(ROOT / file, path(file))
        os.chmod(path(file), 0o600)
    shutil.copyfile(ROOT / "Tests/Fixtures/keys/production.jks", path("media_token_keystore.jks"))
    os.chmod(path("media_token_keystore.jks"), 0o644)

    made = run("mediatoken keys generate --out keys-in-use --name ours --weak-1024-for-tests")
    ENVIRONMENT["FINGERPRINT"] = re.search(r"fingerprint: (\w+)", made.stdout)[1]
    os.mkdir(path("private"))
    os.rename(path("keys-in-use/ours.private.pem"), path("private/ours.pem"))
    tokens = issue("private/ours.pem", "--count 31", "--form base64")
    ended = issue("private/ours.pem", "--count 9", "--form base64", "--issue-time 2026-11-20T12:00:00Z")
    lines = [{"token": token, "expected": "VALID_TOKEN"} for token in tokens]
    lines[16:16] = [{"token": token, "expected": "TOKEN_EXPIRED" if number else "VALID_TOKEN"} for number, token in enumerate(ended)]
    pathlib.Path(path("compared")).write_text("".join(json.dumps(line) + "\n" for line in lines))


def late(command):
    """What is there only once the article has made it."""
    if command == "cat lines":
        lines = ["hello", "", '{"token": "hello", "id": "a", "resource": "HBO"}', '{"tokn": "hello"}']
        pathlib.Path(path("lines")).write_text(pathlib.Path(path("token.txt")).read_text() + "\n".join(lines) + "\n")


def commands(block):
    """Each command of a block, with the lines that continue it, and the lines that are shown after it."""
    found = []
    for line in block.splitlines():
        typed = found and not found[-1][1] and found[-1][0]
        if line.startswith("$ "):
            found.append((line, []))
        elif typed and (typed.endswith("\\") or "<<END" in typed and not typed.endswith("\nEND")):
            found[-1] = (f"{typed}\n{line}", [])
        else:
            found[-1][1].append(line)
    return found


def printed(block):
    text, status = "", 0
    for command, _ in commands(block):
        late(command[2:])
        # Each in a shell of its own; $? is the status of the one before.
        ended = run(f"(exit {status})\n{command[2:]}")
        text, status = text + f"{command}\n{ended.stdout}", ended.returncode
    return text


def stable(text):
    for pattern, replacement in VOLATILE:
        text = re.sub(pattern, replacement, text)
    return text


def main():
    needs("openssl")
    os.umask(0o022)
    prepare()
    text = ARTICLE.read_text()
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", text)
    check("the article CommandLine has examples", len(blocks) >= 13, len(blocks))
    for number, block in enumerate(blocks, 1):
        found = printed(block)
        holds = stable(found) == stable(block)
        if "--update" in sys.argv and not holds:
            text = text.replace(f"```console\n{block}```", f"```console\n{found}```")
        check(f"example {number} of CommandLine prints what the article shows", holds, "\n" + found)
    if "--update" in sys.argv:
        ARTICLE.write_text(text)
    finish()


main()
