"""What the wheel with the library does in the process: within.py KEYS FINGERPRINT REPLAY < tokens."""

import ctypes
import os
import sys

import mediatoken
from mediatoken import inprocess
from says import QUESTION, forks, plays_in_child, raised, raises, says, threads

keys, fingerprint, replay = sys.argv[1:]
tokens = sys.stdin.read().split()


def make(**options):
    return inprocess.Verifier([keys], **({"allow_rsa_1024": [fingerprint], "replay": replay} | options))


def where_from():
    with open("/proc/self/maps") as file:
        mapped = {line.split()[5] for line in file if ".so" in line and len(line.split()) > 5}
    site = os.path.dirname(os.path.dirname(mediatoken.__file__))
    ours = {os.path.basename(path).split("-")[0].split(".")[0] for path in mapped if path.startswith(site)}
    says("the wheel has all that the library needs", {"libmediatoken", "libcrypto", "libxml2"} <= ours, ours)
    others = [path for path in mapped if not path.startswith(site)]
    says("nothing of Swift or libxml2 is taken from the machine", not any("wift" in path or "xml2" in path for path in others), others)


def plays(verifier):
    text = tokens.pop()
    token = verifier.verify(text, **QUESTION)
    says("a good token is valid, as a client's is", type(token) is mediatoken.ValidToken and token.use == "first"
         and token.requestor_id == "REF30" and token.resource_id == "TNT" and token.ttl_milliseconds == 3_600_000
         and (token.expires_at - token.issue_time).total_seconds() == 3600 and token.unknown_fields == () and len(token.identity) == 64)
    again = raised(verifier.verify, text.encode(), **QUESTION)
    says("a token plays once", type(again) is mediatoken.Refused and (again.verdict, again.reason, again.action, again.adobe_code, again.identity)
         == ("TOKEN_REPLAYED", "already-used", "new-token", "TOKEN_EXPIRED", token.identity), repr(again))
    other = raised(verifier.verify, tokens.pop(), requestor="REF30", resource="TBS")
    says("a token plays for its resource", type(other) is mediatoken.Refused and other.reason == "other-resource", repr(other))
    channel = verifier.verify(tokens.pop(), requestor="REF30", resource=mediatoken.Channel("TNT"))
    says("a token plays for its channel", channel.use == "first")
    broken = raised(verifier.verify, tokens.pop(), requestor="REF30", resource=mediatoken.Document("<rss>"))
    says("a document that cannot be read is a fault", type(broken) is mediatoken.Fault and broken.name == "BAD_ARGUMENT", repr(broken))
    for wrong in ({"requestor": None}, {"resource": mediatoken.CONFIGURED}, {"requestor": mediatoken.CONFIGURED}):
        says(f"nothing is asked about {wrong}", raises(TypeError, verifier.verify, "x", **(QUESTION | wrong)))


def policies():
    def reason(**options):
        return getattr(raised(make(replay="none:", **options).verify, tokens[-1], **QUESTION), "reason", None)

    reasons = [reason(denied_mvpds=["Other", "Sample_MVPD"]), reason(allowed_mvpds=["Other"]), reason(allowed_mvpds=[]),
               reason(allowed_proxy_mvpds=["Other"])]
    says("lists of providers hold", reasons == ["mvpd-denied", "mvpd-not-listed", "mvpd-not-listed", "proxy-mvpd-not-listed"], reasons)
    short = make(replay="none:", max_ttl=60, allowed_mvpds=["Other", "Sample_MVPD"]).verify(tokens[-1], **QUESTION)
    says("a life is cut, and one use is not enforced where it is not", short.ttl_milliseconds == 60_000 and short.use == "not-enforced")
    retrying, text = make(retry_window=60), tokens.pop()
    uses = [retrying.verify(text, **QUESTION, request_id="4711-77aa").use for _ in range(2)]
    other = raised(retrying.verify, text, **QUESTION, request_id="4711-77ab")
    says("the same request is valid again, and no other", uses == ["first", "retry"] and other.verdict == "TOKEN_REPLAYED", uses)


def setups(verifier):
    for what, call, code, text in (
            ("a folder that is not there", lambda: inprocess.Verifier(["/nowhere"], replay=replay), "KEYS_UNAVAILABLE", "/nowhere"),
            ("a weak key without consent", lambda: make(allow_rsa_1024=[]), "KEYS_UNAVAILABLE", "1024"),
            ("consent to what is no fingerprint", lambda: make(allow_rsa_1024=["x"]), "BAD_ARGUMENT", "64"),
            ("no table", lambda: make(replay="shared:/nowhere/table"), "REPLAY_MEMORY_UNAVAILABLE", "/nowhere"),
            ("a life of more than a day", lambda: make(replay="none:", max_ttl=86_401), "BAD_ARGUMENT", ""),
            ("other keys, of nowhere", lambda: verifier.set_keys(["/nowhere"]), "KEYS_UNAVAILABLE", "/nowhere")):
        error = raised(call)
        says(f"{what} is said at the start", type(error) is inprocess.SetupError and error.code == code and text in str(error), repr(error))
    lists = [raised(make, replay="none:", **{name: "Sample_MVPD"}) for name in ("denied_mvpds", "allowed_mvpds", "allowed_proxy_mvpds")]
    says("one text is no list, nor consent to the development key", [type(error) for error in lists] == [TypeError] * 3
         and raises(TypeError, inprocess.Verifier, keys, replay=replay) and raises(TypeError, make, allow_development_key="false"), lists)
    verifier.set_keys([keys], allow_rsa_1024=[fingerprint])
    says("keys are exchanged, or stay as they were", verifier.verify(tokens.pop(), **QUESTION).use == "first")


verifier = make()
where_from()
plays(verifier)
policies()
setups(verifier)
threads(verifier, [tokens.pop() for _ in range(400)])
forks(verifier, [tokens.pop() for _ in range(150)])
for what, fork, begin in (("a child that was forked without Python's knowledge verifies", ctypes.PyDLL(None).fork, lambda: None),
                          ("a child may begin with other keys", os.fork, lambda: verifier.set_keys([keys], allow_rsa_1024=[fingerprint]))):
    says(what, os.waitpid(plays_in_child(fork, verifier, [tokens.pop()], begin), 0)[1] == 0)
