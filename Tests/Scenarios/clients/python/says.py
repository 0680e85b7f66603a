"""What the programs of this folder share that run where the kit is installed: each prints a line for each thing that holds, or fails."""

import os
import sys
import threading

import mediatoken

QUESTION = {"requestor": "REF30", "resource": "TNT"}


def says(text, holds, found=""):
    print(text if holds else f"not so: {text} {found}", file=sys.stdout if holds else sys.stderr, flush=True)


def raised(call, *arguments, **named):
    """What a call raises; None if nothing."""
    try:
        call(*arguments, **named)
    except Exception as error:
        return error
    return None


def raises(kind, call, *arguments, **named):
    return isinstance(raised(call, *arguments, **named), kind)


def verify(verifier, text):
    """Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor."""
    for turn in range(21):
        try:
            return verifier.verify(text, **QUESTION)
        except mediatoken.Fault as fault:
            if fault.action != "retry" or turn == 20:
                raise
    return None


def threads(verifier, tokens):
    """Sixteen threads, each token twice."""
    outcomes = []

    def run(part):
        for text in part:
            outcomes.append(type(raised(verify, verifier, text)).__name__)

    started = [threading.Thread(target=run, args=((tokens + tokens)[index::16],)) for index in range(16)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    says(f"in 16 threads {len(tokens)} tokens play once each", sorted(outcomes) == ["NoneType"] * len(tokens) + ["Refused"] * len(tokens))


def plays_in_child(fork, verifier, tokens, begin=lambda: None):
    """The process id of a child that ends with 0 if each of the tokens plays there."""
    child = fork()
    if child == 0:
        try:
            begin()
            os._exit(0 if all(verify(verifier, text).use == "first" for text in tokens) else 1)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(2)
    return child


def forks(verifier, tokens):
    """Parent and four children ask at once."""
    children = [plays_in_child(os.fork, verifier, tokens[25 * index:25 * index + 25]) for index in range(4)]
    good = all(verify(verifier, text).use == "first" for text in tokens[100:])
    statuses = [os.waitpid(child, 0)[1] for child in children]
    again = [raises(mediatoken.Refused, verifier.verify, text, **QUESTION) for text in tokens]
    says("parent and four children verify at once, each token once", good and statuses == [0] * 4 and all(again))
