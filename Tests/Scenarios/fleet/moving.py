#!/usr/bin/env -S python3 -B
"""Three daemons move from one fleet to the next while they play tokens, by the commands of the article as it prints them: other nodes, a
database in place of nodes, another cluster, other times. No token plays twice, none is refused, also when the old nodes end first. What
must not be taken is refused by name, and changes nothing."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import verdict
from daemon import Daemon
from databases import Database
from hosts import PASSWORD, credentials, reason, signer
from nodes import Node
from processes import MEDIATOKEN
from scenario import ROOT, check, count, finish, path, until

INIT, JOIN, RETIRE, END = re.findall(r"^ *```sh\n(.*?)^ *```$", (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/MovingAFleet.md").read_text(), re.M | re.S)
#: For how many seconds no host may have maintained a database.
GRACE = 10


def tenants(seconds):
    """Tokens of the load play for so long."""
    return [{"requestor": "REF30", "maxTTLMilliseconds": seconds * 1000, "futureToleranceMilliseconds": 0}]


def place(address, **fleet):
    return {"address": address, "fleet": {"credentials": path("credentials"), "deadlineMilliseconds": 1000} | fleet}


class Load(threading.Thread):
    """Plays tokens one after another: each on one host, and then on another. A fault is asked again."""

    def __init__(self, daemons):
        super().__init__()
        self.daemons, self.said, self.faults, self.ends = daemons, Counter(), 0, False
        self.turns = threading.Lock()

    def decided(self, daemon, token):
        end = time.monotonic() + 15
        while (answer := daemon.ask(token)).status == 503 and time.monotonic() < end:
            self.faults += 1
        return verdict(answer)

    def run(self):
        turn = 0
        while not self.ends:
            for token in signer.issue(4, ttl=3_600_000):
                first, second = self.daemons[turn % 3], self.daemons[(turn + 1 + turn // 3 % 2) % 3]
                with self.turns:
                    self.said[(self.decided(first, token), self.decided(second, token))] += 1
                turn += 1

    def finish(self):
        self.ends = True
        self.join()


class Host(Daemon):
    """A daemon, and the commands of the article on its machine."""

    def write_beside(self, name, **settings):
        with open(path(f"{self.name}-{name}"), "w") as file:
            json.dump(self.settings | settings, file)

    def command(self, text):
        """Runs it as printed; what it writes."""
        for ours in ("joint.json", "next.json"):
            text = text.replace("/etc/mediatoken/" + ours, path(f"{self.name}-{ours}"))
        text = text.replace("/etc/mediatoken/mediatokend.json", self.file)
        shims = f'systemctl() {{ [[ "$*" == "reload mediatokend" ]] && kill -HUP {self.process.pid}; }}\nmediatoken() {{ {MEDIATOKEN} "$@"; }}\n'
        said = subprocess.run(["bash", "-e", "-c", shims + text], capture_output=True, text=True)
        check(f"the article's command does what it says: {text.split()[0]}", said.returncode == 0, said)
        return said.stdout

    def follows(self, action):
        """What the log says about a reload: `moving`, or why it failed."""
        before = [len(self.events(event)) for event in ("reloaded", "reload-failed")]

        def after():
            return [len(self.events(event)) for event in ("reloaded", "reload-failed")]

        action()
        until(30, lambda: after() != before)
        if after()[1] > before[1]:
            return self.events("reload-failed")[-1]["message"]
        return (self.events("moving") or [{"message": "nothing"}])[-1]["message"]

    def reload(self, replay):
        return self.follows(lambda: (self.configure(replay=replay), self.tell(signal.SIGHUP)))


def move(name, hosts, load, old, new, *, life, floor, times=None, middle=lambda joint, until: None, tell=lambda said: None, end=None):
    """From the replay memory `old` to `new`. A token lives for `life` seconds at most, by the longer times; the old fleet's floors are
    `floor` ahead. With `end`, which ends the old nodes, that is retired first; `tell` takes what the article's command prints."""
    more = {} if times is None else {"tenants": times}
    before = {} if times is None else {"maxTTLMilliseconds": hosts[0].settings["tenants"][0]["maxTTLMilliseconds"]}
    for host in hosts:
        host.write_beside("next.json", replay=new, **more)
    floors = [int(second) for second in re.findall(r"from: (\d+)", hosts[0].command(INIT))]
    check(f"{name}: the new fleet is initialised while the old one plays", floors != [])
    last = max(floors, default=0)
    joint = new | {"address": {"from": old["address"], "to": new["address"], "until": last, "fleet": old["fleet"]} | before}
    middle(joint, last)
    for host in hosts:
        host.write_beside("joint.json", replay=joint, **more)
        said = host.follows(lambda: host.command(JOIN))
        check(f"{name}: {host.name} asks both fleets, without a restart", said.startswith("two fleets are asked"), said)
    joined = time.time()
    check(f"{name}: hosts that move are ready, also before the new fleet's floor",
          until(60, lambda: all(reason(host) is None for host in hosts)), [reason(host) for host in hosts])
    shown = subprocess.run([MEDIATOKEN, "replay", "nodes", "--config", hosts[0].file, "--json"], capture_output=True, text=True)
    check(f"{name}: the nodes of both fleets are shown", [json.loads(line)["moving"] for line in shown.stdout.splitlines()] == ["from", "to"]
          and shown.returncode == 0, shown)
    def explain(token):
        asked = [MEDIATOKEN, "explain", "--config", hosts[0].file, "--requestor", "REF30", "--resource", "TNT", "-"]
        return subprocess.run(asked, input=token, capture_output=True).stdout.decode()

    token = signer.issue(1, ttl=5000)[0]
    explained, played = [explain(token)], hosts[1].ask(token).status
    explained.append(explain(token))
    names = [re.search(r":(\w+)@", memory["address"])[1] for memory in (old, new)]
    check(f"{name}: an explanation looks into both fleets, and uses nothing up", played == 200 and "one use: passed" in explained[0]
          and all(f"{side} {fleet}, node 1" in explained[0] for side, fleet in zip(("from", "to"), names))
          and "one use: failed" in explained[1] and f"from {names[0]}, node 1" in explained[1], (played, explained))
    said = hosts[0].follows(lambda: hosts[0].command(END)) if time.time() < last + life - 2 else "a busy machine: do this in"
    check(f"{name}: the second step is refused while tokens live that the new fleet does not vouch for", "do this in" in said, said)
    hosts[0].command(JOIN.splitlines()[0].strip())
    retiring = [MEDIATOKEN, "replay", "retire", "--config", hosts[0].file]
    early = subprocess.run([*retiring, "--yes"], capture_output=True, text=True)
    check(f"{name}: the old fleet is not retired so early", early.returncode == 3 and "do this in" in early.stderr, early)
    with load.turns:
        hosts[1].end()
        hosts[1].start()
    check(f"{name}: a host is started again in the middle of a move", reason(hosts[1]) is None, reason(hosts[1]))
    time.sleep(max(0, max(last + life, joined + floor + life) - time.time()) + 1)
    if end:
        said = subprocess.run(retiring, capture_output=True, text=True)
        check(f"{name}: it is not retired until an operator vouches for all hosts", said.returncode == 3 and "--yes" in said.stderr
              and "verdict: retired" not in said.stdout, said)
        said = hosts[0].command(RETIRE)
        tell(said)
        said = explain(signer.issue(1, ttl=5000)[0])
        check(f"{name}: an explanation passes over the old fleet that is retired", "one use: passed" in said and "it is retired" in said, said)
        time.sleep(10)
        end()
        time.sleep(3)
        check(f"{name}: hosts are ready when the old nodes have ended", until(60, lambda: all(reason(host) is None for host in hosts)),
              [host.said()[-600:] for host in hosts])
        said = hosts[0].reload(old)
        check(f"{name}: the old fleet alone is not taken again", "it is retired" in said, said)
    for host in hosts:
        said = host.follows(lambda: host.command(END))
        check(f"{name}: {host.name} asks the new fleet alone", said.startswith("the new fleet alone"), said)
        host.settings |= {"replay": new} | more
    check(f"{name}: nothing of the old fleet is asked any more", not any("moving" in sample for sample in hosts[0].metrics()))


