#!/usr/bin/env -S python3 -B
"""A broken configuration or key: at start exit 3 and one line that names file and key; on a reload the old set stays in use, and
log and metric say so. Also keys that are exchanged without a signal."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import check, count, finish, path, until
from tokens import Signer

LOADED = "mediatoken_last_reload_successful"
signer, other = Signer(), Signer("other")
good = Daemon(signer, capacity=10_000).start()
settings = good.settings

with open(path("not-a-key.pem"), "w") as file:
    file.write("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
shutil.copy(signer.keys, path("open.pem"))
os.chmod(path("open.pem"), 0o666)
os.mkdir(path("empty"))
subprocess.run(["truncate", "-s", "10M", path("large.pem")], check=True)

# What is changed in a good configuration, and what the message has to name besides the file.
BROKEN = {
    "no JSON": ('{"socket": ', ["line"]),
    "nothing": ("", []),
    "an array": ("[]", []),
    "a second value": (json.dumps(settings) + "{}", ["line"]),
    "an unknown key": ({"keyz": ["x"]}, ["keyz"]),
    "a duplicate": (json.dumps(settings)[:-1] + ', "threads": 3}', ["threads"]),
    "a wrong type": ({"threads": "2"}, ["threads"]),
    "a fraction": ({"threads": 1.5}, ["threads"]),
    "out of range": ({"threads": 65}, ["threads"]),
    "negative": ({"tenants": [{"requestor": "REF30", "maxTTLMilliseconds": -1}]}, ["maxTTLMilliseconds"]),
    "a longest life in which no token may arrive":
        ({"tenants": [{"requestor": "REF30", "maxTTLMilliseconds": 1999}]}, ["maxTTLMilliseconds", "from 2000 to"]),
    "a list of no users": ({"peers": {"allowUIDs": []}}, ["peers.allowUIDs", "leave the member out"]),
    "a list of no groups": ({"peers": {"allowUIDs": [0], "allowGIDs": []}}, ["peers.allowGIDs", "leave the member out"]),
    "an empty text": ({"tenants": [{"requestor": ""}]}, ["requestor"]),
    "no tenants": ({"tenants": []}, ["tenants"]),
    "one tenant twice": ({"tenants": [{"requestor": "A"}, {"requestor": "A"}]}, ["requestor"]),
    "a policy that the table does not cover":
        ({"tenants": [{"requestor": "REF30", "maxTTLMilliseconds": 86_400_000}]}, []),
    "no keys": ({"keys": []}, ["keys"]),
    "a key that is not there": ({"keys": [path("nowhere.pem")]}, ["nowhere.pem"]),
    "a file that is not a key": ({"keys": [path("not-a-key.pem")]}, ["not-a-key.pem"]),
    "a key that others may write": ({"keys": [path("open.pem")]}, ["open.pem"]),
    "a folder without keys": ({"keys": [path("empty")]}, ["empty"]),
    "a private key": ({"keys": [signer.private]}, [signer.private]),
    "a large file": ({"keys": [path("large.pem")]}, ["large.pem"]),
    "a device": ({"keys": ["/dev/zero"]}, ["/dev/zero"]),
    "a weak key without consent": ({"allowRSA1024": []}, []),
    "a consent to what is not a fingerprint": ({"allowRSA1024": ["any"]}, ["allowRSA1024"]),
}


def text_of(change):
    return change if isinstance(change, str) else json.dumps(settings | change, indent=1)


def at_start():
    wrong = {}
    victim = Daemon(signer, "victim", capacity=10_000)
    for name, (change, words) in BROKEN.items():
        victim.write(text_of(change).replace(good.socket, victim.socket))
        open(victim.log, "w").close()
        status = victim.spawn().process.wait(60)
        said = victim.said()
        lines = said.splitlines()
        if status != 3 or len(lines) != 1 or not all(word in said for word in [os.path.basename(victim.file), *words]):
            wrong[name] = (status, said)
        if os.path.exists(victim.socket):
            wrong[name] = "made a socket"
    check(f"{len(BROKEN)} configurations that cannot be used: exit 3, and one line that names file and key", not wrong, wrong)
    victim.write(json.dumps(victim.settings))
    victim.start()
    check("a good configuration starts after those that cannot be used", victim.end() == 0)


def on_reload():
    wrong = {}
    for name, (change, words) in BROKEN.items():
        before = len(good.events("reload-failed"))
        good.write(text_of(change))
        good.tell(signal.SIGHUP)
        if not until(60, lambda: len(good.events("reload-failed")) > before):
            wrong[name] = "no log line"
            continue
        message = good.events("reload-failed")[before]["message"]
        if not all(word in message for word in [os.path.basename(good.file), *words]):
            wrong[name] = message
        answer = good.ask(signer.issue(1)[0])
        if answer.status != 200 or good.metrics()[LOADED] != 0:
            wrong[name] = (answer, good.metrics()[LOADED])
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

    def told(by):
        return verdict(daemon.ask(by.issue(1)[0]))

    def changes(action, before, after):
        """Whether the verdict about new tokens of both keys changes, and how long that takes."""
        if (told(signer), told(other)) != before:
            return False
        begun = time.monotonic()
        action()
        changed = until(60, lambda: (told(signer), told(other)) == after)
        count(f"a change of files was taken after {time.monotonic() - begun:.1f} s")
        return changed

    def copy_second():
        shutil.copy(other.keys, folder + "/two.pem.new")
        os.rename(folder + "/two.pem.new", folder + "/two.pem")

    def write_half():
        with open(other.keys) as key, open(folder + "/one.pem", "w") as file:
            file.write(key.read()[:60])

    yes, no = "VALID_TOKEN", "INVALID_SIGNATURE"
    check("a second key is taken without a signal", changes(copy_second, (yes, no), (yes, yes)))
    check("a key that was removed is trusted no more", changes(lambda: os.remove(folder + "/one.pem"), (yes, yes), (no, yes)))
    shutil.copy(signer.keys, folder + "/one.pem")
    check("a key that was put back is trusted again", until(60, lambda: told(signer) == yes))
    write_half()
    check("a key that is written in part is not taken", until(60, lambda: len(daemon.events("reload-failed")) > 0))
    check("while a key is written in part the old set stays in use", (told(signer), told(other), daemon.metrics()[LOADED]) == (yes, yes, 0))
    shutil.copy(signer.keys, folder + "/one.pem")
    check("a key that has become whole is taken", until(60, lambda: daemon.metrics()[LOADED] == 1))
    info = [name for name in daemon.metrics() if name.startswith("mediatoken_key_info")]
    check("the metrics name both keys", sum(one.fingerprint in "".join(info) for one in (signer, other)) == 2, info)
    listed = json.loads(daemon.get("/v1/keys").body)["keys"]
    check("/v1/keys lists both keys", {key["fingerprint"] for key in listed} == {signer.fingerprint, other.fingerprint}, listed)
    check("the daemon whose keys came and went ends with 0", daemon.end() == 0)


for part in (at_start, on_reload, rotation):
    part()
check("the first daemon ends with 0", good.end() == 0)
finish()
