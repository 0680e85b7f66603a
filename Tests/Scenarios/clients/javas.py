"""The kit for Java as it is built, and programs that have nothing else on their class path."""

import os
import re
import subprocess

import kits
from processes import launch
from scenario import ROOT, check, finish, path

HERE = ROOT / "Tests/Scenarios/clients/java"
KIT = kits.CLIENTS / "java"
NAME = f"mediatoken-{kits.VERSION}"
#: Where Debian's packages of Tomcat and Jetty have their JARs.
DEBIAN = "/usr/share/java"
TOMCAT = [f"{DEBIAN}/tomcat10-embed-core.jar", f"{DEBIAN}/jakarta-annotation-api.jar"]
JETTY = [f"{DEBIAN}/jetty9-{part}.jar" for part in ("server", "servlet", "http", "io", "security", "util", "util-ajax")] + [
    f"{DEBIAN}/servlet-api.jar"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def built(name):
    """A file of the package that the scenario built."""
    return os.path.join(path("package"), "invalid/mediatoken/mediatoken", kits.VERSION, name)


def classes(name, jars, *sources, strict=True):
    """The class path of a program: the kit's JAR, other JARs, and its own classes, which are compiled from these sources."""
    jars = [built(NAME + ".jar"), *jars]
    lint = ["-Xlint:all,-classfile", "-Xdoclint:all/protected,-missing", "-Werror"] if strict else []
    compiled = run("javac", "--release", "17", *lint, "-cp", ":".join(jars), "-d", path(name), *sources)
    if not check(f"java: {name} is compiled" + " without a warning" * strict, compiled.returncode == 0, compiled):
        finish()
    return ":".join([*jars, path(name)])


def compiled_wrongly(source):
    """What javac says about each line of a file."""
    said = run("javac", "--should-stop=ifError=FLOW", "-cp", built(NAME + ".jar"), "-d", path("misuse"), source)
    found = {}
    for number, text in re.findall(rf"{source.name}:(\d+): error: (.*)", said.stderr):
        found[int(number)] = found.get(int(number), "") + text
    return found


def program(class_path, main):
    """How a program is started: small and soon."""
    return ["java", "-XX:+UseSerialGC", "-Xmx256m", "-cp", class_path, main]


def serve(class_path, main, *arguments):
    return launch([*program(class_path, main), *map(str, arguments)], stderr=subprocess.DEVNULL)
