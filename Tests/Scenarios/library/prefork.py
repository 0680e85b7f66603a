"""Asks the pre-fork server from eight clients at once, every token four times, and counts who was let in.

    prefork.py calm|killed SERVER SOCKET KEY ADDRESS TOKENS

calm: the first half of the tokens; each must be let in exactly once. killed: the second half, while every worker is killed
again and again; each must be let in at most once, and no more tokens may be lost than workers were killed.

What meets a fault is asked again: a table gives one to a claim that is 2 s older than another, and spends nothing. The nodes of
a fleet have 50 ms to answer, which a busy machine may not give them. What they store too late is good in one worker alone, so
that a token that ever met that fault may be lost.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict

mode, server, path, key, address, tokens = sys.argv[1:]
WORKERS, ASKED, CLIENTS, KILLS = 4, 4, 8, 20
tokens = open(tokens, "rb").read().splitlines()
tokens = tokens[: len(tokens) // 2] if mode == "calm" else tokens[len(tokens) // 2 :]


def ask(token):
    """The answer's name and who gave it; None if the worker died before it answered."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(path)
            connection.sendall(token)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.makefile().read().split()
            return (answer[0], int(answer[1])) if len(answer) == 2 else None
    except ConnectionError:
        return None


def is_served():
    """The name is there before the server listens."""
    try:
        return ask(b"nonsense") is not None
    except FileNotFoundError:
        return False


def is_fault(answer):
    return answer is not None and answer[0] == "REPLAY_MEMORY_UNAVAILABLE"


def workers(master):
    return [int(pid) for pid in open(f"/proc/{master}/task/{master}/children").read().split()]


def main():
    master = subprocess.Popen([server, path, str(WORKERS), key, address, "REF30", "TNT", "dev"])
    deadline = time.monotonic() + 60
    while not is_served() and time.monotonic() < deadline:
        time.sleep(0.02)

    questions = tokens * ASKED
    random.Random(7).shuffle(questions)
    lock, answers, by_worker, faulted, lost_answers = threading.Lock(), defaultdict(Counter), Counter(), set(), 0
    kills, end = 0, time.monotonic() + 600

    def decide(token):
        """Asks until there is no fault, which is an answer only after ten minutes."""
        nonlocal lost_answers
        while is_fault(answer := ask(token)) and time.monotonic() < end:
            faulted.add(token)
            time.sleep(0.05)
        with lock:
            if answer is None:
                lost_answers += 1
            else:
                answers[token][answer[0]] += 1
                by_worker[answer[1]] += 1

    def client():
        while True:
            with lock:
                # Clients may be faster than what kills.
                if not questions and mode == "killed" and kills < KILLS:
                    questions.extend(tokens)
                if not questions:
                    return
                token = questions.pop()
            decide(token)

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in clients:
        thread.start()
    while mode == "killed" and any(thread.is_alive() for thread in clients):
        time.sleep(0.005)
        for pid in random.sample(found := workers(master.pid), min(1, len(found))):
            try:
                os.kill(pid, signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass  # Killed before, and reaped since the list was read.
    for thread in clients:
        thread.join()
    # Answers may have been lost on the way: each token is asked about once more.
    for token in tokens:
        decide(token)
    deadline = time.monotonic() + 60
    # Until then one of the workers may have stood still.
    while len(by_worker) < WORKERS and time.monotonic() < deadline:
        decide(tokens[0])
    deadline = time.monotonic() + 60
    while (alive := len(workers(master.pid))) < WORKERS and time.monotonic() < deadline:
        time.sleep(0.02)
    master.send_signal(signal.SIGTERM)
    status = master.wait(60)

    let_in = [answers[token]["VALID_TOKEN"] for token in tokens]
    names = {name for counter in answers.values() for name in counter}
    may_be_lost = faulted if address.startswith("redis:") else set()
    lost = sum(times == 0 and token not in may_be_lost for token, times in zip(tokens, let_in))
    print(f"{mode}: {len(tokens)} tokens, {sum(let_in)} let in, {let_in.count(0)} lost, {len(faulted)} met a fault, "
          f"{lost} lost without one, {kills} kills, {lost_answers} answers lost, {len(by_worker)} workers answered")
    holds = {
        f"the server ended with {status}": status == 0, "a token was let in twice": max(let_in) <= 1,
        "no token was valid": max(let_in) >= 1,
        f"answers of {names}": names <= {"VALID_TOKEN", "TOKEN_REPLAYED"}, f"{alive} workers at the end": alive == WORKERS,
        f"{lost} tokens and {lost_answers} answers were lost, of {len(by_worker)} workers, after {kills} kills":
            lost == 0 and lost_answers == 0 and len(by_worker) == WORKERS if mode == "calm"
            else kills >= KILLS and lost <= kills and len(by_worker) > WORKERS}
    sys.exit("; ".join(what for what, is_so in holds.items() if not is_so) or 0)


main()
