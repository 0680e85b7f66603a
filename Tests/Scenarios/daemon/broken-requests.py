#!/usr/bin/env -S python3 -B
"""Requests that are broken, or that two readers could read in two ways, each with a good token inside that was not asked about:
a defined answer, the connection's end, the token unspent. And clients that leave, that close one half, that send too much
or too many at once, or decisions that are expensive to read. Every broken head, and how each is answered, is HTTPStrictnessTests'; here
are the kinds, and tokens. Every case of a decision is DecisionCasesTests'; what a question may say next to one, what decides, and that
what is refused uses no token up is DecisionRequestTests'."""
import contextlib
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
    return b"\r\n".join([first, *([host] if host else []), *lines]) + b"\r\n\r\n"


# Each of these heads is followed by five bytes, and then by a good question. A reader that takes the body for anything but five
# bytes, or goes on after a broken head, asks it.
INSIDE = b"12345"
SMUGGLING = {
    "two lengths": head(b"Content-Length: 5", b"Content-Length: 0"),
    "length and chunks": head(b"Content-Length: 5", b"Transfer-Encoding: chunked"),
    "chunks": head(b"Transfer-Encoding: chunked") + b"5\r\n12345\r\n0\r\n\r\n",
    "no length": head(),
    "control byte in the target": head(b"Content-Length: 5", first=b"POST /v1/verify\x01 HTTP/1.1"),
}