def mistakes(host, old, nodes):
    """What must not be taken; the daemon goes on with the old fleet. One node of three is retired, which is not enough."""
    def refused(joint, last):
        nodes[0].ask("HSET", "{mt2:old}", "node", nodes[0].ask("HGET", "{mt2:old}", "node") + b":retired")
        def other(**more):
            return joint | {"address": joint["address"] | more}

        new = joint["address"]["to"]
        for name, replay, words in [
            ("the same fleet twice", other(to=old["address"]), "both fleets have the name old"),
            ("two fleets of one name", other(to=new.replace("redis:new", "redis:old")), "both fleets have the name old"),
            ("a move within a move", other(to=joint["address"]), "replay.address.to"),
            ("no until", other(until=None), "replay.address.until"),
            ("a floor of tomorrow", other(until=last + 86_400), "ahead of this host's clock"),
            ("a floor of long ago", other(until=last - 30 * 86_400), "more than a week ago"),
            ("an old fleet that is not in use", other(**{"from": old["address"].replace("redis:old", "redis:odd")}), "it is not the fleet in use"),
            ("an old fleet with other times", other(maxTTLMilliseconds=9000), "its times are not those"),
            ("a new fleet that does not answer", other(to="redis:new@/nowhere/1,/nowhere/2,/nowhere/3"), "0 of its nodes can be asked"),
            ("a new fleet alone", place(new), "put the former file back now"),
        ]:
            said = host.reload(replay)
            check(f"{name} is refused, and the daemon goes on with the old fleet", words in said and until(60, lambda: reason(host) is None), said)
        host.configure(replay=old)

    return refused


