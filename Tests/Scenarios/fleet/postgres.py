#!/usr/bin/env -S python3 -B
"""A fleet whose node is a database: real servers of PostgreSQL, what is refused there, and what a host is told.

Tokens, requests and races are stores/'s, disasters postgres/'s, connections DatabaseLinksTests', and samples FleetObservingTests'."""

import atexit
import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from clusters import Pooler
from configurations import config_of
from daemon import Daemon
from databases import Database
from processes import MEDIATOKEN, MEDIATOKEND, SPEND, launch
from scenario import check, finish, needs, path, until
from tokens import Signer

needs("/usr/sbin/pgbouncer")
signer = Signer()


def line(identity=None, request="-", issued=None):
    issued = issued or int(time.time())
    return f"{identity or secrets.token_hex(32)} {issued + 600} {request} {issued}"


def configured(address, life=3_600_000, **fleet):
    """A configuration with the shortest floor and the longest deadline."""
    times = {"maxTTLMilliseconds": life, "futureToleranceMilliseconds": 0}
    return config_of(address, tenant=times, **{"deadlineMilliseconds": 1000} | fleet)


def command(address, *words, chosen=None):
    return subprocess.run([MEDIATOKEN, "replay", *words, "--config", configured(address, **(chosen or {}))], capture_output=True, text=True)


def spend(address, *lines, chosen=None, **environment):
    """The answer to each line."""
    done = subprocess.run([SPEND, configured(address, **(chosen or {}))], input="".join(text + "\n" for text in lines), capture_output=True, text=True,
                          env=os.environ | environment)
    return done.stdout.split("\n")[:-1] or [done.stderr.strip()]


def causes(address):
    """What a use that has no verdict says to the operator."""
    done = subprocess.run([SPEND, configured(address)], input=line() + "\n", capture_output=True, text=True)
    return done.stderr if done.stdout == "error REPLAY_MEMORY_UNAVAILABLE\n" else done.stdout


def settled(address, text, chosen=None):
    """The answer, which is asked for again after a fault."""
    for _ in range(60):
        answer = spend(address, text, chosen=chosen)[0]
        if answer in ("first", "used", "retry", "predates", "expired"):
            return answer
        time.sleep(0.5)
    return answer


def state(address):
    node = json.loads(command(address, "nodes", "--json").stdout)["nodes"][0]
    return node["state"], node["reason"] or ""


def made(database, fleet, *options, chosen=None):
    """A schema as the command prints it, initialised for all tokens: by a second try, where a busy machine makes no slots in time."""
    text = command(f"postgres:{fleet}@db.example/tokens", "schema", *options, chosen=chosen).stdout
    said, answers = database.sql(text), []

    def is_initialised():
        answers.append(command(database.address(fleet), "init", "--fresh", "--timeout", "60000", chosen=chosen).stdout)
        return json.loads(command(database.address(fleet), "nodes", "--json", chosen=chosen).stdout)["nodes"][0]["from"] == 0

    check(f"the schema that is printed makes a node ({fleet})", said == "" and until(60, is_initialised), (said, answers))
    return database.address(fleet)


def race(name, *addresses):
    """Hosts that ask for the same tokens at once."""
    tokens = [line() for _ in range(200)]
    answers = {}
    hosts = [threading.Thread(target=lambda host=host: answers.update({host: spend(addresses[host], *tokens)})) for host in range(len(addresses))]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join()
    triples = list(zip(*answers.values()))
    check(name, len(triples) == 200 and all(sorted(said) == ["first"] + ["used"] * (len(hosts) - 1) for said in triples), triples)


def looks(database, address):
    state_of_node, reason = state(address)
    check("replay nodes shows that a database votes", state_of_node == "voting" and reason == "", (state_of_node, reason))
    shown = json.loads(command(address, "nodes", "--json").stdout)["nodes"][0]
    check("replay nodes shows when a host maintained a database last", 0 <= time.time() - shown["seen"] < 60, shown)
    hidden = "not visible to this role" in command(address, "nodes").stdout and shown["syncStandbys"] is None
    database.sql("GRANT pg_read_all_stats TO mediatoken")
    check("replay nodes shows how many standbys commits wait for, to a role that may see that",
          hidden and "syncStandbys: 0" in command(address, "nodes").stdout)
    database.sql("REVOKE pg_read_all_stats FROM mediatoken")


