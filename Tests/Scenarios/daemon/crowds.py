#!/usr/bin/env -S python3 -B
"""Ten thousand connections that say nothing and a thousand that send a byte now and then, while honest callers keep their
answers, and memory stays where it was promised to stay: 64 MiB and the table, however many connections there are, and with a
thousand tenants that have times of their own.

Every size is the whole process's: code, Swift runtime and OpenSSL included.
"""

import os
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import Connection, Unanswered, Unsent, post
from daemon import Daemon
from load import Load
from scenario import IS_LONG, check, count, finish, need_descriptors, until
from tokens import Signer

SILENT, SLOW = 10_000, 1_000
USED = 4_000
SECONDS = 600 if IS_LONG else 15
MEBIBYTE = 1 << 20
DEADLINE = 5_000

need_descriptors(SILENT + SLOW + USED + 500)
signer = Signer()
tenants = [{"requestor": "REF30"}] + [
    {"requestor": f"R{number}", "resources": [f"T{number}"], "maxTTLMilliseconds": 300_000 + number} for number in range(1000)]
daemon = Daemon(signer, tenants=tenants, deadlines={"requestMilliseconds": DEADLINE, "idleMilliseconds": 600_000}).start()
before = daemon.open_descriptors()


class SlowCallers:
    """Each sends one byte of a good question in each round; one that is cut connects again."""

    def __init__(self, number, texts):
        self.texts, self.cut, self.answered, self.bytes = texts, 0, 0, 0
        self._callers = [None] * number
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        for caller in self._callers:
            if caller:
                caller[0].close()

    def _run(self):
        while not self._stop.is_set():
            begun = time.monotonic()
            for index in range(len(self._callers)):
                if self._stop.is_set():
                    return
                self._step(index)
            time.sleep(max(0.0, 0.3 - (time.monotonic() - begun)))

    def _step(self, index):
        if self._callers[index] is None:
            try:
                self._callers[index] = [Connection(daemon.socket), post(self.texts[index]), 0]
            except Unsent:
                return
        connection, request, position = caller = self._callers[index]
        try:
            connection.send(request[position : position + 1])
            caller[2] += 1
            self.bytes += 1
        except Unsent:
            self.cut += 1
            try:
                connection.receive()
                self.answered += 1
            except Unanswered:
                pass
            connection.close()
            self._callers[index] = None


def mean(values):
    return sum(values) / len(values)


slow_tokens = signer.issue(SLOW)
with Load(daemon.socket, signer.mixed(20_000), kept=4, new=4, pause=0.003) as load:
    load.wait_for(200)
    silent = [daemon.connect() for _ in range(SILENT)]
    check(f"{SILENT} silent connections are accepted",
          until(60, lambda: daemon.open_descriptors() >= before + SILENT), daemon.open_descriptors() - before)
    with_silent = daemon.resident()
    # The heap has to have its size before anyone looks whether it stays so.
    warming = [daemon.connect() for _ in range(USED + SLOW + 500)]
    for connection in warming:
        connection.get("/livez")
    for connection in warming:
        connection.close()
    used = []
    for _ in range(USED):
        used.append(daemon.connect())
        used[-1].get("/livez")
    with SlowCallers(SLOW, slow_tokens) as slow:
        check(f"{SLOW} slow callers are accepted, too", until(60, lambda: slow.bytes >= SLOW), slow.bytes)
        until(60, lambda: slow.cut >= SLOW)
        total, samples, cpu = load.total(), [], daemon.cpu_seconds()
        for _ in range(SECONDS):
            time.sleep(1)
            # The table's pages are not in it: they become resident as they are touched, and are counted by its size.
            samples.append(daemon.status("RssAnon") * 1024)
        cpu = daemon.cpu_seconds() - cpu
        answered = load.total() - total
        spoke = sum(connection.get("/livez").status == 200 for connection in silent[::100])
        alive = sum(connection.get("/livez").status == 200 for connection in used)

most, table = daemon.most_resident(), os.stat(daemon.table).st_size
allowed = 64 * MEBIBYTE + table
quarter = max(1, SECONDS // 4)
growth = mean(samples[-quarter:]) - mean(samples[:quarter])
count(f"{answered} answers in {SECONDS} s with the slowest in {load.slowest * 1000:.0f} ms, {cpu / SECONDS:.2f} processors")
count(f"{slow.bytes} single bytes, {slow.cut} slow callers cut, {slow.answered} of them with an answer")
count(f"resident: {with_silent / MEBIBYTE:.1f} MiB with silent ones, at most {most / MEBIBYTE:.1f} MiB of "
      f"{allowed / MEBIBYTE:.1f} MiB allowed, growth over {SECONDS} s {growth / 1024:.0f} KiB")
check("every answer is the one that was known in advance", not load.wrong and answered > SECONDS * 50, (answered, load.wrong[:5]))
check("no honest caller was dropped", load.ended == 0 and not load.dropped and load.cut_off == 0,
      (load.ended, load.dropped[:3], load.cut_off))
# A machine that stalls keeps all of them waiting, once.
check("honest callers do not wait five seconds, as slow ones do", load.late <= load.total() / 100, (load.late, load.total()))
check("slow callers are cut at their deadline", slow.cut >= SLOW, slow.cut)
check("no slow caller gets a token spent", all(daemon.ask(text).status == 200 for text in slow_tokens[:100]))
check(f"{USED} used connections were kept", alive == USED, alive)
check("silent connections may speak at last", spoke == SILENT // 100, spoke)
check("memory stays below what was promised", most <= allowed, most)
check("memory does not grow while the crowd asks", growth <= MEBIBYTE, f"{growth / 1024:.0f} KiB")
for connection in silent + used:
    connection.close()
check("all descriptors come back when the crowd is gone", until(60, lambda: daemon.open_descriptors() <= before + 8),
      daemon.open_descriptors() - before)
check("the daemon ends with 0 after the crowd", daemon.end() == 0)
finish()
