#!/usr/bin/env -S python3 -B
"""The runbooks of a fleet on a database, walked with a real PostgreSQL."""

import os
import re
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

import database_daemon
from clusters import USER
from alerts import samples
from connection import verdict
from daemon import Daemon
from machine import Machine
from scenario import ROOT, check, finish, needs, path, scratch, until
from tokens import Signer
from walks import OF_A_DATABASE, Walks

RULES = os.path.join(ROOT, "deploy/prometheus/mediatoken.rules.yml")
GRACE = 10
MAINTAINED = database_daemon.MAINTAINED
WARNED = 'mediatoken_fleet_batches_total{result="warned"}'
DATABASE = "mediatoken_fleet_node_database_info"
STARTED = 'mediatoken_fleet_starts_total{node="1"}'

needs("promtool", "psql")
# promtool's files are written where we are.
os.chdir(scratch)
signer = Signer()
with open(path("credentials"), "w") as file:
    file.write("user mediatoken\n")
os.chmod(path("credentials"), 0o600)
database, daemon = database_daemon.begin(signer, graceSeconds=GRACE, credentials=path("credentials"))
machine = Machine(daemon, {"mp3_prod": "mp3_test", "-h db1.example -U postgres ": "", "-d tokens": "-d postgres"}, PGHOST=database.sockets, PGPORT=str(database.port), PGDATABASE="postgres", **({"PGUSER": USER} if USER else {}))


def maintained():
    return daemon.metrics().get(MAINTAINED, 0)


def is_well():
    return machine.reason() == "ready" and 0 <= machine.page().get(MAINTAINED, -1) < 4


walks = Walks(os.path.join(ROOT, "Sources/MediaTokenService/MediaTokenService.docc/Runbooks.md"), RULES, machine.page, machine.reason, machine.run)


def unmaintained():
    def provoke():
        database.stop()
        check("the metrics say that the database is left alone", until(60, lambda: maintained() > GRACE / 2), maintained())

    def cure():
        walks.look("MediaTokenFleetUnmaintained", 0, "node 1: down", '"event":"node-lost"')
        walks.do("MediaTokenFleetUnmaintained", 1)
        check("the commands restart the database", machine.was_told_to_restart("postgresql@15-main"))
        database.start()

    walks.walk("MediaTokenFleetUnmaintained", provoke, cure, is_well)


def started():
    def provoke():
        told, starts = len(daemon.events("node-started")), daemon.metrics()[STARTED]
        database.stop()
        check("no host maintains the database for its grace", until(60, lambda: maintained() > GRACE + 1), maintained())
        database.start()
        check("the metrics say that a database which was left alone has begun again",
              until(60, lambda: daemon.metrics()[STARTED] > starts), daemon.said()[-600:])
        check("the log says that a database which was left alone has begun again",
              until(60, lambda: len(daemon.events("node-started")) > told), daemon.said()[-600:])

    def cure():
        walks.look("MediaTokenFleetNodeStarted", 2, "node 1: (warming|voting)", r"version: PostgreSQL .*timeline 00000001", "seen: [0-9]+")

    walks.walk("MediaTokenFleetNodeStarted", provoke, cure, is_well)


def floor_ahead():
    def floor():
        return machine.page()['mediatoken_fleet_node_vouches_from_seconds{node="1"}']

    def provoke():
        database.sql("UPDATE mp3_test.epoch SET since = since + 86400, mark = pg_current_xact_id()::xid")
        check("the database's floor is a day ahead", until(60, lambda: floor() > 80_000), floor())

    def cure():
        walks.look("MediaTokenFleetFloorAhead", 3, "node 1: warming", r"from: \d+ \(\d{4}-", "clockOffset: -?[0-9]+ ms")
        walks.do("MediaTokenFleetFloorAhead", 1)
        check("the commands against a floor that is ahead restart the daemon",
              machine.was_told_to_restart("mediatokend") and daemon.end() == 0)
        walks.do("MediaTokenFleetFloorAhead", 4)
        daemon.start_unready()
        check("the floor of an empty schema is an ordinary one", until(60, lambda: floor() < 100), floor())

    walks.walk("MediaTokenFleetFloorAhead", provoke, cure, is_well)


