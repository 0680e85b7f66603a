"""A server that answers as a case tells it to, and keeps what it was asked."""

import queue
import select
import socket
import struct
import threading
import time

from answers import Question, about, token, written


def crowd(address):
    """Connections that wait to be taken, as many as a listener at a UNIX socket has room for."""
    waiting = []
    while True:
        other = socket.socket(socket.AF_UNIX)
        other.setblocking(False)
        waiting.append(other)
        try:
            other.connect(address)
        except BlockingIOError:
            return waiting


class Server:
    """Listens at a UNIX socket or a loopback port, and answers the next request of whichever connection with the next answer."""

    def __init__(self, path=None, room=64, is_open=True, kind=None):
        self.path, self.kind = path, kind or Connection
        #: Whether connections are taken; those that wait meanwhile are as many as there is room for.
        self.is_open = threading.Event()
        if is_open:
            self.is_open.set()
        self.listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self.listener.bind(path or ("127.0.0.1", 0))
        self.listener.listen(room)
        self.address = path or "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        self._begin([])
        threading.Thread(target=self._accept, daemon=True).start()

    def expect(self, answers):
        """Forgets what it was asked, once all connections of before are closed: a client may have kept one."""
        if self.is_open.is_set():
            self.take()
        for connection in self.connections:
            connection.shut()
        for connection in self.connections:
            connection.is_over.wait()
        self._begin(answers)

    def take(self):
        """Waits until all connections that were made are taken; none is made meanwhile."""
        with socket.socket(self.listener.family) as last:
            last.connect(self.listener.getsockname())
            last.shutdown(socket.SHUT_WR)
            # It is taken after those that wait to be, and ends by itself.
            last.recv(1)
        self.connections.pop()

    def is_over(self):
        """Whether all connections that were taken have ended."""
        return all(each.is_over.is_set() for each in self.connections)

    def _begin(self, answers):
        self.answers, self.questions, self.connections, self.problems = queue.SimpleQueue(), [], [], []
        #: Set when the bytes of an answer that `pushes` are out.
        self.pushed = threading.Event()
        for answer in answers:
            self.answers.put(answer)

    def _accept(self):
        while True:
            self.is_open.wait()
            accepted, _ = self.listener.accept()
            connection = self.kind(self, accepted)
            self.connections.append(connection)
            threading.Thread(target=connection.serve, daemon=True).start()


class Connection:
    def __init__(self, server, connected):
        self.server, self.socket, self.is_over = server, connected, threading.Event()
        self.questions, self.problems, self.answers = server.questions, server.problems, server.answers

    def serve(self):
        try:
            while self._serve_one():
                pass
        except OSError:
            pass
        except Exception as problem:  # A question that is not as HTTPInterface has it: the runner says so.
            self.problems.append(repr(problem))
        self.socket.close()
        self.is_over.set()

    def shut(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _serve_one(self):
        if not self.socket.recv(1, socket.MSG_PEEK):
            return False
        try:
            answer = self.answers.get_nowait()
        except queue.Empty:
            self.problems.append("a request that no case expects")
            return False
        if answer.get("end") == "deaf":
            # The question is never read.
            return self._wait_for_the_end()
        if answer.get("end") in ("early", "half"):
            return self._answer_early(answer)
        head, body = self._read(leaving_one=answer.get("end") == "reset")
        question = Question(head, body, self)
        self.questions.append(question)
        time.sleep(answer.get("delayMilliseconds", 0) / 1000)
        if answer.get("late"):
            # The client has gone, however busy it was, or keeps the connection to ask something else.
            self._wait_for_the_end()
        data = answer["raw"] if "raw" in answer else written(answer, question)
        self._send(data[:answer.get("cut")], answer)
        if answer.get("pushes"):
            # After the answer was read, and not asked for by anything.
            time.sleep(answer["pushesAfterMilliseconds"] / 1000)
            self.socket.sendall(written({"answer": answer["pushes"]}, question))
            self.server.pushed.set()
        end = answer.get("end", "keep")
        if end == "hang":
            return self._wait_for_the_end()
        if end == "reset":
            if self.socket.family == socket.AF_INET:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # On a UNIX socket what was left unread makes it a reset.
            self.socket.close()
            return False
        return end == "keep"

    def _answer_early(self, answer):
        """Answers a question about the token A of which the head alone was read. With `half` no more can be sent after it."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._receive(1, False)
        question = about(token("A"))
        self.questions.append(question)
        self._send(written(answer, question), answer)
        if answer["end"] != "half":
            return False
        # After the answer: a client may look for one when a write has failed, and not wait for it.
        self.socket.shutdown(socket.SHUT_RD)
        # What is in the way of a client that waits for room.
        while self.socket.recv(1 << 20):
            pass
        return self._wait_for_the_end(select.POLLHUP)

    def _send(self, data, answer):
        pace = answer.get("paceMilliseconds")
        for piece in [data] if pace is None else [data[index:index + 1] for index in range(len(data))]:
            self.socket.sendall(piece)
            # A client that went away must not be served to the end.
            if pace is not None and select.select([self.socket], [], [], pace / 1000)[0]:
                return

    def _wait_for_the_end(self, signs=select.POLLRDHUP | select.POLLHUP):
        ended = select.poll()
        ended.register(self.socket, signs)
        ended.poll(60_000)
        return False

    def _read(self, leaving_one):
        """Head and body of a request; with `leaving_one` its last byte stays in the socket."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self._receive(1, leaving_one and head.endswith(b"\r\n\r") and not _length(head))
            head += byte
        length, body = _length(head), b""
        while len(body) < length:
            missing = length - len(body)
            body += self._receive(1, leaving_one) if missing == 1 else self._receive(missing - 1, False)
        return head[:-4], body

    def _receive(self, count, is_only_looked_at):
        data = self.socket.recv(count, socket.MSG_PEEK if is_only_looked_at else 0)
        if not data:
            raise OSError("the question ended early")
        return data


def _length(head):
    for field in head.split(b"\r\n")[1:]:
        name, _, value = field.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