def commits_that_fail(database, address):
    """Rows come before the commit, which a trigger of an administrator's makes fail."""
    database.sql("""CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
        DO $$ DECLARE leaf text; BEGIN
          FOR leaf IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = '"mp3_test".claim'::regclass LOOP
            EXECUTE format('CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fails()', leaf);
          END LOOP; END $$""")
    token = line()
    found = spend(address, token, line())
    check("a claim whose commit fails is no first use", found == ["error REPLAY_MEMORY_UNAVAILABLE"] * 2, found)
    database.sql("DROP FUNCTION fails CASCADE")
    check("a token whose commit failed can be used", settled(address, token) == "first")


def graces(database):
    """Another grace is another fleet, whose floor is nearer."""
    chosen, address = {"graceSeconds": 5}, database.address("grace")
    said = database.sql(command(address, "schema", chosen=chosen).stdout)
    before = time.time()
    initialised = command(address, "init", chosen=chosen)
    floor = re.search(r"from: (\d+)", initialised.stdout)
    check("a grace of 5 s makes a floor that is 26 s ahead", said == "" and floor and before + 25 <= int(floor[1]) <= time.time() + 28,
          (said, before, initialised))
    void = database.address("void")
    database.sql(command(void, "schema", chosen=chosen).stdout)
    before, fresh = time.time(), command(void, "init", "--fresh", chosen=chosen).stdout
    end = re.search(r"from: all tokens, void after (\d+) .* if no host maintains it until then", fresh)
    check("a fresh initialisation says how long it waits for a host", end and before + 4 <= int(end[1]) <= time.time() + 6, (before, fresh))
    until(60, lambda: time.time() > int(end[1]) + 2)
    found = settled(void, line(), chosen=chosen)
    check("to which no host came in time it is void", found == "predates", found)
    usual = command(address, "nodes")
    check("a host with another grace is turned away", usual.returncode == 3 and "another fleet" in usual.stdout, usual.stdout)


def long_lives(database):
    """Slots of twelve minutes, so that there are not 724 of them."""
    chosen, now = {"life": 43_200_000}, int(time.time())
    address = made(database, "long", chosen=chosen)
    leaves = database.sql("SELECT count(*) FROM pg_inherits WHERE inhparent = 'mp3_long.claim'::regclass")
    check("lives of twelve hours need 63 slots", leaves == "63", leaves)
    tokens = [f"{secrets.token_hex(32)} {now + 600} - {now - age}" for age in (0, 700, 40_000)]
    found = spend(address, *tokens, chosen=chosen) + spend(address, *tokens, chosen=chosen)
    check("tokens of different slots are used once each", found == ["first"] * 3 + ["used"] * 3, found)


def restarts(database, address):
    token = line()
    check("a token is used before a database is restarted", spend(address, token) == ["first"])
    database.stop()
    check("a use while a database is stopped is a fault", spend(address, line())[0].startswith("error REPLAY_MEMORY_UNAVAILABLE"))
    for place, words in ((address, "no such file or directory"),
                         (f"postgres:test@127.0.0.1:{database.port}/postgres", "connection refused")):
        away = Daemon(Signer("keys-of-away-" + words[:2]), "away", replay={"address": place}, tenants=[{"requestor": "REF30"}])
        checked = subprocess.run([MEDIATOKEND, "--config", away.file, "--check-config"], capture_output=True, text=True)
        check("--check-config while a database is stopped has the reason alone, and ends with a word of its warnings", checked.returncode == 0
              and re.search(rf"(?m)^warning replay.address: node 1 \(.*\): down: it cannot be reached: {words}$", checked.stdout)
              and checked.stdout.endswith("\nthe daemon can start, with warnings\n"), checked)
    database.start()
    check("after a restart of a database a used token is still used", settled(address, token) == "used")
    database.sql("ALTER ROLE mediatoken SET synchronous_commit = off")
    token = line()
    check("a token is used with synchronous_commit = off as the role's default", spend(address, token) == ["first"])
    database.kill()
    database.start()
    check("after kill -9 of all processes of a database a used token is still used", settled(address, token) == "used")
    warnings = json.loads(command(address, "nodes", "--json").stdout)["nodes"][0]["warnings"]
    check("replay nodes warns about synchronous_commit = off as the role's default",
          any("synchronous_commit" in text for text in warnings), warnings)
    database.sql("ALTER ROLE mediatoken RESET synchronous_commit")