def warned():
    """A commit whose wait for a standby is cancelled."""
    def provoke():
        database.set("synchronous_standby_names", "away")
        before, answers = daemon.metrics()[WARNED], []

        def is_told():
            if not asking.is_alive():
                return True
            database.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'mediatoken' AND wait_event = 'SyncRep'")
            return daemon.metrics()[WARNED] > before

        asking = threading.Thread(target=lambda: answers.append(verdict(daemon.ask(signer.issue(1)[0]))))
        asking.start()
        check("the metrics say that a batch was committed with a warning", until(60, is_told) and daemon.metrics()[WARNED] > before)
        asking.join()
        check("the token of a batch that was committed with a warning got no verdict", answers == ["REPLAY_MEMORY_UNAVAILABLE"], answers)

    def cure():
        walks.look("MediaTokenFleetWarned", 0, "node 1: voting", "syncStandbys: not visible", "REPLAY_MEMORY_UNAVAILABLE")
        walks.look("MediaTokenFleetWarned", 1, "sync_state", "away")
        walks.do("MediaTokenFleetWarned", 2)
        check("the commands let commits wait for the primary alone", database.sql("SHOW synchronous_standby_names") == "")

    walks.walk("MediaTokenFleetWarned", provoke, cure, is_well)


def split():
    """A second host, whose address names another database of the same server."""
    database.sql("CREATE DATABASE other")
    place = daemon.settings["replay"]["address"]
    elsewhere = place.replace("/postgres", "/other")
    other = Daemon(signer, "elsewhere", **daemon.settings | {"socket": {"path": path("elsewhere.sock")},
                                                            "replay": daemon.settings["replay"] | {"address": elsewhere}})
    database_daemon.initialise(database, other.file, database="other")

    def page():
        """The first host's, and what the second has of its own."""
        return machine.page() | {name: value for name, value in samples(other.get("/metrics").body.decode()).items() if DATABASE in name}

    def provoke():
        other.start()
        check("the metrics of two hosts say that they have different databases",
              until(60, lambda: sum(DATABASE in name for name in page()) == 2), page())
        token = signer.issue(1)[0]
        played = [verdict(host.ask(token)) for host in (daemon, other)]
        check("a token plays once in each database of a fleet that is split", played == ["VALID_TOKEN"] * 2, played)
        walks.page = page

    def cure():
        oid = database.sql("SELECT oid FROM pg_database WHERE datname = 'postgres'")
        cluster = database.sql("SELECT system_identifier FROM pg_control_system()")
        walks.look("MediaTokenFleetSplit", 0, f"cluster: {cluster}", f"database: {oid}", f'"cluster":"{cluster}","database":"{oid}"')
        other.end()
        other.configure(replay=other.settings["replay"] | {"address": place})
        walks.do("MediaTokenFleetSplit", 1)
        check("the commands restart the daemon", machine.was_told_to_restart("mediatokend"))
        other.start()
        token = signer.issue(1)[0]
        played = [verdict(host.ask(token)) for host in (daemon, other)]
        check("a token plays once for hosts with one database", played == ["VALID_TOKEN", "TOKEN_REPLAYED"], played)

    walks.walk("MediaTokenFleetSplit", provoke, cure, is_well)
    other.end()
    walks.page = machine.page


for part in (unmaintained, started, floor_ahead, warned, split):
    part()
check("a token plays after all walks on a database", verdict(daemon.ask(signer.issue(1)[0])) == "VALID_TOKEN")
daemon.end()
rules = set(re.findall(r"alert: (MediaTokenFleet\w+)", open(RULES).read()))
check("every alert that only a database can have was walked", OF_A_DATABASE <= rules & walks.walked, OF_A_DATABASE - walks.walked)
finish()
