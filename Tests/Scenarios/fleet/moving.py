#!/usr/bin/env -S python3 -B
"""Three daemons move from one fleet to another while they play tokens: no token plays twice, none is refused, and what must not be taken
is refused by name and changes nothing. Two processes are nodes of both fleets."""

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
from hosts import PASSWORD, credentials, reason, signer
from nodes import Node
from processes import MEDIATOKEN
from scenario import check, count, finish, path, until

# A floor is 12 s ahead, and a token lives for 21 s at most.
TENANTS = [{"requestor": "REF30", "maxTTLMilliseconds": 20_000, "futureToleranceMilliseconds": 0}]
FLOOR, LIFE = 12, 21


def fleet(**more):
    return {"credentials": path("credentials"), "deadlineMilliseconds": 1000} | more


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


def reload(daemon, replay):
    """What the log says about it: `moving`, or why it failed."""
    before = [len(daemon.events(event)) for event in ("reloaded", "reload-failed")]
    daemon.configure(replay=replay)
    daemon.tell(signal.SIGHUP)

    def after():
        return [len(daemon.events(event)) for event in ("reloaded", "reload-failed")]

    until(30, lambda: after() != before)
    if after()[1] > before[1]:
        return daemon.events("reload-failed")[-1]["message"]
    return (daemon.events("moving") or [{"message": "nothing"}])[-1]["message"]


def main():
    credentials("credentials", f"* default {PASSWORD}")
    names = ["one", "two", "three", "four", "five"]
    nodes = [Node(name, password=PASSWORD).start() for name in names]
    old = "redis:old@" + ",".join(node.address for node in nodes[:3])
    new = "redis:new@" + ",".join(node.address for node in nodes[1:])
    hosts = [Daemon(signer, f"host-{name}", replay={"address": old, "fleet": fleet()}, tenants=TENANTS).start() for name in names[:3]]
    load = Load(hosts)
    load.start()

    said = subprocess.run(
        [MEDIATOKEN, "replay", "init", "--replay", new, "--max-ttl", "20000", "--future-tolerance", "0",
         "--fleet-credentials", path("credentials")], capture_output=True, text=True)
    floors = [int(second) for second in re.findall(r"from: (\d+)", said.stdout)]
    check("the new fleet is initialised while the old one plays", said.returncode == 0 and len(floors) == 4, said)
    last = max(floors)

    def joint(**more):
        return {"address": {"from": old, "to": new, "until": last, "fleet": fleet()} | more, "fleet": fleet()}

    one = hosts[0]
    for name, replay, words in [
        ("two fleets of one name", joint(to=new.replace("redis:new", "redis:old")), "both fleets have the name old"),
        ("a floor of tomorrow", joint(until=last + 86_400), "ahead of this host's clock"),
        ("a floor of long ago", joint(until=last - 30 * 86_400), "more than a week ago"),
        ("an old fleet that is not in use", joint(**{"from": old.replace("redis:old", "redis:odd")}), "it is not the fleet in use"),
        ("an old fleet with other times", joint(maxTTLMilliseconds=9000), "its times or its settings"),
        ("a new fleet that does not answer", joint(to="redis:new@/nowhere/1,/nowhere/2,/nowhere/3"), "0 of its nodes can be asked"),
        ("a new fleet alone", {"address": new, "fleet": fleet()}, "a running daemon cannot change this"),
    ]:
        said = reload(one, replay)
        check(f"{name} is refused, and the daemon goes on with the old fleet", words in said and until(60, lambda: reason(one) is None), said)

    for host in hosts:
        said = reload(host, joint())
        check(f"{host.name} asks both fleets, without a restart", said.startswith("two fleets are asked"), said)
    joined = time.time()
    check("hosts that move are ready, also before the new fleet's floor",
          until(60, lambda: all(reason(host) is None for host in hosts)), [reason(host) for host in hosts])
    samples = one.metrics()
    check("metrics tell the fleets apart", (samples.get('mediatoken_fleet_nodes{moving="from"}'), samples.get('mediatoken_fleet_nodes{moving="to"}')) == (3, 4),
          [name for name in samples if "moving" in name])
    said = reload(one, {"address": new, "fleet": fleet()}) if time.time() < last + LIFE - 2 else "a busy machine: reload this in"
    check("the second step is refused while tokens live that the new fleet does not vouch for", "reload this in" in said, said)
    with load.turns:
        hosts[1].end()
        hosts[1].start()
    check("a host is started again in the middle of a move", reason(hosts[1]) is None, reason(hosts[1]))
    time.sleep(max(0, max(last + LIFE, joined + FLOOR + LIFE) - time.time()) + 1)
    for host in hosts:
        said = reload(host, {"address": new, "fleet": fleet()})
        check(f"{host.name} asks the new fleet alone", said.startswith("the new fleet alone"), said)
    nodes[0].kill()
    time.sleep(2)
    load.finish()
    count(f"{load.said.total()} tokens: {dict(load.said)}; {load.faults} faults")
    check("each token played once, on whatever hosts it was asked for", set(load.said) == {("VALID_TOKEN", "TOKEN_REPLAYED")}
          and load.said.total() > 100, load.said)
    check("nothing of the old fleet is asked any more", "node_state" in str(one.metrics()) and not any("moving" in name for name in one.metrics()))
    for host in hosts:
        check("a daemon that has moved stops as it should", host.end() == 0, host.said()[-600:])
    finish()


main()
