"""Blocks in Swift and C, compiled as they are printed; README's are run.

README's block in Swift is a file as it is, of a package that depends on this one by its path. An article's block becomes a function
of a program with the modules of Tests/run, or of a C file. What it takes for granted is declared in `Given.swift` and `given.h`, and nothing else is added.
"""
import http.client
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

from pages import README, blocks
from printed import run
from processes import MEDIATOKEN
from scenario import ROOT, check

HERE = pathlib.Path(__file__).resolve().parent
#: Where Tests/run has built all modules.
BUILT = pathlib.Path(os.environ.get("MEDIATOKEN_BUILT") or ROOT / ".build/debug")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror")
HEADERS = f"-I{ROOT}/Sources/CMediaToken/include"
MODULES = ("MediaToken",)
#: A token for the resource that README's blocks play, and one for another.
RESOURCES = {"TNT": True, "TBS": False}


def name(document, number):
    return f"{document.stem}{number}"


def token_for(resource, folder):
    """A token, and the folder with the key that signed it."""
    if not os.path.isdir(f"{folder}/keys"):
        run(MEDIATOKEN, "keys", "generate", "--out", f"{folder}/made", check=True)
        os.mkdir(f"{folder}/keys", mode=0o755)
        os.rename(f"{folder}/made/development.pem", f"{folder}/keys/key.pem")
    return run(MEDIATOKEN, "issue", "--key", f"{folder}/made/development.private.pem", "--requestor", "REF30",
               "--resource", resource, check=True).stdout


# MARK: Swift

VERIFIER = 'let verifier = try TokenVerifier(keys: "/etc/mediatoken/keys", oneUse: .notEnforced)'
#: What an article's reader has by then.
GIVEN = {"SwiftServer": ["", VERIFIER], "MigrationFromJava": [VERIFIER], "MediaTokenHandover": [VERIFIER]}


def swift_function(document, number, text, also):
    """A block as a function. Its imports go to the top of the file, and those that an article takes for granted."""
    lines = text.splitlines()
    imports = [line for line in lines if line.startswith("import ")] + [f"import {module}" for module in also]
    given = GIVEN.get(document.stem, [""])
    body = [given[min(number, len(given)) - 1], *(line for line in lines if not line.startswith("import "))]
    return "\n".join([*imports, f"func {name(document, number)}() async throws {{", *body, "}", ""])


def stubs(folder):
    """Modules with the signatures of frameworks that are not here."""
    for file in sorted((HERE / "stubs").glob("*.swift")):
        made = run("swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", file.stem, file,
                   "-o", folder / f"{file.stem}.swiftmodule")
        check(f"the stub of {file.stem} compiles", made.returncode == 0, made.stderr)
    return ["-I", folder]


def swift(readme):
    """README's blocks in a package that has what README says; those of the articles with the modules that Tests/run has built."""
    # Kept, so that the library is not built again each time.
    scratch = ROOT / ".build/tests/documents-package"
    sources, articles = scratch / "Sources" / "documents", scratch / "articles"
    for folder in (sources, articles):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    readmes, others = [], []
    for document, number, text in blocks("swift"):
        file = (sources if document == README else articles) / f"{name(document, number)}.swift"
        file.write_text(text if document == README else swift_function(document, number, text, also=MODULES))
        if "AVURLAsset" in text:
            # Apple's frameworks are not here: it is read, and not compiled.
            parsed = run("swiftc", "-parse", file)
            check(f"{file.stem}, which needs Apple's frameworks, is Swift", parsed.returncode == 0, parsed.stderr)
            file.unlink()
            continue
        (readmes if document == README else others).append(file)
    check("the documents have blocks in Swift", readmes and len(readmes + others) >= 6, f"{len(readmes)}, {len(others)}")
    typed = run("swiftc", "-typecheck", "-swift-version", "6", *interfaces(), *stubs(articles), HERE / "Given.swift", *others)
    check(f"{len(others)} blocks of articles in Swift compile with the modules", typed.returncode == 0, typed.stderr[-2000:])
    for file in ("Given.swift", "main.swift"):
        shutil.copy(HERE / file, sources)
    package, product = (line.rstrip(",") for line in readme.block("In Swift", 2).splitlines())
    (scratch / "Package.swift").write_text(
        (HERE / "Package.swift.in").read_text().replace("@PACKAGE@", package).replace("@PRODUCT@", product))
    # Where README has it, whatever the checkout is called.
    (scratch.parent / "mediatoken").unlink(missing_ok=True)
    (scratch.parent / "mediatoken").symlink_to(ROOT)
    built = run("swift", "build", "--package-path", str(scratch))
    errors = [line for line in built.stdout.splitlines() if " error: " in line]
    check("README's block in Swift compiles in a package that depends on this one", built.returncode == 0,
          "\n".join(errors[:20]) or built.stdout[-2000:] + built.stderr[-2000:])


