#!/usr/bin/env -S python3 -B
"""The kit for Java: its JAR alone on a class path, misuse that must not compile, the table, a real daemon, and the filter in Tomcat."""

import hashlib
import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from processes import free_port, launch
from scenario import ROOT, check, finish, needs, path, skip
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients/java"
KIT = kits.CLIENTS / "java"
NAME = f"mediatoken-{kits.VERSION}"
#: Where Debian's packages of Tomcat have their JARs.
TOMCAT = ["/usr/share/java/tomcat10-embed-core.jar", "/usr/share/java/jakarta-annotation-api.jar"]


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def package():
    """As a repository of Maven has it; its JAR."""
    folder = kits.built_twice("java", KIT / "build-package") / "invalid/mediatoken/mediatoken" / kits.VERSION
    wanted = {NAME + file + kind for file in ("-sources.jar", ".jar", ".pom") for kind in ("", ".sha1", ".sha256")}
    sums = all((folder / f"{name}.sha256").read_text().strip() == hashlib.sha256((folder / name).read_bytes()).hexdigest()
               for name in wanted if name.endswith((".jar", ".pom")))
    check("java: the package's files are those of a Maven repository", sums and {file.name for file in folder.iterdir()} == wanted)
    sources = {source.relative_to(KIT / "src/main/java").as_posix() for source in KIT.glob("src/main/java/**/*.java")}
    with zipfile.ZipFile(folder / f"{NAME}.jar") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    compiled = {re.sub(r"(\$\w+)?\.class$", ".java", name) for name in files if name.endswith(".class")}
    check("java: the JAR has the licence and all classes, for Java 17", compiled == sources
          and {data[7] for name, data in files.items() if name.endswith(".class")} == {61} and "META-INF/LICENSE" in files, files.keys())
    pom, needed = (folder / f"{NAME}.pom").read_text(), run("jdeps", "--print-module-deps", folder / f"{NAME}.jar").stdout.strip()
    check("java: it needs java.base alone", needed == "java.base" and f"<version>{kits.VERSION}</version>" in pom and "<dependenc" not in pom, needed)
    return folder / f"{NAME}.jar"


def classes(name, *sources, jars=()):
    """How a program is started that is compiled from these sources."""
    used = ":".join([str(jar), *jars])
    compiled = run("javac", "--release", "17", "-Xlint:all,-classfile", "-Werror", "-cp", used, "-d", path(name), *sources)
    if not check(f"java: {name} is compiled without a warning", compiled.returncode == 0, compiled):
        finish()
    return ["java", "-XX:+UseSerialGC", "-Xmx256m", "-cp", f"{used}:{path(name)}", name]


needs("javac", "java")
if not all(os.path.exists(each) for each in TOMCAT):
    skip("Tomcat's JARs are missing")
jar = package()
found = {}
for number, text in re.findall(r"Misuse.java:(\d+): error: (.*)", run(
        "javac", "--should-stop=ifError=FLOW", "-cp", jar, "-d", path("misuse"), HERE / "Misuse.java").stderr):
    found[int(number)] = found.get(int(number), "") + text
kits.misuses("java", HERE / "Misuse.java", " // ", found)
signer = Signer()
daemon = Daemon(signer).start()
kits.project("java", "Example.java", daemon, signer)
kits.judge("java", classes("Conformance", KIT / "conformance/Conformance.java"))
port, shown = free_port(), re.findall(r"(?s)```java\n(.*?)```", (KIT / "README.md").read_text())[1]
with open(path("Shown.java"), "w") as file:
    file.write("import jakarta.servlet.*; import mediatoken.*; class Shown {\n"
               f"static Filter filter(Client daemon, java.util.Map<String, String> channels) {{ {shown} return filter; }} }}")
server = classes("InTomcat", HERE / "InTomcat.java", KIT / "adapters/TokenFilter.java", path("Shown.java"), jars=TOMCAT)
with open(path("said"), "w") as said:
    server = launch([*server, daemon.socket, str(port), path("tomcat")], stdout=said, stderr=subprocess.DEVNULL)
check("Tomcat serves", serves(port))
with open(path("said")) as said:
    lines = said.read().splitlines()
check("java: the double", lines == ["it plays", "TOKEN_REPLAYED: already-used", "INVALID_TOKEN_FORMAT: unknown-form", "TOKEN_EXPIRED: too-old",
                                    "no verdict: OUT_OF_MEMORY (503)"], lines)
gate("Tomcat", port, signer, daemon, joins=False)
each_plays_once("Tomcat", port, signer)
server.terminate()
server.wait(60)
finish()