def refusals(database, address):
    def refused(name, word, prepare, undo, at=address):
        token = line()
        said = prepare if prepare is None else database.sql(prepare)
        found, answer = state(at), spend(at, token)
        check(f"{name}: the node is refused, and no token is used", not said and found[0] == "refused" and word in found[1] and
              answer[0].startswith("spend: node 1 (") and word in answer[0], (said, found, answer))
        if undo:
            database.sql(undo)

    refused("another isolation", "read committed", "ALTER ROLE mediatoken SET default_transaction_isolation = 'serializable'",
            "ALTER ROLE mediatoken SET default_transaction_isolation = 'read committed'")
    refused("another version of the schema", "replay schema", "COMMENT ON SCHEMA mp3_test IS 'mediatoken mp4 0123456789abcdef'", None)
    refused("other times", "another fleet", "COMMENT ON SCHEMA mp3_test IS 'mediatoken mp3 0123456789abcdef'", None)
    comment = command(address, "schema").stdout.split("COMMENT ON SCHEMA")[1].split(";")[0]
    database.sql(f"COMMENT ON SCHEMA{comment}")
    refused("no schema", "replay schema", None, None, at=database.address("nowhere"))
    refused("a role that may not", "permission denied for schema mp3_test", "REVOKE USAGE ON SCHEMA mp3_test FROM mediatoken", "GRANT USAGE ON SCHEMA mp3_test TO mediatoken")
    refused("no role", "is not permitted to log in", "ALTER ROLE mediatoken NOLOGIN", "ALTER ROLE mediatoken LOGIN")
    database.sql("ALTER SYSTEM SET fsync = off")
    refused("fsync off", "fsync off", "SELECT FROM pg_reload_conf()", None)
    database.sql("ALTER SYSTEM RESET fsync")
    database.sql("ALTER SYSTEM SET full_page_writes = off")
    database.sql("SELECT FROM pg_reload_conf()")
    check("a database that was refused for its settings votes again when they are undone",
          until(60, lambda: state(address)[0] == "voting"), state(address))

    def is_warned():
        node = json.loads(command(address, "nodes", "--json").stdout)["nodes"][0]
        return any("full_page_writes is off" in text and text.endswith("; set it on") for text in node["warnings"])
    check("replay nodes warns about full_page_writes = off", until(60, is_warned))
    database.sql("ALTER SYSTEM RESET full_page_writes")
    database.sql("SELECT FROM pg_reload_conf()")
    check("with full_page_writes on it does not", until(60, lambda: not is_warned()))
    for statement in ("SELECT * FROM mp3_test.claim", "INSERT INTO mp3_test.claim VALUES (1, gen_random_uuid(), gen_random_uuid())",
                      "TRUNCATE mp3_test.claim", "UPDATE mp3_test.epoch SET since = 0", "SELECT mp3_test.turn(1, 1, 1, 1)",
                      "SELECT FROM mp3_test.epoch FOR UPDATE",
                      "CREATE TABLE mp3_test.mine (a int)", "DROP FUNCTION mp3_test.look"):
        said = database.sql(statement, user="mediatoken")
        check(f"the role of hosts may not {statement.split()[0]}: {statement.split(' ', 1)[1][:30]}", "permission denied" in said or "must be owner" in said, said)


def without_writes(database, address):
    """A database that its service makes read-only, under a daemon and without a token."""
    def detail():
        answer = daemon.get("/readyz")
        return "" if answer.status == 200 else json.loads(answer.body)["detail"]

    daemon = Daemon(signer, "reader", replay={"address": address, "fleet": {"deadlineMilliseconds": 1000}},
                    tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}]).start()
    check("a daemon on a database is ready", until(60, lambda: detail() == ""), detail())
    database.sql("ALTER SYSTEM SET default_transaction_read_only = on")
    database.sql("SELECT FROM pg_reload_conf()")
    check("a daemon whose database is made read-only is not ready, and says why, before any token",
          until(60, lambda: "takes no writes: transaction_read_only is on" in detail()), detail())
    check("the metrics say that a database takes no writes", daemon.metrics()['mediatoken_fleet_node_refuses_writes{node="1"}'] == 1)
    found = state(address)
    check("replay nodes says that a database takes no writes", found[0] == "down" and "transaction_read_only is on" in found[1], found)
    token = signer.issue(1)[0]
    check("no token plays on a database that takes no writes", daemon.ask(token).status == 503)
    said = causes(address)
    check("a use on a database that takes no writes is a fault that says so", "transaction_read_only is on" in said, said)
    database.sql("ALTER SYSTEM RESET default_transaction_read_only")
    database.sql("SELECT FROM pg_reload_conf()")
    check("tokens play when a database takes writes again", until(60, lambda: daemon.ask(token).status == 200), detail())
    check("a daemon on a database that was read-only stops as it should", daemon.end() == 0, daemon.said()[-600:])


