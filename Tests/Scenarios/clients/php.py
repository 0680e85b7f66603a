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
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def extension():
    """The extension with the interfaces of PSR-15."""
    had = run(HERE / "install-php-tools")
    if had.returncode != 0:
        skip("the extension psr cannot be had")
    return had.stdout.strip()


def package():
    """As Composer takes it from a folder of artifacts."""
    package, *others = kits.built_twice("php", KIT / "build-package").iterdir()
    with zipfile.ZipFile(package) as archive:
        files = set(archive.namelist())
        modes = {each.external_attr for each in archive.infolist()}
        metadata = archive.read("composer.json").decode()
    sources = {path.relative_to(KIT).as_posix() for path in (KIT / "src").rglob("*.php")}
    wanted = sources | {"composer.json", "LICENSE", "README.md"}
    check("php: the package has the kit's name and version, its sources, readable for all, and nothing else", len(sources) > 15
          and package.name == f"mediatoken-mediatoken-{kits.VERSION}.zip" and not others and files == wanted and modes == {0o100644 << 16},
          (package, others, files ^ wanted, modes))
    check("php: the package needs cURL and nothing else", re.search(r'"require": \{\s+"php": ">=8\.2",\s+"ext-curl": "\*"\s+\}', metadata), metadata)
    loose = [file for file in sources if "\ndeclare(strict_types=1);\n" not in (KIT / file).read_text()]
    check("php: every source has strict types", not loose, loose)
    said = run("phpcs", "--standard=PSR12", "-n", KIT / "src", *KIT.glob("*.php"), HERE / "php")
    check("php: the kit and these programs are in the style of PSR-12", said.returncode == 0 and not said.stdout.strip(), said)


def install(daemon, signer):
    """What the kit's README shows: its commands, and its program."""
    readme, program = (KIT / "README.md").read_text(), (KIT / "example.php").read_text().split("*/", 1)[1]
    shown = re.search(r"(?s)```php\n(.*?)```", readme)[1]
    kits.shown("php", program, shown, [line for line in program.splitlines() if line])
    os.makedirs(APPLICATION)
    os.symlink(kits.CLIENTS, path("application/clients"))
    with open(path("application/example.php"), "w", encoding="utf-8") as file:
        file.write(shown)
    kits.readme_commands("php", re.search(r"(?s)```sh\n(.*?)```", readme)[1], daemon, signer, APPLICATION,
                         lambda text: run("bash", "-eu", "-c", text, cwd=APPLICATION, env=os.environ | OFFLINE))
    found = run("composer", "show", "mediatoken/mediatoken", cwd=APPLICATION, env=os.environ | OFFLINE).stdout
    check("php: Composer knows the kit's version, and installed no other package",
          re.search(rf"(?m)^versions : \* {re.escape(kits.VERSION)}$", found)
          and sorted(os.listdir(path("application/vendor"))) == ["autoload.php", "composer", "mediatoken"], found)


def fatal():
    """What ends a program; nothing but the middleware needs PSR-15."""
    for program, printed, why in (
            ("class Mine extends MediaToken\\ValidToken {} echo 'extended';", "", "final class"),
            ("new MediaToken\\Client('/x'); echo 'made'; new MediaToken\\Middleware();", "made", "Psr\\Http\\Server\\Middleware")):
        said = run(*PHP, "-r", "require 'vendor/autoload.php'; " + program, cwd=APPLICATION)
        check(f"php: this program ends with '{why}': {program}", said.returncode == 255 and said.stdout == printed and why in said.stderr, said)


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
need_descriptors(2_048)
psr = extension()
package()
signer = Signer()
daemon = Daemon(signer).start()
install(daemon, signer)
kits.conformance("php", [*PHP, str(KIT / "conformance.php"), path("application/vendor/autoload.php")])
os.chdir(APPLICATION)
kits.example("php", [*PHP, str(KIT / "example.php")], daemon, signer)
fatal()
kits.inside("php", [*PHP, HERE / "php/fake.php"], 6, [], cwd=APPLICATION)
for program, lines, options in (("misuse.php", 24, []), ("processes.php", 6, []), ("middleware.php", 14, ["-d", f"extension={psr}"])):
    kits.inside("php", [*PHP, *options, HERE / "php" / program, daemon.socket], lines, signer.issue(700, form="base64"), cwd=APPLICATION)
served(daemon, signer, psr)
finish()
