"""PostgreSQL servers of our own: one folder each, owned by the user who runs them, on a UNIX socket in it."""

import contextlib
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

#: The newest of Debian's.
PROGRAMS = pathlib.Path(max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]), default="/nowhere"))
USER = "postgres" if os.geteuid() == 0 else None
#: A commit of a standby's that is too slow to be waited for is still seen within this many seconds.
PATIENCE = 60
SETTINGS = """
listen_addresses = ''
shared_buffers = 32MB
dynamic_shared_memory_type = mmap
max_connections = 60
wal_level = replica
max_wal_senders = 6
wal_keep_size = 256MB
hot_standby = on
restart_after_crash = on
log_min_messages = log
"""


def run(program, *arguments, check=True, **options):
    """What it printed, on both outputs."""
    ended = subprocess.run([program, *map(str, arguments)], user=USER, group=USER, extra_groups=[] if USER else None, cwd="/",
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if check and ended.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(map(str, arguments))}: {ended.stdout[-2000:]}")
    return ended.stdout


def is_alive(process):
    with contextlib.suppress(OSError), open(f"/proc/{process}/status") as status:
        return "State:\tZ" not in status.read()
    return False


class Server:
    """`folder` is made, and may be exchanged for a copy while the server is stopped."""

    def __init__(self, folder, settings="", environment=None, port=5432):
        self.folder, self.environment, self.port = pathlib.Path(folder), environment, port
        self.log, self.sockets = f"{folder}.log", f"{folder}.socket"
        os.mkdir(self.sockets)
        if USER:
            shutil.chown(self.sockets, USER, USER)
        self.settings = f"unix_socket_directories = '{self.sockets}'\nport = {port}\n" + settings

    @property
    def socket(self):
        return f"{self.sockets}/.s.PGSQL.{self.port}"

    @property
    def place(self):
        return "-h", self.sockets, "-p", self.port

    def create(self):
        run(PROGRAMS / "initdb", "-D", self.folder, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.configure(SETTINGS + self.settings)
        return self

    def create_from(self, other, standby=False):
        """A base backup of another server that runs."""
        run(PROGRAMS / "pg_basebackup", *other.place, "-D", self.folder, "-X", "stream", "--no-sync", "-c", "fast",
            *(["-R"] if standby else []))
        self.configure(self.settings)
        return self

    def configure(self, text):
        with open(self.folder / "postgresql.conf", "a") as file:
            file.write(text + "\n")

    def start(self):
        run(PROGRAMS / "pg_ctl", "-D", self.folder, "-l", self.log, "-w", "-t", PATIENCE, "start",
            env=self.environment or dict(os.environ))
        return self

    def stop(self, mode="fast"):
        run(PROGRAMS / "pg_ctl", "-D", self.folder, "-m", mode, "-w", "-t", PATIENCE, "stop", check=False)

    def promote(self):
        run(PROGRAMS / "pg_ctl", "-D", self.folder, "-w", "-t", PATIENCE, "promote")

    def lag(self):
        """A standby hears nothing of what comes from now on; waits until something may have come."""
        self.set("primary_conninfo", "")
        end = time.monotonic() + PATIENCE
        while self.processes("walreceiver"):
            if time.monotonic() > end:
                raise TimeoutError("the standby still follows")
            time.sleep(0.05)
        time.sleep(3)

    def sql(self, text, check=True, user=None, database="postgres", **options):
        return run(PROGRAMS / "psql", *self.place, *(["-U", user] if user else []), "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1",
                   input=text, check=check, **options).strip()

    def set(self, name, value):
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")

    # Its processes.

    @property
    def process(self):
        """None: it does not run."""
        try:
            process = int((self.folder / "postmaster.pid").read_text().split()[0])
        except (FileNotFoundError, IndexError):
            return None
        return process if is_alive(process) else None

    def processes(self, what=""):
        """The server's own children whose titles contain this."""
        found = []
        for file in glob.glob("/proc/[0-9]*/stat"):
            with contextlib.suppress(OSError):
                stat = pathlib.Path(file).read_text()
                title = pathlib.Path(file).with_name("cmdline").read_text()
                if int(stat.rsplit(")", 1)[1].split()[1]) == self.process and what in title:
                    found.append(int(file.split("/")[2]))
        return found

    def tell(self, number):
        """All of its processes."""
        for process in [self.process, *self.processes()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def kill(self):
        """All processes at once, as if the machine had lost its power after all writes had reached the disk."""
        if self.process is None:
            return
        all_of_them = [self.process, *self.processes()]
        memory = (self.folder / "postmaster.pid").read_text().split("\n")[6].split()
        self.tell(signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while any(map(is_alive, all_of_them)) and time.monotonic() < end:
            time.sleep(0.02)
        # The kernel keeps what they shared.
        run("ipcrm", "-m", memory[1], check=False)
        self.forget_processes()

    def forget_processes(self):
        for file in [self.folder / "postmaster.pid", *pathlib.Path(self.sockets).iterdir()]:
            file.unlink(missing_ok=True)

    # Its files.

    def copy(self, folder):
        subprocess.run(["cp", "-a", self.folder, folder], check=True)

    def put_back(self, folder):
        """A copy becomes the files of this server, which is stopped."""
        shutil.rmtree(self.folder)
        os.rename(folder, self.folder)
        self.forget_processes()

    @contextlib.contextmanager
    def held_open(self, text):
        """A session that has printed a line about this, and then waits."""
        session = subprocess.Popen([PROGRAMS / "psql", *map(str, self.place), "-d", "postgres", "-XAtq"], user=USER, group=USER, cwd="/",
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with session:
            session.stdin.write(text + "\n")
            session.stdin.flush()
            session.stdout.readline()
            yield session
            session.kill()


@contextlib.contextmanager
def temporary_server(place=None, settings=""):
    """One that runs, in a folder of its own in `place`; both are gone afterwards."""
    with tempfile.TemporaryDirectory(dir=place, ignore_cleanup_errors=True) as folder:
        # The outer one stays ours: a socket counts as safe where its server's user alone could exchange it.
        os.chmod(folder, 0o755)
        os.mkdir(folder + "/servers")
        if USER:
            shutil.chown(folder + "/servers", USER, USER)
        server = Server(folder + "/servers/one", settings).create().start()
        try:
            yield server
        finally:
            server.kill()


class Pooler:
    """pgbouncer in transaction mode, in front of a server."""

    def __init__(self, folder, server, sessions=4):
        self.folder, self.process = pathlib.Path(folder), None
        self.socket = f"{folder}/.s.PGSQL.5432"
        os.mkdir(folder)
        (self.folder / "settings").write_text(f"""[databases]
postgres = host={server.sockets} port={server.port} user=mediatoken
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = {sessions}
logfile = {folder}/log
""")
        if USER:
            shutil.chown(folder, USER, USER)

    def start(self):
        pathlib.Path(self.socket).unlink(missing_ok=True)
        self.process = subprocess.Popen(["/usr/sbin/pgbouncer", "-q", self.folder / "settings"], user=USER, group=USER, cwd="/",
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()
