#!/usr/bin/env -S python3 -B
"""All races on a table of this host, and on a memory of an application's own."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from races import race
from stores import Memory, Table

race(Table, Memory)
