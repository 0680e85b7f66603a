"""What a fleet's nodes are sent, a process of Redis and a database that a test plays: while it is initialised, and a token is used twice."""
import os
import re
import struct
import subprocess
import sys
from types import SimpleNamespace

from configurations import config_of
from mistakes import TOKEN
from processes import MEDIATOKEN, launch
from scenario import ROOT, path, until
from nodes import Node
from vectors import KEYS, plain, short

sys.path.insert(1, str(ROOT / "Tests/Scenarios/postgres"))
import liar

STEPS = {"init": ["replay", "init", "--fresh", "--timeout", "60000"]} | dict.fromkeys(
    ("use", "use again"), ["verify", "-", "--spend", "--resource", "TNT"])


def recorded(listen, node, address):
    """What went to the node in each step, through a recorder in front of it."""
    file, trusted = listen + ".record", SimpleNamespace(keys=KEYS[0], fingerprint=None)
    configuration = config_of(address, trusted, deadlineMilliseconds=1000)
    launch([sys.executable, "-B", ROOT / "Tests/Scenarios/fleet/recorder.py", listen, node, file])
    until(60, lambda: os.path.exists(listen))
    for step, command in STEPS.items():
        open(file, "wb").close()
        run = subprocess.run([MEDIATOKEN, *command, "--config", configuration], input=TOKEN, capture_output=True)
        with open(file, "rb") as stream:
            yield step, f"exit {run.returncode} {plain(run.stdout.decode()).splitlines()[0]}", stream.read()


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
    node = Node("node", is_local=True).start()
    for folder in ("near", "far"):
        os.mkdir(path(folder))
    liar.time = SimpleNamespace(time=lambda: 1795176000)
    postgres = f"postgres:f@{path('near')}/d"
    liar.Liar(path("far"), "--replay", postgres)
    said = {f"redis, {step}": "\n".join([ended, *commands(stream)])
            for step, ended, stream in recorded(path("r"), node.address, f"redis:f@{path('r')}")}
    return said | {f"postgres, {step}": "\n".join([ended, *statements(stream)]) for step, ended, stream in recorded(
        path("near/.s.PGSQL.5432"), path("far/.s.PGSQL.5432"), postgres)}
