"""Real clusters of PostgreSQL: Debian's server in a folder of its own, on a UNIX socket, as the user postgres where we are root."""

import glob
import os
import shutil
import signal
import subprocess

from processes import free_port, launch
from scenario import path, scratch, skip, until

_found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda name: int(name.split("/")[4]))
if not _found or shutil.which("psql") is None:
    skip("PostgreSQL is missing")
BIN = os.path.dirname(_found[-1])
#: initdb refuses root.
AS_SERVER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] if os.geteuid() == 0 else []
#: The server's superuser.
OWNER = "postgres"


def run(*command, check=True, **options):
    done = subprocess.run([*AS_SERVER, *command], capture_output=True, text=True, cwd="/", **options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Database:
    """One server. `settings` are lines of its postgresql.conf."""

    def __init__(self, name, *settings, copy_of=None):
        # Others may go through, so that a server that is not us can; nothing can be listed.
        os.chmod(scratch, 0o711)
        self.folder, self.data, self.port, self.process = path(name), path(f"{name}/data"), free_port(), None
        os.mkdir(self.folder, 0o755)
        if AS_SERVER:
            shutil.chown(self.folder, "postgres", "postgres")
        if copy_of:
            run(f"{BIN}/pg_basebackup", "-h", copy_of.folder, "-p", str(copy_of.port), "-U", OWNER, "-D", self.data, "-R", "-c", "fast", "--no-sync")
        else:
            run(f"{BIN}/initdb", "-D", self.data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.write(f"unix_socket_directories = '{self.folder}'", f"port = {self.port}", "listen_addresses = '127.0.0.1'", *settings)

    def write(self, *lines):
        """Adds to its settings, which a start or a reload reads."""
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write("".join(f"{line}\n" for line in lines))

    def serve_tls(self):
        """A certificate for localhost, which signs itself, and log-in by password over the network."""
        key, certificate = f"{self.data}/server.key", f"{self.data}/server.crt"
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
        run("chmod", "600", key)
        self.write("ssl = on")
        with open(f"{self.data}/pg_hba.conf", "w") as file:
            file.write("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        shutil.copy(certificate, f"{self.folder}/ca.pem")
        return f"{self.folder}/ca.pem"

    def start(self):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = launch([*AS_SERVER, f"{BIN}/postgres", "-D", self.data], stdout=log, stderr=log, cwd="/")
        if not until(120, self.answers):
            raise RuntimeError(open(f"{self.folder}/log").read())
        return self

    def answers(self):
        return run("psql", *self.place, "-U", OWNER, "-d", "postgres", "-XAtqc", "SELECT 1", check=False) == "1\n"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def kill(self):
        """All of its processes at once, as a power loss would; what was written stays."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            processes = [self.process.pid, *map(int, file.read().split())]
        for process in processes:
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        until(60, lambda: not any(os.path.exists(f"/proc/{process}") for process in processes))
        for left in [f"{self.data}/postmaster.pid", *glob.glob(f"{self.folder}/.s.PGSQL.*")]:
            os.unlink(left)

    @property
    def place(self):
        return ["-h", self.folder, "-p", str(self.port)]

    def sql(self, text, user=OWNER):
        """What psql prints, an error included."""
        done = subprocess.run(["psql", *self.place, "-U", user, "-d", "postgres", "-XAtq", "-v", "ON_ERROR_STOP=1"], input=text,
                              capture_output=True, text=True, env=os.environ | {"PGOPTIONS": "-c synchronous_commit=local"})
        return (done.stdout + done.stderr).strip()

    def address(self, fleet):
        return f"postgres:{fleet}@{self.folder}:{self.port}/postgres"
