"""What is asked of a server with a kit's middleware, whose application answers a GET of /RESOURCE with the token's identity and the
number of its process."""

import collections
import http.client
import random
import socket
import threading

from scenario import check, count, until


def ask(address, token, resource="TNT", method="GET", header="X-Media-Token"):
    """Status, fields and body of what a server says at a UNIX socket or a loopback port; None if there was no answer. Several tokens are
    several headers."""
    is_port = isinstance(address, int)
    connection = http.client.HTTPConnection("localhost", timeout=60)
    connection.sock = socket.socket(socket.AF_INET if is_port else socket.AF_UNIX)
    try:
        connection.sock.settimeout(60)
        connection.sock.connect(("127.0.0.1", address) if is_port else address)
        connection.putrequest(method, "/" + resource)
        for value in [token] if isinstance(token, bytes) else token:
            connection.putheader(header, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def after_head(address, token):
    """What a server says after the head of its answer to HEAD, where a GET without a token is asked next on that connection."""
    is_port = isinstance(address, int)
    with socket.socket(socket.AF_INET if is_port else socket.AF_UNIX) as connected:
        connected.settimeout(60)
        connected.connect(("127.0.0.1", address) if is_port else address)
        connected.sendall(b"HEAD /TNT HTTP/1.1\r\nHost: localhost\r\nX-Media-Token: " + token + b"\r\n\r\n")
        received = b""
        while b"\r\n\r\n" not in received:
            data = connected.recv(65_536)
            if not data:
                return received
            received += data
        connected.sendall(b"GET /TNT HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while data := connected.recv(65_536):
            received += data
    return received.split(b"\r\n\r\n", 1)[1]


def serves(address):
    return until(600, lambda: ask(address, []) is not None)


def each_plays_once(name, address, signer, has_workers=True):
    """Eight clients ask a server, with several workers where it has such, about 200 tokens, four times each."""
    questions = signer.issue(200, form="base64") * 4
    random.Random(7).shuffle(questions)
    answers, workers, lock = collections.defaultdict(collections.Counter), collections.Counter(), threading.Lock()

    def client():
        while True:
            with lock:
                if not questions:
                    return
                token = questions.pop()
            status, _, body = ask(address, token)
            # Undecided, and not spent, where a worker waited for a processor for more than two seconds since it read the clock:
            # its callers ask again.
            for _ in range(20):
                if status == 503:
                    status, _, body = ask(address, token)
            with lock:
                answers[token][status] += 1
                if status == 200:
                    workers[body.split()[1]] += 1

    threads = [threading.Thread(target=client) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wrong = [dict(each) for each in answers.values() if each != {200: 1, 403: 3}]
    count(f"played by each worker of {name}: {list(workers.values())}")
    check(f"{name}: each of 200 tokens that are sent four times plays once", not wrong and len(answers) == 200, wrong[:5])
    check(f"{name}: tokens play in {'more than one worker' if has_workers else 'one process'}", (len(workers) > 1) == has_workers, workers)


def gate(name, address, signer, daemon, joins):
    """What a server with the middleware answers."""
    tokens = iter(signer.issue(10, form="base64"))
    token = next(tokens)
    allowed, joined = ("Allow", "GET, POST, PUT, PATCH, DELETE"), b"INVALID_TOKEN_FORMAT" if joins else b'{"error":"ambiguous"'
    status, _, body = ask(address, token)
    check(f"{name}: a good token plays", status == 200 and len(body.split()[0]) == 64, body)
    for what, (status, fields, body), wanted, text, field in (
            ("a token plays once", ask(address, token), 403, b'"verdict":"TOKEN_REPLAYED","reason":"already-used","action":"new-token"', None),
            ("a token plays for its resource", ask(address, next(tokens), "TBS"), 403, b'"verdict":"INVALID_RESOURCE_ID"', None),
            ("nothing plays without a token", ask(address, []), 401, b'{"error":"no-token","action":"new-token"}', ("WWW-Authenticate", "MediaToken")),
            ("nothing plays with an empty token", ask(address, b""), 401, b'{"error":"no-token"', None),
            ("nothing plays with two tokens", ask(address, [next(tokens), next(tokens)]), 403, joined, None),
            ("nothing plays with a token in another header", ask(address, next(tokens), header="X-Token"), 401, b"no-token", None),
            ("HEAD asks nothing", ask(address, next(tokens), method="HEAD"), 405, b"", allowed),
            ("OPTIONS asks nothing", ask(address, next(tokens), method="OPTIONS"), 405, b"method-not-allowed", allowed)):
        check(f"{name}: {what}", status == wanted and text in body and fields["Cache-Control"] == "no-store"
              and fields["Content-Type"] == "application/json" and (field is None or fields[field[0]] == field[1]),
              f"{status} {fields} {body}")
    unspent = next(tokens)
    status, fields, _ = ask(address, unspent, method="PROPFIND")
    check(f"{name}: a method of WebDAV asks nothing", status == 405 and fields["Allow"] == allowed[1], f"{status} {fields}")
    # Some servers refuse these by themselves.
    others = {method: (ask(address, unspent, method=method) or [None])[0] for method in ("head", "TRACK", "QUERY", "GETX")}
    check(f"{name}: other methods ask nothing", all(status in (None, 400, 404, 405, 501) for status in others.values()), others)
    status, _, body = ask(address, unspent, method="POST")
    check(f"{name}: the token plays after the methods that ask nothing", status == 200, body)
    rest = after_head(address, next(tokens))
    check(f"{name}: the answer to HEAD has no body, and the next one is whole", rest.startswith(b"HTTP/1.1 401 "), rest)
    daemon.end()
    status, fields, body = ask(address, next(tokens))
    check(f"{name}: without a daemon it is 503", status == 503 and body == b'{"fault":"NO_ANSWER","action":"retry"}', body)
    daemon.start()
    status, _, body = ask(address, token)
    check(f"{name}: it goes on with the next daemon", status == 403 and b"TOKEN_REPLAYED" in body, body)
