"""Runs where the wheel with the library is installed: within.py KEYS FINGERPRINT REPLAY < lines of JSON. Prints a line for each thing that
holds, or fails."""

import base64
import ctypes
import json
import os
import socket
import statistics
import sys
import tempfile
import threading
import time

import mediatoken
from mediatoken import inprocess

keys, fingerprint, replay = sys.argv[1:]
material = json.load(sys.stdin)
tokens = material["tokens"]
QUESTION = {"requestor": "REF30", "resource": "TNT"}


def make(**options):
    return inprocess.Verifier([keys], **({"allow_rsa_1024": [fingerprint], "replay": replay} | options))


def raised(call, *arguments, **named):
    """What a call raises; None if nothing."""
    try:
        call(*arguments, **named)
    except Exception as error:
        return error
    return None


def says(text, holds, found=""):
    if not holds:
        sys.exit(f"not so: {text} {found}")
    print(text, flush=True)


def patiently(verifier, text):
    """Asks again where the table is undecided and nothing is spent, as it is after a wait for a processor."""
    for turn in range(21):
        try:
            return verifier.verify(text, **QUESTION)
        except mediatoken.Fault as fault:
            if fault.action != "retry" or turn == 20:
                raise
    return None


def where_from():
    with open("/proc/self/maps") as file:
        mapped = {line.split()[5] for line in file if ".so" in line and len(line.split()) > 5}
    site = os.path.dirname(os.path.dirname(mediatoken.__file__))
    ours = {os.path.basename(path).split("-")[0].split(".")[0] for path in mapped if path.startswith(site)}
    says("the wheel has all that the library needs", {"libmediatoken", "libcrypto", "libxml2"} <= ours, ours)
    others = [path for path in mapped if not path.startswith(site)]
    says("and nothing of Swift or libxml2 is taken from the machine", not any("wift" in path or "xml2" in path for path in others), others)


def plays(verifier):
    text = tokens.pop()
    token = verifier.verify(text, **QUESTION)
    says("a good token is valid, as a client's is", type(token) is mediatoken.ValidToken and token.use == "first"
         and token.requestor_id == "REF30" and token.resource_id == "TNT" and token.ttl_milliseconds == 3_600_000
         and (token.expires_at - token.issue_time).total_seconds() == 3600 and token.unknown_fields == ())
    again = raised(verifier.verify, text.encode(), **QUESTION)
    says("once", type(again) is mediatoken.Refused and (again.verdict, again.reason, again.action, again.adobe_code, again.identity)
         == ("TOKEN_REPLAYED", "already-used", "new-token", "TOKEN_EXPIRED", token.identity), repr(again))
    other = raised(verifier.verify, tokens.pop(), requestor="REF30", resource="TBS")
    says("for its resource", type(other) is mediatoken.Refused and other.reason == "other-resource", repr(other))
    channel = verifier.verify(tokens.pop(), requestor="REF30", resource=mediatoken.Channel("TNT"))
    says("also as a channel", channel.use == "first")
    broken = raised(verifier.verify, tokens.pop(), requestor="REF30", resource=mediatoken.Document("<rss>"))
    says("a document that cannot be read is a fault", type(broken) is mediatoken.Fault and broken.name == "BAD_ARGUMENT", repr(broken))
    for wrong in ({"requestor": None}, {"resource": None}, {"resource": mediatoken.CONFIGURED}, {"requestor": mediatoken.CONFIGURED}):
        says(f"nothing is asked about {wrong}", type(raised(verifier.verify, "x", **(QUESTION | wrong))) is TypeError)
    long = raised(verifier.verify, "x" * 65_537, **QUESTION)
    says("a token that is too long is refused", isinstance(long, mediatoken.NotValid), repr(long))


def vectors(verifier):
    """The verdicts, reasons and names that the command line gives to the same bytes at the same time."""
    wrong = []
    for name, received, verdict, reason, identity in material["vectors"]:
        error = raised(verifier.verify, base64.b64decode(received), **QUESTION)
        found = (getattr(error, "verdict", None), getattr(error, "reason", None), getattr(error, "identity", None))
        if found != (verdict, reason, identity):
            wrong.append((name, found, (verdict, reason, identity)))
    says(f"{len(material['vectors'])} vectors have the verdict, the reason and the name of the command line", not wrong, wrong[:3])


def policies():
    denied = raised(make(replay="none:", denied_mvpds=["Other", "Sample_MVPD"]).verify, tokens[-1], **QUESTION)
    listed = raised(make(replay="none:", allowed_mvpds=["Other"]).verify, tokens[-1], **QUESTION)
    nothing = raised(make(replay="none:", allowed_mvpds=[]).verify, tokens[-1], **QUESTION)
    proxies = raised(make(replay="none:", allowed_proxy_mvpds=["Other"]).verify, tokens[-1], **QUESTION)
    reasons = [getattr(error, "reason", repr(error)) for error in (denied, listed, nothing, proxies)]
    says("lists of providers hold", reasons == ["mvpd-denied", "mvpd-not-listed", "mvpd-not-listed", "proxy-mvpd-not-listed"], reasons)
    short = make(replay="none:", max_ttl=60, allowed_mvpds=["Other", "Sample_MVPD"]).verify(tokens[-1], **QUESTION)
    says("a life is cut, and one use is not enforced where it is not", short.ttl_milliseconds == 60_000 and short.use == "not-enforced")
    retrying, text = make(retry_window=60), tokens.pop()
    uses = [retrying.verify(text, **QUESTION, request_id="4711-77aa").use for _ in range(2)]
    other = raised(retrying.verify, text, **QUESTION, request_id="4711-77ab")
    says("the same request is valid again, and no other", uses == ["first", "retry"] and other.verdict == "TOKEN_REPLAYED", uses)


