"""Answers that are changed at random: a kit says valid of none whose JSON does not say so about the token that was asked about."""

import json
import os
import random
import re

from answers import about, good, token, written
from driver import TIMEOUT, question
from misbehaving import Server

SEED, ANSWERS = 1, 2000
#: What a daemon might have said.
BASES = [
    {}, {"answer": "refused"}, {"answer": "refused", "status": 200}, {"answer": "fault", "fields": ["Retry-After: 5"]}, {"answer": "error"},
    {"fields": ["Connection: close", "Date: Mon, 23 Nov 2026 00:00:00 GMT"]},
    {"set": {"handover": "x", "viewerTag": "t", "unknownFields": ["a", "b"], "more": {"a": [1, 2.5, {"b": None}]}}},
]
#: What readers of HTTP and of JSON are known to differ about.
PIECES = [
    b"\r\n", b"\n", b":", b" ", b"\0", b"\x7f", b"\x80", b"; charset=utf-8", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n", b"Content-Type: application/json\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b'"', b"\\",
    b"\\u0000", b"\\ud800", b"\\u0056", b",", b"{", b"}", b"[", b"]", b"{}", b"/**/", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80", b"0", b"-0", b"0.0",
    b"1E400", b"9999999999999999999999", b"null", b"true", b"NaN", b'"verdict":"VALID_TOKEN",', b'"number":0,', b'"__proto__":{"number":0},',
]
MEMBER = re.compile(rb'("\w+"):("[^"]*"|\d+|true|false|null),')


def cases(driver, folder):
    """Each case's name, and what is wrong; none if nothing is."""
    server, chance = Server(os.path.join(folder, "changed.sock")), random.Random(SEED)
    driver.tell({"do": "open", "address": server.address, "timeoutMilliseconds": TIMEOUT})
    asked = about(token("A"))
    valid = good("valid", asked)[2]
    for number in range(ANSWERS):
        answer = bytearray(written(chance.choice(BASES), asked))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            _change(answer, chance)
        # Many are as long as they say, or hardly any would get as far as the JSON.
        answer = _measured(bytes(answer)) if chance.random() < 0.6 else bytes(answer)
        server.expect([{"raw": answer, "end": "close"}])
        said = driver.tell(question({}))
        is_sound = said["outcome"] != "valid" or (said["requestorID"], said["resourceID"]) == ("REF30", "TNT") and _says_valid(answer, valid)
        yield f"{number} of seed {SEED}", None if is_sound and not server.problems else f"{said} {server.problems} to {answer}"


def _says_valid(answer, valid):
    """Whether the JSON after a head is a valid token's, in the reading in which no member is there twice."""
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a member twice")
        return dict(pairs)

    body = re.split(rb"\r?\n\r?\n", answer, maxsplit=1)[-1].decode("utf-8", "replace")
    if not answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 100")):
        return False
    # After an interim answer the one that counts begins.
    start = body.find("{") if body.startswith("HTTP/1.1") else 0
    try:
        members = json.JSONDecoder(object_pairs_hook=once).raw_decode(body[start:].lstrip(" \t\r\n"))[0]
    except ValueError:
        return False
    wanted = ("verdict", "number", "identity", "action", "adobeCode", "requestorID", "resourceID")
    return isinstance(members, dict) and not {"fault", "error"} & members.keys() and all(members.get(name) == valid[name] for name in wanted)


def _change(answer, chance):
    place, kind, piece = chance.randrange(len(answer)), chance.randrange(9), chance.choice(PIECES)
    members = list(MEMBER.finditer(answer))
    if kind == 0:
        answer[place] ^= 1 << chance.randrange(8)
    elif kind == 1:
        answer[place:place] = bytes([chance.randrange(256)])
    elif kind == 2:
        del answer[place:place + chance.choice((1, 1, 2, 5, 20))]
    elif kind == 3:
        answer[place:place] = answer[place:place + chance.randrange(1, 60)]
    elif kind == 4:
        answer[place:place + len(piece)] = piece
    elif kind == 5 and members:
        # Another value for a member.
        member = chance.choice(members)
        answer[member.start(2):member.end(2)] = chance.choice([b"0", b"1", b'"VALID_TOKEN"', b'"none"', b'"first"', b"null", b'"TBS"'])
    elif kind == 6 and members:
        place = chance.choice(members).start()
        answer[place:place] = chance.choice(members)[0]
    elif kind == 7:
        answer[9:12] = chance.choice([b"200", b"201", b"403", b"503"])
    else:
        # Next to what separates.
        places = [at for at, byte in enumerate(answer) if byte in b',:{}[]"\r\n'] or [place]
        place = chance.choice(places) + chance.randrange(2)
        answer[place:place] = piece
    answer[len(answer):] = b"" if answer else b"H"


def _measured(answer):
    head, separator, body = answer.partition(b"\r\n\r\n")
    return re.sub(rb"(?m)^Content-Length: \d+", b"Content-Length: %d" % len(body), head, count=1) + separator + body
