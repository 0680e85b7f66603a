"""A listener that has no room: connecting is tried until the deadline, and a retry window goes on meanwhile."""

import os
import socket
import threading
import time

from driver import TIMEOUT, question
from misbehaving import Server, crowd

#: Of the client, in milliseconds, and for how long there is no room, in seconds.
CASES = {"no room until the window is over": (300, 1.0, 0), "no room for a while": (60_000, 0.2, 1)}
#: What the runner says when it will ask nothing more.
LAST = b"the last"


def cases(driver, folder):
    """Each case's name, and what is wrong; none if nothing is."""
    for name, (window, pause, wanted) in CASES.items():
        listener = Listener(os.path.join(folder, f"crowded{window}.sock"), pause)
        driver.tell({"do": "open", "address": listener.path, "timeoutMilliseconds": TIMEOUT, "requestIDHeader": "X-Request-ID",
                     "retryWindowMilliseconds": window})
        said = driver.tell(question({}))
        asked = listener.end()
        if said["outcome"] != "no-answer":
            yield name, f"expected no answer, found {said}"
        elif asked != wanted:
            yield name, f"expected {wanted} questions on other connections, found {asked}"
        else:
            yield name, None
    yield from before_a_question(driver, Server(os.path.join(folder, "full.sock"), room=1, is_open=False))


def before_a_question(driver, server):
    server.expect([{"answer": "refused"}])
    others = crowd(server.address)
    driver.tell({"do": "open", "address": server.address, "timeoutMilliseconds": 3_000})
    said = driver.tell(question({}))
    is_late = said["outcome"] == "no-answer" and "in time" in said["text"] and "check the address" not in said["text"]
    yield "no room until the deadline is no answer for want of time", None if is_late and not server.questions else f"found {said}"
    driver.tell({"do": "open", "address": server.address, "timeoutMilliseconds": TIMEOUT})
    room = threading.Timer(0.5, server.is_open.set)
    room.start()
    said = driver.tell(question({}))
    room.join()
    is_asked = said["outcome"] == "refused" and len(server.questions) == 1
    yield "no room at first is tried until there is some", None if is_asked else f"found {said} {server.problems}"
    for other in others:
        other.close()


class Listener:
    """Takes one question, ends its connection when its queue is full, and has room again after a pause."""

    def __init__(self, path, pause):
        self.path, self.pause, self.asked = path, pause, 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        self.socket.listen(1)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        first, _ = self.socket.accept()
        first.recv(65_536)
        others = crowd(self.path)
        first.close()
        time.sleep(self.pause)
        for other in others:
            other.close()
        received = b""
        while received != LAST:
            connected, _ = self.socket.accept()
            with connected:
                try:
                    received = connected.recv(65_536)
                except OSError:
                    received = b""
            self.asked += received not in (b"", LAST)

    def end(self):
        """How often it was asked again, when all that connected has been looked at."""
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(self.path)
            last.sendall(LAST)
        self.thread.join()
        self.socket.close()
        return self.asked
