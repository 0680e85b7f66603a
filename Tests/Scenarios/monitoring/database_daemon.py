"""A daemon whose fleet is a database that was founded for it."""

import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from databases import Database
from processes import MEDIATOKEN
from scenario import until

#: Without a tolerance a new fleet is young for the shortest grace and 21 s; our tokens need not wait for that.
TIMES = ["--future-tolerance", "0"]
ATTENDED = 'mediatoken_fleet_seat_attended_seconds{seat="1"}'


def command(word, address, *options):
    return subprocess.run([MEDIATOKEN, "replay", word, "--replay", address, *TIMES, *options], capture_output=True, text=True, check=True).stdout


def found(server, address, *options, **place):
    """Makes the schema where psql connects, by `place` to another database, and founds it for all tokens."""
    said = server.sql(command("schema", address, *options), **place)
    assert not said, said
    command("found", address, "--fresh", *options)


def begin(signer, *options, **fleet):
    """The database, and the daemon, which has attended it. `options` and `fleet` say the same, where it is not usual."""
    database = Database("database").start()
    address = database.address("test")
    found(database, address, *options)
    daemon = Daemon(signer, "on-database", replay={"address": address, "fleet": {"deadlineMilliseconds": 1000} | fleet},
                    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}]).start()
    assert until(60, lambda: ATTENDED in daemon.metrics()), daemon.said()
    return database, daemon
