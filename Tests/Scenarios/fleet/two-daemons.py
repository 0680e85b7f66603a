#!/usr/bin/env -S python3 -B
"""Two daemons on three real seats: what is played by one is refused by the other, for every way in which a token comes."""

import json
import sys
import threading
from collections import Counter

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, listens, post, verdict
from hosts import are_ready, begin, decided, host, plays_once, reason, replay, signer, states
from processes import MEDIATOKEND, launch
from scenario import IS_LONG, check, count, finish, path, until

ROUNDS = 500 if IS_LONG else 40


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
                answer = decided(connection.ask, token)
                told.append((answer.status, verdict(answer)))

        threads = [threading.Thread(target=call, args=[daemon]) for daemon in (one, two) * 3]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wins[(Counter(told)[200, "VALID_TOKEN"], Counter(told)[403, "TOKEN_REPLAYED"])] += 1
    count(f"{ROUNDS} rounds of 6 callers on two hosts, (played, refused): {dict(wins)}")
    check("never more than one of six callers plays", sum(wins.values()) == ROUNDS and all(won <= 1 for won, _ in wins), wins)
    check("the other callers of six are told that the token was used", all(won + refused == 6 for won, refused in wins), wins)
    check("most of the time one of six callers plays", wins[1, 5] > ROUNDS // 3, wins)


def retries(one, two):
    target = b"/v1/verify?requestor=REF30&resource=TNT"

    def answered(daemon, text, name):
        with daemon.connect() as connection:
            connection.send(post(text, target, b"X-Request-ID: %b\r\n" % name))
            return connection.receive()

    def told(answer):
        return answer.status, json.loads(answer.body).get("retry"), verdict(answer)

    def ask(*question):
        return told(decided(answered, *question))

    def first(daemon, name):
        """A token, and what is said to the first request for it. What is asked again after a fault may be a retry already, so
        that it is another token then."""
        for _ in range(50):
            token = signer.issue(1)[0]
            answer = answered(daemon, token, name)
            if answer.status != 503:
                break
        return token, told(answer)

    token, said = first(one, b"first")
    check("the first request for a token is answered, and is no retry", said == (200, False, "VALID_TOKEN"), said)
    check("the same request on the other host is a retry", ask(two, token, b"first") == (200, True, "VALID_TOKEN"))
    check("the same request on the same host is a retry, too", ask(one, token, b"first") == (200, True, "VALID_TOKEN"))
    check("another request for the same token is refused", ask(two, token, b"second") == (403, None, "TOKEN_REPLAYED"))
    said = first(two, b"first")[1]
    check("the same request for another token is no retry", said == (200, False, "VALID_TOKEN"), said)


def pipelines(one, two):
    def verdicts(daemon, tokens):
        """What is said about them if all are asked about before an answer is read."""
        with daemon.connect() as connection:
            connection.send(b"".join(map(post, tokens)))
            return [verdict(connection.receive()) for _ in tokens]

    def asked():
        """What each of the daemons said about other tokens."""
        tokens = signer.issue(150, form="percent")
        tokens = tokens[:70] + [b"nonsense"] + tokens[70:] + tokens[:5]
        return verdicts(one, tokens), verdicts(two, tokens)

    for _ in range(10):
        said, again = asked()
        if "REPLAY_MEMORY_UNAVAILABLE" not in said + again:
            break
    expected = ["VALID_TOKEN"] * 70 + ["INVALID_TOKEN_FORMAT"] + ["VALID_TOKEN"] * 80 + ["TOKEN_REPLAYED"] * 5
    check("many questions that are sent at once are answered in order", said == expected, Counter(said))
    check("on the other host each token of questions that were sent at once was used",
          Counter(again) == {"TOKEN_REPLAYED": 155, "INVALID_TOKEN_FORMAT": 1}, Counter(again))


def proxies(one, two):
    token = signer.issue(1, form="base64")[0]

    def ask(daemon):
        with daemon.connect() as connection:
            connection.send(b"GET /v1/auth/live HTTP/1.1\r\nHost: localhost\r\nX-Token: %b\r\n\r\n" % token)
            return connection.receive()

    first, second = decided(ask, one), decided(ask, two)
    check("a proxy's question waits for the votes", first.status == 200 and b"X-Media-Token-Use: first" in first.head, first)
    check("a proxy's question about a used token is refused on the other host",
          second.status == 403 and b"already-used" in second.head, second)


def local_table(one):
    address = one.settings["replay"]["address"]
    table = path("second.table")
    daemon = host("second-lock", address, replay=replay(address, localTable=f"shared:{table}?capacity=1000")).start()
    plays_once("with a table as second lock", daemon, one, 3)
    check("a host with a table has the table's own metrics", daemon.metrics()["mediatoken_replay_entries"] == 3, daemon.metrics())
    daemon.end()


def flags(address):
    """The same fleet by options alone."""
    place = path("flags.sock")
    with open(path("flags.log"), "ab") as log:
        process = launch(
            [MEDIATOKEND, "--socket", place, "--keys", signer.keys, "--allow-rsa-1024", signer.fingerprint, "--requestor", "REF30",
             "--replay", address, "--future-tolerance", "0", "--fleet-credentials", path("credentials"), "--fleet-deadline", "1000"],
            stdout=log, stderr=log)
    check("options alone make a host of the fleet", until(60, lambda: listens(place)), open(path("flags.log")).read())
    with Connection(place) as connection:
        answer = decided(connection.ask, signer.issue(1)[0])
    check("a host by options alone plays a token", answer.status == 200, answer)
    process.terminate()
    check("a host by options alone stops with 0", process.wait(60) == 0)


def main():
    auth = {"auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT"}]}}
    _, one, two = begin(**auth)
    check("both daemons of a new fleet are ready without a question, and its seats vote",
          are_ready(one, two), (reason(one), reason(two), states(one)))
    born = [line for daemon in (one, two) for line in daemon.events("seat-born")]
    check("births are in the log, with the moment from which on they vouch", born and all(line["from"].endswith("Z") for line in born), born)
    plays_once("three seats", one, two)
    retries(one, two)
    pipelines(one, two)
    proxies(one, two)
    races(one, two)
    local_table(one)
    flags(one.settings["replay"]["address"])
    for daemon in (one, two):
        check("a daemon of a fleet stops as it should", daemon.end() == 0, daemon.said()[-600:])
    finish()


main()
