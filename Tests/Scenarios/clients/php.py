#!/usr/bin/env -S python3 -B
"""The kit for PHP: its package in an empty folder, the table, a real daemon, and the middleware in php-fpm."""

import glob
import os
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from connection import listens
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, needs, path, skip, until
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients"
KIT = kits.CLIENTS / "php"
#: Exceptions keep the arguments of calls, as they do where programs are developed.
PHP = ["php", "-d", "zend.exception_ignore_args=0", "-d", "error_reporting=-1", "-d", "display_errors=stderr"]
#: Debian's has the version of PHP in its name.
FPM = os.path.basename(next(iter(sorted(glob.glob("/usr/sbin/php-fpm*"))), "php-fpm"))


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def package():
    """As Composer takes it from a folder of artifacts."""
    package, *others = kits.built_twice("php", KIT / "build-package").iterdir()
    with zipfile.ZipFile(package) as archive:
        files, metadata = set(archive.namelist()), archive.read("composer.json").decode()
    wanted = {path.relative_to(KIT).as_posix() for path in (KIT / "src").rglob("*.php")} | {"composer.json", "LICENSE", "README.md"}
    check("php: the package has the kit's version and its sources, and needs cURL alone", not others and files == wanted
          and package.name == f"mediatoken-mediatoken-{kits.VERSION}.zip" and '"ext-curl": "*"\n    }' in metadata, [others, files ^ wanted])
    said = run("phpcs", "--standard=PSR12", "-n", KIT / "src", KIT / "conformance.php", HERE / "php")
    check("php: the kit and these programs are in the style of PSR-12", said.returncode == 0 and not said.stdout.strip(), said)


def served(folder, daemon, signer, psr):
    """php-fpm's workers, each request of which makes a client, behind Caddy."""
    home = os.path.dirname(path("fpm.sock"))
    settings = os.environ | {"FOLDER": home, "HOME": home, "ROOT": str(HERE / "php"), "VENDOR": str(folder / "vendor"), "DAEMON": daemon.socket}
    as_root = ["--allow-to-run-as-root"] if os.getuid() == 0 else []
    fpm = launch([FPM, *as_root, "--fpm-config", str(HERE / "php/fpm.conf"), "-d", f"extension={psr}"], env=settings, stderr=subprocess.DEVNULL)
    check("php-fpm listens", until(60, lambda: listens(path("fpm.sock"))))
    with open(path("caddy.log"), "wb") as log:
        caddy = launch(["caddy", "run", "--config", str(HERE / "php/Caddyfile"), "--adapter", "caddyfile"], env=settings, stderr=log)
    check("Caddy serves php-fpm", serves(path("web.sock")))
    gate("php-fpm", path("web.sock"), signer, daemon, joins=True)
    each_plays_once("php-fpm", path("web.sock"), signer)
    for server in (caddy, fpm):
        server.terminate()
        server.wait(60)
    with open(path("fpm.log"), encoding="utf-8") as log:
        said = log.read()
    check("php-fpm logs no warning of PHP", "NOTICE: fpm is running" in said and "said into" not in said, said[-2000:])


needs("php", "composer", "phpcs", FPM, "caddy")
had = run(HERE / "install-php-tools")
if had.returncode != 0:
    skip("the extension psr cannot be had")
package()
signer = Signer()
daemon = Daemon(signer).start()
folder = kits.project("php", "example.php", daemon, signer, COMPOSER_DISABLE_NETWORK="1", COMPOSER_ALLOW_SUPERUSER="1",
                      COMPOSER_NO_INTERACTION="1", COMPOSER_HOME=path("composer"), COMPOSER_CACHE_DIR="/dev/null")
kits.judge("php", [*PHP, KIT / "conformance.php", folder / "vendor/autoload.php"])
kits.inside("php", [*PHP, HERE / "php/inside.php", daemon.socket], 10, signer.issue(2, form="base64"), cwd=folder)
served(folder, daemon, signer, had.stdout.strip())
finish()
