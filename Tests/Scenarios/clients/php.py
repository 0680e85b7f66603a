#!/usr/bin/env -S python3 -B
"""The kit for PHP: its package in an empty folder, the table, a real daemon, and the middleware in four workers of PHP's own server."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from processes import free_port
from scenario import check, finish, needs, path
from servers import play

KIT, HERE = kits.CLIENTS / "php", kits.HERE / "php"
#: Exceptions keep the arguments of calls, as they do where programs are developed.
PHP = ["php", "-d", "zend.exception_ignore_args=0", "-d", "error_reporting=-1", "-d", "display_errors=stderr"]

needs("php", "composer", "phpcs")
package = kits.package("php", [KIT / "build-package"], f"mediatoken-mediatoken-{kits.VERSION}.zip",
                       kits.files("php", "src/**/*") | {"composer.json", "README.md"})
check("php: the package needs cURL alone", b'"ext-curl": "*"\n    }' in package["composer.json"])
said = kits.run("phpcs", "--standard=PSR12", "-n", KIT / "src", KIT / "conformance.php", HERE / "inside.php", HERE / "front.php")
check("php: the kit and these programs are in the style of PSR-12", said.returncode == 0 and not said.stdout.strip(), said)
folder = kits.project("php", "example.php", COMPOSER_DISABLE_NETWORK="1", COMPOSER_ALLOW_SUPERUSER="1", COMPOSER_NO_INTERACTION="1",
                      COMPOSER_HOME=path("composer"), COMPOSER_CACHE_DIR="/dev/null")
kits.judge("php", *PHP, KIT / "conformance.php", folder / "vendor/autoload.php")
kits.inside("php", 10, *PHP, HERE / "inside.php", kits.daemon.socket, tokens=kits.signer.issue(2, form="base64"), cwd=folder)
port = free_port()
# It leaves its workers behind, unless they are ended with it.
play("PHP's server", port, *PHP, "-S", f"127.0.0.1:{port}", HERE / "front.php", joins=True, start_new_session=True,
     env=os.environ | {"PHP_CLI_SERVER_WORKERS": "4", "VENDOR": str(folder / "vendor"), "DAEMON": kits.daemon.socket})
with open(path("PHP's-server.log"), encoding="utf-8") as log:
    lines = log.read()
check("php: its server logs no warning", "Development Server" in lines
      and not any(word in lines for word in ("PHP Warning", "PHP Notice", "Fatal")), lines[-2000:])
finish()
