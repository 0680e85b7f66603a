"""Runs where the kit is installed: inside.py SOCKET < tokens. Prints a line for each thing that holds, or fails."""

import copy
import dataclasses
import os
import pathlib
import pickle
import resource
import socket
import sys
import tempfile
import threading
import traceback

import mediatoken

address = sys.argv[1]
tokens = sys.stdin.read().split()
daemon = mediatoken.Client(address, timeout=300)
QUESTION = {"requestor": "REF30", "resource": "TNT"}


def raises(kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind:
        return True
    return False


def says(text, holds, found=""):
    if not holds:
        sys.exit(f"not so: {text} {found}")
    print(text)


def verify(text):
    """Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor."""
    for turn in range(21):
        try:
            return daemon.verify(text, **QUESTION)
        except mediatoken.Fault as fault:
            if fault.action != "retry" or turn == 20:
                raise
    return None


def sealed():
    token = daemon.verify(tokens.pop(), **QUESTION)
    kind = mediatoken.ValidToken
    says("a valid token is made by a client alone", raises(TypeError, kind) and raises(TypeError, kind, None, *["x"] * 15)
         and raises(TypeError, kind, None, identity="x", use="first"))
    says("and has no subclasses", raises(TypeError, type, "Mine", (kind,), {"__post_init__": lambda *_: None})
         and raises(TypeError, type, "Mine", (kind,), {"__init__": lambda *_: None}))
    stored = pickle.PROTO + b"\x02cmediatoken\nValidToken\n" + pickle.EMPTY_TUPLE + pickle.NEWOBJ
    members = stored + pickle.EMPTY_DICT + b"Videntity\nVx\n" + pickle.SETITEM
    says("nor is it restored with members", raises(TypeError, pickle.loads, members + pickle.BUILD + pickle.STOP))
    for empty in (object.__new__(kind), kind.__new__(kind), pickle.loads(stored + pickle.STOP)):
        says("what has none says nothing", raises(TypeError, getattr, empty, "identity") and raises(TypeError, getattr, empty, "use")
             and raises(AttributeError, object.__setattr__, empty, "identity", "x") and repr(empty) == "<ValidToken of no one>")
    says("it is neither changed, copied nor pickled", raises(AttributeError, setattr, token, "identity", "x")
         and raises(AttributeError, object.__setattr__, token, "identity", "x") and raises(AttributeError, setattr, token, "new", 1)
         and raises(TypeError, vars, token) and raises(TypeError, copy.copy, token) and raises(TypeError, copy.deepcopy, token)
         and all(raises(TypeError, pickle.dumps, token, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)))
    says("nor read out as a whole", raises(TypeError, dataclasses.asdict, token) and raises(TypeError, dataclasses.replace, token, use="x"))
    says("neither text has the account or the credential", token.session_guid not in repr(token) + str(token))


def errors():
    refused = None
    try:
        daemon.verify("nonsense", **QUESTION)
    except mediatoken.NotValid as error:
        refused = error
    again = pickle.loads(pickle.dumps(refused))
    says("errors go from one process to another",
         isinstance(again, mediatoken.Refused) and vars(again) == vars(refused) and str(again) == str(refused))
    for wrong in ({"requestor": None}, {"resource": None}, {"requestor": b"REF30"}, {"resource": 7},
                  {"resource": mediatoken.Document(None)}):
        says(f"what is no question is not asked: {wrong}", raises(TypeError, daemon.verify, "token", **(QUESTION | wrong)))
    says("a token is text or bytes", raises(TypeError, daemon.verify, None, **QUESTION)
         and raises(TypeError, daemon.verify, 7, **QUESTION))
    says("an empty one is refused", raises(mediatoken.Refused, daemon.verify, "", **QUESTION))
    says("halves of surrogate pairs are no token", raises(mediatoken.Refused, daemon.verify, "\ud800", **QUESTION))


def traces():
    """What a program that reports its errors would collect of one, besides the locals of callers."""
    answers = iter([b'{"secret": ', b"\xff", b'{"secret": "\\ud800"}', b"[" * 99_999, b'{"secret": 1}'])

    def serve():
        for body in answers:
            connected = listener.accept()[0]
            connected.recv(65_536)
            connected.sendall(b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            connected.close()

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(folder + "/socket")
        listener.listen(8)
        threading.Thread(target=serve, daemon=True).start()
        client, wrong = mediatoken.Client(folder + "/socket", timeout=300), []
        for _ in range(5):
            try:
                client.verify("nonsense", **QUESTION)
            except mediatoken.ForeignAnswer as error:
                frames = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
                wrong += [frames] if frames[1:] != ["verify", "_verify", "_exchange"] else []
                wrong += [each for each in (error.__context__, error.__cause__) if each is not None]
        says("an error has neither the answer nor how it was read", not wrong, wrong)


def settings():
    """What cannot be is said when the client is made, not when it has used a token up."""
    header = {"request_id_header": "X-Request-ID"}
    for wrong in ({"timeout": "5"}, {"timeout": None}, {"timeout": True}, {"idle_connections": None}, {"idle_connections": "8"},
                  {"idle_connections": 8.0}, {"connections": "64"}, {"connections": True}, {"request_id_header": 7},
                  {"retry_window": "60"} | header, {"retry_window": True} | header):
        says(f"of another type: {wrong}", raises(TypeError, mediatoken.Client, address, **wrong))
    for wrong in ({"timeout": float("inf")}, {"timeout": float("nan")}, {"timeout": 1e10}, {"timeout": 0}, {"idle_connections": -1},
                  {"connections": 0}, {"retry_window": float("inf")} | header, {"retry_window": float("nan")} | header):
        says(f"out of range: {wrong}", raises(ValueError, mediatoken.Client, address, **wrong))
    says("an address is a text or a path", raises(TypeError, mediatoken.Client, address.encode()) and raises(TypeError, mediatoken.Client, 7)
         and raises(mediatoken.Refused, mediatoken.Client(pathlib.Path(address), timeout=300).verify, "nonsense", **QUESTION))


def descriptors():
    """A process that may open no more files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
    try:
        mediatoken.Client(address, timeout=300).verify("nonsense", **QUESTION)
        found = None
    except Exception as error:
        found = error
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
    says("no descriptor is no answer", type(found) is mediatoken.NoAnswer and "Too many open files" in str(found), repr(found))


def threads():
    """Each thread's answers are those to its own questions."""
    mine, wrong = [tokens.pop() for _ in range(400)], []

    def run(part):
        for text in part:
            try:
                if verify(text).use != "first":
                    wrong.append(text)
                if not raises(mediatoken.Refused, verify, text):
                    wrong.append(text)
            except Exception as error:
                wrong.append(repr(error))

    started = [threading.Thread(target=run, args=(mine[index::16],)) for index in range(16)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    says("16 threads share a client", not wrong)


def forks():
    """Parent and children ask at once, over connections of their own."""
    daemon.check_ready()
    children = []
    for _ in range(4):
        mine = [tokens.pop() for _ in range(50)]
        child = os.fork()
        if child == 0:
            try:
                good = all(verify(text).use == "first" for text in mine)
                os._exit(0 if good else 1)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(2)
        children.append(child)
    good = all(verify(tokens.pop()).use == "first" for _ in range(100))
    statuses = [os.waitpid(child, 0)[1] for child in children]
    says("a client goes on in the parent and in four children", good and statuses == [0] * 4)
    says("and in the parent after their end", daemon.verify(tokens.pop(), **QUESTION).use == "first")


sealed()
errors()
traces()
settings()
descriptors()
threads()
forks()
