"""Streams to begin with: every feature of a request (RFC 9112 sections 2 to 6 and 9, RFC 9110 sections 5, 7 and 10), and
the ways in which two readers have been made to disagree about where one ends."""

from pathlib import Path

FIRST = "POST /v1/verify?requestor=sports HTTP/1.1"
NEXT = "GET /next HTTP/1.1\r\nHost: b\r\n\r\n"


def request(*fields, first="GET /x HTTP/1.1", host="Host: a", body=""):
    return "\r\n".join([first, *([host] if host else []), *fields, "", body])


def post(*fields, first=FIRST, host="Host: a", body="hello"):
    return request(*fields, first=first, host=host, body=body)


LENGTH = "Content-Length: 5"
CHUNKED = "Transfer-Encoding: chunked"

WHOLE = [
    request(),
    request("Accept: */*", "User-Agent: curl/7.88.1"),
    post("Content-Type: application/json", LENGTH),
    post(LENGTH) + NEXT,
    NEXT * 3,
    NEXT * 12,
    (post(LENGTH) + NEXT) * 5,
    post("Content-Length: 0", body=""),
    post(f"Content-Length: {len(NEXT)}", body=NEXT),
    post(f"Content-Length: {len(NEXT)}", body=NEXT) + NEXT,
    post("content-length:5", host="hOST:a"),
    post("Content-Length:\t5 \t"),
    post(LENGTH, body="\r\n\0\n\r"),
    request("Host: [::1]:8080", host=None),
    request("Host:", host=None),
    request("Host: a", "X: ", "Y:", "Z: \t ", host=None),
    request("X: a\tb  c", "X: ñÿ", "X: \"a, b\"; c=d", "!#$%&'*+-.^_`|~: token"),
    request(first="GET /?a=b&c=%00+d;e=(f)!*'@:$,[]{}|\\^`\"<>~#g HTTP/1.1"),
    request(first="GET http://a.example:80/x?y HTTP/1.1", host="Host: a.example:80"),
    request(first="GET http://a.example HTTP/1.1", host="Host: other"),
    request(first="GET unix://a/x HTTP/1.1"),
    request(first="OPTIONS * HTTP/1.1"),
    request(first="GET x HTTP/1.1"),
    request(first="GET // HTTP/1.1"),
    request(first="GET /later-l HTTP/1.1") + NEXT,
    post(LENGTH, first="POST /discard HTTP/1.1") + NEXT,
    post(LENGTH, "Expect: 100-continue", first="POST /discard HTTP/1.1") + NEXT,
    post(LENGTH, "Expect: 100-Continue", first="POST /l HTTP/1.1") + NEXT,
    request(first="GET /l HTTP/1.1") * 11 + request(first="GET /d HTTP/1.1") * 3,
    request("Expect: 100-continue") + NEXT,
    request("Expect: something", first="GET /x HTTP/1.0"),
    request(first="HEAD /x HTTP/1.1") + NEXT,
    request(first="PUT /x HTTP/1.1") + NEXT,
    request(first="DELETE /x HTTP/1.1") + request(first="PATCH /x HTTP/1.1"),
    request(first="BREW /pot HTTP/1.1") + NEXT,
    request(first="get /x HTTP/1.1"),
    request(first="PRI * HTTP/1.1") + "SM\r\n\r\n",
    request(first="SOURCE /x HTTP/1.1"),
    request(first="DESCRIBE /x HTTP/1.1"),
    request(first="M-SEARCH * HTTP/1.1") + request(first="PROPFIND /x HTTP/1.1"),
    "\r\n" + NEXT,
    NEXT + "\r\n" + NEXT,
    post(LENGTH) + "\r\n" + NEXT,
    # Where connections end.
    request("Connection: close") + NEXT,
    request("Connection: keep-alive") + NEXT,
    request("Connection: close, TE") + NEXT,
    request("Connection: TE ,\tClose,") + NEXT,
    request("Connection: keep-alive", "Connection: close") + NEXT,
    request("Connection: closed") + NEXT,
    request("Connection: close;q=1") + NEXT,
    request("Connection: \"close\"") + NEXT,
    request("Connection: x close") + NEXT,
    request("Connection: ,,,") + NEXT,
    request("Proxy-Connection: close") + NEXT,
    request("Keep-Alive: timeout=5") + NEXT,
    request(first="GET /x HTTP/1.0", host=None) + NEXT,
    request("Connection: keep-alive", first="GET /x HTTP/1.0", host=None) + NEXT,
    request("Connection: Keep-Alive", first="GET /x HTTP/1.0") + request("Connection: keep-alive", first="GET / HTTP/1.0"),
    request("Connection: keep-alive, close", first="GET /x HTTP/1.0") + NEXT,
    post("Connection: keep-alive", LENGTH, first="POST /x HTTP/1.0", host=None) + NEXT,
    # Where what follows may be another protocol's.
    request(first="CONNECT a:443 HTTP/1.1") + NEXT,
    request(first="CONNECT /x HTTP/1.1") + NEXT,
    post(LENGTH, first="CONNECT a:1 HTTP/1.1") + NEXT,
    post("Content-Length: 0", first="CONNECT a:1 HTTP/1.1", body="") + NEXT,
    request("Connection: Upgrade", "Upgrade: websocket") + NEXT,
    request("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk") + NEXT,
    post("Connection: upgrade", "Upgrade: h2c", LENGTH) + NEXT,
    request("Upgrade: h2c") + NEXT,
    request("Connection: upgrade") + NEXT,
]