def database(name, fleet, times):
    """A new server with the fleet's schema; and its replay memory."""
    server = Database(name).start()
    memory = place(server.address(fleet), graceSeconds=GRACE)
    del memory["fleet"]["credentials"]
    with open(path("schema.json"), "w") as file:
        json.dump({"replay": memory, "tenants": times}, file)
    text = subprocess.run([MEDIATOKEN, "replay", "schema", "--config", path("schema.json")], capture_output=True, text=True, check=True).stdout
    said = server.sql(text)
    assert not said, said
    return server, memory


def main():
    credentials("credentials", f"* default {PASSWORD}")
    nodes = [Node(name, password=PASSWORD).start() for name in ("one", "two", "three", "four")]
    old = place("redis:old@" + ",".join(node.address for node in nodes[:3]))
    # Two processes are nodes of both.
    new = place("redis:new@" + ",".join(node.address for node in nodes[1:]))
    hosts = [Host(signer, f"host-{name}", replay=old, tenants=tenants(20)).start() for name in ("one", "two", "three")]
    forgotten = Host(signer, "host-forgotten", replay=old, tenants=tenants(20)).start()
    load = Load(hosts)
    load.start()

    def is_told(said):
        check("a fleet that is retired says so", len(re.findall(r"node \d: retired", said)) == 3 and "verdict: retired" in said, said)
        token = signer.issue(1, ttl=3_600_000)[0]
        check("a host that was forgotten is refused", until(60, lambda: forgotten.ask(token).status == 503), forgotten.said()[-600:])
        said = forgotten.get("/readyz").body.decode()
        check("and says why", "it is retired" in said and "it is retired" in forgotten.said(), said)
        forgotten.end()
        check("it does not start again", forgotten.spawn().process.wait(60) != 0 and "it is retired" in forgotten.said()[-600:], forgotten.said()[-600:])
        said = subprocess.run([MEDIATOKEN, "replay", "init", "--config", forgotten.file], capture_output=True, text=True)
        check("nor is it initialised again", said.returncode == 3 and "a fleet with a new name" in said.stdout, said)

    def tell_server(said):
        check("a database is told by its owner", first_server.sql(said) == "", said)
        said = subprocess.run([MEDIATOKEN, "replay", "nodes", "--config", hosts[0].file], capture_output=True, text=True)
        check("and says so", "node 1: retired" in said.stdout and said.returncode == 0, said)

    move("another node", hosts, load, old, new, life=21, floor=12, middle=mistakes(hosts[0], old, nodes), tell=is_told, end=nodes[0].kill)
    shorter = place(new["address"].replace("redis:new", "redis:shorter"))
    move("other times", hosts, load, new, shorter, life=21, floor=12, times=tenants(5))
    (first_server, first), (_, second) = (database(name, name, tenants(5)) for name in ("first", "second"))
    move("a database", hosts, load, shorter, first, life=6, floor=12, end=lambda: [node.kill() for node in nodes[1:]])
    move("another cluster", hosts, load, first, second, life=6, floor=GRACE + 21, tell=tell_server, end=first_server.kill)
    time.sleep(2)
    load.finish()
    count(f"{load.said.total()} tokens: {dict(load.said)}; {load.faults} faults")
    check("each token played once, on whatever hosts it was asked for", set(load.said) == {("VALID_TOKEN", "TOKEN_REPLAYED")}
          and load.said.total() > 100, load.said)
    for host in hosts:
        check("a daemon that has moved stops as it should", host.end() == 0, host.said()[-600:])
    finish()


main()
