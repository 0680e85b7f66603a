#!/usr/bin/env -S python3 -B
"""All races on two fleets, while hosts move from one to the other: between fleets of Redis, and from Redis to PostgreSQL."""

import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters", sys.path[0] + "/../postgres"]

from races import race
from stores import Joint, Postgres, Redis

race(lambda: Joint(Redis(3), Redis(1)), lambda: Joint(Redis(4), Postgres()))