def network():
    """Over TCP: the certificate, the name in it, and the password."""
    server = Database("network")
    authority = server.serve_tls()
    server.start()
    here = made(server, "test")
    server.sql("ALTER ROLE mediatoken PASSWORD 'correct-horse'")

    def found(host, *lines):
        with open(path("log-in"), "w") as file:
            file.write("".join(line + "\n" for line in lines))
        os.chmod(path("log-in"), 0o600)
        place = f"postgres:test@{host}:{server.port}/postgres"
        said = command(place, "nodes", "--json", chosen={"credentials": path("log-in")})
        node = json.loads(said.stdout)["nodes"][0]
        return node["state"], (node["reason"] or "") + "".join(node["warnings"])

    trusted, password = f"sslrootcert {authority}", "password correct-horse"
    good = found("localhost", trusted, password)
    check("a server is asked whose certificate is trusted and has its name, with the password", good == ("voting", ""), good)
    token = line()
    over_tls = {"credentials": path("log-in")}
    check("a token is used over TLS", spend(f"postgres:test@localhost:{server.port}/postgres", token, chosen=over_tls) == ["first"] and
          spend(here, token) == ["used"])
    for name, wanted, *question in (("an authority that is not trusted", "certificate verify failed", "localhost", password),
                                    ("another name", "does not match host name", "127.0.0.1", trusted, password)):
        state_of_node, reason = found(*question)
        check(f"{name}: there is no connection", state_of_node == "down" and wanted in reason and "horse" not in reason, (state_of_node, reason))
    for name, *lines in (("a wrong password", trusted, "password wrong-horse"), ("no password", trusted)):
        state_of_node, reason = found("localhost", *lines)
        check(f"{name}: the node is refused", state_of_node == "refused" and "password" in reason and "horse" not in reason, (state_of_node, reason))
    weak = found("localhost", "sslmode require", password)
    check("less than the whole verification is warned about", weak[0] == "voting" and "sslmode is require" in weak[1], weak)

    def comes_to(rule, *lines, shows):
        """Whether the server, with this rule for who may log in, is shown so; its settings are not read again at once."""
        (server.folder / "pg_hba.conf").write_text(f"local all all trust\n{rule}\n")
        server.sql("SELECT FROM pg_reload_conf()")
        return until(60, lambda: all(text in " ".join(found("localhost", *lines)) for text in shows))

    check("a server that refuses TLS is asked without it where that is allowed, with a warning",
          comes_to("hostnossl all all 127.0.0.1/32 scram-sha-256", "sslmode prefer", password, shows=("voting", "may get the password in clear")),
          found("localhost", "sslmode prefer", password))
    check("a rejection by pg_hba.conf is told in the server's words",
          comes_to("host all all 127.0.0.1/32 reject", trusted, password, shows=("refused", "pg_hba.conf rejects connection for host")),
          found("localhost", trusted, password))
    server.sql("ALTER ROLE mediatoken CONNECTION LIMIT 0")
    check("a role's limit of connections is told in the server's words",
          comes_to("hostssl all all 127.0.0.1/32 scram-sha-256", trusted, password, shows=("down", "53300: too many connections for role")),
          found("localhost", trusted, password))
    server.sql("ALTER ROLE mediatoken CONNECTION LIMIT -1")
    # A machine that is gone sends nothing: nor does a socket whose backlog is full.
    silent = socket.create_server(("127.0.0.1", 0), backlog=0)
    crowd = [socket.socket() for _ in range(4)]
    for one in crowd:
        one.setblocking(False)
        one.connect_ex(silent.getsockname())
    with open(path("log-in"), "w") as file:
        file.write(f"{trusted}\n{password}\n")
    plays("tokens play without a pause where the node that is named first is silent",
          f"postgres:test@127.0.0.1:{silent.getsockname()[1]},localhost:{server.port}/postgres", 20, **over_tls)
    for one in (silent, *crowd):
        one.close()
    server.stop()


