"""What happens to a fleet. Each is given the fleet and the node that it strikes, and returns what makes it well again, if anything
must."""

import random
import signal
import threading
import time

from nodes import Refused


def killed_and_empty(_fleet, node):
    node.server.kill()
    node.server.start()


def restarted_from_an_old_copy(_fleet, node):
    node.server.kill()
    node.server.start(node.old)


def stopped_for_a_while(_fleet, node):
    node.server.tell(signal.SIGSTOP)
    return lambda: node.server.tell(signal.SIGCONT)


def flushed(_fleet, node):
    node.server.ask("FLUSHALL")


def epoch_deleted(fleet, node):
    keys = fleet.keys(node.server) if fleet.is_plain else ["{mt2:" + fleet.name + "}"]
    if keys:
        node.server.ask("DEL", *keys)


def buckets_deleted(fleet, node):
    keys = fleet.keys(node.server)
    if keys:
        node.server.ask("DEL", *random.sample(keys, (len(keys) + 1) // 2))


def evicted(fleet, node):
    """Others fill the memory until ours is thrown out."""
    server = node.server
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


def out_of_memory(_fleet, node):
    node.server.ask("CONFIG", "SET", "maxmemory", 1)
    return lambda: node.server.ask("CONFIG", "SET", "maxmemory", 0)


def scripts_flushed(_fleet, node):
    node.server.ask("SCRIPT", "FLUSH")


def replica_promoted(_fleet, node):
    """Its master dies, or lives on unseen."""
    replica = node.new_server()
    replica.copy_of(node.server.port)
    if random.random() < 0.5:
        time.sleep(0.1)
        node.server.kill()
    replica.stand_alone()
    node.lead_to(replica)


def replica_behind_promoted(_fleet, node):
    """The replica has stopped hearing of its master before the tokens were used."""
    replica = node.new_server()
    replica.kill()
    replica.start(node.old)
    node.server.kill()
    node.lead_to(replica)


def copied_another_and_came_back(_fleet, node):
    """REPLICAOF there and NO ONE, in one process: the data are an older copy, or none."""
    other = node.new_server()
    if random.random() < 0.7:
        other.kill()
        other.start(node.old)
    node.server.copy_of(other.port)
    node.server.stand_alone()
    other.kill()


def address_moved(_fleet, node):
    node.lead_to(node.new_server())


def connections_cut(fleet, _node):
    for _ in range(3):
        for node in fleet.nodes:
            node.wire.cut()
        time.sleep(0.05)


def unreachable(_fleet, node):
    node.wire.close()
    return node.wire.open


def heal_wire(node):
    """What was held back is lost with its connection."""
    node.wire.whole()
    node.wire.cut()


def silent(_fleet, node):
    """Hears everything, and its answers are lost."""
    node.wire.held()
    return lambda: heal_wire(node)


def replies_late(fleet, _node):
    for node in fleet.nodes:
        node.wire.late(0.3)
    return lambda: [node.wire.whole() for node in fleet.nodes]


def replies_torn(fleet, _node):
    for node in fleet.nodes:
        node.wire.torn()
    return lambda: [node.wire.whole() for node in fleet.nodes]


def replies_halved(_fleet, node):
    node.wire.halves()
    return lambda: heal_wire(node)


def commands_repeated_after_a_loss(fleet, node):
    """What hosts sent comes again, to a node that has lost its memory."""
    for each in fleet.nodes:
        each.wire.listen()
    fleet.claim(fleet.fresh(8))
    node.server.ask("FLUSHALL")
    for each in fleet.nodes:
        each.wire.repeat()


def node_ahead(_fleet, node):
    """Its buckets expire."""
    node.server.set_clock(90)
    time.sleep(1.1)
    return lambda: node.server.set_clock(0)


def node_behind(_fleet, node):
    node.server.set_clock(-20)
    time.sleep(1.1)
    return lambda: node.server.set_clock(0)


def host_off(fleet, _node):
    """One host's clock is 20 s ahead or behind."""
    exchange_host(fleet, 0, random.choice((20, -20)))
    return lambda: exchange_host(fleet, 0)


def host_killed_between_votes_and_answer(fleet, _node):
    for node in fleet.nodes:
        node.wire.held()
    host, tokens = fleet.hosts[1], fleet.fresh(4)
    claiming = threading.Thread(target=fleet.claim, args=(tokens, [host]))
    claiming.start()
    time.sleep(0.06)
    host.kill()
    claiming.join()
    for node in fleet.nodes:
        node.wire.whole()
        node.wire.cut()
    exchange_host(fleet, 1)
    fleet.claim(tokens)


def too_few_nodes(fleet, _node):
    away = random.sample(fleet.nodes, len(fleet.nodes) - fleet.votes + 1)
    for node in away:
        node.wire.close()
    time.sleep(0.5)

    def heal():
        for node in away:
            node.wire.open()
        fleet.wait_for_answers()
    return heal


def all_restarted_at_once(fleet, _node):
    for node in fleet.nodes:
        node.server.kill()
    for node in fleet.nodes:
        node.server.start()


def exchange_host(fleet, number, clock=0):
    fleet.hosts[number].kill()
    fleet.hosts[number] = fleet.new_host(number, clock)


KINDS = [
    killed_and_empty, restarted_from_an_old_copy, stopped_for_a_while, flushed, epoch_deleted, buckets_deleted, evicted,
    out_of_memory, scripts_flushed, replica_promoted, replica_behind_promoted, copied_another_and_came_back, address_moved,
    connections_cut, unreachable, silent, replies_late, replies_torn, replies_halved, commands_repeated_after_a_loss,
    host_killed_between_votes_and_answer, too_few_nodes, all_restarted_at_once, node_ahead, node_behind, host_off,
]
