#!/usr/bin/env -S python3 -B
"""The kit for Java: its JAR alone on a class path, conformance, misuse that must not compile, the ten lines, and middleware
in com.sun.net.httpserver, Tomcat and Jetty."""

import hashlib
import os
import re
import socket
import subprocess
import sys
import threading
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from javas import HERE, JETTY, KIT, NAME, TOMCAT, built, classes, misuses, program, run, serve
from processes import free_port
from scenario import check, finish, needs, path, skip
from servers import ask, each_plays_once, gate, serves
from tokens import GUID, Signer


def package():
    """As a repository of Maven has it."""
    folder = kits.built_twice("java", KIT / "build-package")
    names = sorted(file.name for file in folder.rglob("*") if file.is_file())
    files = [NAME + "-sources.jar", NAME + ".jar", NAME + ".pom"]
    wanted = sorted(name + kind for name in files for kind in ("", ".sha1", ".sha256"))
    check("its files are those of a Maven repository", names == wanted, names)
    check("with their checksums", all(
        read(built(f"{name}.{kind}")).decode().strip() == hashlib.new(kind, read(built(name))).hexdigest()
        for name in files for kind in ("sha1", "sha256")))


def read(name):
    with open(name, "rb") as file:
        return file.read()


def contents():
    folder = KIT / "src/main/java"
    sources = {source.relative_to(folder).as_posix(): source.read_bytes() for source in folder.rglob("*.java")}
    with zipfile.ZipFile(built(NAME + "-sources.jar")) as archive:
        found = {name: archive.read(name) for name in archive.namelist() if not name.startswith("META-INF/")}
    check("the JAR of sources has them all, and nothing else", found == sources and len(sources) > 20, found.keys() ^ sources.keys())
    jar = built(NAME + ".jar")
    with zipfile.ZipFile(jar) as archive:
        names = archive.namelist()
        manifest = archive.read("META-INF/MANIFEST.MF").decode()
        pom = archive.read("META-INF/maven/mediatoken/mediatoken/pom.xml")
        properties = archive.read("META-INF/maven/mediatoken/mediatoken/pom.properties").decode()
        check("the JAR has the licence", archive.read("META-INF/LICENSE") == (kits.CLIENTS.parent / "LICENSE").read_bytes())
        majors = {archive.read(name)[7] for name in names if name.endswith(".class")}
    compiled = {re.sub(r"(\$\w+)?\.class$", ".java", name) for name in names if name.endswith(".class")}
    check("and all classes, and nothing else", compiled == sources.keys() - {"mediatoken/package-info.java"}
          and all(name.endswith(".class") or name.startswith("META-INF/") for name in names), names)
    check("for Java 17", majors == {61}, majors)
    check("the package is sealed", "Sealed: true\r\n" in manifest and f"Implementation-Version: {kits.VERSION}\r\n" in manifest, manifest)
    check("the POM is in the JAR and next to it", pom == (KIT / "pom.xml").read_bytes() == read(built(NAME + ".pom")))
    check("of this version, and needs nothing", f"<version>{kits.VERSION}</version>".encode() in pom and b"<dependenc" not in pom
          and properties == f"groupId=mediatoken\nartifactId=mediatoken\nversion={kits.VERSION}\n", f"{pom} {properties}")
    said = run("jar", "--describe-module", "--file", jar).stdout
    check("it is a module", said.startswith(f"mediatoken@{kits.VERSION} ") and "exports mediatoken\n" in said, said)
    needed = run("jdeps", "--print-module-deps", "--ignore-missing-deps", jar).stdout.strip()
    check("which needs java.base alone", needed == "java.base", needed)


def misuse():
    for name, least in (("Misuse.java", 16), ("Unhandled.java", 3)):
        wanted, found = misuses(HERE / name)
        check(f"none of {name} compiles", set(found) == set(wanted) and len(wanted) >= least
              and all(text in found[number] for number, text in wanted.items()), f"{found} {wanted}")
    forged = classes("forged", [], HERE / "forged/mediatoken/Forger.java", strict=False)
    said = run(*program(forged, "mediatoken.Forger"))
    check("no other class can be of the package", said.returncode == 1 and "sealing violation" in said.stderr and not said.stdout, said)
    said = run("javac", "--module-path", built(NAME + ".jar"), "--add-modules", "mediatoken", "-d", path("forged2"),
               HERE / "forged/mediatoken/Forger.java")
    check("nor next to the module", said.returncode == 1 and "package exists in another module: mediatoken" in said.stderr, said)


def unsent(driver):
    """A kept connection that takes no more bytes, though nothing can be seen of that: none was sent, so that a new one is asked."""
    sys.path.insert(1, str(kits.CLIENTS / "conformance"))
    from answers import about, token, written
    from driver import TIMEOUT, Driver, question

    listener, is_deaf, connections = socket.socket(socket.AF_UNIX), threading.Event(), []
    listener.bind(path("deaf.sock"))
    listener.listen(2)

    def serve():
        for name in "AB":
            connections.append(listener.accept()[0])
            received = b""
            while not received.endswith(b"&resource=TNT"):
                received += connections[-1].recv(65_536)
            connections[-1].sendall(written({}, about(token(name))))
            connections[-1].shutdown(socket.SHUT_RD)
            is_deaf.set()

    threading.Thread(target=serve, daemon=True).start()
    with Driver(driver) as running:
        running.tell({"do": "open", "address": path("deaf.sock"), "timeoutMilliseconds": TIMEOUT})
        first = running.tell(question({"token": "A"}))["outcome"]
        check("the connection is deaf", is_deaf.wait(300))
        second = running.tell(question({"token": "B"}))["outcome"]
    check("what was not sent is asked on a new connection", (first, second, len(connections)) == ("valid", "valid", 2), (first, second))


