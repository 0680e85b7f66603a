"""What the kit does that is no case of the conformance: inside.py SOCKET < tokens."""

import copy
import dataclasses
import pathlib
import pickle
import socket
import sys
import tempfile
import threading
import traceback

import mediatoken
from says import QUESTION, forks, raised, raises, says, threads

address = sys.argv[1]
tokens = sys.stdin.read().split()
daemon = mediatoken.Client(address, timeout=300)


def sealed():
    token = daemon.verify(tokens.pop(), **QUESTION)
    kind = mediatoken.ValidToken
    says("a valid token is made by a client alone", raises(TypeError, kind) and raises(TypeError, kind, None, {})
         and raises(TypeError, kind, None, identity="x", use="first"))
    says("a valid token has no subclasses", raises(TypeError, type, "Mine", (kind,), {"__init__": lambda *_: None}))
    stored = pickle.PROTO + b"\x02cmediatoken\nValidToken\n" + pickle.EMPTY_TUPLE + pickle.NEWOBJ
    members = stored + pickle.EMPTY_DICT + b"Videntity\nVx\n" + pickle.SETITEM
    says("a valid token is not restored with members", raises(TypeError, pickle.loads, members + pickle.BUILD + pickle.STOP))
    says("a valid token without members says nothing", all(
        raises(TypeError, getattr, empty, "identity") and raises(TypeError, getattr, empty, "use")
        and raises(AttributeError, object.__setattr__, empty, "identity", "x") and repr(empty) == "<ValidToken of no one>"
        for empty in (object.__new__(kind), kind.__new__(kind), pickle.loads(stored + pickle.STOP))))
    says("a valid token is neither changed, copied nor pickled", raises(AttributeError, setattr, token, "identity", "x")
         and raises(AttributeError, object.__setattr__, token, "identity", "x") and raises(AttributeError, setattr, token, "new", 1)
         and raises(TypeError, vars, token) and raises(TypeError, copy.copy, token) and raises(TypeError, copy.deepcopy, token)
         and all(raises(TypeError, pickle.dumps, token, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)))
    says("a valid token is not read out as a whole", raises(TypeError, dataclasses.asdict, token)
         and raises(TypeError, dataclasses.replace, token, use="x"))
    says("neither text of a valid token has the account", token.session_guid not in repr(token) + str(token))


def misuse():
    refused = raised(daemon.verify, "nonsense", **QUESTION)
    again = pickle.loads(pickle.dumps(refused))
    says("errors go from one process to another",
         isinstance(again, mediatoken.Refused) and vars(again) == vars(refused) and str(again) == str(refused))
    for wrong in ({"requestor": None}, {"resource": None}, {"requestor": b"REF30"}, {"resource": mediatoken.Document(None)}):
        says(f"nothing is asked about {wrong}", raises(TypeError, daemon.verify, "token", **(QUESTION | wrong)))
    says("a token is text or bytes", raises(TypeError, daemon.verify, None, **QUESTION) and raises(TypeError, daemon.verify, 7, **QUESTION))
    says("halves of surrogate pairs are no token", raises(mediatoken.Refused, daemon.verify, "\ud800", **QUESTION))
    header, nan = {"request_id_header": "X-Request-ID"}, float("nan")
    for kind, wrong in (
            (TypeError, [{"timeout": "5"}, {"timeout": True}, {"idle_connections": 8.0}, {"connections": "64"}, {"request_id_header": 7},
                         {"retry_window": True} | header]),
            (ValueError, [{"timeout": float("inf")}, {"timeout": nan}, {"timeout": 1e10}, {"connections": 0}, {"retry_window": nan} | header])):
        found = [each for each in wrong if not raises(kind, mediatoken.Client, address, **each)]
        says(f"settings that are no number in their range are a {kind.__name__}", not found, found)
    says("an address is a text or a path", raises(TypeError, mediatoken.Client, address.encode()) and raises(TypeError, mediatoken.Client, 7)
         and raises(mediatoken.Refused, mediatoken.Client(pathlib.Path(address), timeout=300).verify, "nonsense", **QUESTION))


def traces():
    """What a program that reports its errors would collect of one, besides the locals of callers."""
    answers = iter([b'{"secret": ', b"\xff", b"[" * 99_999, b'{"secret": 1}'])

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
        for _ in range(4):
            error = raised(client.verify, "nonsense", **QUESTION)
            frames = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
            if type(error) is not mediatoken.ForeignAnswer or frames[1:] != ["verify", "_verify", "_exchange"] or error.__context__:
                wrong.append((repr(error), frames, error.__context__))
        says("an error has neither the answer nor how it was read", not wrong, wrong)


sealed()
misuse()
traces()
threads(daemon, [tokens.pop() for _ in range(400)])
daemon.check_ready()
forks(daemon, [tokens.pop() for _ in range(200)])
says("the client goes on after the end of its children", daemon.verify(tokens.pop(), **QUESTION).use == "first")
