"""The two kept parsers: h11, and httptools, which is llhttp. Each reads the first request of some bytes."""

from typing import NamedTuple

import h11
import httptools


class Reading(NamedTuple):
    """One request, as some reader understands it."""

    method: bytes
    target: bytes
    # Names and values in the order of their arrival, values without the white space around them.
    fields: tuple
    # As much of it as is there.
    body: bytes
    is_whole: bool
    # Whether no other request can follow; of a request that is not whole it isn't asked.
    ends_connection: bool
    # Bytes that belong to what follows.
    left: int


def read_with_h11(data):
    """A reading, what h11 refuses it with, or nothing while the head is not whole."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(data)
    try:
        request = connection.next_event()
        if request is h11.NEED_DATA:
            return None
        body = []
        while type(event := connection.next_event()) is h11.Data:
            body.append(event.data)
        is_whole = type(event) is h11.EndOfMessage
        if connection.their_state is h11.MIGHT_SWITCH_PROTOCOL:
            decline(connection)
    except h11.RemoteProtocolError as refusal:
        return str(refusal)
    return Reading(
        bytes(request.method), bytes(request.target),
        tuple((name, value.strip(b" \t")) for name, value in request.headers.raw_items()), b"".join(body),
        is_whole, is_whole and connection.their_state is h11.MUST_CLOSE, len(connection.trailing_data[0]))


def decline(connection):
    """Answers that HTTP goes on: 404 to CONNECT and Upgrade alike."""
    connection.send(h11.Response(status_code=404, headers=[("Content-Length", "0")]))
    connection.send(h11.EndOfMessage())


class _First:
    """Takes what httptools says about the first request."""

    __slots__ = ("parser", "target", "fields", "body", "method", "has_head", "is_whole", "ends", "others")

    def __init__(self):
        self.target, self.fields, self.body = b"", [], b""
        self.has_head = self.is_whole = False
        self.others = 0
        self.parser = httptools.HttpRequestParser(self)

    def on_message_begin(self):
        self.others += self.is_whole

    def on_url(self, url):
        if not self.is_whole:
            self.target += url

    def on_header(self, name, value):
        # After the head they are trailers.
        if not self.has_head:
            self.fields.append((name, value.strip(b" \t")))

    def on_headers_complete(self):
        if not self.is_whole:
            self.has_head = True
            self.method = self.parser.get_method()

    def on_body(self, body):
        if not self.is_whole:
            self.body += body

    def on_message_complete(self):
        if not self.is_whole:
            self.is_whole = True
            self.ends = not self.parser.should_keep_alive()


def read_with_httptools(data):
    """A reading, what llhttp refuses it with, or nothing while the head is not whole."""
    first = _First()
    left = 0
    try:
        first.parser.feed_data(data)
    except httptools.HttpParserUpgrade as stop:
        # It leaves the rest to another protocol.
        left, first.ends = len(data) - stop.args[0], True
    except httptools.HttpParserError as refusal:
        if not first.is_whole:
            return str(refusal)
        # What follows the first request is broken, or not wanted.
        first.others = 1
    if not first.has_head:
        return None
    return Reading(
        first.method, first.target, tuple(first.fields), first.body, first.is_whole,
        first.is_whole and first.ends, left or first.others)


class _Count:
    def __init__(self):
        self.whole = 0

    def on_message_begin(self):
        pass

    def on_message_complete(self):
        self.whole += 1


def count_with_httptools(data):
    """How many requests llhttp finds in a row; all before what it refuses, if it does."""
    count = _Count()
    try:
        httptools.HttpRequestParser(count).feed_data(data)
    except (httptools.HttpParserError, httptools.HttpParserUpgrade):
        pass
    return count.whole


def count_with_h11(data):
    """How many requests h11 finds in a row, each of them answered; all before what it refuses, if it does."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(data)
    count = 0
    try:
        while True:
            event = connection.next_event()
            if type(event) is h11.EndOfMessage:
                count += 1
                decline(connection)
                if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                    return count
                connection.start_next_cycle()
            elif event is h11.NEED_DATA or event is h11.PAUSED:
                return count
    except h11.RemoteProtocolError:
        return count