def inside(daemon, signer):
    class_path = classes("inside", [], HERE / "Inside.java")
    jar, own = class_path.split(":")
    module = ["java", "-XX:+UseSerialGC", "--module-path", jar, "--add-modules", "mediatoken", "-cp", own, "Inside"]
    # An account of its own for each: two tokens of one account and one second would be the same token.
    for what, command, guid in (("class", program(class_path, "Inside"), GUID), ("module", module, GUID[:-1] + "3")):
        tokens = b"\n".join(signer.issue(1, form="base64", guid=guid) + signer.issue(150, form="base64"))
        said = subprocess.run([*command, daemon.socket, guid], input=tokens, capture_output=True)
        lines = said.stdout.decode().splitlines()
        for line in lines:
            check(f"{what} path: {line}", True)
        check("all of that", said.returncode == 0 and len(lines) == 22, f"{len(lines)} {said}")


def readme(daemon, signer):
    """What the README shows is the program, and its commands are run as they are written, with another address."""
    text, source = (KIT / "README.md").read_text(), (KIT / "Example.java").read_text()
    lines = [line for line in source.splitlines() if line.strip(" }") and not line.startswith("/**")]
    check("the example has ten lines", len(lines) <= 10, len(lines))
    check("and is in the kit's README", re.sub(r"/\*\*.*\*/\n", "", source).strip() in text)
    check("which names the version", f"  <version>{kits.VERSION}</version>\n" in text)
    commands = re.search(r"```sh\n(.*?)```", text, re.S)[1]
    commands = commands.replace("/run/mediatokend/mediatokend.sock", daemon.socket).replace("clients/java", str(KIT))
    said = kits.readme_commands(commands, signer, path("token"), lambda text: run("bash", "-e", "-c", text, cwd=path("")))
    check("the README's commands play", said.returncode == 0 and said.stdout.startswith("play TNT until 20"), said)


def shown():
    """The README's middleware, with what it leaves to the reader."""
    block = re.findall(r"```java\n(.*?)```", (KIT / "README.md").read_text(), re.S)[1]
    with open(path("Shown.java"), "w") as file:
        file.write(f"""import com.sun.net.httpserver.*; import jakarta.servlet.Filter; import mediatoken.*;
            class Shown {{
              static void play(HttpExchange exchange, ValidToken token) {{}}
              static void shown(Client daemon, java.util.Map<String, String> channels) {{ {block} }} }}""")
    classes("shown", TOMCAT, path("Shown.java"), *sorted((KIT / "adapters").glob("*.java")), strict=False)


def middleware(daemon, signer):
    """Real servers, one of them of the time when servlets were javax.servlet."""
    adapter, plays, older = KIT / "adapters/TokenFilter.java", HERE / "Plays.java", {}
    for source in (adapter, HERE / "Played.java"):
        older[source.name] = path("javax-" + source.name)
        os.makedirs(older[source.name])
        older[source.name] = os.path.join(older[source.name], source.name)
        with open(older[source.name], "w") as file:
            file.write(source.read_text().replace("jakarta.servlet", "javax.servlet"))
    for name, main, class_path in (
            ("com.sun.net.httpserver", "Handled", classes("handled", [], HERE / "Handled.java", plays, KIT / "adapters/TokenHandler.java")),
            ("Tomcat", "InTomcat", classes("tomcat", TOMCAT, HERE / "InTomcat.java", HERE / "Played.java", plays, adapter)),
            ("Jetty", "InJetty", classes("jetty", JETTY, HERE / "InJetty.java", plays, *older.values()))):
        port = free_port()
        server = serve(class_path, main, daemon.socket, port, path("tomcat-folder"))
        if not check(f"{name} serves", serves(port)):
            continue
        gate(name, port, signer, daemon, joins=False)
        each_plays_once(port, signer)
        status, _, body = ask(port, signer.issue(1, mvpd="Société")[0])
        check(f"{name}: a raw token's bytes arrive as they are", status == 200, body)
        server.terminate()
        server.wait(60)


def main():
    needs("javac", "java")
    for jar in TOMCAT + JETTY:
        if not os.path.exists(jar):
            skip(f"{jar} is missing")
    package()
    contents()
    check("its version is that of the daemon", kits.version_of_the_command() == kits.VERSION)
    misuse()
    driver = program(classes("driver", [], KIT / "conformance/Conformance.java", KIT / "conformance/Lines.java"), "Conformance")
    kits.conformance("java", driver)
    unsent(driver)
    signer = Signer()
    daemon = Daemon(signer).start()
    kits.example(program(classes("example", [], KIT / "Example.java"), "Example"), daemon, signer)
    readme(daemon, signer)
    shown()
    inside(daemon, signer)
    middleware(daemon, signer)
    check("the daemon ends well", daemon.end() == 0)
    kits.overhead("java", driver)
    finish()


main()
