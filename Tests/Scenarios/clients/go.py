#!/usr/bin/env -S python3 -B
"""The kit for Go: its module from a proxy in a folder into an empty module, the table, a real daemon, and middleware in a server of net/http."""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from scenario import check, finish, needs, path
from servers import play

KIT, HERE = kits.CLIENTS / "go", kits.HERE / "go"
MODULE, VERSION = "mediatoken.invalid/mediatoken", "v" + kits.VERSION
#: A user who has nothing and no network: what Go fetches comes from the proxy in the folder.
ENVIRONMENT = {"HOME": path("home"), "GOENV": "off", "GOPATH": path("gopath"), "GOCACHE": path("gocache"), "GOFLAGS": "-mod=mod -modcacherw",
               "GOPROXY": f"file://{path('package')}", "GONOSUMDB": MODULE}


def run(*command, cwd):
    said = kits.run(*command, cwd=cwd, env=os.environ | ENVIRONMENT)
    check(f"go: {' '.join(map(str, command))}", said.returncode == 0 and not (command[0] == "gofmt" and said.stdout), said)


needs("go", "gcc")
module = kits.package("go", [KIT / "build-package"], f"{MODULE}/@v/{VERSION}.zip", kits.files("go", "**/*"), f"{MODULE}@{VERSION}/")
check("go: the module needs nothing", b"require" not in module["go.mod"])
folder = kits.project("go", "main.go", **ENVIRONMENT)
shown = re.search(r"(?s)## Middleware\n.*?```go\n(.*?)```", (KIT / "README.md").read_text())[1]
(folder / "server").mkdir()
(folder / "server/main.go").write_text((HERE / "server/main.go").read_text().replace("// The README's middleware is put here.", shown))
run("gofmt", "-l", KIT, HERE, cwd=folder)
run("go", "vet", "./...", cwd=KIT)
run("go", "vet", "./server", cwd=folder)
run("go", "build", "-race", "-o", path("driver"), MODULE + "/conformance", cwd=folder)
run("go", "build", "-race", "-o", path("server"), "./server", cwd=folder)
kits.judge("go", path("driver"))
play("net/http", path("server.sock"), path("server"), path("server.sock"), kits.daemon.socket, has_workers=False)
finish()
