#!/usr/bin/env -S python3 -B
"""All races on fleets of one and of three nodes of Redis."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from races import race
from stores import Redis

race(lambda: Redis(1), lambda: Redis(3))