REFUSED = [
    # CL.TE, TE.CL and TE.TE, and their disguises.
    post(LENGTH, CHUNKED, body="0\r\n\r\n") + NEXT,
    post(CHUNKED, LENGTH, body="0\r\n\r\n") + NEXT,
    post(CHUNKED, body="5\r\nhello\r\n0\r\n\r\n") + NEXT,
    post(CHUNKED, body="5;a=\"b\"\r\nhello\r\n0\r\nTrailer: x\r\n\r\n") + NEXT,
    post(CHUNKED, body="5;a\nhello\r\n0\r\n\r\n"),
    post(CHUNKED, CHUNKED, body="0\r\n\r\n"),
    *(
        post(LENGTH, line, body="0\r\n\r\n") + NEXT
        for line in (
            "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding:\tchunked",
            "Transfer-Encoding:\vchunked", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity, chunked",
            "Transfer-Encoding: identity", "Transfer-Encoding:", "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: CHUNKED",
            "Transfer-Encoding: chunked;q=1", "Transfer-Encoding:\r\n chunked", " Transfer-Encoding: chunked",
            "X: y\nTransfer-Encoding: chunked", "X: y\rTransfer-Encoding: chunked", "Transfer_Encoding: chunked",
            "Transfer-Encoding\0: chunked", "Transfer-Encoding: chunked\0", "Transfer-Encoding\r\n: chunked",
            "Transfer-Encoding\t: chunked", "\tTransfer-Encoding: chunked", "Transfer-Encoding: ch\0unked",
            "Transfer-Encoding: gzip, chunked", "Transfer-\u0130Encoding: chunked", "TE: chunked",
        )
    ),
    post(CHUNKED, first="POST /x HTTP/1.0", body="0\r\n\r\n"),
    # Lengths that are read in two ways.
    *(
        post(*lines) + NEXT
        for lines in (
            (LENGTH, LENGTH), (LENGTH, "Content-Length: 0"), ("Content-Length: 0", LENGTH), ("Content-Length: 5, 5",),
            ("Content-Length: 5,",), ("Content-Length: +5",), ("Content-Length: -5",), ("Content-Length: 0x5",),
            ("Content-Length: 05",), ("Content-Length: 5 5",), ("Content-Length: 5.0",), ("Content-Length: 5e0",),
            ("Content-Length: 5_0",), ("Content-Length:",), ("Content-Length: \0005",), ("Content-Length: 5\0",),
            ("Content-Length: 5;a",), ("Content-Length : 5",), ("Content-Length: \"5\"",), ("Content-Length: ٥",),
            ("Content-Length: 18446744073709551621",), ("Content-Length: 4294967301",), ("Content-Length: 9" + "0" * 20,),
            ("Content-Length\r\n: 5",), ("Content-Length: 1\r\n 0",), ("X: y\r\n Content-Length: 5",),
            ("Content_Length: 5",), ("Content-Length: 5\r",), ("Content-Length: 5\v",), ("Content-Length:\xa05",),
            ("X: \nContent-Length: 5",), ("Content-Length: 65536",), ("Content-Length: 65537",), (),
        )
    ),
    # Lines that end otherwise, are folded, or hold what no line may.
    NEXT.replace("\r\n", "\n"),
    NEXT.replace("\r\n", "\n", 1),
    NEXT[:-2] + "\n",
    NEXT.replace("\r\n", "\r"),
    NEXT.replace("\r\n", "\r\r\n"),
    request("X: a\r\n b"),
    request("X: a\r\n\tb"),
    request(" X: a", host=None),
    request("X: a\0b"),
    request("X\0: b"),
    request("X: a\x01"),
    request("X: a\x7fb"),
    request("X: a\rb"),
    request("X: a\n b"),
    request(": b"),
    request(":"),
    request("X"),
    request("X y: z"),
    request("X : y"),
    request("(X): y"),
    request("ñ: y"),
    request(first="GET /x\0 HTTP/1.1"),
    # What comes before a request.
    "\r\n\r\n" + NEXT,
    "\n" + NEXT,
    "\0\r\n" + NEXT,
    " " + NEXT,
    "\r" + NEXT,
    "\ufeff" + NEXT,
    # Request lines.
    "GET /\r\n",
    "GET /\r\n\r\n" + NEXT,
    *(
        request(first=first) + NEXT
        for first in (
            "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET\t/ HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /a b HTTP/1.1",
            "GET / HTTP/1.2", "GET / HTTP/2.0", "GET / HTTP/0.9", "GET / HTTP/01.1", "GET / HTTP/1.10", "GET / HTTP/1.",
            "GET / HTTP/1,1", "GET / http/1.1", "GET / HTTP 1.1", "GET / RTSP/1.0", "GET / HTTP/1.1\0", "GET HTTP/1.1",
            "GET / HTTP/1.1, HTTP/1.0", "GET ñ HTTP/1.1", "GE(T / HTTP/1.1", "GET / ICE/1.0", "GET /\x7f HTTP/1.1", "/ HTTP/1.1",
            "HTTP/1.1 200 OK", "GET / HTTP/-1.1", "GET / XHTTP/1.1",
        )
    ),
    # Hosts.
    request(host=None),
    request("Host: b"),
    request("Host: a", "host: a", host=None),
    request("Host: a b", host=None),
    request("Host: a/b", host=None),
    request("Host: a@b", host=None),
    request("Host : a", host=None),
    request("Host: a\0", host=None),
    # Expectations.
    post("Expect: 200-ok", LENGTH),
    post("Expect: 100-continue", "Expect: 100-continue", LENGTH),
    post("Expect: 100-continue, x", LENGTH),
    # Parts.
    NEXT[:-1],
    NEXT[:-2],
    NEXT[:10],
    post(LENGTH, body="hel"),
    post(LENGTH, "Expect: 100-continue", body=""),
    "\r",
    "\r\n",
    "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
]

STREAMS = [text.encode("latin-1", "replace") if text.isascii() else text.encode() for text in WHOLE + REFUSED]


def words():
    """The words of the fuzzers' dictionary."""
    lines = (Path(__file__).resolve().parent / "../Fuzz/dictionaries/FuzzHead.dict").read_text("ascii").splitlines()
    return [line[1:-1].encode().decode("unicode_escape").encode("latin-1") for line in lines if line[:1] == '"']
