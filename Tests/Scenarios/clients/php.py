#!/usr/bin/env -S python3 -B
"""The kit for PHP: its package in an empty folder, the table, a real daemon, and the middleware in four workers of php-fpm behind nginx."""

import glob
import os
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import kits
from processes import launch
from scenario import check, finish, needs, path, skip, until
from servers import play

KIT, HERE = kits.CLIENTS / "php", kits.HERE / "php"
#: Exceptions keep the arguments of calls, as they do where programs are developed.
PHP = ["php", "-d", "zend.exception_ignore_args=0", "-d", "zend.exception_string_param_max_len=30", "-d", "error_reporting=-1",
       "-d", "display_errors=stderr"]
TOKEN = r"""require 'vendor/autoload.php'; $daemon = new MediaToken\Testing\FakeClient();
$token = $daemon->verify($daemon->valid(), 'REF30', 'TNT');"""
POOL = """
[global]
error_log = /dev/stderr
[pool]
user = root
listen = {fpm}
pm = static
pm.max_children = 4
catch_workers_output = yes
clear_env = no
php_admin_value[error_reporting] = -1
"""
NGINX = """
daemon off; master_process off; user root; pid {pid}; events {{}}
http {{ access_log off; server {{ listen unix:{web}; location / {{
  include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME {front}; fastcgi_pass unix:{fpm}; }} }} }}
"""

needs("php", "composer", "phpcs", "nginx")
fpm = glob.glob("/usr/sbin/php-fpm*") or skip("php-fpm is missing")
package = kits.package("php", [KIT / "build-package"], f"mediatoken-mediatoken-{kits.VERSION}.zip",
                       kits.files("php", "src/**/*") | {"composer.json", "README.md"})
check("php: the package needs cURL alone", b'"ext-curl": "*"\n    }' in package["composer.json"])
# One file has the client and what it is asked about, and one the two reasons for which a token is not valid.
said = kits.run("phpcs", "--standard=PSR12", "--exclude=PSR1.Classes.ClassDeclaration", "-n", KIT / "src", KIT / "conformance.php")
check("php: the kit is in the style of PSR-12", said.returncode == 0 and not said.stdout.strip(), said)
folder = kits.project("php", "example.php", COMPOSER_DISABLE_NETWORK="1", COMPOSER_ALLOW_SUPERUSER="1", COMPOSER_NO_INTERACTION="1",
                      COMPOSER_HOME=path("composer"), COMPOSER_CACHE_DIR="/dev/null")
kits.judge("php", *PHP, KIT / "conformance.php", folder / "vendor/autoload.php")
for misuse, reason in (
        ("$token->use = 'first'", "Cannot modify readonly property"), (r"new MediaToken\ValidToken()", "Call to private"),
        ("$daemon->verify('x', resource: 'TNT')", "($requestor) not passed"),
        ("$daemon->verify('x', 'REF30', null)", "($resource) must be of type")):
    said = kits.run(*PHP, "-r", f"{TOKEN} {misuse};", cwd=folder)
    check(f"php: {misuse} is an error", reason in said.stderr, said)
places = {name: path(name) for name in ("fpm", "web", "pid")} | {"front": HERE / "front.php"}
for name, text in (("pool.conf", POOL), ("nginx.conf", NGINX)):
    with open(path(name), "w") as file:
        file.write(text.format(**places))
with open(path("fpm.log"), "w+") as log:
    surroundings = {"VENDOR": str(folder / "vendor"), "DAEMON": kits.daemon.socket}
    workers = launch([fpm[-1], "-R", "-F", "-y", path("pool.conf")], stderr=log, env=surroundings)
    until(60, lambda: os.path.exists(path("fpm")))
    play("php-fpm", path("web"), "nginx", "-c", path("nginx.conf"), joins=None)
    workers.terminate()
    is_well = workers.wait(60) == 0
    log.seek(0)
    lines = log.read()
check("php: php-fpm ends with 0, and logs no warning", is_well and "ready to handle" in lines and "PHP" not in lines, lines[-2000:])
finish()
