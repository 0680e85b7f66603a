#!/usr/bin/env -S python3 -B
"""All races on fleets whose node is a PostgreSQL, with tables that are logged and with such that are not."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters", sys.path[0] + "/../postgres"]

from races import race
from stores import Postgres

race(Postgres, lambda: Postgres("--unlogged"))