def swift_is_run(readme):
    """With a token for its resource twice, and with one for another, where /etc/mediatoken/keys has a key."""
    check("README has a block in Swift", readme.block("In Swift").startswith("import MediaToken\n"))
    apart = """
        mount -t tmpfs none "$1/over" && mkdir "$1/over/up" "$1/over/work" &&
        mount -t overlay -o "lowerdir=/etc,upperdir=$1/over/up,workdir=$1/over/work" none /etc &&
        mkdir -p /etc/mediatoken/keys && cp "$1/keys/key.pem" /etc/mediatoken/keys/ &&
        mount --bind "$1/lib" /var/lib && shift && exec "$@"
        """
    with tempfile.TemporaryDirectory() as folder:
        for name in ("over", "lib", "lib/mediatoken"):
            os.mkdir(f"{folder}/{name}")
        block = pathlib.Path(folder, "README1.swift")
        block.write_text(readme.block("In Swift"))
        built = run("swiftc", "-swift-version", "6", *modules(), block, HERE / "Given.swift", HERE / "main.swift", "-o", f"{folder}/block")
        if not check("README's block in Swift is a program with the modules", built.returncode == 0, built.stdout + built.stderr):
            return
        tokens = {resource: token_for(resource, folder) for resource in RESOURCES}
        made = run(MEDIATOKEN, "replay", "create", "--table", f"{folder}/lib/mediatoken/replay.table", "--capacity", "1000", "--fresh")
        check("a table is made for README's block in Swift", made.returncode == 0, made.stderr)
        for resource, wanted in (("TNT", "plays TNT"), ("TNT", "answers 403"), ("TBS", "answers 403")):
            mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
            ran = run("unshare", "--mount", *mapped, "sh", "-c", apart, "sh", folder, f"{folder}/block", tokens[resource])
            check(f"README's block in Swift with a token for {resource}: {wanted}",
                  wanted in ran.stdout and ran.returncode == 0, ran.stdout + ran.stderr)


