#!/usr/bin/env -S python3 -B
"""What one user does costs another little: under each abuse every answer is the right one, the process
keeps within the memory that it was promised to need, and a verdict does not take longer than five times what it takes
without.

How long a verdict takes depends on what else the machine does, and the abuse itself takes a processor. So the same abuse is
aimed at another daemon in turn: only what one daemon's callers do to each other is the difference. A real one is there in
every round, and the machine's is not; the best of some rounds is judged. With --long there are many, judged together.

A daemon that is idle gets a processor at once, and one that is kept busy waits for its share, long where the machine has much
other work. What it waits by the scheduler's count is not its own, and how many times longer that makes what it does is taken
out of what honest callers waited.
"""

import os
import random
import re
import statistics
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

import abuses
from abuser import Abuser, Target
from connection import Unanswered, Unsent, verdict
from daemon import Daemon
from processes import free_port
from scenario import IS_LONG, check, count, finish, need_descriptors, path, scratch, until
from tokens import Signer

MEBIBYTE = 1 << 20
ALLOWED = 64 * MEBIBYTE
RATIO = 5
ROUNDS = 12 if IS_LONG else 6
#: As many as an abuser can take with a process of its own.
CONNECTIONS = 2000
QUESTIONS = 300
CHOSEN = [name for name in sys.argv[1:] if not name.startswith("-")]

need_descriptors(2 * CONNECTIONS + 1000)
# The abuser, who is another user, has to come to the sockets.
os.chmod(scratch, 0o711)
signer = Signer()


def start(name):
    port, inspector = free_port(), free_port()
    # The deadline is no answer to an abuser who asks as it should, only slowly.
    daemon = Daemon(signer, name, table=name + ".table", capacity=400_000, tcp={"address": "127.0.0.1", "port": port},
                    socket={"path": path(name + ".sock"), "mode": "0666"}, limits={"connections": CONNECTIONS},
                    inspector=f"127.0.0.1:{inspector}",
                    deadlines={"requestMilliseconds": 600_000, "idleMilliseconds": 600_000})
    daemon.start()
    return daemon, Target(daemon.socket, port, inspector, daemon.open_descriptors, daemon.open_descriptors())


def table(daemon):
    return os.stat(daemon.table).st_size


def forget_peak(daemon):
    with open(f"/proc/{daemon.process.pid}/clear_refs", "w") as file:
        file.write("5")


def cpu_seconds(daemon):
    """For how long all threads had a processor, and for how long they waited for one: the scheduler's count, in nanoseconds
    where the process's own is in hundredths of a second."""
    folder, had, waited = f"/proc/{daemon.process.pid}/task", 0, 0
    for thread in os.listdir(folder):
        with open(f"{folder}/{thread}/schedstat") as file:
            fields = file.read().split()
            had, waited = had + int(fields[0]), waited + int(fields[1])
    return had / 1e9, waited / 1e9


class Honest:
    """Asks one question after another about tokens whose verdict is known: on a kept connection, where it takes the time, and
    now and then on a new one, which may have to wait for those that connected before it."""

    def __init__(self, daemon):
        self.daemon, self.wrong, self.asked = daemon, [], 0
        self.known = []
        self.fresh = signer.mixed(2000)
        self.connection = daemon.connect()

    def ask(self, number):
        """How long each of so many took, in milliseconds."""
        taken = []
        for index in range(number):
            if index % 20 == 0:
                try:
                    with self.daemon.connect() as connection:
                        self.ask_once(connection)
                except (Unsent, Unanswered) as error:
                    self.wrong.append(error)
            begun = time.perf_counter()
            try:
                self.ask_once(self.connection)
            except (Unsent, Unanswered) as error:
                self.wrong.append(error)
                self.connection = self.daemon.connect()
            taken.append((time.perf_counter() - begun) * 1000)
            # At any time, and not only when the daemon has just answered.
            time.sleep(random.uniform(0, 0.002))
        self.asked += number
        return taken

    def ask_once(self, connection):
        fresh = self.fresh and (not self.known or random.random() < 0.1)
        token = self.fresh.pop() if fresh else random.choice(self.known)
        answer = connection.ask(token.text)
        told = (answer.status, verdict(answer))
        if told != token[1:]:
            self.wrong.append((token.verdict, *told))
        self.known.append(token if token.status != 200 else token._replace(status=403, verdict="TOKEN_REPLAYED"))


