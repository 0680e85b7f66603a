"""Servers of PostgreSQL for one scenario: on a UNIX socket and on a port of loopback, where one asks for TLS and a password."""

import atexit
import os
import shutil

from clusters import PROGRAMS, USER, Server, run
from processes import free_port
from scenario import path, scratch, skip

if not (PROGRAMS / "initdb").exists():
    skip("PostgreSQL is missing")
# Others may go through, so that a server that is not us can; nothing can be listed.
os.chmod(scratch, 0o711)


class Database(Server):
    """One server, which ends with the scenario."""

    def __init__(self, name, copy_of=None):
        os.mkdir(path(name), 0o755)
        if USER:
            shutil.chown(path(name), USER, USER)
        super().__init__(path(f"{name}/data"), "listen_addresses = '127.0.0.1'", port=free_port())
        atexit.register(self.kill)
        if copy_of:
            self.create_from(copy_of, standby=True)
        else:
            self.create()

    def serve_tls(self):
        """A certificate for localhost, which signs itself, and log-in by password over the network."""
        key, certificate = self.folder / "server.key", self.folder / "server.crt"
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
        run("chmod", "600", key)
        self.configure("ssl = on")
        (self.folder / "pg_hba.conf").write_text("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        return shutil.copy(certificate, f"{self.sockets}/ca.pem")

    def sql(self, text, user=None, **options):
        """What psql prints, an error included. It waits for no standby."""
        return super().sql(text, check=False, user=user, **options, env=os.environ | {"PGOPTIONS": "-c synchronous_commit=local"})

    def address(self, fleet):
        return f"postgres:{fleet}@{self.sockets}:{self.port}/postgres"
