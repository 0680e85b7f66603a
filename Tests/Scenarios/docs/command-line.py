#!/usr/bin/env -S python3 -B
"""The articles CommandLine and HandOver print what their commands print, in one folder; and HandOver has nginx check cookies as we ship it."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

from pages import consoles, typed
from scenario import ROOT, check, finish, needs, path, scratch

ARTICLES = [ROOT / "Sources" / name for name in (
    "mediatoken/mediatoken.docc/CommandLine.md", "MediaTokenHandover/MediaTokenHandover.docc/HandOver.md")]
MEDIATOKEN = os.path.realpath(os.environ["MEDIATOKEN"])
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


needs("openssl")
os.umask(0o022)
prepare()
for article in ARTICLES:
    consoles(article, lambda block: typed(block, late, cwd=scratch, env=ENVIRONMENT))
# The article's location asks what deploy ships asks, of one path.
shown = re.search(r"(?ms)^```nginx\n(.*?)^```$", ARTICLES[1].read_text())[1]
shipped = (ROOT / "deploy/nginx/mediatoken.conf").read_text().replace("$media_scope", "/live/tnt/")
cookies = "$cookie_mt_md5,$cookie_mt_expires"
asked = [re.findall(r"(?m)^ *(secure_link\w*) (.*);$", text.replace(f'"{cookies}"', cookies)) for text in (shown, shipped)]
check("the article HandOver has nginx check cookies as deploy/nginx does", len(asked[0]) == 2 and asked[0] == asked[1], asked)
finish()
