#!/usr/bin/env -S python3 -B
"""Nodes, settings and credentials that are wrong: no daemon starts with them, and it says which and what to do. Which nodes are wrong is
the unit tests'; here is how a daemon and `replay nodes` say so, one of each kind."""

import json
import os
import re
import socketserver
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from configurations import config_of
from hosts import PASSWORD, TENANTS, are_ready, begin, credentials, host, reason, replay, states
from processes import MEDIATOKEN, free_port
from scenario import check, finish, path, until
from nodes import Node


def refused(name, address, expected, **settings):
    """A daemon that does not start: its message, which must say what is expected, in one line."""
    for _ in range(10):
        daemon = host("refused", address, **settings).spawn()
        until(60, lambda: not daemon.is_alive() or daemon.events("started"))
        took = time.monotonic() - daemon.started
        status, said = daemon.end(), daemon.said()
        os.remove(daemon.log)
        # A node that has not said in 2 s what it is counts as down, and with the other two a daemon starts.
        if status != 0 or took < 2:
            break
    check(f"{name}: the daemon does not start, and says in one line which and what to do, without a password",
          status == 3 and all(re.search(text, said) for text in expected)
          and said.count("\n") == 1 and PASSWORD not in said and "hunter2" not in said, (status, said))


def commanded(address, *words):
    """What the command line says about the nodes."""
    file = config_of(address, tenant=TENANTS[0], credentials=path("credentials"))
    return subprocess.run([MEDIATOKEN, "replay", *words, "--config", file, "--timeout", "60000"], capture_output=True, text=True, check=False)


def shown(address):
    """State and reason of each node, and the exit status of the command."""
    said = commanded(address, "nodes", "--json")
    return said.returncode, [(node["state"], node["reason"] or "") for node in json.loads(said.stdout)["nodes"]]


def wrong_nodes(fleet, address):
    a, b, _ = (node.address for node in fleet)
    stranger = Node("stranger", password="hunter2").start()
    for name, place, expected, settings in (
            ("another policy", address, [r"node \d \(", "maxTTL"], {"tenants": [TENANTS[0] | {"maxTTLMilliseconds": 420_000}]}),
            ("a wrong password", f"redis:locked@{a},{b},{stranger.address}", [rf"node 3 \({stranger.address}\)", "password"], {}),
            ("a password in the address", f"redis:test@default:hunter2@{a}", ["replay.address: node 1", "credentials file"], {}),
            ("credentials that others may read", address, ["replay.fleet.credentials", "open-credentials", "chmod"],
             {"replay": replay(address, credentials=credentials("open-credentials", f"* default {PASSWORD}", mode=0o644))}),
            ("malformed credentials", address, ["replay.fleet.credentials", "line 1", "NUMBER USER PASSWORD"],
             {"replay": replay(address, credentials=credentials("broken-credentials", f"default {PASSWORD}"))})):
        refused(name, place, expected, **settings)
    stranger.kill()
    replica = Node("replica", "--replicaof", "127.0.0.1 1", is_local=True).start()
    clustered = Node("clustered", "--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--bind", "127.0.0.1", is_local=True).start()
    for node, cure in ((replica, "REPLICAOF NO ONE"), (clustered, "cluster-enabled no")):
        refused(f"the {node.name} node", f"redis:odd@{node.address}", [re.escape(f"node 1 ({node.address})"), cure])
        node.kill()
    found = shown("redis:silent@node.invalid:6379")
    check("replay nodes says about a name without an address that it is down, and to check the name",
          found[0] == 3 and found[1][0][0] == "down" and found[1][0][1].startswith("no address is found for its name; check the name"), found)


