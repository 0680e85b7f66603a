#!/usr/bin/env -S python3 -B
"""The simplest races, through the programs, on what needs nothing but Redis. Others are the other files' of this folder."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from races import Race, race
from stores import Redis, Table

race(Table, lambda: Redis(1), lambda: Redis(3), doors=("daemon", "verify --batch"),
     races=(Race(1, 100, 2), Race(1, 3, 64), Race(2, 50, 8)), copies=(2, 7, 64))
