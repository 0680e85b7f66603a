"""Walks of the runbooks about the replay table."""

import os
import struct
import time

from installed import TABLE, TENANT, ask, fresh, reason, sh, tokens, walks
from scenario import check, until


def lost():
    def provoke():
        os.rename(TABLE, TABLE + ".elsewhere")
        check("a table that was moved away is noticed as lost", until(60, lambda: reason() == "replay-memory-lost"))
        ask(tokens(5))

    def cure():
        walks.look("MediaTokenUndecided", 0, "REPLAY_MEMORY_UNAVAILABLE(?s:.*)replay-memory-lost")
        walks.look("MediaTokenNotReady", 0, "replay-memory-lost")
        walks.look("replay-memory-lost", 0, r"replay\.table\.elsewhere")
        walks.do("replay-memory-lost")

    fresh()
    walks.walk("MediaTokenNotReady", provoke, cure, name="MediaTokenNotReady (a lost table)", also=["MediaTokenUndecided"])


def clock():
    def provoke():
        with open(TABLE, "r+b") as file:
            file.seek(16)
            file.write(struct.pack("<Q", int(time.time()) + 3600))

    def cure():
        walks.look("MediaTokenNotReady", 0, "clock-behind")
        walks.look("clock-behind", 0, "clockLead: 3[56][0-9][0-9] s")
        walks.do("clock-behind")

    fresh()
    walks.walk("MediaTokenNotReady", provoke, cure, name="MediaTokenNotReady (a clock that is behind)")


def fill(share):
    """Makes this share of the entries live for ten minutes, as if so many tokens had been used."""
    with open(TABLE, "r+b") as file:
        file.seek(16)
        highest, buckets, _, _, epoch = struct.unpack("<5Q", file.read(40))
        word = 0xABCDE << 28 | (max(highest, int(time.time())) + 600 - epoch)
        file.seek(4096)
        file.write(struct.pack("<Q", word) * int(buckets * 8 * share))


def filling():
    def cure():
        walks.look("MediaTokenReplayMemoryFilling", 0, "percentFull: 8[0-9]")
        walks.do("MediaTokenReplayMemoryFilling")

    fresh()
    walks.walk("MediaTokenReplayMemoryFilling", lambda: fill(0.42), cure)


def full():
    def cure():
        walks.look("MediaTokenNotReady", 0, "replay-memory-full")
        walks.do("MediaTokenReplayMemoryFilling")

    fresh()
    walks.walk("MediaTokenNotReady", lambda: fill(1), cure, name="MediaTokenNotReady (a full table)")


def warming():
    def provoke():
        sh(f"systemctl stop mediatokend-metrics.socket mediatokend; rm {TABLE}; "
           "systemctl start mediatokend-metrics.socket mediatokend")

    def cure():
        walks.look("MediaTokenReplayMemoryNew", 0, "vouchesFrom: 20")

    # Its table is new for a minute longer than that of a tenant without a tolerance: for long enough to be looked at.
    fresh(tenants=[TENANT | {"futureToleranceMilliseconds": 60_000}])
    walks.walk("MediaTokenReplayMemoryNew", provoke, cure)