class Impostor(socketserver.StreamRequestHandler):
    """Answers as a node does, with a number that no clock shows."""

    NUMBER = -2**63

    def handle(self):
        while line := self.rfile.readline():
            words = []
            for _ in range(int(line[1:])):
                words.append(self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2].decode())
            self.wfile.write(self.reply(words))

    def reply(self, words):
        number, info = self.NUMBER, {"server": "redis_version:7.0.0\r\nrun_id:impostor", "cluster": "cluster_enabled:0",
                                     "replication": f"role:master\r\nmaster_replid:{'a' * 40}"}
        match words:
            case ["INFO", section]:
                text = info.get(section, "used_memory:1") + "\r\n"
                return f"${len(text)}\r\n{text}\r\n".encode()
            case ["SCRIPT", *_]:
                return b"$1\r\nx\r\n"
            case ["EVALSHA", *_]:
                return f"*4\r\n:{number}\r\n:{number}\r\n:{number}\r\n:1\r\n".encode()
            case ["TIME"]:
                return b"*2\r\n" + f"${len(str(number))}\r\n{number}\r\n".encode() * 2
            case ["HMGET", *_]:
                return b"*4\r\n$40\r\n" + b"a" * 40 + b"\r\n$-1\r\n" + f"${len(str(number))}\r\n{number}\r\n".encode() * 2
        return b"+OK\r\n"


def impossible_numbers():
    """One node of many must not end all hosts."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Impostor) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"127.0.0.1:{server.server_address[1]}"
        refused(f"a node whose clock shows {Impostor.NUMBER}", "redis:numbers@" + place, [rf"node 1 \({place}\)", "not those of Redis"])
        found = shown("redis:numbers@" + place)
        check("replay nodes says too that these numbers are not those of Redis", found[0] == 3 and "not those of Redis" in found[1][0][1], found)
        server.shutdown()


def exchangeable_sockets():
    """Three nodes whose sockets are in a folder: who may change it has the password and a vote."""
    folder = path("sockets")
    os.mkdir(folder, 0o755)
    nodes = [Node(f"local-{number}", password=PASSWORD, is_local=True) for number in (1, 2, 3)]
    for node in nodes:
        node.address = f"{folder}/{node.name}"
        node.start()
    address = "redis:local@" + ",".join(node.address for node in nodes)
    cure = f"its socket may be exchanged: the folder {folder} may be changed by users other than root.*; run: chmod go-w {folder}$"
    os.chmod(folder, 0o777)
    said = commanded(address, "init", "--fresh")
    check("nodes in a folder that anyone may change are not initialised",
          said.returncode == 3 and len(re.findall(cure, said.stdout + said.stderr, re.M)) == 3, said)
    refused("a socket that anyone may exchange", address, [r"node \d \(" + re.escape(folder), cure])
    os.chmod(folder, 0o755)
    if os.getuid() == 0:
        # As Debian's /run/redis: user, group and mode.
        for place in (folder, *(node.address for node in nodes)):
            os.chown(place, 12345, 12345)
        os.chmod(folder, 0o2755)
    said = commanded(address, "init", "--fresh")
    check("nodes in a folder of their own user are initialised", said.returncode == 0, said)
    daemon = host("local", address).start()
    if os.getuid() == 0:
        # The folder is Redis's, and not this program's: nothing of it is to be changed.
        cure = cure[:cure.index("; run: ")] + "; move the file to a folder that only root and 12345 may write$"
    os.chmod(folder, 0o777)
    check("a daemon leaves its nodes when their folder is opened to all, says what to do, and is not ready",
          until(60, lambda: states(daemon) == ["refused"] * 3 and reason(daemon) == "nodes-missing" and any(
              re.search(cure, line["message"]) for line in daemon.events("node-refused"))), daemon.said()[-900:])
    os.chmod(folder, 0o755)
    check("a daemon asks its nodes again when their folder is closed", until(60, lambda: states(daemon) == ["voting"] * 3), states(daemon))


fleet, one, two = begin()
check("the right nodes are a fleet", are_ready(one, two), (states(one), states(two)))
wrong_nodes(fleet, one.settings["replay"]["address"])
impossible_numbers()
exchangeable_sockets()
finish()
