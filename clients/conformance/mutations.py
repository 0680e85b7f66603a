"""Answers of a daemon with something changed at random: what no one thought of when writing cases."""

import random
import re

from answers import about, token, written

#: What a daemon might have said.
BASES = [
    {}, {"answer": "refused"}, {"answer": "fault", "fields": ["Retry-After: 5"]}, {"answer": "error"},
    {"fields": ["Connection: close", "Cache-Control: no-store", "Date: Mon, 23 Nov 2026 00:00:00 GMT", "X-A: b"]},
    {"set": {"handover": "x", "viewerTag": "t", "proxyMvpdId": "p", "unknownFields": ["a", "b"], "more": {"a": [1, 2.5, {"b": None}]}}},
]
#: What readers of HTTP and of JSON are known to differ about.
PIECES = [
    b"\r\n", b"\n", b"\r", b":", b" ", b"\t", b"\0", b"\x0b", b"\x0c", b"\x7f", b"\x80", b"\x85", b"\xc2\xa0", b"; charset=utf-8",
    b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Encoding: gzip\r\n",
    b"Content-Type: application/json\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b'"', b"'", b"\\", b"\\u0000", b"\\ud800",
    b"\\u0056", b"\\/", b",", b"{", b"}", b"[", b"]", b"{}", b"/**/", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80", b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8", b"0", b"-0", b"00", b"0.0", b"1e0", b"1E400", b"-1", b"+1", b"1.", b".5", b"0x0",
    b"e", b"E+", b"9999999999999999999999", b"null", b"true", b"NaN", b'"verdict":"VALID_TOKEN",', b'"number":0,', b'"__proto__":{"number":0},',
    b'"constructor":1,', b'"":1,',
]


def mutations(seed, number):
    """So many answers about the token A, by this seed."""
    chance = random.Random(seed)
    bases = [written(base, about(token("A"))) for base in BASES]
    for _ in range(number):
        answer = bytearray(chance.choice(bases))
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            _change(answer, chance)
        # Half of them are as long as they say, or hardly any would get as far as the JSON.
        yield _measured(bytes(answer)) if chance.random() < 0.6 else bytes(answer)


def _change(answer, chance):
    place = chance.randrange(len(answer))
    kind = chance.randrange(6)
    if kind == 0:
        answer[place] ^= 1 << chance.randrange(8)
    elif kind == 1:
        answer[place:place] = bytes([chance.randrange(256)])
    elif kind == 2:
        del answer[place:place + chance.choice((1, 1, 2, 5, 20))]
    elif kind == 3:
        answer[place:place] = answer[place:place + chance.randrange(1, 60)]
    elif kind == 4:
        piece = chance.choice(PIECES)
        answer[place:place + len(piece)] = piece
    else:
        # Next to what separates.
        places = [at for at, byte in enumerate(answer) if byte in b',:{}[]"\r\n']
        place = chance.choice(places) + chance.randrange(2) if places else place
        answer[place:place] = chance.choice(PIECES)
    if not answer:
        answer += b"H"


def _measured(answer):
    head, separator, body = answer.partition(b"\r\n\r\n")
    return re.sub(rb"(?m)^Content-Length: \d+", b"Content-Length: %d" % len(body), head, count=1) + separator + body
