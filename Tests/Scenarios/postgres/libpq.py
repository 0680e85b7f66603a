"""As much of libpq as a host needs: pipeline mode, in which an answer counts when its Sync has come."""

import ctypes
import select
import time

_library = ctypes.CDLL("libpq.so.5")
_pointer, _text = ctypes.c_void_p, ctypes.c_char_p
_texts = ctypes.POINTER(_text)
_RECEIVER = ctypes.CFUNCTYPE(None, _pointer, _pointer)
for _name, _result, *_arguments in (
        ("PQconnectdbParams", _pointer, _texts, _texts, ctypes.c_int), ("PQstatus", ctypes.c_int, _pointer),
        ("PQerrorMessage", _text, _pointer), ("PQfinish", None, _pointer), ("PQsocket", ctypes.c_int, _pointer),
        ("PQsetnonblocking", ctypes.c_int, _pointer, ctypes.c_int), ("PQenterPipelineMode", ctypes.c_int, _pointer),
        ("PQpipelineSync", ctypes.c_int, _pointer), ("PQflush", ctypes.c_int, _pointer),
        ("PQsendQueryParams", ctypes.c_int, _pointer, _text, ctypes.c_int, _pointer, _texts, _pointer, _pointer, ctypes.c_int),
        ("PQconsumeInput", ctypes.c_int, _pointer), ("PQisBusy", ctypes.c_int, _pointer), ("PQgetResult", _pointer, _pointer),
        ("PQresultStatus", ctypes.c_int, _pointer), ("PQntuples", ctypes.c_int, _pointer), ("PQnfields", ctypes.c_int, _pointer),
        ("PQgetvalue", _text, _pointer, ctypes.c_int, ctypes.c_int), ("PQclear", None, _pointer),
        ("PQresultErrorField", _text, _pointer, ctypes.c_int),
        ("PQsetNoticeReceiver", _pointer, _pointer, _RECEIVER, _pointer)):
    getattr(_library, _name).restype, getattr(_library, _name).argtypes = _result, _arguments
TUPLES, PIPELINE_SYNC, SEVERITY, SQLSTATE = 2, 10, ord("V"), ord("C")


class Lost(Exception):
    """The connection is gone, or the deadline has passed: nothing is known of what was asked."""


class Refused(Exception):
    """The server said no: `state` is its SQLSTATE."""

    def __init__(self, state):
        super().__init__(state)
        self.state = state


class Connection:
    def __init__(self, folder, user):
        words = {"host": folder, "port": "5432", "user": user, "dbname": "postgres", "passfile": "/dev/null/none", "gssencmode": "disable",
                 "target_session_attrs": "any", "connect_timeout": "2"}
        keys = (_text * (len(words) + 1))(*[key.encode() for key in words], None)
        values = (_text * (len(words) + 1))(*[value.encode() for value in words.values()], None)
        self.handle = _library.PQconnectdbParams(keys, values, 0)
        if _library.PQstatus(self.handle) != 0:
            message = _library.PQerrorMessage(self.handle).decode()
            self.close()
            raise Lost(message)
        self.is_warned = False
        self.receiver = _RECEIVER(self.noticed)
        _library.PQsetNoticeReceiver(self.handle, self.receiver, None)
        _library.PQsetnonblocking(self.handle, 1)
        _library.PQenterPipelineMode(self.handle)

    def noticed(self, _argument, result):
        self.is_warned = self.is_warned or _library.PQresultErrorField(result, SEVERITY) == b"WARNING"

    def close(self):
        if self.handle:
            _library.PQfinish(self.handle)
        self.handle = None

    def ask(self, statement, *values, seconds=1.0, heeds_warnings=True):
        """The rows. A warning between question and Sync means that the commit is not what was asked for: nothing is answered."""
        self.is_warned = False
        texts = (_text * max(1, len(values)))(*[str(value).encode() for value in values])
        if not (self.handle and _library.PQsendQueryParams(self.handle, statement.encode(), len(values), None, texts, None, None, 0)
                and _library.PQpipelineSync(self.handle)):
            raise Lost("it cannot be sent")
        rows, state, end = [], None, time.monotonic() + seconds
        for result in self.results(end):
            status = _library.PQresultStatus(result)
            if status == TUPLES:
                rows = [[_library.PQgetvalue(result, row, field).decode() for field in range(_library.PQnfields(result))]
                        for row in range(_library.PQntuples(result))]
            elif status != PIPELINE_SYNC:
                state = state or (_library.PQresultErrorField(result, SQLSTATE) or b"").decode()
            _library.PQclear(result)
        if state is not None:
            raise Refused(state)
        if self.is_warned and heeds_warnings:
            raise Refused("warning")
        return rows

    def results(self, end):
        """All until the Sync."""
        poll = select.poll()
        while True:
            unsent = _library.PQflush(self.handle)
            while not _library.PQisBusy(self.handle):
                result = _library.PQgetResult(self.handle)
                if result:
                    is_last = _library.PQresultStatus(result) == PIPELINE_SYNC
                    yield result
                    if is_last:
                        return
                elif _library.PQstatus(self.handle) != 0:
                    raise Lost("the connection is broken")
            poll.register(_library.PQsocket(self.handle), select.POLLIN | (select.POLLOUT if unsent > 0 else 0))
            left = end - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000) or not _library.PQconsumeInput(self.handle):
                raise Lost("no answer")
