"""Asks a daemon as the document says, and holds every answer against it."""
import contextlib
import socket

from connection import Connection, Unanswered, Unsent


class Caller:
    """`address` is a socket's path or a port of the loopback interface."""

    def __init__(self, document, address):
        self.document, self.address = document, address
        #: What answers had that the document has not.
        self.problems = []

    def connect(self):
        if isinstance(self.address, int):
            return Connection.over(socket.create_connection(("127.0.0.1", self.address), timeout=60))
        return Connection(self.address)

    def ask(self, operation, target=None, fields=(), body=None, method=None, announced=None):
        """One request on a connection of its own: the answer's status, headers and body.

        A `method` that is not the operation's, and a body that is `announced` longer than it is sent, are to be refused.
        """
        method = method or operation.method.upper()
        head = [f"{method} {target or self.target(operation)} HTTP/1.1", "Host: localhost", "Connection: close"]
        head += [f"{name}: {value}" for name, value in fields]
        if body is not None or announced or method == "POST":
            head.append(f"Content-Length: {announced or len(body or b'')}")
        return self.exchange(operation, ("\r\n".join(head) + "\r\n\r\n").encode() + (body or b""))

    def exchange(self, operation, request):
        """Sends bytes as they are, and judges the answer."""
        with self.connect() as connection:
            with contextlib.suppress(Unsent):  # Refused before all of it was sent; the answer has come all the same.
                connection.send(request)
            return self.receive(operation, connection)

    def receive(self, operation, connection):
        try:
            answer = connection.receive(is_head=operation.method == "head")
        except Unanswered as error:
            self.problems.append(f"{operation}: no whole answer: {error}")
            return 0, [], b""
        lines = answer.head.decode().split("\r\n")[1:]
        found = answer.status, [(name.lower(), value) for name, value in (line.split(": ", 1) for line in lines)], answer.body
        self.problems += [f"{operation.method} {operation.path}: {answer.status}: {problem}"
                          for problem in self.document.judge(operation, *found)]
        return found

    def target(self, operation):
        """The operation's path, with the example of what is open in it."""
        return operation.path.replace("{path}", self.document.parameter("Path")[1])
