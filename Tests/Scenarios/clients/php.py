#!/usr/bin/env -S python3 -B
"""The kit for PHP: its package in an empty folder, conformance, misuse, the ten lines, forks, and the middleware in php-fpm."""

import glob
import os
import re
import subprocess
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from connection import listens
from daemon import Daemon
from processes import launch
from scenario import ROOT, check, finish, need_descriptors, needs, path, skip, until
from servers import each_plays_once, gate, serves
from tokens import Signer

HERE = ROOT / "Tests/Scenarios/clients"
KIT = kits.CLIENTS / "php"
#: Nothing is fetched, and nothing is kept outside of the scenario's folder.
OFFLINE = {"COMPOSER_DISABLE_NETWORK": "1", "COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_NO_INTERACTION": "1",
           "COMPOSER_HOME": path("composer"), "COMPOSER_CACHE_DIR": "/dev/null"}
#: Exceptions keep the arguments of calls, as they do where programs are developed.
PHP = ["php", "-d", "zend.exception_ignore_args=0", "-d", "error_reporting=-1", "-d", "display_errors=stderr"]
APPLICATION = path("application")
#: Debian's has the version of PHP in its name.
FPM = os.path.basename(next(iter(sorted(glob.glob("/usr/sbin/php-fpm*"))), "php-fpm"))


def run(*command, **options):
    return subprocess.run([str(part) for part in command], **({"capture_output": True, "text": True} | options))


def extension():
    """The extension with the interfaces of PSR-15."""
    had = run(HERE / "install-php-tools")
    if had.returncode != 0:
        skip("the extension psr cannot be had")
    return had.stdout.strip()


def package():
    """As Composer takes it from a folder of artifacts."""
    package, *others = kits.built_twice("php", KIT / "build-package").iterdir()
    check("under its name", package.name == f"mediatoken-mediatoken-{kits.VERSION}.zip" and not others, [package, *others])
    with zipfile.ZipFile(package) as archive:
        files = set(archive.namelist())
        stamps = {(each.date_time, each.external_attr) for each in archive.infolist()}
        check("of one time and one mode", stamps == {((2026, 11, 23, 0, 0, 0), 0o100644 << 16)}, stamps)
        metadata = archive.read("composer.json").decode()
    sources = {path.relative_to(KIT).as_posix() for path in (KIT / "src").rglob("*.php")}
    others = {"composer.json", "LICENSE", "README.md"}
    check("with the sources and nothing else", files == sources | others and len(sources) > 15, files)
    check("which needs cURL and nothing else", re.search(r'"require": \{\s+"php": ">=8\.2",\s+"ext-curl": "\*"\s+\}', metadata), metadata)
    missing = run(KIT / "build-package")
    check("without a folder it says what is missing", missing.returncode == 2 and "expected the folder" in missing.stderr, missing)
    loose = [file for file in sources if "\ndeclare(strict_types=1);\n" not in (KIT / file).read_text()]
    check("every source has strict types", not loose, loose)


def install(daemon, signer):
    """What the kit's README shows: its commands, and its program."""
    readme, program = (KIT / "README.md").read_text(), (KIT / "example.php").read_text()
    shown = re.search(r"(?s)```php\n(.*?)```", readme)[1]
    check("the example is in the kit's README", shown.strip() == "<?php\n\n" + program.split("*/", 1)[1].strip(), shown)
    check("and has ten lines", len([line for line in program.split("*/", 1)[1].splitlines() if line]) == 10)
    commands = re.search(r"(?s)```sh\n(.*?)```", readme)[1]
    os.makedirs(APPLICATION)
    os.symlink(kits.CLIENTS, path("application/clients"))
    with open(path("application/example.php"), "w", encoding="utf-8") as file:
        file.write(shown)
    said = kits.readme_commands(
        commands.replace("/run/mediatokend/mediatokend.sock", daemon.socket), signer, path("application/token"),
        lambda text: run("bash", "-eu", "-c", text, cwd=APPLICATION, env=os.environ | OFFLINE))
    played = said.stdout.splitlines()[-1:]
    check("the commands of the README install it and play", said.returncode == 0 and played[0].startswith("play TNT"), said)
    found = run("composer", "show", "mediatoken/mediatoken", cwd=APPLICATION, env=os.environ | OFFLINE).stdout
    check("Composer knows its version", re.search(rf"(?m)^versions : \* {re.escape(kits.VERSION)}$", found), found)
    check("and no other package", os.listdir(path("application/vendor/mediatoken")) == ["mediatoken"]
          and sorted(os.listdir(path("application/vendor"))) == ["autoload.php", "composer", "mediatoken"])
    check("which is the daemon's", kits.version_of_the_command() == kits.VERSION)


