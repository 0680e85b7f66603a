#!/usr/bin/env -S python3 -B
"""Requests that are broken, or that two readers could read in two ways, each with a good token inside that was not asked about:
a defined answer, the connection's end, the token unspent. And clients that leave, that close one half, that send too much
or too many at once.
"""

import json
import socket
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import VERIFY, Unanswered, Unsent, post, verdict
from daemon import Daemon
from scenario import IS_LONG, check, count, finish, until
from tokens import Signer

PIPELINED = 100_000 if IS_LONG else 10_000
GONE = 5_000 if IS_LONG else 500
signer = Signer()
daemon = Daemon(signer, requestIDHeader="X-Request-ID", deadlines={"requestMilliseconds": 600_000}).start()


def head(*lines, first=b"POST %b HTTP/1.1" % VERIFY, host=b"Host: localhost"):
    return b"\r\n".join([first] + ([host] if host else []) + list(lines)) + b"\r\n\r\n"


# Each of these heads is followed by five bytes, and then by a good question. A reader that takes the body for anything but five
# bytes, or goes on after a broken head, asks it.
INSIDE = b"12345"
SMUGGLING = {
    "two equal lengths": head(b"Content-Length: 5", b"Content-Length: 5"),
    "two lengths": head(b"Content-Length: 5", b"Content-Length: 0"),
    "two lengths in one": head(b"Content-Length: 5, 5"),
    "length and chunks": head(b"Content-Length: 5", b"Transfer-Encoding: chunked"),
    "chunks and length": head(b"Transfer-Encoding: chunked", b"Content-Length: 5"),
    "chunks": head(b"Transfer-Encoding: chunked") + b"5\r\n12345\r\n0\r\n\r\n",
    "chunks with an extension and LF": head(b"Transfer-Encoding: chunked") + b"5;a\n12345\r\n0\r\n\r\n",
    "negative chunk": head(b"Transfer-Encoding: chunked") + b"-5\r\n\r\n",
    "unknown coding": head(b"Transfer-Encoding: xchunked", b"Content-Length: 5"),
    "identity coding": head(b"Transfer-Encoding: identity", b"Content-Length: 5"),
    "coding with a tab": head(b"Transfer-Encoding:\tchunked", b"Content-Length: 5"),
    "coding in capitals": head(b"TRANSFER-ENCODING: CHUNKED", b"Content-Length: 5"),
    "space before the colon": head(b"Content-Length : 5"),
    "coding with space before the colon": head(b"Transfer-Encoding : chunked", b"Content-Length: 5"),
    "folded length": head(b"Content-Length:\r\n 5"),
    "folded field": head(b"X-A: b\r\n c", b"Content-Length: 5"),
    "no name": head(b": x", b"Content-Length: 5"),
    "no colon": head(b"Content-Length 5"),
    "bare CR": head(b"X-A: b\rContent-Length: 0", b"Content-Length: 5"),
    "plus": head(b"Content-Length: +5"),
    "hexadecimal": head(b"Content-Length: 0x5"),
    "negative": head(b"Content-Length: -5"),
    "leading zero": head(b"Content-Length: 05"),
    "fraction": head(b"Content-Length: 5.0"),
    "too large for 64 bits": head(b"Content-Length: 18446744073709551621"),
    "no digits": head(b"Content-Length: five"),
    "empty length": head(b"Content-Length:"),
    "no length": head(),
    "two hosts": head(b"Host: y", b"Content-Length: 5"),
    "no host": head(b"Content-Length: 5", host=None),
    "space in a name": head(b"X A: b", b"Content-Length: 5"),
    "control byte in a value": head(b"X-A: b\x01", b"Content-Length: 5"),
    "control byte in the target": head(b"Content-Length: 5", first=b"POST /v1/verify\x01 HTTP/1.1"),
    "not ASCII in the target": head(b"Content-Length: 5", first=b"POST /v1/verify\xff HTTP/1.1"),
    "broken method": head(b"Content-Length: 5", first=b"P(ST /v1/verify HTTP/1.1"),
}

