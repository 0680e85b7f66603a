"""What is asked of a server with a kit's middleware, whose application answers a GET of /RESOURCE with the token's identity and the
number of its process."""

import collections
import http.client
import random
import socket
from concurrent.futures import ThreadPoolExecutor

from kits import daemon, signer
from processes import launch
from scenario import check, path, until


def ask(address, token, resource="TNT", method="GET", header="X-Media-Token"):
    """Status, fields and body of what a server says at a UNIX socket; None if there was no answer. Several tokens are several headers. After
    HEAD the next answer on the connection must be whole."""
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.settimeout(60)
    try:
        connection.sock.connect(address)
        connection.putrequest(method, "/" + resource)
        for value in [token] if isinstance(token, bytes) else token:
            connection.putheader(header, value)
        connection.endheaders()
        response = connection.getresponse()
        said = response.status, response.headers, response.read()
        if method == "HEAD" and connection.sock:
            connection.request("GET", "/TNT")
            return said if connection.getresponse().status == 401 else None
        return said
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def serve(name, address, *command, **options):
    """Starts a server, and waits until it serves."""
    with open(path(name.replace("/", "-") + ".log"), "w") as log:
        server = launch([str(part) for part in command], stdout=log, stderr=log, **options)
    check(f"{name} serves", until(600, lambda: ask(address, []) is not None))
    return server


def play(name, address, *command, joins=False, has_workers=True, **options):
    """Starts a server with a kit's middleware, asks it all, ends it, and is how it ends. `joins`: two headers come to it as one; None: the
    last alone, or as one."""
    server = serve(name, address, *command, **options)
    gate(name, address, joins)
    each_plays_once(name, address, has_workers)
    server.terminate()
    return server.wait(60)


def each_plays_once(name, address, has_workers=True):
    """Eight clients ask a server, with several workers where it has such, about 200 tokens, four times each."""
    questions = signer.issue(200, form="base64") * 4
    random.Random(7).shuffle(questions)

    def patiently(token):
        # 503: undecided, and not spent, where a worker waited for a processor.
        said = next((said for _ in range(20) if (said := ask(address, token))[0] != 503), (503, {}, b""))
        return token, *said

    answers, workers = collections.defaultdict(collections.Counter), set()
    with ThreadPoolExecutor(8) as clients:
        for token, status, _, body in clients.map(patiently, questions):
            answers[token][status] += 1
            workers |= {body.split()[1]} if status == 200 else set()
    wrong = [dict(each) for each in answers.values() if each != {200: 1, 403: 3}]
    check(f"{name}: each of 200 tokens that are sent four times plays once, in {'more than one worker' if has_workers else 'one process'}",
          not wrong and len(answers) == 200 and (len(workers) > 1) == has_workers, [wrong[:5], workers])


def gate(name, address, joins):
    """What a server with the middleware answers."""
    tokens = iter(signer.issue(12, form="base64"))
    token, unspent = next(tokens), next(tokens)
    joined = b"INVALID_TOKEN_FORMAT" if joins else b'{"error":"ambiguous","action":"new-token"}'
    ours, allowed = {"Cache-Control": "no-store", "Content-Type": "application/json"}, {"Allow": "GET, POST, PUT, PATCH, DELETE"}

    def holds(what, status, text, fields=ours, **asked):
        said = ask(address, **asked)
        check(f"{name}: {what}", said and said[0] == status and text in said[2] and all(said[1][field] == fields[field] for field in fields),
              said and [said[0], dict(said[1]), said[2]])

    holds("a good token plays", 200, b" ", {}, token=token)
    holds("a token plays once", 403, b'"verdict":"TOKEN_REPLAYED","reason":"already-used","action":"new-token"', token=token)
    holds("a token plays for its resource", 403, b'"verdict":"INVALID_RESOURCE_ID"', token=next(tokens), resource="TBS")
    holds("nothing plays without a token", 401, b'{"error":"no-token","action":"new-token"}', ours | {"WWW-Authenticate": "MediaToken"}, token=[])
    holds("nothing plays with an empty token", 401, b'{"error":"no-token"', token=b"")
    if joins is not None:
        holds("nothing plays with two tokens", 403, joined, token=[next(tokens), next(tokens)])
    holds("nothing plays with a token in another header", 401, b"no-token", token=next(tokens), header="X-Token")
    holds("HEAD asks nothing", 405, b"", ours | allowed, token=unspent, method="HEAD")
    for method in ("OPTIONS", "PROPFIND"):
        holds(f"{method} asks nothing", 405, b'{"error":"method-not-allowed","action":"report"}', ours | allowed, token=unspent, method=method)
    holds("the token plays after the methods that ask nothing", 200, b" ", {}, token=unspent, method="POST")
    daemon.end()
    holds("without a daemon it is 503", 503, b'{"fault":"NO_ANSWER","action":"retry"}', token=next(tokens))
    daemon.start()
    holds("it goes on with the next daemon", 403, b"TOKEN_REPLAYED", token=token)
