#!/usr/bin/env python3
"""Two daemons on three real seats: what is played by one is refused by the other, whichever seat is lost; without a majority
nothing plays and nothing is used up; wrong seats are refused at the start with their cure."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter

sys.dont_write_bytecode = True

import seats  # noqa: E402
from claims import IS_LONG, MEDIATOKEND, claim, count, finish, path, until  # noqa: E402
from connection import Connection, Unanswered, Unsent, post, verdict  # noqa: E402
from daemon import Daemon  # noqa: E402
from seats import Seat  # noqa: E402
from tokens import Signer  # noqa: E402

ROUNDS = 500 if IS_LONG else 40
PASSWORD = "correct-horse"
# Without a tolerance for the future a new seat is young for some seconds only.
TENANTS = [{"requestor": "REF30", "futureToleranceMilliseconds": 0}]

seats.need()
signer = Signer()


def credentials(name, *lines, mode=0o600):
    """A file that is exchanged in one step."""
    place = path(name)
    with open(place + ".new", "w") as file:
        file.write("".join(line + "\n" for line in lines))
    os.chmod(place + ".new", mode)
    os.rename(place + ".new", place)
    return place


def replay(address, **fleet):
    return {"address": address, "retryWindowMilliseconds": 30_000,
            "fleet": {"credentials": path("credentials")} | fleet}


def host(name, address, **settings):
    return Daemon(signer, name, table=name + ".unused", **{
        "replay": replay(address), "tenants": TENANTS, "requestIDHeader": "X-Request-ID"} | settings)


def reason(daemon):
    answer = daemon.get("/readyz")
    return None if answer.status == 200 else json.loads(answer.body)["reason"]


def states(daemon):
    """The state of each seat, by the metrics."""
    found = {}
    for name, value in daemon.metrics().items():
        if value == 1 and (sample := re.match(r'mediatoken_fleet_seat_state\{seat="(\d)",state="(\w+)"\}', name)):
            found[int(sample[1])] = sample[2]
    return [found.get(number) for number in sorted(found)]


def started(daemon):
    """Started, and answering: not yet ready."""
    daemon.spawn()
    if not until(20, lambda: not daemon.is_alive() or os.path.exists(daemon.socket)) or not daemon.is_alive():
        raise RuntimeError(daemon.said()[-2000:])
    return daemon


def plays_once(name, first, second, number=10):
    """Tokens that one daemon plays, and the other refuses."""
    tokens = signer.issue(number)
    played = Counter((answer.status, verdict(answer)) for answer in map(first.ask, tokens))
    again = Counter((answer.status, verdict(answer)) for answer in map(second.ask, tokens))
    claim(f"{name}: {number} tokens play on one host", played == {(200, "VALID_TOKEN"): number}, played)
    claim(f"{name}: and are refused on the other", again == {(403, "TOKEN_REPLAYED"): number}, again)


def young(fleet, one, two):
    claim("a fleet that is new is not ready, and says that it is new", reason(one) == "replay-memory-new", reason(one))
    token = signer.issue(1)[0]
    claim("and refuses what it can't vouch for", verdict(one.ask(token)) == "TOKEN_PREDATES_REPLAY_MEMORY")
    claim("its seats are young", states(one) == ["young"] * 3, states(one))
    claim("both are ready without a question", until(60, lambda: reason(one) is None and reason(two) is None),
          (reason(one), reason(two)))
    claim("its seats vote then", states(one) == ["voting"] * 3, states(one))
    born = one.events("seat-born") + two.events("seat-born")
    claim("a birth is in the log, with the moment from which on it vouches",
          {line["seat"] for line in born} == {1, 2, 3} and all(line["from"].endswith("Z") for line in born), born)


def races(one, two):
    """Callers on both daemons ask about one token at the same time."""
    wins = Counter()
    for token in signer.issue(ROUNDS):
        told = []
        gate = threading.Barrier(6)

        def call(daemon):
            with daemon.connect() as connection:
                connection.get("/livez")
                gate.wait()
                answer = connection.ask(token)
                told.append((answer.status, verdict(answer)))

        threads = [threading.Thread(target=call, args=[daemon]) for daemon in (one, two) * 3]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wins[(Counter(told)[200, "VALID_TOKEN"], Counter(told)[403, "TOKEN_REPLAYED"])] += 1
    count(f"{ROUNDS} rounds of 6 callers on two hosts, (played, refused): {dict(wins)}")
    claim("never more than one of six callers plays", sum(wins.values()) == ROUNDS and all(won <= 1 for won, _ in wins), wins)
    claim("and all others are told that it was used", all(won + refused == 6 for won, refused in wins), wins)
    claim("most of the time one does", wins[1, 5] > ROUNDS // 3, wins)


def retries(one, two):
    token, other = signer.issue(2)
    target = b"/v1/verify?requestor=REF30&resource=TNT"

    def ask(daemon, text, name):
        with daemon.connect() as connection:
            connection.send(post(text, target, b"X-Request-ID: %b\r\n" % name))
            answer = connection.receive()
            return answer.status, json.loads(answer.body).get("retry"), verdict(answer)

    claim("a request is answered", ask(one, token, b"first") == (200, False, "VALID_TOKEN"))
    claim("the same request on the other host is a retry", ask(two, token, b"first") == (200, True, "VALID_TOKEN"))
    claim("and here too", ask(one, token, b"first") == (200, True, "VALID_TOKEN"))
    claim("another request is none", ask(two, token, b"second") == (403, None, "TOKEN_REPLAYED"))
    claim("nor is it for another token", ask(two, other, b"first") == (200, False, "VALID_TOKEN"))


def batches(one, two):
    tokens = signer.issue(150, form="percent")
    body = b"\n".join(tokens[:70] + [b"nonsense"] + tokens[70:] + tokens[:5])

    def verdicts(daemon):
        with daemon.connect() as connection:
            answer = connection.ask(body, b"/v1/verify-batch?requestor=REF30&resource=TNT")
        lines = [json.loads(line) for line in answer.body.splitlines()]
        return [line["line"] for line in lines], [line.get("verdict", line.get("fault")) for line in lines]

    lines, said = verdicts(one)
    expected = ["VALID_TOKEN"] * 70 + ["INVALID_TOKEN_FORMAT"] + ["VALID_TOKEN"] * 80 + ["TOKEN_REPLAYED"] * 5
    claim("a batch is answered line by line in order", lines == list(range(1, 157)) and said == expected, Counter(said))
    _, again = verdicts(two)
    claim("on the other host each of its tokens was used",
          Counter(again) == {"TOKEN_REPLAYED": 155, "INVALID_TOKEN_FORMAT": 1}, Counter(again))


def proxies(one, two):
    token = signer.issue(1, form="base64")[0]

    def ask(daemon):
        with daemon.connect() as connection:
            connection.send(b"GET /v1/auth/live HTTP/1.1\r\nHost: x\r\nX-Token: %b\r\n\r\n" % token)
            return connection.receive()

    first, second = ask(one), ask(two)
    claim("a proxy's question waits for the votes too", first.status == 200 and b"X-Media-Token-Use: first" in first.head, first)
    claim("and the other host refuses it", second.status == 403 and b"already-used" in second.head, second)


def one_lost(fleet, one, two):
    before = one.metrics()
    for number in (1, 2, 3):
        seat = fleet[number - 1]
        seat.tell(signal.SIGSTOP)
        plays_once(f"seat {number} does not answer", one, two, 5)
        seat.tell(signal.SIGCONT)
        claim(f"seat {number} votes again", until(20, lambda: states(one)[number - 1] == "voting"), states(one))
    fleet[0].kill()
    plays_once("seat 1 is killed", one, two, 10)
    claim("its loss is in the log and in the metrics", until(10, lambda: states(one)[0] == "down" and any(
        line["seat"] == 1 for line in one.events("seat-lost"))), (states(one), one.said()[-600:]))
    claim("the daemon is ready all the same", reason(one) is None and reason(two) is None, (reason(one), reason(two)))
    fleet[0].start()
    claim("it comes back and begins anew", until(20, lambda: states(one)[0] in ("young", "voting")), states(one))
    claim("one young seat makes no daemon unready", reason(one) is None, reason(one))
    plays_once("seat 1 is young", one, two, 5)
    claim("no token met a fault", all(
        daemon.metrics()['mediatoken_undecided_total{fault="REPLAY_MEMORY_UNAVAILABLE"}'] == 0 for daemon in (one, two)))
    claim("its birth is counted once, by one of the hosts", sum(
        daemon.metrics()['mediatoken_fleet_births_total{seat="1"}'] for daemon in (one, two)) == 2,
        [daemon.metrics()['mediatoken_fleet_births_total{seat="1"}'] for daemon in (one, two)])
    claim("it votes again when its minute is over", until(60, lambda: states(one) == ["voting"] * 3), states(one))
    claim("its connections were lost", one.metrics()['mediatoken_fleet_reconnects_total{seat="1"}'] >
          before['mediatoken_fleet_reconnects_total{seat="1"}'])


def majority_lost(fleet, one, two):
    tokens = signer.issue(6)
    for seat in fleet[:2]:
        seat.tell(signal.SIGSTOP)
    answers = [daemon.ask(token) for daemon, token in zip((one, two) * 3, tokens)]
    claim("without two seats no token plays", all(
        answer.status == 503 and verdict(answer) == "REPLAY_MEMORY_UNAVAILABLE" for answer in answers), answers)
    claim("the daemon is not ready, and says why", until(10, lambda: reason(one) == "seats-missing"), reason(one))
    claim("so does its log", until(5, lambda: any(
        line["reason"] == "seats-missing" for line in one.events("not-ready"))), one.said()[-600:])
    metrics = one.metrics()
    claim("and its metrics", metrics['mediatoken_not_ready{reason="seats-missing"}'] == 1, states(one))
    begin = time.monotonic()
    slow = sum(one.get("/livez").status == 200 for _ in range(20))
    claim("other questions are answered meanwhile", slow == 20 and time.monotonic() - begin < 2, time.monotonic() - begin)
    for seat in fleet[:2]:
        seat.tell(signal.SIGCONT)
    back = time.monotonic()
    until(20, lambda: one.ask(tokens[0]).status == 200)
    took = time.monotonic() - back
    count(f"first use {took:.2f} s after the seats' return")
    claim("the first token plays within 2 s of their return", took < 2, took)
    until(5, lambda: two.get("/livez").status == 200 and states(two) == ["voting"] * 3)
    played = [one.ask(token) for token in tokens[2::2]] + [two.ask(token) for token in tokens[1::2]]
    claim("none of the tokens was used up on the host that they were tried on", all(answer.status == 200 for answer in played),
          [verdict(answer) for answer in played])
    claim("and each plays once", all(verdict(one.ask(token)) == "TOKEN_REPLAYED" for token in tokens))
    claim("both are ready again", until(20, lambda: reason(one) is None and reason(two) is None), (reason(one), reason(two)))


def drains(fleet, one):
    """SIGTERM while tokens wait for seats that do not answer."""
    daemon = host("drained", one.settings["replay"]["address"], threads=1,
                  replay=replay(one.settings["replay"]["address"], deadlineMilliseconds=1000)).start()
    for seat in fleet[:2]:
        seat.tell(signal.SIGSTOP)
    connections = [daemon.connect() for _ in range(5)]
    for connection, token in zip(connections, signer.issue(5)):
        connection.send(post(token))
    begin = time.monotonic()
    claim("a question that needs no votes does not wait for them",
          daemon.get("/livez").status == 200 and time.monotonic() - begin < 0.5, time.monotonic() - begin)
    gone = daemon.connect()
    gone.send(post(signer.issue(1)[0]))
    gone.close()
    time.sleep(0.1)
    daemon.tell(signal.SIGTERM)
    answers = [connection.receive() for connection in connections]
    for connection in connections:
        connection.close()
    claim("what waits when it is told to stop is answered", all(answer.status == 503 for answer in answers), answers)
    claim("and ends its connection", all(b"\nConnection: close" in answer.head for answer in answers), answers[0])
    claim("it stops as it should", daemon.process.wait(30) == 0 and "0 connections were cut" in daemon.said(), daemon.said()[-600:])
    for seat in fleet[:2]:
        seat.tell(signal.SIGCONT)


def passwords(fleet, one):
    """New passwords on the seats, and then for the daemon."""
    for seat in fleet:
        claim(f"{seat.name} has a new password", seat.ask("CONFIG", "SET", "requirepass", "battery-staple").startswith("+OK"))
        seat.password = "battery-staple"
    claim("with the old one its seats refuse it within some seconds", until(20, lambda: reason(one) == "seats-missing"), reason(one))
    claim("the log says why", until(5, lambda: any("password" in line["message"] for line in one.events("seat-refused"))),
          one.said()[-600:])
    credentials("credentials", "* default battery-staple", mode=0o644)
    claim("credentials that others may read are not taken", until(20, lambda: any(
        "replay.fleet.credentials" in line["message"] for line in one.events("reload-failed"))), one.said()[-600:])
    credentials("credentials", *(f"{number} default battery-staple" for number in (1, 2, 3)))
    claim("new ones are, without a signal", until(30, lambda: reason(one) is None), reason(one))
    claim("no password is in the log", "battery" not in one.said() and "horse" not in one.said())


def forgotten(fleet, one, two):
    """All seats are killed and come back empty."""
    token, used = signer.issue(2)
    claim("a token plays before", one.ask(used).status == 200)
    for seat in fleet:
        seat.kill()
    claim("without seats nothing plays", verdict(one.ask(token)) == "REPLAY_MEMORY_UNAVAILABLE")
    for seat in fleet:
        seat.start()
    claim("seats that came back empty make both daemons unready", until(
        20, lambda: reason(one) == reason(two) == "replay-memory-new"), (reason(one), reason(two)))
    told = [verdict(two.ask(text)) for text in (token, used)]
    claim("what was issued before is refused, used or not", told == ["TOKEN_PREDATES_REPLAY_MEMORY"] * 2, told)
    claim("it is over by itself", until(60, lambda: reason(one) is None and reason(two) is None), reason(one))
    claim("and old tokens stay refused", verdict(one.ask(used)) == "TOKEN_PREDATES_REPLAY_MEMORY")
    plays_once("after that", one, two)


def local_table(one):
    address = one.settings["replay"]["address"]
    table = path("second.table")
    daemon = host("second-lock", address, replay=replay(address, localTable=f"shared:{table}?capacity=1000")).start()
    plays_once("with a table as second lock", daemon, one, 3)
    token = signer.issue(1)[0]
    claim("a token plays on it", daemon.ask(token).status == 200)

    def asked():
        return sum(value for name, value in daemon.metrics().items() if name.startswith("mediatoken_fleet_replies_total"))
    # Three seats said something to each of four tokens; what comes after the deciding votes comes late.
    claim("each of its seats was asked once for each token", until(5, lambda: asked() == 12), asked())
    claim("what was used here asks no seat again", verdict(daemon.ask(token)) == "TOKEN_REPLAYED" and asked() == 12, asked())
    claim("the table's own metrics are there", daemon.metrics()["mediatoken_replay_entries"] == 4, daemon.metrics())
    daemon.end()


def refused(name, address, expected, **settings):
    """A daemon that does not start: its message, which must say what is expected, in one line."""
    daemon = host("refused", address, **settings).spawn()
    status = daemon.process.wait(30)
    said = daemon.said()
    os.remove(daemon.log)
    claim(f"{name}: it does not start", status == 3, (status, said))
    claim(f"{name}: and says which and what to do", all(re.search(text, said) for text in expected), said)
    claim(f"{name}: in one line, without a password", said.count("\n") == 1 and PASSWORD not in said and "hunter2" not in said, said)


def wrong_seats(fleet, address):
    a, b, c = (seat.address for seat in fleet)
    port = a.split(":")[1]
    refused("one process under two names", f"redis:twice@{a},{b},localhost:{port}",
            [r"seat [13] \((127\.0\.0\.1|localhost):" + port, "same process as seat [13]|another seat of this fleet.*one process for each"])
    master = Seat("master", password=PASSWORD).start()
    replica = Seat("replica", "--replicaof", f"127.0.0.1 {master.port}", password=PASSWORD).start()
    refused("a replica", f"redis:copied@{a},{b},{replica.address}", [rf"seat 3 \({replica.address}\): it is a replica", "NO ONE"])
    node = Seat("node", "--cluster-enabled", "yes", "--cluster-port", str(seats.free_port()), password=PASSWORD).start()
    refused("a node of a cluster", f"redis:spread@{node.address},{b},{c}", [rf"seat 1 \({node.address}\)", "cluster-enabled no"])
    swapped = address.replace(f"{a},{b}", f"{b},{a}")
    refused("seats in another order", swapped, [r"seat \d \(", "same (address|seats)"])
    refused("another policy", address, [r"seat \d \(", "maxTTL"],
            tenants=[TENANTS[0] | {"maxTTLMilliseconds": 420_000}])
    stranger = Seat("stranger", password="hunter2").start()
    refused("a wrong password", f"redis:locked@{a},{b},{stranger.address}", [rf"seat 3 \({stranger.address}\)", "password"])
    refused("a password in the address", f"redis:test@default:hunter2@{a}", ["replay.address: seat 1", "credentials file"])
    open_file = credentials("open-credentials", f"* default {PASSWORD}", mode=0o644)
    refused("credentials that others may read", address, ["replay.fleet.credentials", "open-credentials", "chmod"],
            replay=replay(address, credentials=open_file))
    broken = credentials("broken-credentials", f"default {PASSWORD}")
    refused("credentials that are none", address, ["replay.fleet.credentials", "line 1", "NUMBER USER PASSWORD"],
            replay=replay(address, credentials=broken))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        def answer():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n<html>no</html>")
                connection.close()
        threading.Thread(target=answer, daemon=True).start()
        refused("a program that is no seat", f"redis:html@{a},{b},127.0.0.1:{port}",
                [rf"seat 3 \(127\.0\.0\.1:{port}\)", "Redis"])
        listener.shutdown(socket.SHUT_RDWR)
    for seat in (master, replica, node, stranger):
        seat.kill()


def only_down(fleet):
    """A seat that is only down refuses nothing, and --check-config asks none."""
    a, b, _ = (seat.address for seat in fleet)
    daemon = started(host("short", f"redis:short@{a},{b},127.0.0.1:{seats.free_port()}"))
    claim("a seat that is only down refuses no start", until(60, lambda: reason(daemon) is None), reason(daemon))
    claim("a token plays with two of three", daemon.ask(signer.issue(1)[0]).status == 200)
    claim("it is called down", states(daemon) == ["voting", "voting", "down"], states(daemon))
    daemon.end()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(0.5)
        watched = host("checked", f"redis:checked@127.0.0.1:{listener.getsockname()[1]}")
        said = subprocess.run([MEDIATOKEND, "--check-config", "--config", watched.file], capture_output=True, text=True)
        claim("--check-config finds nothing wrong", said.returncode == 0, said)
        try:
            asked = listener.accept()
        except socket.timeout:
            asked = None
        claim("--check-config asks no seat", asked is None, asked)


def flags(fleet, address):
    """The same fleet by options alone."""
    place = path("flags.sock")
    with open(path("flags.log"), "ab") as log:
        process = subprocess.Popen(
            [MEDIATOKEND, "--socket", place, "--keys", signer.keys, "--allow-rsa-1024", signer.fingerprint, "--requestor", "REF30",
             "--replay", address, "--future-tolerance", "0", "--fleet-credentials", path("credentials"), "--fleet-deadline", "200"],
            stdout=log, stderr=log)
    seats._running.add(process)
    claim("options alone make a host of the fleet", until(20, lambda: os.path.exists(place)), open(path("flags.log")).read())
    with Connection(place) as connection:
        answer = connection.ask(signer.issue(1)[0])
    claim("and it plays", answer.status == 200, answer)
    process.terminate()
    claim("and stops", process.wait(30) == 0)


def metrics_page(daemon):
    if shutil.which("promtool") is None:
        return
    page = daemon.get("/metrics").body
    said = subprocess.run(["promtool", "check", "metrics"], input=page, capture_output=True)
    claim("promtool finds nothing wrong with the metrics", said.returncode == 0 and not said.stderr, said)
    families = set(re.findall(rb"^# TYPE (mediatoken_fleet\w+)", page, re.M))
    claim("there are as many of a fleet as there should be", len(families) == 10, families)


def main():
    credentials("credentials", f"* default {PASSWORD}")
    fleet = [Seat("one", password=PASSWORD), Seat("two", password=PASSWORD), Seat("three", password=PASSWORD, is_local=True)]
    for seat in fleet:
        seat.start()
    address = "redis:test@" + ",".join(seat.address for seat in fleet)
    auth = {"auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT"}]}}
    one, two = started(host("host-one", address, **auth)), started(host("host-two", address, **auth))
    young(fleet, one, two)
    wrong_seats(fleet, address)
    plays_once("three seats", one, two)
    retries(one, two)
    batches(one, two)
    proxies(one, two)
    races(one, two)
    metrics_page(one)
    local_table(one)
    flags(fleet, address)
    one_lost(fleet, one, two)
    majority_lost(fleet, one, two)
    drains(fleet, one)
    only_down(fleet)
    forgotten(fleet, one, two)
    passwords(fleet, one)
    for daemon in (one, two):
        claim("a daemon of a fleet stops as it should", daemon.end() == 0, daemon.said()[-600:])
    finish()


main()
