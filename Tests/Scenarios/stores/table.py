#!/usr/bin/env -S python3 -B
"""All races on a table of this host, on one that is a second lock before three nodes, and on a memory of an application's own."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from races import race
from stores import Memory, Redis, Table

race(Table, lambda: Redis(3, with_table=True), Memory)
