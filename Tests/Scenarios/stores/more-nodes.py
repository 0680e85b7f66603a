#!/usr/bin/env -S python3 -B
"""All races on fleets of four nodes of Redis, whose votes may be two and two, and of seven."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from races import race
from stores import Redis

race(lambda: Redis(4), lambda: Redis(7))