# Good requests that are not ours, and what is no HTTP/1.1 at all: the statuses that may come, "" for the end alone.
STRANGE = {
    "unknown method": (head(b"Content-Length: 5", first=b"BREW /v1/verify HTTP/1.1") + INSIDE, {405}),
    "method in small letters": (head(b"Content-Length: 5", first=b"post /v1/verify HTTP/1.1") + INSIDE, {405}),
    "CONNECT": (head(first=b"CONNECT example.org:443 HTTP/1.1"), {403, 404, 405}),
    "TRACE": (head(first=b"TRACE /v1/verify HTTP/1.1"), {405}),
    "OPTIONS *": (head(first=b"OPTIONS * HTTP/1.1"), {403, 404}),
    "HEAD of verify": (head(first=b"HEAD /v1/verify HTTP/1.1"), {405}),
    "absolute target": (head(first=b"GET http://x/livez HTTP/1.1"), {403, 404}),
    "upgrade to HTTP/2": (head(b"Connection: Upgrade", b"Upgrade: h2c", first=b"GET /nowhere HTTP/1.1"), {404}),
    "unknown expectation": (head(b"Expect: x", b"Content-Length: 5") + INSIDE, {417}),
    "HTTP/0.9": (b"GET /livez\r\n\r\n", {400}),
    "HTTP/0.9 with a version": (b"GET /livez HTTP/0.9\r\n\r\n", {505}),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505}),
    "HTTP/3.0": (head(first=b"GET /livez HTTP/3.0"), {505}),
    "HTTP/1.01": (head(first=b"GET /livez HTTP/1.01"), {400}),
    "TLS hello": (bytes.fromhex("16030100c8010000c40303") + bytes(range(190)) + b"\r\n\r\n", {400}),
    "zeros": (bytes(4096), {400}),
    "nothing but line ends": (b"\r\n" * 2000, {400}),
    "large head": (head(b"X-A: " + b"a" * 17_000, b"Content-Length: 5") + INSIDE, {431}),
    "huge head": (head(b"X-A: " + b"a" * 1_000_000, b"Content-Length: 5") + INSIDE, {431}),
    "many fields": (head(*[b"X-%d: y" % n for n in range(5000)]), {431}),
    "huge cookie": (head(b"Cookie: " + b"a=b; " * 6000, b"Content-Length: 5") + INSIDE, {431}),
    "long target": (head(first=b"GET /" + b"a" * 17_000 + b" HTTP/1.1"), {414}),
    "huge target": (head(first=b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1"), {414}),
    "many parameters": (head(first=b"GET /?" + b"a=b&" * 4000 + b" HTTP/1.1"), {404}),
    "too many parameters": (head(first=b"GET /?" + b"a=b&" * 5000 + b" HTTP/1.1"), {414}),
}


def conversation(bytes):
    """The statuses of all answers, and "" if the connection ended; None if it did not end in time."""
    statuses = []
    with daemon.connect(timeout=60) as connection:
        # What is too long is not read to its end: sending may fail, and the answer be there.
        sender = threading.Thread(target=quietly, args=[connection.send, bytes])
        sender.start()
        sender.join(10)
        try:
            while True:
                statuses.append(connection.receive().status)
        except Unanswered as error:
            return statuses + ([] if "timed out" in str(error) else [""])


def quietly(function, *arguments):
    try:
        function(*arguments)
    except (Unsent, OSError):
        pass


def smuggling():
    tokens = signer.issue(len(SMUGGLING))
    answers = {}
    for (name, bytes), token in zip(SMUGGLING.items(), tokens):
        answers[name] = conversation(bytes + INSIDE + post(token))
    wrong = {name: found for name, found in answers.items() if found not in ([400, ""], [411, ""], [413, ""])}
    check(f"{len(SMUGGLING)} heads that can be read in two ways: one answer of 400, 411 or 413, and the end", not wrong, wrong)
    unspent = sum(daemon.ask(token).status == 200 for token in tokens)
    check("none of the questions after heads that can be read in two ways was asked", unspent == len(tokens), unspent)
    # The same with a proper head shows that a question after a body is seen.
    token = signer.issue(1)[0]
    with daemon.connect() as connection:
        connection.send(head(b"Content-Length: 5") + INSIDE + post(token))
        statuses = [connection.receive().status, connection.receive().status]
    check("a question after one with a proper head is asked", statuses == [403, 200], statuses)


def strange():
    before = daemon.spent()
    answers = {name: conversation_of_one(bytes) for name, (bytes, _) in STRANGE.items()}
    wrong = {name: found for name, found in answers.items() if found not in STRANGE[name][1]}
    check(f"{len(STRANGE)} strange requests have defined answers", not wrong, wrong)
    check("no strange request spent a token", daemon.spent() == before)
    with daemon.connect() as connection:
        body = signer.issue(1)[0]
        connection.send(head(b"Expect: 100-continue", b"Content-Length: %d" % len(body)))
        interim = connection.receive().status
        connection.send(body)
        check("a caller who asks whether to send its body is told to", (interim, connection.receive().status) == (100, 200))


def conversation_of_one(bytes):
    """The first answer's status, "" if the connection ended without one, None if nothing happened."""
    with daemon.connect(timeout=60) as connection:
        sender = threading.Thread(target=quietly, args=[connection.send, bytes])
        sender.start()
        sender.join(10)
        try:
            return connection.receive(is_head=bytes.startswith(b"HEAD")).status
        except Unanswered as error:
            return None if "timed out" in str(error) else ""


def hidden_in_bodies():
    """A question in the body of another request is a body."""
    tokens = signer.issue(40)
    statuses = []
    for number, token in enumerate(tokens):
        inner = post(token)
        with daemon.connect() as connection:
            if number % 4 == 0:
                connection.send(post(inner))
            elif number % 4 == 1:
                connection.send(head(b"Content-Length: %d" % len(inner), first=b"GET /livez HTTP/1.1") + inner)
            elif number % 4 == 2:
                connection.send(post(inner + b"x" * 300_000))
            else:
                connection.send(head(b"Content-Length: %d" % len(inner), first=b"BREW /x HTTP/1.1") + inner)
            statuses.append(connection.receive().status)
    check("requests with a question in their body get one answer each", statuses == [403, 200, 413, 404] * 10, statuses)
    unspent = sum(daemon.ask(token).status == 200 for token in tokens)
    check(f"{len(tokens)} tokens in bodies of other requests are unspent", unspent == len(tokens), unspent)


def oversize():
    statuses = []
    for number in range(100):
        with daemon.connect() as connection:
            # By one byte, and by far.
            quietly(connection.send, post(b"x" * (8 * 1024 * 1024 if number % 10 == 9 else 256 * 1024 + 1)))
            statuses.append(connection.receive().status)
    check("100 oversize posts: 100 times 413", statuses == [413] * 100, statuses)
    with daemon.connect() as connection:
        connection.send(post(b"x" * 256 * 1024))
        check("a post of the greatest size is looked at", connection.receive().status == 403)


def pipelined():
    questions = b"".join(post(b"nonsense", fields=b"X-Request-ID: n%d\r\n" % number) for number in range(PIPELINED))
    with daemon.connect() as connection:
        sender = threading.Thread(target=quietly, args=[connection.send, questions])
        sender.start()
        in_order = 0
        for number in range(PIPELINED):
            answer = connection.receive()
            in_order += (answer.status, json.loads(answer.body)["requestID"]) == (403, f"n{number}")
        sender.join()
    check(f"{PIPELINED} questions sent at once are answered in order", in_order == PIPELINED, in_order)


def gone():
    tokens = signer.issue(3 * GONE)
    before = daemon.metrics()
    for number, token in enumerate(tokens[:GONE]):
        connection = daemon.connect()
        request = post(token)
        connection.send(request if number % 2 else request[: len(request) * number // GONE])
        connection.close()
    halves = []
    for token in tokens[GONE : 2 * GONE]:
        with daemon.connect() as connection:
            connection.send(post(token))
            connection.socket.shutdown(socket.SHUT_WR)
            halves.append(connection.receive().status)
    # All at once.
    connections, unfinished = [], 0
    for token in tokens[2 * GONE :]:
        connections.append(daemon.connect())
        connections[-1].send(post(token)[:-1])
        connections[-1].socket.shutdown(socket.SHUT_WR)
    for connection in connections:
        with connection:
            try:
                unfinished += connection.receive().status >= 400
            except Unanswered as error:
                unfinished += "timed out" not in str(error)
    # One thread may not have known this user before, and keeps a descriptor for him.
    check("no descriptor of callers who are gone stays",
          until(60, lambda: daemon.open_descriptors() <= normal + 1), daemon.open_descriptors())
    undelivered = daemon.metrics()["mediatoken_answers_undelivered_total"] - before["mediatoken_answers_undelivered_total"]
    lost = sum(verdict(daemon.ask(token)) == "TOKEN_REPLAYED" for token in tokens[:GONE])
    count(f"{GONE} callers left at once: {lost} of their tokens are spent, {undelivered:.0f} answers found no reader")
    check(f"{GONE} questions whose caller closed its half are answered", halves.count(200) == GONE, halves.count(200))
    check(f"{GONE} unfinished questions end", unfinished == GONE, unfinished)
    spent = sum(verdict(daemon.ask(token)) == "TOKEN_REPLAYED" for token in tokens[2 * GONE :])
    check("questions that were never finished spend no token", spent == 0, spent)


normal = daemon.open_descriptors()
for part in (smuggling, strange, hidden_in_bodies, oversize, pipelined, gone):
    part()
check("the process lives, and the next good question is answered",
      daemon.is_alive() and daemon.ask(signer.issue(1)[0]).status == 200)
check("the daemon ends with 0 after all broken requests", daemon.end() == 0)
finish()
