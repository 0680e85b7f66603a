"""What the wheel with the library does in the process: within.py KEYS FINGERPRINT REPLAY < tokens. Prints a line for each thing that holds."""

import ctypes
import os
import sys

import mediatoken
from mediatoken import inprocess

QUESTION = {"requestor": "REF30", "resource": "TNT"}
keys, fingerprint, replay, tokens = *sys.argv[1:], sys.stdin.read().split()


def says(text, holds, found=""):
    print(text if holds else f"not so: {text} {found}", file=sys.stdout if holds else sys.stderr, flush=True)


def is_told(call):
    try:
        call()
    except inprocess.SetupError:
        return True


def make(**options):
    return inprocess.Verifier([keys], **({"allow_rsa_1024": [fingerprint], "replay": replay} | options))


def reason(verifier, text, **changes):
    """The reason of a refusal or a fault, or how a valid token was used."""
    try:
        return verifier.verify(text, **(QUESTION | changes)).use
    except mediatoken.NotValid as error:
        return getattr(error, "name", None) or error.reason


def in_children(fork):
    """How eight forked processes ended, of which each verified a token of its own."""
    started = []
    for text in [tokens.pop() for _ in range(8)]:
        started.append(fork())
        if started[-1] == 0:
            os._exit(0 if reason(verifier, text) == "first" else 1)
    return [os.waitpid(child, 0)[1] for child in started]


verifier, text = make(), tokens.pop()
token = verifier.verify(text, **QUESTION)
with open("/proc/self/maps") as file:
    others = [line for line in file if ("wift" in line or "xml2" in line) and os.path.dirname(os.path.dirname(mediatoken.__file__)) not in line]
says("nothing of Swift or libxml2 is the machine's", not others, others)
says("a good token is valid, as a client's is", type(token) is mediatoken.ValidToken and (token.resource_id, token.unknown_fields) == ("TNT", ())
     and (token.expires_at - token.issue_time).total_seconds() == 3600 and len(token.identity) == 64)
wrong = [reason(verifier, text), reason(verifier, tokens[0], resource="TBS"), reason(verifier, tokens[0], resource=mediatoken.Document("<rss>")),
         reason(verifier, tokens.pop(), resource=mediatoken.Channel("TNT"))]
says("a token plays once, for its resource", wrong == ["already-used", "other-resource", "BAD_ARGUMENT", "first"], wrong)
said = [reason(make(replay="none:", **options), tokens[0]) for options in (
    {"denied_mvpds": ["Sample_MVPD"]}, {"allowed_mvpds": ["Other"]}, {"allowed_mvpds": []}, {"allowed_proxy_mvpds": ["Other"]}, {"max_ttl": 60})]
says("policies hold", said == ["mvpd-denied", "mvpd-not-listed", "mvpd-not-listed", "proxy-mvpd-not-listed", "not-enforced"], said)
retrying, text = make(retry_window=60), tokens.pop()
uses = [reason(retrying, text, request_id=request) for request in ("4711-77aa", "4711-77aa", "4711-77ab")]
says("the same request is valid again, and no other", uses == ["first", "retry", "already-used"], uses)
says("what cannot be used is told at the start", all(map(is_told, (
    lambda: inprocess.Verifier(["/nowhere"], replay=replay), lambda: make(allow_rsa_1024=[]),
    lambda: make(replay="shared:/nowhere/table"), lambda: verifier.set_keys(["/nowhere"])))))
verifier.set_keys([keys], allow_rsa_1024=[fingerprint])
ends = in_children(os.fork) + in_children(ctypes.PyDLL(None).fork)
says("forked processes verify, also without Python's knowledge of the fork", ends == [0] * 16 and reason(verifier, tokens.pop()) == "first", ends)