def middle(values):
    return statistics.median(values)


def p99(values):
    return statistics.quantiles(values, n=100)[98]


def ratio(taken, control):
    return max(measure(taken) / max(measure(control), measure(idle)) for measure in (middle, p99))


def share(slower):
    """What other work made of the wait. Where that was most of it, it is known roughly: twice as much is allowed then."""
    return slower if slower < 2 else 2 * slower


def under(abuse, target):
    """What honest callers waited while the target was abused, and what was answered to its abuser."""
    with Abuser(abuse, target) as abuser:
        until(60, lambda: abuser.rounds.value > 0)
        taken = honest.ask(QUESTIONS)
        until(60, lambda: abuser.rounds.value > 1 or abuser.is_over())
    return taken, abuser


def share_of_metrics():
    """How much of one processor the daemon takes where metrics are asked for again and again."""
    with Abuser(abuses.metrics, near) as abuser:
        until(60, lambda: abuser.rounds.value > 0)
        (cpu, _), begun = cpu_seconds(daemon), time.monotonic()
        time.sleep(2)
        return (cpu_seconds(daemon)[0] - cpu) / (time.monotonic() - begun)


daemon, near = start("abused")
other, far = start("other")
honest = Honest(daemon)
idle = honest.ask(QUESTIONS)
begun = daemon.resident()
for abuse in abuses.ALL:
    if CHOSEN and abuse.__name__ not in CHOSEN:
        continue
    name = abuse.__name__.replace("_", " ")
    forget_peak(daemon)
    honest.wrong, ratios, waits, refused, requests, slower = [], [], [], [], 0, []
    all_control, all_taken = [], []
    for _ in range(ROUNDS):
        control, _ = under(abuse, far)
        before = cpu_seconds(daemon)
        taken, abuser = under(abuse, near)
        had, waited = (now - then for now, then in zip(cpu_seconds(daemon), before))
        slower.append((had + waited) / had)
        ratios.append(ratio(taken, control) / share(slower[-1]))
        all_control += control
        all_taken += taken
        waits.append((middle(taken), p99(taken), middle(control), p99(control)))
        refused += abuser.wrong
        requests += abuser.requests
        if honest.wrong or not IS_LONG and ratios[-1] <= RATIO:
            break
    most = daemon.most_resident()
    best = waits[ratios.index(min(ratios))]
    count(f"{name}: {requests} requests; a verdict took {best[0]:.2f} ms at the median and {best[1]:.2f} at the 99th percentile, "
          f"in its control {best[2]:.2f} and {best[3]:.2f}; ratios {[round(ratio, 1) for ratio in ratios]} after {[round(times, 1) for times in slower]} times for other work; "
          f"at most {most / MEBIBYTE:.1f} MiB with the table")
    check(f"{name}: every honest answer is the one that was known in advance", not honest.wrong, honest.wrong[:5])
    check(f"{name}: what is answered to the abuser is what it has to be", requests > 0 and not refused, refused[:5])
    check(f"{name}: memory stays below what was promised", most <= ALLOWED + table(daemon), most / MEBIBYTE)
    judged = ratio(all_taken, all_control) / share(middle(slower)) if IS_LONG else min(ratios)
    check(f"{name}: a verdict takes no more than {RATIO} times as long", judged <= RATIO, ratios)

count(f"{honest.asked} verdicts, without an abuse {middle(idle):.2f} ms at the median, {p99(idle):.2f} at the 99th percentile; resident {begun / MEBIBYTE:.1f} MiB at first")
# A share of a busy machine is smaller, and never larger.
share = share_of_metrics()
count(f"metrics that are asked for again and again take {share:.2f} processors")
check("metrics take a fifth of a processor at most", share <= 0.2, share)
lines = len(re.findall(r'^\{.*"event":"verdict"', daemon.said(), re.M))
check("a flood of refusals is no flood of lines", lines <= 21 * (time.monotonic() - daemon.started + 2), lines)
check("nothing stays open after all abuses", until(60, lambda: daemon.open_descriptors() < 40), daemon.open_descriptors())
for each in (daemon, other):
    check("a daemon ends with 0 after all abuses", each.end() == 0)
finish()
