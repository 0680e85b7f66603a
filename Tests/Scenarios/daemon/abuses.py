"""What a client may do to cost others more than it costs itself. What a worker keeps of callers that say nothing, or do not read, is
counted by HTTPPricesTests, and crowds.py has ten thousand of them."""

import random

from abuser import inspector, local, quietly, tcp, unlike
from connection import post
from scenario import until

MEBIBYTE = 1 << 20
CONNECTIONS = 64
# Bodies of 256 KiB for which one worker has room, should it get them all.
BODIES = 12
EXPLAIN = b"/v1/explain?requestor=REF30&resource=TNT"
JSON = b"Content-Type: application/json\r\n"


# Over TCP, where only health and metrics are served.


def metrics(target):
    """As a loop of `curl`, and on kept connections."""
    kept = [tcp(target) for _ in range(8)]
    while True:
        for connection in kept:
            connection.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with tcp(target) as connection:
            yield 1, unlike(connection.get("/metrics"), 200)
        for connection in kept:
            yield 1, unlike(connection.receive(), 200)


def bodies_over_tcp(target):
    """Bodies that will be refused: at their head, with nothing kept of them."""
    body = bytes(8 * MEBIBYTE)
    while True:
        # It takes 64 connections and closes any other unread. Those of the last rounds, an earlier abuser's too, are gone only
        # when it has read their bodies and their ends, which waits where a thread of it waits for a processor.
        until(60, lambda: target.descriptors() < target.idle + CONNECTIONS // 4)
        connections = [tcp(target) for _ in range(CONNECTIONS // 2)]
        for connection in connections:
            connection.send(post(b"").replace(b"Length: 0", b"Length: %d" % len(body)))
        # Before their bodies are sent. And whenever an abuser ends, none of its connections waits to be taken.
        problems = [unlike(quietly(connection.receive), 403) for connection in connections]
        for connection in connections[:4]:
            quietly(connection.send, body)
        for connection in connections:
            connection.close()
        yield len(connections), next(filter(None, problems), None)


def hellos(target):
    """TLS hellos, a byte at a time, and nothing at all."""
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(range(190))
    while True:
        connections = [tcp(target) for _ in range(8)]
        for byte in hello[:20]:
            for connection in connections:
                quietly(connection.send, bytes([byte]))
        for connection in connections:
            yield 1, unlike(quietly(connection.receive), 400)
            connection.close()


# Many bytes.


def bodies(target):
    """Bodies of the greatest size from as many callers at once as there is room for: all of them are answered."""
    request = post(b"x" * (256 << 10))
    while True:
        connections = [local(target) for _ in range(BODIES)]
        # The end of each when all others are there.
        for piece in (request[:-1], request[-1:]):
            for connection in connections:
                connection.send(piece)
        for connection in connections:
            yield 1, unlike(connection.receive(), 403)
            connection.close()


# Long questions.


def long_tokens(target):
    yield from asking(target, [(post(text), 403) for text in token_texts()])


def token_texts():
    """Texts as long as a token may be, broken in the ways that take longest to find."""
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    escapes = [b"%%%02X" % byte for byte in alphabet]
    plain = [bytes([byte]) for byte in alphabet]
    numbers = random.Random(4)
    texts = [
        b"<signatureInfo>" + b"A" * 65_000 + b"<signatureInfo>",
        b"PHNpZ25hdHVyZUluZm8+" + b"A" * 65_000,
        b"PHNpZ25hdHVyZUluZm8+" + b"".join(numbers.choice(plain + escapes) for _ in range(27_000)),
        b"%3CsignatureInfo%3E" + b"%41" * 21_000,
    ]
    return [text[: 65_536] for text in texts]


def odd_json(target):
    yield from asking(target, [(post(body, fields=JSON), 403 if is_question else 400) for body, is_question in json_bodies()])


def json_bodies():
    """JSON that takes much memory or time to find out that it is no question, or one about a broken token."""
    return [
        (b"[" * 200_000, False),
        (b'{"token":' + b"[" * 2000 + b"]" * 2000 + b"}", False),
        (b'{"token":[' + b"0," * 120_000 + b"0]}", False),
        (b'{"token":' + b"9" * 200_000 + b"}", False),
        (b"{" + b",".join(b'"%d":""' % number for number in range(22_000)) + b"}", False),
        (b"{" + b'"token":"",' * 20_000 + b'"token":""}', False),
        (b'{"token":"' + b"\\u0041" * 40_000 + b'"}', True),
        # As many values as a decision may have, and many more.
        (b'{"decision":{"decisions":[],"x":[' + b'"",' * 8150 + b"0]}}", False),
        (b'{"decision":{"decisions":[],"x":[' + b"[]," * 80_000 + b"0]}}", False),
    ]


def inspections(target):
    """The same questions at the inspector, whose thread takes a processor from those that verify."""
    asked = [(post(text, EXPLAIN), 200) for text in token_texts()]
    asked += [(post(body, EXPLAIN, JSON), 200 if is_question else 400) for body, is_question in json_bodies()]
    host = b"Host: 127.0.0.1:%d" % target.inspector
    asked = [(request.replace(b"Host: localhost", host), status) for request, status in asked]
    connections = [inspector(target) for _ in range(16)]
    while True:
        sent = [(index, *asked[index % len(asked)]) for index in range(len(connections))]
        for index, request, _ in sent:
            quietly(connections[index].send, request)
        for index, _, status in sent:
            answer = quietly(connections[index].receive)
            is_late = answer is None or answer.status == 408
            if is_late:
                # It gives its callers seconds, and no configuration gives them more: they come again.
                connections[index].close()
                connections[index] = inspector(target)
            yield int(not is_late), None if is_late else unlike(answer, status)


def parameters(target):
    """Queries, cookies and headers in great number."""
    many = b"&".join(b"a%d=b" % number for number in range(1600))
    get = b"GET %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
    yield from asking(target, [
        (post(b"x", b"/v1/verify?" + many), 400),
        (get % (b"/livez?" + many, b""), 400),
        (get % (b"/v1/auth/x?" + many, b""), 404),
        (get % (b"/livez", b"X: y\r\n" * 2500), 200),
        (get % (b"/livez", b"Cookie: " + b"a=b; " * 3000 + b"\r\n"), 200),
        (get % (b"/" + b"a/" * 7900, b""), 404),
    ])


def asking(target, requests, connect=local, number=32):
    """On so many connections at once, each with one question under way."""
    connections = [(connect(target), *requests[index % len(requests)]) for index in range(number)]
    while True:
        for connection, request, _ in connections:
            connection.send(request)
        for connection, _, status in connections:
            yield 1, unlike(connection.receive(), status)


# Many connections, and many questions.


def many_asking(target):
    """A crowd, each of which has a question under way."""
    yield from asking(target, [(post(b"x"), 403)], number=800)


ALL = [metrics, bodies_over_tcp, hellos, bodies, long_tokens, odd_json, inspections, parameters, many_asking]
