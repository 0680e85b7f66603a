#!/usr/bin/env -S python3 -B
"""The plan of the article MigrationFromJava can be typed as it is.

All its commands run in one shell, in a folder with what the article says is there, and print what it shows, except for what is new
in every run. In place of Adobe's JAR, which only licensees have, there is a stand-in with the documented interface
(`migration/`), which verifies with the JDK alone, and whose key has 1024 bits, as Adobe's has. Which names `expected` may have, what
agrees with each and what is counted is AgreementTests' and BatchLineTests'.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

from pages import commands, consoles, stable
from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish, needs, scratch

needs("java", "javac", "jar", "keytool", "openssl", "curl")
ARTICLE = ROOT / "Sources/MediaToken/MediaToken.docc/MigrationFromJava.md"
STAND_IN = ROOT / "Tests/Scenarios/docs/migration"


def sh(command):
    return subprocess.run(["bash", "-euc", command], cwd=scratch, capture_output=True, text=True)


def prepare():
    """What a licensee has: the JAR with its keystore, one file of ours, and tokens."""
    sources = " ".join(str(file) for file in sorted(STAND_IN.rglob("*.java")))
    issue = f"{MEDIATOKEN} issue --key adobe.pem --resource TNT"
    made = sh(f"""
        openssl genrsa -traditional 1024 >adobe.pem 2>/dev/null
        openssl req -x509 -new -key adobe.pem -subj /CN=stand-in -days 2 -out certificate 2>/dev/null
        keytool -importcert -noprompt -storetype JKS -alias token -file certificate -storepass 123456 \\
          -keystore media_token_keystore.jks 2>/dev/null
        chmod 644 media_token_keystore.jks
        javac -Xlint:all -Werror -d classes {sources}
        jar cf mediatoken-verifier-VERSION.jar -C classes . media_token_keystore.jks
        cp {ROOT}/examples/AdobeVerdicts.java .
        for _ in 1 2 3; do {issue} --requestor REF30; done >tokens
        {issue} --requestor REF30 --form base64 >>tokens
        {issue} --requestor OTHER >>tokens""")
    return check("the JAR, the keystore and the tokens that MigrationFromJava starts from are made",
                 made.returncode == 0, made.stdout + made.stderr)


def typed():
    """What each block's commands print, typed in one shell."""
    script = "exec 2>&1\n"
    for block in re.findall(r"(?ms)^```console\n(.*?)^```$", ARTICLE.read_text()):
        script += "echo 'new block'\n" + "".join(f"cat <<'typed'\n$ {line}\ntyped\n{line}\n" for line in commands(block))
    folders = ":".join(os.path.dirname(program) for program in (MEDIATOKEN, MEDIATOKEND))
    environment = {**os.environ, "PATH": f"{folders}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    return subprocess.run(["timeout", "600", "bash", "-c", script], cwd=scratch, env=environment, capture_output=True, text=True).stdout


def ended(process):
    """Waits for a process that was told to end."""
    return sh(f"for _ in $(seq 600); do kill -0 {process} 2>/dev/null || exit 0; sleep 0.1; done; exit 1").returncode == 0


def other_verdicts():
    """What the article does not show of the program that asks the other verifier."""
    java = f"javac -Xlint:all -Werror -cp classes -d ours {ROOT}/examples/AdobeVerdicts.java && " \
           "java -cp mediatoken-verifier-VERSION.jar:ours AdobeVerdicts"
    said = sh(f"{{ echo \"THROW $(head -n 1 tokens)\"; echo; tail -n 1 tokens; }} | ( {java} REF30 - )")
    check("AdobeVerdicts names what the verifier throws by its class alone, and takes - for no resource", said.returncode == 0
          and said.stderr.startswith("the verifier threw java.lang.IllegalStateException\n") and "2 tokens asked about" in said.stderr
          and '"resource"' not in said.stdout and "signatureInfo" not in said.stderr, said)
    said = sh(f"({java})")
    check("AdobeVerdicts without arguments ends with 2, and says what it expects",
          said.returncode == 2 and "expected: AdobeVerdicts REQUESTOR RESOURCE|-" in said.stderr, said)


if prepare():
    printed = typed()
    said = iter(printed.split("new block\n")[1:])
    # Beyond what is new in every run: the spaces of uniq(1).
    consoles(ARTICLE, lambda block: next(said, ""), lambda text: re.sub(r"(?m)^ +", "", stable(text)))
    other_verdicts()
    check("no block of MigrationFromJava prints a token", "signatureInfo" not in printed and "PHNpZ25hdHVy" not in printed)
    side = pathlib.Path(scratch, "side.pid")
    check("the daemon that MigrationFromJava starts at the side has ended", side.exists() and ended(int(side.read_text())))
finish()
