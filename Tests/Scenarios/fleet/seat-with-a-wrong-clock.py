#!/usr/bin/env -S python3 -B
"""A seat whose clock shows a far day for some seconds: it alone is out meanwhile, and the others, which are restarted one at a time
afterwards, vote again when their seconds are over."""

import subprocess
import sys
import time

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../disasters"]

from hosts import are_ready, credentials, host, plays_once, reason, states
from processes import MEDIATOKEN
from scenario import check, finish, path, until
from seats import Seat
from servers import set_clock, with_clock

CENTURY = 3_155_760_000
# Without a tolerance for the future a floor is twelve seconds above the clocks; a busy machine may take a while.
FLOOR = 12 + 30


def seat(number):
    clock = path(f"{number}.clock")
    set_clock(clock, 0)
    return Seat(f"seat-{number}", is_local=True, environment=with_clock(clock)).start()


def shown(address):
    return subprocess.run([MEDIATOKEN, "replay", "seats", "--replay", address, "--future-tolerance", "0", "--timeout", "60000"],
                          capture_output=True, text=True, check=False)


def vouches(daemon, number):
    return daemon.metrics()[f'mediatoken_fleet_seat_vouches_from_seconds{{seat="{number}"}}']


def main():
    credentials("credentials")
    fleet = [seat(number) for number in (1, 2, 3)]
    address = "redis:test@" + ",".join(each.address for each in fleet)
    one, two = (host(name, address).start_unready() for name in ("host-one", "host-two"))
    check("both daemons are ready, with three seats that vote", are_ready(one, two), (reason(one), states(one)))

    set_clock(path("3.clock"), CENTURY)
    check("a seat whose clock shows 2126 is out on both hosts", until(60, lambda: all(
        states(daemon) == ["voting", "voting", "refused"] for daemon in (one, two))), (states(one), states(two)))
    check("the metrics have the clock of the seat that shows 2126",
          one.metrics()['mediatoken_fleet_seat_clock_offset_seconds{seat="3"}'] > CENTURY - 60)
    check("the log says that the seat is out because of its clock", until(60, lambda: any(
        line["seat"] == 3 and "its clock is" in line["message"] for line in one.events("seat-refused"))), one.said()[-600:])
    said = shown(address)
    check("the command line names the seat with a wrong clock, and two seats are enough for it",
          said.returncode == 0 and "refused" in said.stdout and "its clock is" in said.stdout, said)
    plays_once("seat 3's clock shows 2126", one, two)
    set_clock(path("3.clock"), 0)
    check("a seat whose clock was set votes again", are_ready(one, two), (states(one), states(two)))

    for number in (1, 2):
        fleet[number - 1].kill()
        fleet[number - 1].start()
        check(f"seat {number} begins again after its restart", until(60, lambda: states(one)[number - 1] == "young"), states(one))
        check("a seat that was restarted has a floor some seconds ahead",
              vouches(one, number) < time.time() + FLOOR, vouches(one, number))
        check("a seat that was restarted votes when its seconds are over", are_ready(one, two), (states(one), states(two)))
        plays_once(f"seat {number} was restarted", one, two)
    finish()


main()
