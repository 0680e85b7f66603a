"""A listener that has no room: connecting is tried until the deadline, and a retry window goes on meanwhile."""

import os
import threading
import time

from driver import PATIENCE, TIMEOUT, question
from misbehaving import Server, crowd

#: Of the client, in milliseconds, and for how long there is no room, in seconds.
CASES = {"no room until the window is over": (300, 1.0, 0), "no room for a while": (60_000, 0.2, 1)}


def cases(driver, folder):
    """Each case's name, and what is wrong; none if nothing is."""
    for name, (window, pause, wanted) in CASES.items():
        server = Full(os.path.join(folder, f"crowded{window}.sock"), pause)
        for _ in range(wanted):
            server.answers.put({"cut": 0, "end": "close"})
        driver.tell({"do": "open", "address": server.address, "timeoutMilliseconds": TIMEOUT, "requestIDHeader": "X-Request-ID",
                     "retryWindowMilliseconds": window})
        said = driver.tell(question({}))
        server.take()
        is_over = all(each.is_over.wait(PATIENCE) for each in server.connections)
        is_right = is_over and said["outcome"] == "no-answer" and len(server.questions) == wanted and not server.problems
        yield name, None if is_right else (
            f"expected no answer, and {wanted} questions on other connections, found {said} {len(server.questions)} {server.problems}")
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


class Full(Server):
    """Takes one question, ends its connection when its queue is full, and has room again after a pause."""

    def __init__(self, path, pause):
        self.pause = pause
        super().__init__(path, room=1)

    def _accept(self):
        first, _ = self.listener.accept()
        first.recv(65_536)
        others = crowd(self.path)
        first.close()
        time.sleep(self.pause)
        for other in others:
            other.close()
        super()._accept()
