"""Asks a daemon as the document says, and holds every answer against it."""

import socket


class Caller:
    """`address` is a socket's path or a port of the loopback interface."""

    def __init__(self, document, address):
        self.document, self.address = document, address
        #: What answers had that the document has not.
        self.problems = []

    def connect(self):
        if isinstance(self.address, int):
            return socket.create_connection(("127.0.0.1", self.address), timeout=60)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(self.address)
        return connection

    def is_taken(self):
        """Whether a connection is."""
        try:
            self.connect().close()
            return True
        except OSError:
            return False

    def ask(self, operation, target=None, fields=(), body=None, method=None, announced=None):
        """One request on a connection of its own.

        A `method` that is not the operation's, and a body that is `announced` longer than it is sent, are to be refused.
        """
        method = method or operation.method.upper()
        head = [f"{method} {target or self.target(operation)} HTTP/1.1", "Host: localhost", "Connection: close"]
        head += [f"{name}: {value}" for name, value in fields]
        if body is not None or announced or method == "POST":
            head.append(f"Content-Length: {announced or len(body or b'')}")
        return self.exchange(operation, ("\r\n".join(head) + "\r\n\r\n").encode() + (body or b""))

    def exchange(self, operation, request):
        """Sends bytes as they are, and judges what comes until the connection ends."""
        with self.connect() as connection:
            self.send(connection, request)
            return self.receive(operation, connection)

    @staticmethod
    def send(connection, request):
        try:
            connection.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            pass  # Refused before all of it was sent; the answer has come all the same.

    def receive(self, operation, connection):
        """The answer's status, headers and body."""
        received = b""
        try:
            while part := connection.recv(65536):
                received += part
        except ConnectionResetError:
            pass
        if b"\r\n\r\n" not in received:
            self.problems.append(f"{operation}: no whole answer")
            return 0, [], b""
        head, body = received.split(b"\r\n\r\n", 1)
        first, *lines = head.decode().split("\r\n")
        headers = [(name.lower(), value) for name, value in (line.split(": ", 1) for line in lines)]
        answer = int(first.split()[1]), headers, body
        self.problems += [f"{operation.method} {operation.path}: {answer[0]}: {problem}"
                          for problem in self.document.judge(operation, *answer)]
        return answer

    def target(self, operation):
        """The operation's path, with the example of what is open in it."""
        return operation.path.replace("{path}", self.document.parameter("Path")[1])