def inside(program, lines, daemon, signer, *options):
    """A program that prints a line for each thing that holds."""
    tokens = b"\n".join(signer.issue(700, form="base64"))
    said = run(*PHP, *options, HERE / "php" / program, daemon.socket, input=tokens, text=False, cwd=APPLICATION)
    printed = said.stdout.decode().splitlines()
    for line in printed:
        check(line, True)
    is_quiet = not re.search(rb"Warning|Notice|Deprecated", said.stderr)
    check(f"all of {program}, without a warning", said.returncode == 0 and len(printed) == lines and is_quiet, said)


def fatal():
    """What ends a program."""
    def ends(program, printed, why):
        said = run(*PHP, "-r", "require 'vendor/autoload.php'; " + program, cwd=APPLICATION)
        return check(f"it ends: {program}", said.returncode == 255 and said.stdout == printed and why in said.stderr, said)

    ends("class Mine extends MediaToken\\ValidToken {} echo 'extended';", "", "final class")
    # Nothing but the middleware needs PSR-15.
    ends("new MediaToken\\Client('/x'); echo 'made'; new MediaToken\\Middleware();", "made", "Psr\\Http\\Server\\Middleware")


def served(daemon, signer, psr):
    """php-fpm's workers, each request of which makes a client, behind Caddy."""
    folder = os.path.dirname(path("fpm.sock"))
    settings = os.environ | {"FOLDER": folder, "HOME": folder, "ROOT": str(HERE / "php"), "VENDOR": path("application/vendor"),
                             "DAEMON": daemon.socket}
    as_root = ["--allow-to-run-as-root"] if os.getuid() == 0 else []
    fpm = launch([FPM, *as_root, "--fpm-config", str(HERE / "php/fpm.conf"), "-d", f"extension={psr}"], env=settings,
                 stderr=subprocess.DEVNULL)
    check("php-fpm listens", until(60, lambda: listens(path("fpm.sock"))))
    with open(path("caddy.log"), "wb") as log:
        caddy = launch(["caddy", "run", "--config", str(HERE / "php/Caddyfile"), "--adapter", "caddyfile"], env=settings,
                       stderr=log)
    check("Caddy serves", serves(path("web.sock")))
    gate("php-fpm", path("web.sock"), signer, daemon, joins=True)
    each_plays_once(path("web.sock"), signer)
    for server in (caddy, fpm):
        server.terminate()
        server.wait(60)
    with open(path("fpm.log"), encoding="utf-8") as log:
        said = log.read()
    check("without a word from PHP", "NOTICE: fpm is running" in said and "said into" not in said, said[-2000:])


def main():
    needs("php", "composer", "phpcs", FPM, "caddy")
    need_descriptors(2_048)
    psr = extension()
    package()
    signer = Signer()
    daemon = Daemon(signer).start()
    install(daemon, signer)
    driver = [*PHP, str(KIT / "conformance.php"), path("application/vendor/autoload.php")]
    kits.conformance("php", driver)
    os.chdir(APPLICATION)
    kits.example([*PHP, str(KIT / "example.php")], daemon, signer)
    fatal()
    said = run("phpcs", "--standard=PSR12", "-n", KIT / "src", *KIT.glob("*.php"), HERE / "php")
    check("all of it is in the style of PSR-12", said.returncode == 0 and not said.stdout.strip(), said)
    inside("misuse.php", 35, daemon, signer)
    inside("processes.php", 7, daemon, signer)
    inside("middleware.php", 15, daemon, signer, "-d", f"extension={psr}")
    served(daemon, signer, psr)
    check("the daemon ends well", daemon.end() == 0)
    kits.overhead("php", driver)
    finish()


main()
