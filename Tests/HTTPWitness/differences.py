"""The closed list of what a kept parser understands otherwise than our reader, of requests that ours accepts.

A difference excuses one thing only: `without` takes it out of the request, or out of what is expected, and then the
parser must understand the request exactly as we do. They are asked in this order, which is that from a request's end to
its beginning, so that places that come later in the list stay what they are.
"""

from typing import Callable, NamedTuple

from witnesses import Reading


class Ours(NamedTuple):
    """A request that our reader accepts."""

    raw: bytes
    reading: Reading
    # Start and end of the method and of the target.
    method: tuple
    target: tuple
    # Start and end of each field's name.
    names: tuple

    @property
    def is_version_10(self):
        return self.raw[self.target[1]:].startswith(b" HTTP/1.0")

    def field(self, name):
        """The values of all fields of that name, which is in small letters."""
        return [value for found, value in self.reading.fields if found.lower() == name]

    def options(self):
        """What `Connection` asks for, in small letters."""
        return [option.strip(b" \t").lower() for value in self.field(b"connection") for option in value.split(b",")]


class Difference(NamedTuple):
    name: str
    reason: str
    # The request without it; nothing where the request has nothing of the kind.
    without: Callable
    # Whether the parser does not accept such a request; otherwise it does, with another meaning.
    is_refusal: bool = False


# llhttp 9, `HTTP_METHOD_MAP` without those of other protocols.
METHODS = frozenset(
    b"""DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND
    UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK UNLINK
    SOURCE QUERY""".split())


def changed(ours, place, text, **expected):
    raw = ours.raw[: place[0]] + text + ours.raw[place[1]:]
    return ours._replace(raw=raw, reading=ours.reading._replace(**expected))


def renamed(ours, name, other):
    """With another name, as long as the first one, on each field of that name."""
    fields = list(ours.reading.fields)
    raw = ours.raw
    for index, (start, end) in enumerate(ours.names):
        if raw[start:end].lower() == name:
            raw = raw[:start] + other + raw[end:]
            fields[index] = (other, fields[index][1])
    return ours._replace(raw=raw, reading=ours.reading._replace(fields=tuple(fields)))


def upgrade(ours):
    if ours.field(b"upgrade") and b"upgrade" in ours.options():
        return renamed(ours, b"upgrade", b"Upgrada")


def proxy_connection(ours):
    if ours.field(b"proxy-connection"):
        return renamed(ours, b"proxy-connection", b"Proxy-Connectiom")


def old_keep_alive(ours):
    if ours.is_version_10 and ours.reading.is_whole and not ours.reading.ends_connection:
        return ours._replace(reading=ours.reading._replace(ends_connection=True))


def old_close(ours):
    if ours.is_version_10 and b"close" in ours.options() and b"keep-alive" in ours.options():
        return ours._replace(reading=ours.reading._replace(ends_connection=False))


def connect(ours):
    if ours.reading.method == b"CONNECT" and not ours.is_version_10 and b"close" not in ours.options():
        return ours._replace(reading=ours.reading._replace(ends_connection=False))


def target(ours):
    """Not a path; llhttp refuses what is none of the other forms of RFC 9112 section 3.2 either."""
    if not ours.reading.target.startswith(b"/") and ours.reading.target != b"*":
        return changed(ours, ours.target, b"/", target=b"/")


def method(ours):
    if ours.reading.method not in METHODS:
        return changed(ours, ours.method, b"GET", method=b"GET")


def empty_line(ours):
    if ours.raw.startswith(b"\r\n"):
        return ours._replace(raw=ours.raw[2:])


H11 = [
    Difference(
        "HTTP/1.0 that is kept",
        "h11 ends every HTTP/1.0 connection; nginx and ab ask to keep theirs, and the answer says that we do", old_keep_alive),
    Difference(
        "CONNECT", "declined, it ends our connection: its client may have sent another protocol's bytes already; h11 goes on",
        connect),
    Difference(
        "empty line", "h11 refuses the one empty line before a request that RFC 9112 section 2.2 asks servers to skip",
        empty_line, is_refusal=True),
]

HTTPTOOLS = [
    Difference(
        "Upgrade",
        "httptools leaves all that follows the head of a request that asks for another protocol to that one; we decline, so that "
        "its body is one and the connection goes on (RFC 9110 section 7.8)", upgrade),
    Difference(
        "Proxy-Connection", "llhttp heeds a field that no standard has (RFC 9112 appendix C.2.2) as if it were Connection",
        proxy_connection),
    Difference(
        "close and keep-alive in HTTP/1.0", "llhttp goes on where both are asked for; RFC 9112 section 9.3 puts close first",
        old_close),
    Difference(
        "target", "llhttp looks into targets that are not paths; we compare the whole target with ours, and answer 404", target,
        is_refusal=True),
    Difference("method", "llhttp knows registered methods only; we answer 405 or 404 to others", method, is_refusal=True),
]
