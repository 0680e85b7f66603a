"""A fleet under proof on PostgreSQL: a primary, perhaps a standby, the name that leads to one of them, and its hosts, next to which
the usual statement is asked about the same tokens."""

import os
import random
import secrets
import shutil
import subprocess
import threading
import time

from clusters import USER, Pooler, Server
from fleet import Fleet
from hosts import Host
from ledger import Claim, Ledger
from libpq import Connection, Lost, Refused
from scenario import path, scratch, until
from servers import set_clock, with_clock
from statements import AHEAD, GRACE, NAIVE, array
from wires import Wire

#: T.
FLOOR_MARGIN = max(AHEAD + 12, GRACE + 21)
HERE = os.path.dirname(os.path.abspath(__file__))
#: The same as settings of the fleet.
CHOSEN = {"graceSeconds": GRACE}
#: Servers run as another user.
os.chmod(scratch, 0o711)
FULL = path("full.so")
subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", FULL, HERE + "/full.c"], check=True)


class SpendingHost(Host):
    scheme, settings = "postgres:", CHOSEN


class NaiveHost:
    """The control: INSERT … ON CONFLICT DO NOTHING, on a connection that is made anew every 4 s, as ours are."""

    def __init__(self, name, folder):
        self.name, self.folder, self.connection, self.dialled = name, folder, None, 0

    def spend(self, claims):
        identities = [claim.token.identity[:32] for claim in claims]
        try:
            if self.connection is None or time.monotonic() > self.dialled + 4:
                self.close()
                self.connection, self.dialled = Connection(self.folder, "mediatoken"), time.monotonic()
            new = {row[0].replace("-", "") for row in self.connection.ask(
                NAIVE, array(identities), array(secrets.token_hex(16) for _ in claims), heeds_warnings=False)}
        except (Lost, Refused) as error:
            self.close()
            return [f"error {type(error).__name__}"] * len(claims)
        return ["first" if identity in new else "used" for identity in identities]

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Pair(Fleet):
    def __init__(self, name, host=SpendingHost, unlogged=False):
        self.name, self.ledger, self.naive_ledger, self.host = name, Ledger(), Ledger(), host
        self.is_unlogged, self.servers, self.poolers = unlogged, [], 0
        self.folder = path(self.name)
        os.mkdir(self.folder)
        if USER:
            shutil.chown(self.folder, USER, USER)
        self.primary = self.new_server().create().start()
        self.primary.sql(self.schema())
        # Not in a folder of the servers' user, who could exchange our socket.
        self.place = path(f"{self.name}.name")
        os.mkdir(self.place)
        self.wire = Wire(self.primary.socket, self.place + "/.s.PGSQL.5432", 1)
        address = f"{self.name}@{self.place}/postgres"
        # Fresh: there was no fleet of this name before.
        self.command("init", "postgres:" + address, "--fresh", "--timeout", "60000", **CHOSEN)
        self.hosts = [host(f"{self.name}.host-{n}", address) for n in range(3)]
        self.naive_hosts = [NaiveHost(f"{self.name}.naive-{n}", self.place) for n in range(2)]
        self.is_loaded, self.older, self.notes = False, [], []

    # Its servers.

    def new_server(self):
        name = f"{self.folder}/server-{len(self.servers)}"
        environment = with_clock(name + ".clock")
        environment |= {"LD_PRELOAD": f"{environment['LD_PRELOAD']} {FULL}", "DISK_FULL": name + ".full"}
        self.servers.append(Server(name, environment=environment))
        self.set_clock(self.servers[-1], 0)
        self.fill_disk(self.servers[-1], False)
        return self.servers[-1]

    def new_pooler(self):
        self.poolers += 1
        return Pooler(f"{self.folder}/pooler-{self.poolers}", self.primary).start()

    def fill_disk(self, server, is_full):
        """In place, because the server has the file mapped."""
        name = f"{server.folder}.full"
        with open(name, "r+b" if os.path.exists(name) else "wb") as file:
            file.write(b"1" if is_full else b"\0")

    def set_clock(self, server, seconds):
        set_clock(f"{server.folder}.clock", seconds)

    @property
    def dropping(self):
        return f'DROP SCHEMA "mp3_{self.name}" CASCADE; DROP TABLE naive;'

    def schema(self):
        made = self.command("schema", f"postgres:{self.name}@db/postgres", *(["--unlogged"] if self.is_unlogged else []), **CHOSEN)
        return made + "CREATE TABLE naive (identity uuid PRIMARY KEY, word uuid); GRANT ALL ON naive TO mediatoken;"

    def change(self, text):
        """What may have to wait for hosts, or they for it, is tried until it succeeds."""
        errors = []

        def is_done():
            said = self.primary.sql(f"BEGIN; {text}; COMMIT;", check=False)
            errors.append(said[-300:])
            return "ERROR" not in said
        if not until(60, is_done):
            raise TimeoutError(f"a change of the schema is refused: {errors[-1]}")

    def high(self):
        return int(self.primary.sql(f'SELECT high FROM "mp3_{self.name}".epoch'))

    def new_standby(self):
        standby = self.new_server().create_from(self.primary, standby=True).start()
        if not until(60, lambda: self.primary.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") != "0"):
            raise TimeoutError("the standby does not follow")
        return standby

    def lead_to(self, server, cut=True):
        """The name leads to another server; connections to the one before are cut, or live for as long as hosts have them."""
        self.primary = server
        self.wire.target = server.socket
        if cut:
            self.wire.cut()

    # Load: fresh tokens and older ones, from every host, all the time.

    def ask_everyone(self):
        tokens = self.fresh(random.choice((1, 4, 16))) + random.sample(self.older, min(16, len(self.older)))
        naive = threading.Thread(target=self.ask_naively, args=(tokens,))
        naive.start()
        self.claim(tokens)
        naive.join()
        now = time.time()
        self.older = [token for token in set(self.older + tokens) if token.expiry > now]

    def ask_naively(self, tokens):
        for host in self.naive_hosts:
            claims = [Claim(token) for token in tokens]
            self.naive_ledger.count(claims, host.spend(claims), host.name)

    def load(self):
        while self.is_loaded:
            try:
                self.ask_everyone()
            except Exception as error:
                self.notes.append(f"{type(error).__name__}: {error}")
                raise
            time.sleep(0.05)

    def settle(self, seconds=120):
        """Until fresh tokens are granted."""
        def granted():
            before = self.ledger.answers["first"]
            time.sleep(0.5)
            return self.ledger.answers["first"] > before
        if not until(seconds, granted):
            raise TimeoutError(f"{self.name}: nothing is granted after {seconds} s")

    def round(self, kind):
        # What was granted before is this kind's no more.
        self.is_loaded, self.older = True, []
        load = threading.Thread(target=self.load)
        load.start()
        try:
            self.settle()
            time.sleep(3)
            heal = kind(self)
            time.sleep(GRACE + 3)
            if heal:
                heal()
            self.settle()
            time.sleep(3)
        finally:
            self.is_loaded = False
            load.join()
        for server in self.servers:
            if server is not self.primary:
                server.kill()

    def counts(self):
        return [self.ledger.tokens, len(self.ledger.doubles), self.naive_ledger.tokens, len(self.naive_ledger.doubles)]

    def end(self):
        for server in self.servers:
            server.kill()
