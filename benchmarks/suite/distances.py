"""How far seats are from a host: the round trips of a fleet's benchmarks, in microseconds."""

DISTANCES = {"0 ms": 0, "0.5 ms": 500, "2 ms": 2000}
# From so many connections on there is always a batch to be sent.
MANY = 64
