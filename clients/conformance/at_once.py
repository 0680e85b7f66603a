"""Questions that are asked at once: not more connections than the client may have, and no one waits for one beyond the deadline."""

import os
import time

from driver import PATIENCE, TIMEOUT, encoded
from answers import token
from misbehaving import Server


def cases(driver, folder):
    """Each case's name, and what is wrong; none if nothing is."""
    server = Server(os.path.join(folder, "at-once.sock"))
    names = "ABCDEFGHIJKL"
    asked = {"do": "atOnce", "tokens": [encoded(token(name)) for name in names], "requestor": "REF30", "resource": "TNT"}
    opening = {"do": "open", "address": server.address, "timeoutMilliseconds": TIMEOUT, "connections": 2}
    server.expect([{"delayMilliseconds": 20}] * len(names))
    driver.tell(opening)
    said = driver.tell(asked)
    yield "no more connections than there may be", problem(said, "valid", len(names)) or (
        None if len(server.connections) <= 2 else f"expected 2 connections, found {len(server.connections)}")
    # Two at a time: if the wait for a turn were not within the deadline, the last one would end after six times the limit.
    limit = 0.3 if len(server.connections) == 1 else 3
    server.expect([{"cut": 0, "end": "hang"}] * len(names))
    driver.tell(opening | {"timeoutMilliseconds": int(limit * 1000)})
    start = time.monotonic()
    said = driver.tell(asked)
    took = time.monotonic() - start
    yield "no one waits for one beyond the deadline", problem(said, "no-answer", len(names)) or (
        None if took < 10 else f"expected an end after {limit} s for each, found one after {took:.1f} s")
    server.expect([{}])
    driver.tell(opening)
    said = driver.tell(asked | {"tokens": asked["tokens"][:1]})
    yield "and the next one is asked", problem(said, "valid", 1)

    yield "connections that are not needed end", left_open(driver, server, asked, opening)


def left_open(driver, server, asked, opening):
    """Three connections, of which one is used every 16 s: the others were idle for more than 30 s."""
    server.expect([{"delayMilliseconds": 500}] * 3 + [{}] * 2)
    driver.tell(opening | {"connections": 3})
    said = [driver.tell(asked | {"tokens": asked["tokens"][:3]})]
    for name in "MN":
        time.sleep(16)
        said.append(driver.tell(asked | {"tokens": [encoded(token(name))]}))
    # A kit that asks one question at a time has one connection.
    count = len(server.connections)
    end = time.monotonic() + PATIENCE
    while sum(each.is_over.is_set() for each in server.connections) < count - 1 and time.monotonic() < end:
        time.sleep(0.01)
    open_ones = sum(not each.is_over.is_set() for each in server.connections)
    if any(outcome != "valid" for each in said for outcome in each["outcomes"]):
        return f"expected valid tokens, found {said}"
    return None if open_ones == 1 else f"expected one of {count} connections to be open, found {open_ones}"


def problem(said, outcome, count):
    return None if said.get("outcomes") == [outcome] * count else f"expected {count} times {outcome}, found {said}"
