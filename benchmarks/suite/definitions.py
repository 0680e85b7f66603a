"""The names of BENCHMARKS.md on which measuring, plotting and reporting must agree."""

# The bare verification, of which most figures are multiples.
FLOOR = "EVP_PKEY_verify"
# The least that a server does for a request: bare HTTP, and the bare verification.
LEAST, LEAST_LIMITS = "bare HTTP and the bare verification", {1024: 1.6, 2048: 1.3}
# Kinds of requests that have a budget.
AUTH, MUCH = "/v1/auth", 10_000
TENANTS, RESOURCES, ROUTES = (f"{MUCH:,} {things}" for things in ("tenants", "resources", "routes"))
# What starts until its first verdict.
COMMAND_LINE = "mediatoken verify"
# The budget of one whole verification with one use, by key.
WHOLE = {1024: 1.5, 2048: 1.15}

# The pass over a replay table that has a budget, and what Redis is asked for comparison.
REFILL, REDIS = "refill, prepared", "Redis SET NX PX, "
ONE_BY_ONE, PIPELINES = REDIS + "one by one", REDIS + "in pipelines of 64"

# How far away a fleet's nodes are: the round trip in microseconds.
DISTANCES = {"0 ms": 0, "0.5 ms": 500, "2 ms": 2000}
# With so many connections there is always a batch to be sent to the nodes.
MANY = 64

# A first use on a node, the bare command to compare it with, and the cases that have a budget.
CLAIM, BARE = "claim", "SET NX PX"
SINGLE, ALONE = "16 clients, one claim at a time", "1 client, one claim at a time"
BATCHES, PIPELINED = "batches of 16, against single commands", "batches of 16, against pipelines of 16"
# Servers that are compared: ours, and those that decide about a JSON web token.
OURS = "mediatokend, /v1/verify"
HAPROXY, NGINX = "HAProxy, jwt_verify", "nginx, njs"


def is_beside_redis(record):
    return record.get("floor_name", "").startswith(REDIS)


def refills(records):
    """Prepared refills by two processes, by the table's capacity: the figure that counts."""
    wanted = {"pass": REFILL, "workers": 2, "by": "processes"}
    return {record["capacity"]: record for record in records
            if wanted.items() <= record.items() and not is_beside_redis(record)}
