#!/usr/bin/env -S python3 -B
"""The kit for Java: its JAR alone on a class path, conformance, misuse that must not compile, the ten lines, and middleware
in com.sun.net.httpserver, Tomcat and Jetty."""

import hashlib
import os
import re
import socket
import sys
import threading
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from daemon import Daemon
from javas import HERE, JETTY, KIT, NAME, TOMCAT, built, classes, compiled_wrongly, program, run, serve
from processes import free_port
from scenario import check, finish, needs, path, skip
from servers import ask, each_plays_once, gate, serves
from tokens import GUID, Signer


def read(name):
    with open(name, "rb") as file:
        return file.read()


def package():
    """As a repository of Maven has it."""
    folder = kits.built_twice("java", KIT / "build-package")
    names = sorted(file.name for file in folder.rglob("*") if file.is_file())
    files = [NAME + "-sources.jar", NAME + ".jar", NAME + ".pom"]
    wanted = sorted(name + kind for name in files for kind in ("", ".sha1", ".sha256"))
    check("java: the package's files are those of a Maven repository, with their checksums", names == wanted and all(
        read(built(f"{name}.{kind}")).decode().strip() == hashlib.new(kind, read(built(name))).hexdigest()
        for name in files for kind in ("sha1", "sha256")), names)
    folder = KIT / "src/main/java"
    sources = {source.relative_to(folder).as_posix(): source.read_bytes() for source in folder.rglob("*.java")}
    with zipfile.ZipFile(built(NAME + "-sources.jar")) as archive:
        found = {name: archive.read(name) for name in archive.namelist() if not name.startswith("META-INF/")}
    check("java: the JAR of sources has them all, and nothing else", found == sources and len(sources) >= 20, found.keys() ^ sources.keys())
    jar = built(NAME + ".jar")
    with zipfile.ZipFile(jar) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    classes = {name: data for name, data in files.items() if name.endswith(".class")}
    compiled = {re.sub(r"(\$\w+)?\.class$", ".java", name) for name in classes}
    check("java: the JAR has the licence and all classes, for Java 17, and nothing else", compiled == sources.keys() - {"mediatoken/package-info.java"}
          and all(name in classes or name.startswith("META-INF/") for name in files) and {data[7] for data in classes.values()} == {61}
          and files["META-INF/LICENSE"] == read(kits.CLIENTS.parent / "LICENSE"), files.keys())
    manifest, pom = files["META-INF/MANIFEST.MF"].decode(), files["META-INF/maven/invalid.mediatoken/mediatoken/pom.xml"]
    check("java: the package is sealed", "Sealed: true\r\n" in manifest and f"Implementation-Version: {kits.VERSION}\r\n" in manifest, manifest)
    check("java: the POM is in the JAR and next to it, of this version, and needs nothing", pom == read(KIT / "pom.xml") == read(built(NAME + ".pom"))
          and f"<version>{kits.VERSION}</version>".encode() in pom and b"<dependenc" not in pom, pom)
    said = run("jar", "--describe-module", "--file", jar).stdout
    needed = run("jdeps", "--print-module-deps", "--ignore-missing-deps", jar).stdout.strip()
    check("java: the JAR is a module, which needs java.base alone", said.startswith(f"mediatoken@{kits.VERSION} ")
          and "exports mediatoken\n" in said and needed == "java.base", (said, needed))


def misuse():
    for name in ("Misuse.java", "Unhandled.java"):
        kits.misuses("java", HERE / name, " // ", compiled_wrongly(HERE / name))
    forged = classes("forged", [], HERE / "forged/mediatoken/Forger.java", strict=False)
    said = run(*program(forged, "mediatoken.Forger"))
    check("java: no other class can be of the package", said.returncode == 1 and "sealing violation" in said.stderr and not said.stdout, said)
    said = run("javac", "--module-path", built(NAME + ".jar"), "--add-modules", "mediatoken", "-d", path("forged2"),
               HERE / "forged/mediatoken/Forger.java")
    check("java: no class of the package can be next to the module",
          said.returncode == 1 and "package exists in another module: mediatoken" in said.stderr, said)


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
        check("java: a connection is deaf", is_deaf.wait(300))
        second = running.tell(question({"token": "B"}))["outcome"]
    check("java: what could not be sent is asked on a new connection", (first, second, len(connections)) == ("valid", "valid", 2), (first, second))


def inside(daemon, signer):
    class_path = classes("inside", [], HERE / "Inside.java")
    jar, own = class_path.split(":")
    module = ["java", "-XX:+UseSerialGC", "--module-path", jar, "--add-modules", "mediatoken", "-cp", own, "Inside"]
    # An account of its own for each: two tokens of one account and one second would be the same token.
    for what, command, guid in (("class path", program(class_path, "Inside"), GUID), ("module path", module, GUID[:-1] + "3")):
        tokens = signer.issue(1, form="base64", guid=guid) + signer.issue(150, form="base64")
        kits.inside(f"java, {what}", [*command, daemon.socket, guid], 19, tokens)


def readme(daemon, signer):
    """What the README shows is the program, and its commands are run as they are written, with another address."""
    text, source = (KIT / "README.md").read_text(), (KIT / "Example.java").read_text()
    kits.shown("java", re.sub(r"/\*\*.*\*/\n", "", source), text,
               [line for line in source.splitlines() if line.strip(" }") and not line.startswith("/**")])
    check("java: the README names the version", f"  <version>{kits.VERSION}</version>\n" in text)
    commands = re.search(r"```sh\n(.*?)```", text, re.S)[1].replace("clients/java", str(KIT))
    kits.readme_commands("java", commands, daemon, signer, path(""), lambda text: run("bash", "-e", "-c", text, cwd=path("")))


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
        each_plays_once(name, port, signer)
        status, _, body = ask(port, signer.issue(1, mvpd="Société")[0])
        check(f"{name}: a raw token's bytes arrive as they are", status == 200, body)
        server.terminate()
        server.wait(60)


needs("javac", "java")
for jar in TOMCAT + JETTY:
    if not os.path.exists(jar):
        skip(f"{jar} is missing")
package()
misuse()
driver = program(classes("driver", [], KIT / "conformance/Conformance.java"), "Conformance")
kits.conformance("java", driver)
unsent(driver)
signer = Signer()
daemon = Daemon(signer).start()
kits.example("java", program(classes("example", [], KIT / "Example.java"), "Example"), daemon, signer)
readme(daemon, signer)
shown()
inside(daemon, signer)
kits.inside("java, a fake", program(classes("faked", [], HERE / "Faked.java", KIT / "adapters/FakeDaemon.java"), "Faked"), 3, [])
middleware(daemon, signer)
finish()