# Good requests that are not ours, and what is no HTTP/1.1 at all, with the statuses that may come.
STRANGE = {
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505}),
    "TLS hello": (bytes.fromhex("16030100c8010000c40303") + bytes(range(190)) + b"\r\n\r\n", {400}),
    "huge head": (head(b"X-A: " + b"a" * 1_000_000, b"Content-Length: 5") + INSIDE, {431}),
    "huge target": (head(first=b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1"), {414}),
}


def quietly(function, *arguments):
    with contextlib.suppress(Unsent, OSError):
        function(*arguments)


def conversation(bytes, answers=100):
    """The statuses of all answers, or of as many, and "" if the connection ended; "late" if it did not end in time."""
    statuses = []
    with daemon.connect(timeout=60) as connection:
        # What is too long is not read to its end: sending may fail, and the answer be there.
        sender = threading.Thread(target=quietly, args=[connection.send, bytes])
        sender.start()
        sender.join(10)
        try:
            while len(statuses) < answers:
                statuses.append(connection.receive(is_head=bytes.startswith(b"HEAD")).status)
        except Unanswered as error:
            statuses.append("late" if "timed out" in str(error) else "")
    return statuses


def count_unspent(tokens):
    return sum(daemon.ask(token).status == 200 for token in tokens)


def smuggling():
    tokens = signer.issue(len(SMUGGLING))
    answers = {name: conversation(bytes + INSIDE + post(token)) for (name, bytes), token in zip(SMUGGLING.items(), tokens)}
    wrong = {name: found for name, found in answers.items() if found not in ([400, ""], [411, ""], [413, ""])}
    check(f"{len(SMUGGLING)} heads that can be read in two ways: one answer of 400, 411 or 413, and the end", not wrong, wrong)
    unspent = count_unspent(tokens)
    check("none of the questions after heads that can be read in two ways was asked", unspent == len(tokens), unspent)
    # The same with a proper head shows that a question after a body is seen.
    statuses = conversation(head(b"Content-Length: 5") + INSIDE + post(signer.issue(1)[0]), 2)
    check("a question after one with a proper head is asked", statuses == [403, 200], statuses)


def strange():
    before = daemon.spent()
    wrong = {name: found for name, (bytes, wanted) in STRANGE.items() if (found := conversation(bytes, 1))[0] not in wanted}
    check(f"{len(STRANGE)} strange requests have defined answers", not wrong, wrong)
    check("no strange request spent a token", daemon.spent() == before)


def hidden_in_bodies():
    """A question in the body of another request is a body."""
    tokens, statuses = signer.issue(40), []
    for number, token in enumerate(tokens):
        inner = post(token)
        outer = [post(inner), head(b"Content-Length: %d" % len(inner), first=b"GET /livez HTTP/1.1") + inner, post(inner + b"x" * 300_000),
                 head(b"Content-Length: %d" % len(inner), first=b"BREW /x HTTP/1.1") + inner][number % 4]
        statuses += conversation(outer, 1)
    check("requests with a question in their body get one answer each", statuses == [403, 200, 413, 404] * 10, statuses)
    unspent = count_unspent(tokens)
    check(f"{len(tokens)} tokens in bodies of other requests are unspent", unspent == len(tokens), unspent)


def oversize():
    # By one byte, and by far.
    statuses = [conversation(post(b"x" * (8 * 1024 * 1024 if number % 10 == 9 else 256 * 1024 + 1)), 1)[0] for number in range(100)]
    check("100 oversize posts: 100 times 413", statuses == [413] * 100, statuses)
    check("a post of the greatest size is looked at", daemon.ask(b"x" * 256 * 1024).status == 403)


def decisions():
    """Their limit is that of a body, and no token of one is logged. Processor time is counted, because the machine has other work."""
    def ask(document):
        with daemon.connect() as connection:
            connection.send(post(b'{"decision":' + document, fields=b"Content-Type: application/json\r\n"))
            return connection.receive()

    text = signer.issue(1, form="decision")[0] + b"}"
    room = 256 * 1024 - len(b'{"decision":' + text)
    statuses = [ask(text + b" " * length).status for length in (room + 1, room)]
    check("a question with a decision may have 256 KiB and no byte more", statuses == [413, 200], statuses)
    for what, values in (("as many values as there may be", b'"",' * 8150), ("many more values", b"[]," * 80_000)):
        begun = daemon.cpu_seconds()
        answers = [ask(b'{"decisions":[],"x":[' + values + b"0]}}") for _ in range(100)]
        each = (daemon.cpu_seconds() - begun) / 100
        check(f"a decision with {what} takes {1000 * each:.1f} ms of a processor",
              {verdict(one) for one in answers} == {"bad-decision"} and each < 0.05, (each, answers[0]))
    check("no token of a decision is in the log", "PHNpZ25hdHVy" not in daemon.said() and "<signatureInfo>" not in daemon.said())


def pipelined():
    questions = b"".join(post(b"nonsense", fields=b"X-Request-ID: n%d\r\n" % number) for number in range(PIPELINED))
    with daemon.connect() as connection:
        sender = threading.Thread(target=quietly, args=[connection.send, questions])
        sender.start()
        answers = [connection.receive() for _ in range(PIPELINED)]
        sender.join()
    in_order = sum((answer.status, json.loads(answer.body)["requestID"]) == (403, f"n{number}") for number, answer in enumerate(answers))
    check(f"{PIPELINED} questions sent at once are answered in order", in_order == PIPELINED, in_order)


def gone():
    left, half, never = (signer.issue(GONE) for _ in range(3))
    before = daemon.metrics()
    for number, token in enumerate(left):
        request = post(token)
        with daemon.connect() as connection:
            connection.send(request if number % 2 else request[: len(request) * number // GONE])
    halves = []
    for token in half:
        with daemon.connect() as connection:
            connection.send(post(token))
            connection.socket.shutdown(socket.SHUT_WR)
            halves.append(connection.receive().status)
    # All at once.
    connections, unfinished = [daemon.connect() for _ in never], 0
    for connection, token in zip(connections, never):
        connection.send(post(token)[:-1])
        connection.socket.shutdown(socket.SHUT_WR)
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
    lost = sum(verdict(daemon.ask(token)) == "TOKEN_REPLAYED" for token in left)
    count(f"{GONE} callers left at once: {lost} of their tokens are spent, {undelivered:.0f} answers found no reader")
    check(f"{GONE} questions whose caller closed its half are answered", halves.count(200) == GONE, halves.count(200))
    check(f"{GONE} unfinished questions end", unfinished == GONE, unfinished)
    unspent = count_unspent(never)
    check("questions that were never finished spend no token", unspent == GONE, unspent)


normal = daemon.open_descriptors()
for part in (smuggling, strange, hidden_in_bodies, oversize, decisions, pipelined, gone):
    part()
check("after all broken requests the next good question is answered", daemon.is_alive() and daemon.ask(signer.issue(1)[0]).status == 200)
check("the daemon ends with 0 after all broken requests", daemon.end() == 0)
finish()