def setups(verifier):
    for what, call, code, text in (
            ("no keys", lambda: inprocess.Verifier([], replay=replay), "KEYS_UNAVAILABLE", "key"),
            ("a folder that is not there", lambda: inprocess.Verifier(["/nowhere"], replay=replay), "KEYS_UNAVAILABLE", "/nowhere"),
            ("a weak key without consent", lambda: make(allow_rsa_1024=[]), "KEYS_UNAVAILABLE", "1024"),
            ("consent to what is no fingerprint", lambda: make(allow_rsa_1024=["x"]), "BAD_ARGUMENT", "64"),
            ("no table", lambda: make(replay="shared:/nowhere/table"), "REPLAY_MEMORY_UNAVAILABLE", "/nowhere"),
            ("an unknown address", lambda: make(replay="nowhere"), "BAD_ARGUMENT", ""),
            ("a life of more than a day", lambda: make(replay="none:", max_ttl=86_401), "BAD_ARGUMENT", ""),
            ("other keys, of nowhere", lambda: verifier.set_keys(["/nowhere"]), "KEYS_UNAVAILABLE", "/nowhere")):
        error = raised(call)
        says(f"{what} is said at the start", type(error) is inprocess.SetupError and error.code == code and text in str(error), repr(error))
    says("one path is no list of paths", type(raised(inprocess.Verifier, keys, replay=replay)) is TypeError)
    lists = [raised(make, replay="none:", **{name: "Sample_MVPD"}) for name in ("denied_mvpds", "allowed_mvpds", "allowed_proxy_mvpds")]
    says("nor is one name a list of names", [type(error) for error in lists] == [TypeError] * 3, lists)
    says("nor a text consent to the development key", type(raised(make, allow_development_key="false")) is TypeError)
    verifier.set_keys([keys], allow_rsa_1024=[fingerprint])
    says("keys are exchanged, or stay as they were", verifier.verify(tokens.pop(), **QUESTION).use == "first")


def threads(verifier):
    """Sixteen threads, each token twice."""
    mine, outcomes = [tokens.pop() for _ in range(400)], []

    def run(part):
        for text in part:
            outcomes.append(type(raised(patiently, verifier, text)).__name__)

    started = [threading.Thread(target=run, args=((mine + mine)[index::16],)) for index in range(16)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    says("in 16 threads 400 tokens play once each", sorted(outcomes) == ["NoneType"] * 400 + ["Refused"] * 400)


def other_threads_go_on():
    """A seat that says nothing keeps mediatoken_verifier_new waiting; another thread counts meanwhile."""
    path = os.path.join(tempfile.mkdtemp(), "seat")
    seat = socket.socket(socket.AF_UNIX)
    seat.bind(path)
    # Room for those of each turn: none is taken.
    seat.listen(64)
    # Again, if the counting thread had no processor meanwhile.
    for _ in range(5):
        waited, meanwhile = beats_in_wait(path)
        if meanwhile >= 3:
            break
    seat.close()
    os.unlink(path)
    os.rmdir(os.path.dirname(path))
    says("other threads go on while one waits in the library", waited > 1 and meanwhile >= 3, f"{meanwhile} in {waited:.2f} s")


def beats_in_wait(path):
    """For how long a verifier of that seat was waited for, and how often another thread counted in the middle of that."""
    beats, over = [time.monotonic()], threading.Event()

    def beat():
        while not over.wait(0.01):
            beats.append(time.monotonic())

    counting = threading.Thread(target=beat)
    counting.start()
    start = time.monotonic()
    make(replay=f"redis:fleet@{path}")
    waited = time.monotonic() - start
    over.set()
    counting.join()
    # Not at its ends, where Python runs, too.
    return waited, sum(waited / 4 < beat - start < waited * 3 / 4 for beat in beats)


def forks(verifier):
    children = []
    for _ in range(4):
        mine = [tokens.pop() for _ in range(25)]
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if all(patiently(verifier, text).use == "first" for text in mine) else 1)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(2)
        children.append((child, mine))
    good = all(patiently(verifier, tokens.pop()).use == "first" for _ in range(50))
    statuses = [os.waitpid(child, 0)[1] for child, _ in children]
    again = [type(raised(verifier.verify, text, **QUESTION)) for _, mine in children for text in mine]
    says("parent and four children verify at once", good and statuses == [0] * 4)
    says("and what one has used no other plays", again == [mediatoken.Refused] * 100)
    says("a child that was forked without Python's knowledge verifies, too",
         plays_in_child(ctypes.PyDLL(None).fork, verifier, tokens.pop(), lambda: None))
    says("and a child may begin with other keys", plays_in_child(os.fork, verifier, tokens.pop(), lambda: (
        verifier.set_keys([keys], allow_rsa_1024=[fingerprint]))))


def plays_in_child(fork, verifier, text, begin):
    child = fork()
    if child == 0:
        try:
            begin()
            os._exit(0 if verifier.verify(text, **QUESTION).use == "first" else 1)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def price(verifier):
    times, uses = [], set()
    for text in [tokens.pop() for _ in range(1000)]:
        start = time.perf_counter_ns()
        uses.add(verifier.verify(text, **QUESTION).use)
        times.append(time.perf_counter_ns() - start)
    says(f"a thousand tokens play in a process, in {statistics.median(times) / 1000:.0f} us each (p50)", uses == {"first"}, uses)


def main():
    verifier = make()
    where_from()
    plays(verifier)
    vectors(verifier)
    policies()
    setups(verifier)
    threads(verifier)
    other_threads_go_on()
    forks(verifier)
    price(verifier)


main()
