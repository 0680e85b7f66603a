"""A server that speaks PostgreSQL's protocol (PostgreSQL, "Message Formats"), honestly except where it is told to lie."""

import itertools
import os
import re
import socket
import struct
import subprocess
import threading
import time

from processes import MEDIATOKEN

QUESTIONS = {b"server_version_num": "facts", b".start(": "start", b".maintain(": "maintain", b".claims(": "claims", b".look(": "look",
             b"pg_control_system": "cluster"}
BLOCK = b"x" * 65536


def message(kind, body=b""):
    return kind + struct.pack("!I", len(body) + 4) + body


def number(value):
    return struct.pack("!q", value)


def described(columns):
    return message(b"T", struct.pack("!H", len(columns)) + b"".join(
        b"c%d\0" % index + struct.pack("!IHIhih", 0, 0, kind, -1, -1, 1) for index, kind in enumerate(columns)))


def row(values):
    return message(b"D", struct.pack("!H", len(values)) + b"".join(
        struct.pack("!i", -1) if value is None else struct.pack("!I", len(value)) + value for value in values))


def notice(kind, text=b"x", severity=b"NOTICE", code=b"00000"):
    return message(kind, b"S" + severity + b"\0V" + severity + b"\0C" + code + b"\0M" + text + b"\0\0")


READY, DONE, BEGUN = message(b"Z", b"I"), message(b"C", b"SELECT 1\0"), message(b"1") + message(b"2")
#: What is sent again and again, at any time; settings have a new name each.
ENDLESS = {
    "notices": lambda: itertools.repeat(notice(b"N", b"x" * 20000)),
    "notifications": lambda: itertools.repeat(message(b"A", struct.pack("!I", 1) + b"channel\0" + b"x" * 7900 + b"\0")),
    "settings": lambda: (message(b"S", b"name%d\0" % index + b"x" * 8000 + b"\0") for index in itertools.count()),
}
#: What announces a message of half a gigabyte or more, and then sends it.
LONG = {
    "a long row": described([25]) + b"D" + struct.pack("!IHI", (1 << 30) + 10, 1, 1 << 30),
    "a long error": b"E" + struct.pack("!I", (1 << 29) + 4) + b"SERROR\0VERROR\0C22000\0M",
}
#: States that libpq does not leave by itself (PGRES_COPY_OUT, _IN and _BOTH).
COPIES = {"copy out": b"H", "copy in": b"G", "copy both": b"W"}


