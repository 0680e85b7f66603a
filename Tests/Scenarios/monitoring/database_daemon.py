"""A daemon whose fleet is a database that was initialised for it."""

import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from databases import Database
from processes import MEDIATOKEN
from scenario import until

#: Without a tolerance a new fleet is warming for the shortest grace and 21 s; our tokens need not wait for that.
TIMES = ["--future-tolerance", "0"]
MAINTAINED = 'mediatoken_fleet_node_maintained_seconds{node="1"}'


def command(word, address, *options):
    return subprocess.run([MEDIATOKEN, "replay", word, "--replay", address, *TIMES, *options], capture_output=True, text=True, check=True).stdout


def initialise(server, address, *options, **place):
    """Makes the schema where psql connects, by `place` to another database, and initialises it for all tokens."""
    said = server.sql(command("schema", address, *options), **place)
    assert not said, said
    command("init", address, "--fresh", *options)


def begin(signer, *options, **fleet):
    """The database, and the daemon, which has maintained it. `options` and `fleet` say the same, where it is not usual."""
    database = Database("database").start()
    address = database.address("test")
    initialise(database, address, *options)
    daemon = Daemon(signer, "on-database", replay={"address": address, "fleet": {"deadlineMilliseconds": 1000} | fleet},
                    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}]).start()
    assert until(60, lambda: MAINTAINED in daemon.metrics()), daemon.said()
    return database, daemon
