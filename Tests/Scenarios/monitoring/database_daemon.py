"""A daemon whose fleet is a database that was initialised for it."""

import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from databases import Database
from processes import MEDIATOKEN
from scenario import until

#: Without a tolerance a new fleet is warming for the shortest grace and 21 s; our tokens need not wait for that.
TENANT = {"futureToleranceMilliseconds": 0}
MAINTAINED = 'mediatoken_fleet_node_maintained_seconds{node="1"}'


def initialise(server, file, **place):
    """Makes the schema of this configuration where psql connects, by `place` to another database, and initialises it for all tokens."""
    def command(*words):
        return subprocess.run([MEDIATOKEN, "replay", *words, "--config", file], capture_output=True, text=True, check=True).stdout

    said = server.sql(command("schema"), **place)
    assert not said, said
    command("init", "--fresh")


def begin(signer, **fleet):
    """The database, and the daemon, which has maintained it."""
    database = Database("database").start()
    address = database.address("test")
    daemon = Daemon(signer, "on-database", replay={"address": address, "fleet": {"deadlineMilliseconds": 1000} | fleet},
                    tenants=[{"requestor": "REF30"} | TENANT])
    initialise(database, daemon.file)
    daemon.start()
    assert until(60, lambda: MAINTAINED in daemon.metrics()), daemon.said()
    return database, daemon