@contextlib.contextmanager
def asking(place, **chosen):
    """One process; what it is given asks for a token."""
    host = launch([SPEND, configured(place, **chosen)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)

    def ask(text):
        host.stdin.write(text + "\n")
        return host.stdout.readline().strip()

    yield ask
    host.stdin.close()
    host.wait()


def plays(name, place, seconds, **chosen):
    """A new token is asked for every 50 ms."""
    with asking(place, **chosen) as ask:
        until(30, lambda: ask(line()) == "first")
        answers, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            answers.append(ask(line()))
            time.sleep(0.05)
    check(name, len(answers) > seconds and set(answers) == {"first"}, set(answers))


def environment(address):
    token = line()
    spend(address, token)
    lies = {"PGHOST": "/nowhere", "PGHOSTADDR": "203.0.113.1", "PGPORT": "1", "PGUSER": "stranger", "PGDATABASE": "none", "PGPASSWORD": "wrong",
            "PGOPTIONS": "-c default_transaction_isolation=serializable -c search_path=nowhere", "PGSERVICE": "lies", "PGREQUIREPEER": "stranger",
            "PGSSLMODE": "verify-full", "PGTARGETSESSIONATTRS": "standby", "PGCLIENTENCODING": "LATIN1", "PGAPPNAME": "lies",
            "PGPASSFILE": path("pgpass"), "PGSERVICEFILE": path("services"), "HOME": path("home")}
    os.mkdir(path("home"))
    for name in ("pgpass", "home/.pgpass"):
        with open(path(name), "w") as file:
            file.write("*:*:*:*:wrong\n")
        os.chmod(path(name), 0o600)
    for name in ("services", "home/.pg_service.conf"):
        with open(path(name), "w") as file:
            file.write("[lies]\nhost=/nowhere\nuser=stranger\n")
    check("what libpq's environment, password file and service file say is not followed", spend(address, token, **lies) == ["used"], spend(address, token, **lies))


    with open(path("libpq.so.5"), "w") as file:
        file.write("no library\n")
    found = spend(address, token, LD_LIBRARY_PATH=path(""))
    check("without a libpq that can be loaded no token is used, and the message says what to install",
          "libpq can't be loaded" in found[0] and "install it (Debian: libpq5)" in found[0], found)


def standbys(database, address):
    standby = Database("standby", copy_of=database).start()
    found = state(standby.address("test"))
    check("a standby is down in replay nodes", found[0] == "down" and "standby" in found[1], found)
    said = causes(standby.address("test"))
    check("no token is used on a standby, and the fault says why", "it is a standby" in said, said)
    both = f"postgres:test@{standby.sockets}:{standby.port},{database.sockets}:{database.port}/postgres"
    token = line()
    check("of several nodes the primary is asked, in whatever order", spend(both, token) == ["first"] and spend(address, token) == ["used"])
    signer = Signer("keys-of-waiting")
    waiting = Daemon(signer, "waiting", replay={"address": standby.address("test")},
                     tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}]).start_unready()

    def shown(state):
        return waiting.metrics()[f'mediatoken_fleet_node_state{{node="1",state="{state}"}}'] == 1

    check("a daemon starts while all that answers is a standby, which is down", waiting.get("/readyz").status == 503 and shown("down"),
          waiting.said())
    checked = subprocess.run([MEDIATOKEND, "--config", waiting.file, "--check-config"], capture_output=True, text=True)
    check("--check-config says that a standby is down", checked.returncode == 0 and "down: it is a standby" in checked.stdout + checked.stderr, checked)
    standby.tell(signal.SIGSTOP)
    plays("tokens play without a pause where the node that is named first hangs", both, 20)
    standby.tell(signal.SIGCONT)
    standby.promote()
    check("a daemon that waits for a primary uses the standby when it is promoted", until(60, lambda: shown("warming")), waiting.said())
    waiting.end()
    standby.stop()
    # On a busy machine the primary was left alone for longer than its grace.
    until(180, lambda: spend(address, line()) == ["first"])
    # A commit that waits for a standby which is away, and whose wait is cancelled: it is reported as done, with a warning.
    database.sql("ALTER SYSTEM SET synchronous_standby_names = 'away'")
    database.sql("SELECT FROM pg_reload_conf()")
    for messages in ("notice", "error"):
        database.sql(f"ALTER ROLE mediatoken SET client_min_messages = '{messages}'")
        token, answers = line(), []
        asking = threading.Thread(target=lambda: answers.extend(spend(address, token)))
        asking.start()
        waits = []

        def cancel():
            waits.append(database.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'mediatoken' AND wait_event = 'SyncRep'"))
            return not waits[-1]

        until(60, lambda: cancel() and answers)
        asking.join()
        check(f"a commit whose wait for a standby was cancelled is no answer (client_min_messages {messages})",
              any("t" in said for said in waits) and answers[0].startswith("error REPLAY_MEMORY_UNAVAILABLE"), (answers, waits))
    database.sql("ALTER ROLE mediatoken RESET client_min_messages")
    database.sql("ALTER SYSTEM RESET synchronous_standby_names")
    database.sql("SELECT FROM pg_reload_conf()")


def moved(database, address):
    """A name that leads to another cluster: what one has used the other does not grant."""
    other = Database("other").start()
    said = other.sql(command(address, "schema").stdout)
    other.configure(f"port = {database.port}\nlisten_addresses = ''")
    other.stop()
    other.port = database.port
    other.start()
    check("the schema is made in another cluster", said == "", said)
    moved_to(other, database, "as it is", lambda ask: None)

    def stop(ask):
        database.tell(signal.SIGSTOP)
        found = ask(line())
        check("a claim at a cluster that hangs has no verdict", found.startswith("error"), found)
    moved_to(other, database, "while a claim waits there", stop)
    database.tell(signal.SIGCONT)
    other.stop()


def moved_to(other, database, how, leave):
    link = path(f"link-{how[:2]}")
    os.symlink(database.sockets, link)
    with asking(f"postgres:test@{link}:{database.port}/postgres") as ask:
        tokens = [line() for _ in range(3)]
        answers = [ask(token) for token in tokens]
        check(f"a host uses tokens at one cluster ({how})", answers == ["first"] * 3, answers)
        leave(ask)
        os.symlink(other.sockets, link + ".new")
        os.rename(link + ".new", link)
        time.sleep(5)
        answers = [settled_by(ask, token) for token in tokens]
        check(f"five seconds after the name was moved to another they are refused there ({how})", answers == ["predates"] * 3, answers)


def settled_by(ask, text):
    for _ in range(60):
        answer = ask(text)
        if not answer.startswith("error"):
            return answer
        time.sleep(0.2)
    return answer


def pooled(database, address):
    """PgBouncer in between, which gives each transaction a connection of its own."""
    pooler = Pooler(path("pooler"), database, sessions=2).start()
    atexit.register(pooler.kill)
    place = f"postgres:test@{pooler.folder}/postgres"
    check("a node votes through PgBouncer in transaction mode", until(60, lambda: state(place)[0] == "voting"), state(place))
    race("of three hosts, two of them through PgBouncer, one wins each token", place, place, address)
    check("PGOPTIONS does not keep a program from PgBouncer", spend(place, line(), PGOPTIONS="-c search_path=nowhere") == ["first"])
    pooler.kill()


def daemons(database, address):
    one, other = (Daemon(signer, name, replay={"address": address, "fleet": {"deadlineMilliseconds": 1000}},
                         tenants=[{"requestor": "REF30", "futureToleranceMilliseconds": 0}]).start() for name in ("one", "other"))
    seen, most, end = set(), 0, time.monotonic() + 12
    while time.monotonic() < end:
        now = database.sql("SELECT pid FROM pg_stat_activity WHERE usename = 'mediatoken'").split()
        most, seen = max(most, len(now)), seen | set(now)
        time.sleep(0.1)
    check("two daemons that nothing waits for have a connection each, and briefly one that takes its place", most <= 4, most)
    check("a daemon makes a new connection in 3 to 5 s, and no more", 2 <= len(seen) - most <= 2 * 5, (len(seen), most))
    for daemon in (one, other):
        check("a daemon on a database stops as it should", daemon.end() == 0, daemon.said()[-600:])


database = Database("database").start()
address = made(database, "test")
looks(database, address)
commits_that_fail(database, address)
graces(database)
long_lives(database)
restarts(database, address)
refusals(database, address)
without_writes(database, address)
network()
environment(address)
standbys(database, address)
moved(database, address)
pooled(database, address)
daemons(database, address)
unlogged = made(database, "unlogged", "--unlogged")
token = line()
check("a token is used in tables that are not logged", spend(unlogged, token, token) == ["first", "used"])
database.kill()
database.start()
check("after a crash tables that are not logged refuse a used token", settled(unlogged, token) == "predates")
finish()
