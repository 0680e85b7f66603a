"""Every kind of replay memory, each as a store that is started, initialised and ended."""

import json
import os
import shutil
import subprocess
import time

from clusters import PROGRAMS, USER, Server
from processes import MEDIATOKEN
from scenario import needs, path, until
from nodes import SERVER, Node
from wires import Wire


def replay(*words, check=True):
    done = subprocess.run([MEDIATOKEN, "replay", *words], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError(f"replay {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def new_table(name):
    """The path of a table that vouches for all tokens."""
    os.mkdir(path(name))
    file = path(f"{name}/replay")
    # The users of a table that was in its folder are waited for; this one's has not changed for long.
    os.utime(path(name), (0, 0))
    replay("create", "--table", file, "--capacity", "200000", "--fresh")
    return file


class Store:
    """`is_shared`: by several processes. `has_window`: it tells the request that it granted from others. `marks_at_once`: it does so
    from the moment of the grant; a table marks an entry just after. `has_calls`: it has one node, which can be called without a host. `votes_may_split`: of several hosts that ask at the same time, none may have a majority.
    `window` is for how long a request that is repeated gets its first answer again, in seconds. `wired` is the same store, or another
    fleet of the same nodes, through `wires`. `table` is the path of a table of this host, which is asked before the nodes and is a
    second lock, or nothing."""

    is_shared = has_window = marks_at_once = has_calls = True
    votes_may_split, window, wired, wires, table = False, 30, None, (), ""
    #: With the longest deadline that there is: a machine may have other work.
    settings = {"fleet": {"deadlineMilliseconds": 1000}}

    @property
    def text(self):
        """The address for programs without a configuration."""
        return self.address

    def add_table(self):
        self.table, self.marks_at_once = new_table(self.fleet), False
        self.settings = {"fleet": {"deadlineMilliseconds": 1000, "localTable": f"shared:{self.table}"}}

    def initialise(self):
        """A database whose machine is busy may not do it within its 2 s, or do it and not say so in time."""
        def is_initialised():
            replay("init", "--replay", self.address, "--fresh", "--timeout", "60000", check=False)
            nodes = json.loads(replay("nodes", "--replay", self.address, "--json", check=False))["nodes"]
            return all(node["from"] == 0 for node in nodes)

        if not until(120, is_initialised):
            raise RuntimeError(replay("nodes", "--replay", self.address, check=False))

    def end(self):
        pass


class Table(Store):
    name, has_calls, marks_at_once, settings = "a table", False, False, {}

    def __init__(self):
        self.address = "shared:" + new_table("table")


class Memory(Store):
    """Of MediaTokenTesting, in the process that asks it."""

    name, address, has_calls, has_window = "a memory of an application's own", "memory:", False, False
    is_shared = False


class Redis(Store):
    def __init__(self, nodes, with_table=False):
        needs(SERVER)
        self.name, self.fleet = f"Redis with {nodes} node{'s' if nodes > 1 else ''}", f"of-{nodes}"
        if with_table:
            self.name += " and a table"
            self.add_table()
        self.votes_may_split, self.has_calls = nodes > 1, nodes == 1
        self.nodes = [Node(f"{nodes}-{number}", is_local=True).start() for number in range(nodes)]
        self.address = f"redis:{self.fleet}@" + ",".join(node.address for node in self.nodes)
        self.initialise()
        self.wires = [Wire(node.address, path(f"{node.name}.wire"), number) for number, node in enumerate(self.nodes)]
        self.wired = Wired(self, f"redis:wired-{nodes}@" + ",".join(wire.text for wire in self.wires))
        self.wired.initialise()

    def end(self):
        for node in self.nodes:
            node.kill()


class Postgres(Store):
    fleet = "test"

    def __init__(self, *how):
        needs(str(PROGRAMS / "initdb"))
        folder = path("postgres" + "".join(how))
        os.mkdir(folder, 0o755)
        if USER:
            shutil.chown(folder, USER, USER)
        self.name = "PostgreSQL, unlogged" if how else "PostgreSQL"
        self.server = Server(folder + "/data", "max_connections = 200").create().start()
        self.address = f"postgres:{self.fleet}@{self.server.sockets}/postgres"
        self.server.sql(replay("schema", "--replay", self.address, *how))
        self.initialise()
        os.mkdir(folder + ".wire")
        self.wires = [Wire(self.server.socket, f"{folder}.wire/.s.PGSQL.5432", 1)]
        self.wired = Wired(self, f"postgres:{self.fleet}@{folder}.wire/postgres")

    def digest(self):
        schema = self.server.sql(f"SELECT nspname FROM pg_namespace WHERE nspname LIKE '%\\_{self.fleet}'")
        return self.server.sql(f'SELECT digest FROM "{schema}".epoch')

    def end(self):
        self.server.kill()


class Wired(Store):
    """A store whose answers go through wires."""

    def __init__(self, store, address):
        self.name, self.address, self.votes_may_split = store.name, address, store.votes_may_split


class Joint(Store):
    """Two fleets, while hosts move from one to the other."""

    has_calls, text = False, ""

    def __init__(self, old, new, are_wired=False):
        self.stores, self.votes_may_split = (old, new), old.votes_may_split or new.votes_may_split
        self.name, second = f"from {old.name} to {new.name}", int(time.time())
        self.address = {"from": old.address, "to": new.address, "until": second} | old.settings
        self.text = f"moving:{second} {old.address} {new.address}"
        if not are_wired:
            self.wires, self.wired = [*old.wires, *new.wires], Joint(old.wired, new.wired, are_wired=True)

    def end(self):
        for store in self.stores:
            store.end()


class LostAnswers:
    """Each of a store's nodes hears every question; of its answers to them one in `of` is lost, with the connection."""

    def __init__(self, wires, of):
        self.wires, self.of, self.heard, self.lost = wires, of, 0, 0

    def __enter__(self):
        for wire in self.wires:
            wire.replies = self.pass_on
        return self

    async def pass_on(self, writer, data):
        self.heard += 1
        if self.heard % self.of == 0:
            self.lost += 1
            writer.transport.abort()
        else:
            writer.write(data)

    def __exit__(self, *_):
        for wire in self.wires:
            wire.whole()