class Liar:
    """`lie` is a question and what it is answered with; the question is one of QUESTIONS, "start" (nothing is asked yet) or "idle"
    (nothing is asked any more). None: it is honest."""

    def __init__(self, folder, *fleet):
        schema = subprocess.run([MEDIATOKEN, "replay", "schema", *fleet], capture_output=True, text=True, check=True).stdout
        self.mark = re.search(r"IS '(mediatoken \w+ \w+)'", schema)[1].encode()
        self.lie, self.lies, self.used, self.lock = None, 0, {}, threading.Lock()
        #: How many bytes of settings each connection was sent with answers.
        self.settings = {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(folder, ".s.PGSQL.5432"))
        self.listener.listen(100)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=[self.listener.accept()[0]], daemon=True).start()

    def serve(self, connection):
        try:
            with connection, connection.makefile("rb") as file:
                length, code = struct.unpack("!II", file.read(8))
                file.read(length - 8)
                if self.lie_about("start"):
                    self.tell_lie(connection, [25], [b""], b"")
                connection.sendall(message(b"R", struct.pack("!I", 0)) + message(b"S", b"server_version\0" b"15.18\0") +
                                   message(b"K", struct.pack("!II", 1, 1)) + READY)
                question, given = None, []
                while head := file.read(5):
                    body = file.read(struct.unpack("!I", head[1:])[0] - 4)
                    if head[:1] == b"P":
                        question = next(name for word, name in QUESTIONS.items() if word in body)
                    elif head[:1] == b"B":
                        given = parameters(body)
                    elif head[:1] == b"S":
                        self.answer(connection, question, *self.honest(question, given))
        except (OSError, struct.error):
            pass

    def answer(self, connection, question, columns, values):
        if self.lie_about(question):
            return self.tell_lie(connection, columns, values, BEGUN)
        connection.sendall(BEGUN + described(columns) + row(values) + DONE + READY)
        if question in ("start", "maintain") and self.lie_about("idle"):
            self.tell_lie(connection, columns, values, b"")

    def lie_about(self, question):
        return self.lie is not None and self.lie[0] == question

    def tell_lie(self, connection, columns, values, begun):
        how, self.lies = self.lie[1], self.lies + 1
        connection.sendall(begun)
        if how in COPIES:
            connection.sendall(message(COPIES[how], b"\0\0\0"))
        elif how in ENDLESS:
            for block in ENDLESS[how]():
                connection.sendall(block)
        elif how in LONG:
            connection.sendall(LONG[how])
            for _ in range(1 << 13):
                connection.sendall(BLOCK)
        elif how == "rows":
            connection.sendall(described(columns))
            while True:
                connection.sendall(row(values) * 1000)
        elif how == "settings and the answer":
            settings = b"".join(message(b"S", b"name%d-%d\0" % (self.lies, index) + b"x" * 8000 + b"\0") for index in range(7))
            self.settings[connection] = self.settings.get(connection, 0) + len(settings)
            connection.sendall(settings + described(columns) + row(values) + DONE + READY)
        elif how == "two answers":
            connection.sendall((described(columns) + row(values) + DONE) * 2 + READY)
        elif how == "cut once":
            self.lie = None
            connection.shutdown(socket.SHUT_RDWR)
        elif how == "no rows":
            connection.sendall(message(b"n") + DONE + READY)
        else:
            assert how == "silence", how
            while connection.recv(65536):
                pass

    def honest(self, question, given):
        """The types and values of the one row that a question is answered with."""
        now = int(time.time())
        high = (now + 120) // 60
        if question == "facts":
            return [25, 16] + [25] * 8, [b"150018", b"\0", b"", b"", b"on", self.mark, b"00000001", b"read committed", b"off", b"5"]
        if question == "cluster":
            return [25], [b"7000000000000000001"]
        if question == "start":
            return [20, 20, 20, 16], [number(now), number(0), number(high), b"\0"]
        if question == "maintain":
            return [20] * 4 + [25], [number(now), number(0), number(high), number(now), b"off"]
        if question == "look":
            return ([20, 25, 25, 25, 20, 20, 20, 16, 2950, 25, 25, 25, 20, 16, 20],
                    [number(now), b"00000001", self.mark[15:], b"00000001", number(0), number(high), number(now), b"\1", None, b"15.18",
                     b"on", b"on", number(1), b"\0", None])
        letters, standing = b"", []
        with self.lock:
            for identity, word in zip(elements(given[4]), elements(given[5])):
                if identity in self.used:
                    standing.append(self.used[identity])
                letters += b"p" if identity in self.used else b"n"
                self.used.setdefault(identity, word)
        there = struct.pack("!IIIII", 1, 0, 2950, len(standing), 1) + b"".join(struct.pack("!I", 16) + word for word in standing)
        return [2249], [struct.pack("!III", 3, 20, 8) + number(now) + struct.pack("!II", 25, len(letters)) + letters +
                        struct.pack("!I", 2951) + (struct.pack("!I", len(there)) + there if standing else struct.pack("!i", -1))]


def parameters(bind):
    """The values of a Bind."""
    at = bind.index(b"\0", bind.index(b"\0") + 1) + 1
    at += 2 + 2 * struct.unpack_from("!H", bind, at)[0]
    count, at, values = struct.unpack_from("!H", bind, at)[0], at + 2, []
    for _ in range(count):
        length = struct.unpack_from("!i", bind, at)[0]
        values.append(bind[at + 4:at + 4 + max(length, 0)])
        at += 4 + max(length, 0)
    return values


def elements(array):
    """The values of an array of one dimension."""
    count, at, values = struct.unpack_from("!I", array, 12)[0], 20, []
    for _ in range(count):
        length = struct.unpack_from("!I", array, at)[0]
        values.append(array[at + 4:at + 4 + length])
        at += 4 + length
    return values
