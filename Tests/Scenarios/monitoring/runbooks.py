"""Walks the runbooks, on the machine of runbooks.sh."""

import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import key_walks
import service_walks
import table_walks
from installed import RULES, walks
from scenario import check, finish


def main():
    for walk in (service_walks.down, table_walks.lost, table_walks.clock, table_walks.filling, table_walks.full, table_walks.warming,
                 service_walks.nothing_allowed, key_walks.other_key, key_walks.date, key_walks.weak, service_walks.observes,
                 service_walks.reload_failed, service_walks.log_dropped, service_walks.callers_wait):
        walk()
    # Those of a fleet are fleet-runbooks.py's and database-runbooks.py's, with nodes.
    alerts = {name for name in re.findall(r"alert: (\w+)", open(RULES).read()) if not name.startswith("MediaTokenFleet")}
    check("every alert of a daemon with a table was walked", walks.walked == alerts, str(walks.walked ^ alerts))
    finish()


main()
