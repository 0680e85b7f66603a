#!/usr/bin/env -S python3 -B
"""A broken configuration or key: on a reload the old set stays in use, and log and metric say so. Also keys that are exchanged without a
signal. What a start says is in doors/cures.txt, every mistake in a setting is doors/doors.py's, and every unusable key KeysInFilesTests'."""
import json
import os
import shutil
import signal
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import check, finish, path, until
from tokens import Signer

LOADED = "mediatoken_last_reload_successful"
signer, other = Signer(), Signer("other")
good = Daemon(signer, capacity=10_000).start()
settings = good.settings
shutil.copy(signer.keys, path("open.pem"))
os.chmod(path("open.pem"), 0o666)

# What is changed in a good configuration, and what the message has to name besides the file.
BROKEN = {
    "no JSON": ('{"socket": ', ["line"]),
    "an unknown key": ({"keyz": ["x"]}, ["keyz"]),
    "a policy that the table does not cover":
        ({"tenants": [{"requestor": "REF30", "maxTTLMilliseconds": 86_400_000}]}, []),
    "a key that is not there": ({"keys": [path("nowhere.pem")]}, ["nowhere.pem"]),
    "a key that others may write": ({"keys": [path("open.pem")]}, ["open.pem"]),
    "a private key": ({"keys": [signer.private]}, [signer.private]),
    "a weak key without consent": ({"allowRSA1024": []}, []),
}


def text_of(change):
    return change if isinstance(change, str) else json.dumps(settings | change, indent=1)


def on_reload():
    wrong = {}
    for name, (change, words) in BROKEN.items():
        before = len(good.events("reload-failed"))
        good.write(text_of(change))
        good.tell(signal.SIGHUP)
        if not until(60, lambda: len(good.events("reload-failed")) > before):
            wrong[name] = "no log line"
            continue
        message, answer, loaded = good.events("reload-failed")[before]["message"], good.ask(signer.issue(1)[0]), good.metrics()[LOADED]
        if not all(word in message for word in [os.path.basename(good.file), *words]) or (answer.status, loaded) != (200, 0):
            wrong[name] = message, answer, loaded
    check(f"{len(BROKEN)} reloads that fail: the old set stays in use, log line and metric say so", not wrong, wrong)
    before = len(good.events("reloaded"))
    good.write(json.dumps(settings))
    good.tell(signal.SIGHUP)
    check("a good configuration after reloads that failed is taken", until(60, lambda: len(good.events("reloaded")) > before))
    check("after reloads that failed a good one sets the metric to 1", good.metrics()[LOADED] == 1)


def rotation():
    """Keys come and go by changes of files alone, without a signal."""
    folder = path("rotated")
    os.mkdir(folder)
    shutil.copy(signer.keys, folder + "/one.pem")
    daemon = Daemon(signer, "rotating", keys=[folder], allowRSA1024=[signer.fingerprint, other.fingerprint]).start()
    yes, no = "VALID_TOKEN", "INVALID_SIGNATURE"

    def told():
        return tuple(verdict(daemon.ask(by.issue(1)[0])) for by in (signer, other))

    def write(name, text):
        with open(path("new.pem"), "w") as file:
            file.write(text)
        os.rename(path("new.pem"), f"{folder}/{name}")

    ours, theirs = (open(one.keys).read() for one in (signer, other))
    check("one key is trusted before another one comes", told() == (yes, no))
    write("two.pem", theirs)
    check("a second key is taken without a signal", until(60, lambda: told() == (yes, yes)))
    listed = json.loads(daemon.get("/v1/keys").body)["keys"]
    check("/v1/keys lists both keys when a second one was put there",
          {key["fingerprint"] for key in listed} == {signer.fingerprint, other.fingerprint}, listed)
    os.remove(folder + "/one.pem")
    check("a key that was removed is trusted no more", until(60, lambda: told() == (no, yes)))
    write("one.pem", ours)
    check("a key that was put back is trusted again", until(60, lambda: told() == (yes, yes)))
    write("one.pem", theirs[:60])
    check("a key that is written in part is not taken", until(60, lambda: daemon.events("reload-failed")))
    check("while a key is written in part the old set stays in use", (told(), daemon.metrics()[LOADED]) == ((yes, yes), 0))
    write("one.pem", ours)
    check("a key that has become whole is taken", until(60, lambda: daemon.metrics()[LOADED] == 1))
    info = "".join(name for name in daemon.metrics() if name.startswith("mediatoken_key_info"))
    check("the metrics name both keys", all(one.fingerprint in info for one in (signer, other)), info)
    check("the daemon whose keys came and went ends with 0", daemon.end() == 0)


for part in (on_reload, rotation):
    part()
check("the first daemon ends with 0", good.end() == 0)
finish()
