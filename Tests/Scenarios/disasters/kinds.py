"""What happens to a fleet. Each is given the fleet and the seat that it strikes, and returns what makes it well again, if anything
must."""

import random
import signal
import threading
import time

from seats import Refused


def killed_and_empty(_fleet, seat):
    seat.server.kill()
    seat.server.start()


def restarted_from_an_old_copy(_fleet, seat):
    seat.server.kill()
    seat.server.start(seat.old)


def stopped_for_a_while(_fleet, seat):
    seat.server.tell(signal.SIGSTOP)
    return lambda: seat.server.tell(signal.SIGCONT)


def flushed(_fleet, seat):
    seat.server.ask("FLUSHALL")


def epoch_deleted(fleet, seat):
    keys = fleet.keys(seat.server) if fleet.is_plain else ["{mt1:" + fleet.name + "}"]
    if keys:
        seat.server.ask("DEL", *keys)


def buckets_deleted(fleet, seat):
    keys = fleet.keys(seat.server)
    if keys:
        seat.server.ask("DEL", *random.sample(keys, (len(keys) + 1) // 2))


def evicted(fleet, seat):
    """Others fill the memory until ours is thrown out."""
    server = seat.server
    before = len(fleet.keys(server))
    used = int(dict(line.split(b":", 1) for line in server.ask("INFO", "memory").split(b"\r\n") if b":" in line)[b"used_memory"])
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    server.ask("CONFIG", "SET", "maxmemory", used + 200_000)
    for junk in range(400):
        try:
            server.ask("SET", f"junk-{junk}", "x" * 20_000)
        except Refused as error:
            # Its connections take what is left, and nothing can be thrown out any more.
            if not str(error).startswith("OOM "):
                raise
            break
        if len(fleet.keys(server)) <= before // 2:
            break

    def heal():
        server.ask("CONFIG", "SET", "maxmemory", 0)
        server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        server.ask("DEL", *[f"junk-{number}" for number in range(junk + 1)])
    return heal


def out_of_memory(_fleet, seat):
    seat.server.ask("CONFIG", "SET", "maxmemory", 1)
    return lambda: seat.server.ask("CONFIG", "SET", "maxmemory", 0)


def scripts_flushed(_fleet, seat):
    seat.server.ask("SCRIPT", "FLUSH")


def replica_promoted(_fleet, seat):
    """Its master dies, or lives on unseen."""
    replica = seat.new_server()
    replica.copy_of(seat.server.port)
    if random.random() < 0.5:
        time.sleep(0.1)
        seat.server.kill()
    replica.stand_alone()
    seat.lead_to(replica)


def replica_behind_promoted(_fleet, seat):
    """The replica has stopped hearing of its master before the tokens were used."""
    replica = seat.new_server()
    replica.kill()
    replica.start(seat.old)
    seat.server.kill()
    seat.lead_to(replica)


def copied_another_and_came_back(_fleet, seat):
    """REPLICAOF there and NO ONE, in one process: the data are an older copy, or none."""
    other = seat.new_server()
    if random.random() < 0.7:
        other.kill()
        other.start(seat.old)
    seat.server.copy_of(other.port)
    seat.server.stand_alone()
    other.kill()


def address_moved(_fleet, seat):
    seat.lead_to(seat.new_server())


def connections_cut(fleet, _seat):
    for _ in range(3):
        for seat in fleet.seats:
            seat.wire.cut()
        time.sleep(0.05)


def unreachable(_fleet, seat):
    seat.wire.close()
    return seat.wire.open


def heal_wire(seat):
    """What was held back is lost with its connection."""
    seat.wire.whole()
    seat.wire.cut()


def silent(_fleet, seat):
    """Hears everything, and its answers are lost."""
    seat.wire.held()
    return lambda: heal_wire(seat)


def replies_late(fleet, _seat):
    for seat in fleet.seats:
        seat.wire.late(0.3)
    return lambda: [seat.wire.whole() for seat in fleet.seats]


def replies_torn(fleet, _seat):
    for seat in fleet.seats:
        seat.wire.torn()
    return lambda: [seat.wire.whole() for seat in fleet.seats]


def replies_halved(_fleet, seat):
    seat.wire.halves()
    return lambda: heal_wire(seat)


def commands_repeated_after_a_loss(fleet, seat):
    """What hosts sent comes again, to a seat that has lost its memory."""
    for each in fleet.seats:
        each.wire.listen()
    fleet.claim(fleet.fresh(8))
    seat.server.ask("FLUSHALL")
    for each in fleet.seats:
        each.wire.repeat()


def seat_ahead(_fleet, seat):
    """Its buckets expire."""
    seat.server.set_clock(90)
    time.sleep(1.1)
    return lambda: seat.server.set_clock(0)


def seat_behind(_fleet, seat):
    seat.server.set_clock(-20)
    time.sleep(1.1)
    return lambda: seat.server.set_clock(0)


def host_off(fleet, _seat):
    """One host's clock is 20 s ahead or behind."""
    exchange_host(fleet, 0, random.choice((20, -20)))
    return lambda: exchange_host(fleet, 0)


def host_killed_between_votes_and_answer(fleet, _seat):
    for seat in fleet.seats:
        seat.wire.held()
    host, tokens = fleet.hosts[1], fleet.fresh(4)
    claiming = threading.Thread(target=fleet.claim, args=(tokens, [host]))
    claiming.start()
    time.sleep(0.06)
    host.kill()
    claiming.join()
    for seat in fleet.seats:
        seat.wire.whole()
        seat.wire.cut()
    exchange_host(fleet, 1)
    fleet.claim(tokens)


def too_few_seats(fleet, _seat):
    away = random.sample(fleet.seats, len(fleet.seats) - fleet.votes + 1)
    for seat in away:
        seat.wire.close()
    time.sleep(0.5)

    def heal():
        for seat in away:
            seat.wire.open()
        fleet.wait_for_answers()
    return heal


def all_restarted_at_once(fleet, _seat):
    for seat in fleet.seats:
        seat.server.kill()
    for seat in fleet.seats:
        seat.server.start()


def exchange_host(fleet, number, clock=0):
    fleet.hosts[number].kill()
    fleet.hosts[number] = fleet.new_host(number, clock)


KINDS = [
    killed_and_empty, restarted_from_an_old_copy, stopped_for_a_while, flushed, epoch_deleted, buckets_deleted, evicted,
    out_of_memory, scripts_flushed, replica_promoted, replica_behind_promoted, copied_another_and_came_back, address_moved,
    connections_cut, unreachable, silent, replies_late, replies_torn, replies_halved, commands_repeated_after_a_loss,
    host_killed_between_votes_and_answer, too_few_seats, all_restarted_at_once, seat_ahead, seat_behind, host_off,
]
