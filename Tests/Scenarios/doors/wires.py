"""What a fleet's nodes are sent, a process of Redis and a database that a test plays: while it is initialised and looked at, and a token is
used, explained, and used again. Of a token it is sixteen bytes of its identity and its second, whatever asks."""
import contextlib
import os
import re
import socket
import struct
import subprocess
import sys
import threading
from types import SimpleNamespace

from configurations import config_of
from mistakes import TOKEN
from processes import MEDIATOKEN
from scenario import ROOT, path
from nodes import Node
from vectors import KEYS, plain, short

sys.path.insert(1, str(ROOT / "Tests/Scenarios/postgres"))
import liar

LOOK, ASKED = ["replay", "nodes", "--timeout", "60000"], ["--requestor", "REF30", "--resource", "TNT"]
USE = ["verify", "-", "--spend", *ASKED]
STEPS = {"look": LOOK, "init": ["replay", "init", "--fresh", "--timeout", "60000"], "explain": ["explain", "-", *ASKED],
         "use": USE, "use again": USE, "use with a request": [*USE, "--request-id", "my-request"], "use in a batch": ["verify", "--batch", *USE[1:]],
         "explain again": ["explain", "-", *ASKED], "look again": LOOK}


class Recorder:
    """Passes bytes between a socket at `listen` and a node, and keeps what goes to the node."""

    def __init__(self, listen, node):
        self.node, self.sent, self.server = node, b"", socket.socket(socket.AF_UNIX)
        self.server.bind(listen)
        self.server.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.server.accept()
            node = socket.socket(socket.AF_UNIX)
            node.connect(self.node)
            for pair in ((client, node), (node, client)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if target.getpeername() == self.node:
                    self.sent += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def recorded(listen, node, address, **fleet):
    """What went to the node in each step, through a recorder in front of it."""
    configuration = config_of(address, SimpleNamespace(keys=KEYS[0], fingerprint=None), window=30_000, deadlineMilliseconds=1000, **fleet)
    recorder = Recorder(listen, node)
    for step, command in STEPS.items():
        recorder.sent = b""
        run = subprocess.run([MEDIATOKEN, *command, "--config", configuration], input=TOKEN, capture_output=True)
        yield step, f"exit {run.returncode} {plain((run.stdout or run.stderr).decode()).splitlines()[0]}", recorder.sent


def shown(word):
    """A value as text: of a ballot that it is one, and a script in short."""
    word = re.sub(rb"(?s).{12}k\x006@", b"BALLOT", word)
    text = word.decode() if re.fullmatch(rb"[ -~\n]*", word) else word.hex()
    return short("script", text) if "\n" in text else text


def commands(stream):
    """Those of RESP. The digest of a fleet has the paths of its nodes in it, and its owner is random."""
    while stream:
        head, _, stream = stream.partition(b"\r\n")
        words = []
        for _ in range(int(head[1:])):
            length, _, stream = stream.partition(b"\r\n")
            words.append(shown(stream[:int(length[1:])]))
            stream = stream[int(length[1:]) + 2:]
        yield " ".join(words[:2] + [re.sub("^[0-9a-f]{40}$", "OWNER", re.sub("^[0-9a-f]{16}:", "DIGEST:", word)) for word in words[2:]])


def statements(stream):
    """Those of PostgreSQL's protocol with the types and values that are bound to them, and how a connection begins."""
    while stream:
        kind = b"" if stream[0] == 0 else stream[:1]
        length = struct.unpack_from("!I", stream, len(kind))[0]
        body, stream = stream[len(kind) + 4:len(kind) + length], stream[len(kind) + length:]
        if kind == b"":
            yield "begin " + body[4:].replace(b"\0", b" ").decode().strip()
        elif kind == b"P":
            name, text, types = body.split(b"\0", 2)
            yield f"{name.decode()}{text.decode()} {types.hex()}"
        elif kind == b"B":
            yield " ".join(["bind", *map(shown, liar.parameters(body))])


def of_wires():
    node = Node("node", password="correct-horse", is_local=True).start()
    with open(path("node.users"), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as users:
        users.write("1 default correct-horse\n")
    for folder in ("near", "far"):
        os.mkdir(path(folder))
    liar.time = SimpleNamespace(time=lambda: 1795176000)
    postgres = f"postgres:f@{path('near')}/d"
    liar.Liar(path("far"), "--replay", postgres)
    said = {f"redis, {step}": "\n".join([ended, *commands(stream)])
            for step, ended, stream in recorded(
                path("r"), node.address, f"redis:f@{path('r')}", credentials=path("node.users"))}
    return said | {f"postgres, {step}": "\n".join([ended, *statements(stream)]) for step, ended, stream in recorded(
        path("near/.s.PGSQL.5432"), path("far/.s.PGSQL.5432"), postgres)}
