#!/usr/bin/env -S python3 -B
"""Keys come and go in their folder by changes of files alone, without a signal. A broken configuration, a key of a hand-over, and what a
file's change is, are ReloadTests'; what a start says is in doors/cures.txt."""
import json
import os
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from scenario import check, finish, path, until
from tokens import Signer

LOADED = "mediatoken_last_reload_successful"
signer, other = Signer(), Signer("other")
folder, yes, no = path("rotated"), "VALID_TOKEN", "INVALID_SIGNATURE"
ours, theirs = (open(one.keys).read() for one in (signer, other))


def told():
    return tuple(verdict(daemon.ask(by.issue(1)[0])) for by in (signer, other))


def write(name, text):
    with open(path("new.pem"), "w") as file:
        file.write(text)
    os.rename(path("new.pem"), f"{folder}/{name}")


os.mkdir(folder)
write("one.pem", ours)
daemon = Daemon(signer, "rotating", keys=[folder], allowRSA1024=[signer.fingerprint, other.fingerprint]).start()
check("one key is trusted before another one comes", told() == (yes, no))
write("two.pem", theirs)
check("a second key is taken without a signal", until(60, lambda: told() == (yes, yes)))
listed = json.loads(daemon.get("/v1/keys").body)["keys"]
info = "".join(name for name in daemon.metrics() if name.startswith("mediatoken_key_info"))
check("/v1/keys and the metrics list both keys when a second one was put there", len(listed) == 2 and all(
    one.fingerprint in info and one.fingerprint in [key["fingerprint"] for key in listed] for one in (signer, other)), (listed, info))
os.remove(folder + "/one.pem")
check("a key that was removed is trusted no more", until(60, lambda: told() == (no, yes)))
write("one.pem", ours[:60])
check("a key that is written in part is not taken, and the old set stays in use",
      until(60, lambda: daemon.events("reload-failed")) and (told(), daemon.metrics()[LOADED]) == ((no, yes), 0), daemon.said()[-600:])
write("one.pem", ours)
check("a key that was put back, and has become whole, is trusted again", until(60, lambda: told() == (yes, yes)) and daemon.metrics()[LOADED] == 1)
check("the daemon whose keys came and went ends with 0", daemon.end() == 0)
finish()
