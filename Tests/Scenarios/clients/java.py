#!/usr/bin/env -S python3 -B
"""The kit for Java: its JAR alone on a class path, misuse that must not compile, the table, a real daemon, and the filter in Tomcat."""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from scenario import check, finish, needs, path, skip
from servers import play

KIT, HERE = kits.CLIENTS / "java", kits.HERE / "java"
FILE = f"invalid/mediatoken/mediatoken/{kits.VERSION}/mediatoken-{kits.VERSION}.jar"
#: Where Debian's packages of Tomcat have their JARs.
TOMCAT = ["/usr/share/java/tomcat10-embed-core.jar", "/usr/share/java/jakarta-annotation-api.jar"]


def program(name, *sources, jars=()):
    """How a program is started that is compiled from these sources."""
    used = ":".join([jar, *jars])
    compiled = kits.run("javac", "--release", "17", "-Xlint:all,-classfile", "-Werror", "-cp", used, "-d", path(name), *sources)
    if not check(f"java: {name} is compiled without a warning", compiled.returncode == 0, compiled):
        finish()
    return ["java", "-XX:+UseSerialGC", "-Xmx256m", "-cp", f"{used}:{path(name)}", name]


needs("javac", "java")
if not all(os.path.exists(each) for each in TOMCAT):
    skip("Tomcat's JARs are missing")
sources = {name.removeprefix("src/main/java/") for name in kits.files("java", "src/main/java/**/*")}
classes = kits.package("java", [KIT / "build-package"], FILE, sources)
jar = path("package/" + FILE)
needed = kits.run("jdeps", "--print-module-deps", jar).stdout.strip()
check("java: the JAR is for Java 17, and needs java.base alone", needed == "java.base"
      and {data[7] for name, data in classes.items() if name.endswith(".class")} == {61}, needed)
kits.misuses("java", HERE / "Misuse.java", " // ", kits.run(
    "javac", "--should-stop=ifError=FLOW", "-cp", jar, "-d", path("misuse"), HERE / "Misuse.java").stderr)
kits.project("java", "Example.java")
kits.judge("java", *program("Conformance", KIT / "conformance/Conformance.java"))
shown = re.findall(r"(?s)```java\n(.*?)```", (KIT / "README.md").read_text())[1]
with open(path("Shown.java"), "w") as file:
    file.write("import jakarta.servlet.*; import mediatoken.*; class Shown {\n"
               f"static Filter filter(Client daemon, java.util.Map<String, String> channels) {{ {shown} return filter; }} }}")
server = program("InTomcat", HERE / "InTomcat.java", KIT / "adapters/TokenFilter.java", path("Shown.java"), jars=TOMCAT)
play("Tomcat", path("web"), *server, kits.daemon.socket, path("web"), path("tomcat"))
finish()