def server_is_run():
    """The example of a server: a token plays once, and a client that sends nothing holds no one up."""
    sources = sorted((ROOT / "examples/swift-server/Sources/server").glob("*.swift"))
    described = run("swift", "package", "--package-path", ROOT / "examples/swift-server", "--scratch-path",
                    ROOT / ".build/tests/swift-server", "describe")
    check("the example of a server is a package with MediaToken", "MediaToken" in described.stdout, described.stderr)
    with tempfile.TemporaryDirectory() as folder:
        built = run("swiftc", "-swift-version", "6", "-parse-as-library", *modules(), *sources, "-o", f"{folder}/server")
        if not check("the example of a server is a program with the modules", built.returncode == 0, built.stdout + built.stderr):
            return
        token, other = token_for("TNT", folder), token_for("TBS", folder)
        table = f"{folder}/replay.table"
        run(MEDIATOKEN, "replay", "create", "--table", table, "--capacity", "1000", "--fresh", check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        refused = run(f"{folder}/server", f"{folder}/none", f"{folder}/none.table", str(port))
        check("the example names the keys and the table that are missing at once", refused.returncode == 1
              and "keys: " in refused.stdout and "oneUse: " in refused.stdout, refused.stdout + refused.stderr)
        server = subprocess.Popen([f"{folder}/server", f"{folder}/keys", table, str(port)], stdout=subprocess.PIPE, text=True)
        try:
            for _ in range(200):
                try:
                    silent = socket.create_connection(("127.0.0.1", port))
                    break
                except ConnectionRefusedError:
                    time.sleep(0.05)
            for lengths in ("-5", "+5", "", " ", "5 5", "5, 5", "5\r\nContent-Length: 5", "0x5", "5.", "99999999999999999999", "99999999"):
                status = status_for(port, lengths)
                check(f"the example of a server answers 400 to the length {lengths!r}", status == b"400", status)
            for text, wanted in ((token, 200), (token, 403), (other, 403)):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request("POST", "/start", body=text)
                status = connection.getresponse().status
                check(f"the example of a server answers {wanted}", status == wanted, status)
            silent.close()
        finally:
            server.kill()
            server.wait()


def status_for(port, lengths):
    """The status of an answer to five bytes whose length is said in this way; nothing if none came."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"POST /start HTTP/1.1\r\nContent-Length: {lengths}\r\n\r\nhello".encode())
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(4096).partition(b" ")[2][:3]


def interfaces():
    """Options of the compiler: where the modules are, and those in C that they are made with."""
    maps = [f"-fmodule-map-file={file}" for pattern in ("CL*", "CMemoryGuard/include")
            for file in ROOT.glob(f"Sources/{pattern}/module.modulemap")]
    flags = shlex.split(run("pkg-config", "--cflags", "libxml-2.0", "libcrypto").stdout)
    return ["-I", BUILT / "Modules", *(part for flag in maps + flags for part in ("-Xcc", flag))]


def modules():
    """The same, and what MediaToken is made of."""
    # The folder may still have the object of a source that is gone; the list has not.
    linked = shlex.split((BUILT / "mediatoken.product/Objects.LinkFileList").read_text())
    objects = [file for file in linked if re.search(r"/(MediaToken|MediaTokenSystem|CMemoryGuard)\.build/", file)]
    return [*interfaces(), *objects, *shlex.split(run("pkg-config", "--libs", "libxml-2.0", "libcrypto", "hiredis").stdout)]


# MARK: C


def c():
    with tempfile.TemporaryDirectory() as folder:
        compiled = [is_c(folder, *block) for block in blocks("c")]
    check("the documents have blocks in C", len(compiled) >= 2, len(compiled))


def is_c(folder, document, number, text):
    """Whether a block is a function of a file in C, which is left in the folder."""
    file = pathlib.Path(folder) / f"{name(document, number)}.c"
    file.write_text(f"{(HERE / 'given.h').read_text()}\nvoid block(void) {{\n{text}}}\n")
    compiled = run("cc", *STRICT, "-fsyntax-only", HEADERS, str(file))
    return check(f"{document.name}: block {number} in C compiles", compiled.returncode == 0, compiled.stderr)


def c_is_run(readme):
    """Against the library, with a token for its resource and with one for another."""
    text = readme.block("In C")
    check("README has a block in C", "mediatoken_verify(" in text)
    with tempfile.TemporaryDirectory() as folder:
        built = is_c(folder, README, 1, text) and run(
            "cc", *STRICT, HEADERS, "-o", f"{folder}/block", f"-I{HERE}", f"{HERE}/run.c", f"{folder}/README1.c",
            BUILT / "libmediatoken-abi.so", f"-Wl,-rpath,{BUILT}")
        if not check("README's block in C is a program with the library", built and built.returncode == 0, built and built.stderr):
            return
        for resource, plays in RESOURCES.items():
            wanted = "plays\n" if plays else "refuses\n"
            ran = run(f"{folder}/block", f"{folder}/keys", token_for(resource, folder), "TNT")
            check(f"README's block in C with a token for {resource}: {wanted.strip()}",
                  ran.stdout == wanted and ran.returncode == 0, ran.stdout + ran.stderr)
