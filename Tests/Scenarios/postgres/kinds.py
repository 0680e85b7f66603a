"""What happens to a primary and its standby. Each is given the fleet, and may return what makes it well again."""

import os
import random
import shutil
import signal
import subprocess
import time

from clusters import PROGRAMS, run
from pair import FLOOR_MARGIN, GRACE

#: Longer than data may be unmaintained, and so longer than a copy has to be old.
LONG = GRACE + 7


def killed(fleet):
    """All processes at once, and back in place."""
    fleet.primary.kill()
    time.sleep(1)
    fleet.primary.start()


def backend_killed(fleet):
    """One of a host's: the others end, and the server recovers by itself."""
    os.kill(random.choice(fleet.primary.processes("mediatoken")), signal.SIGKILL)


def restarted(fleet):
    fleet.primary.stop()
    fleet.primary.start()


def stopped_for_long(fleet):
    fleet.primary.stop()
    time.sleep(LONG)
    fleet.primary.start()


def killed_without_synchronous_commit(fleet):
    """What hosts have for a default loses the last commits; ours do not have it."""
    fleet.primary.set("synchronous_commit", "off")
    fleet.primary.set("wal_writer_delay", "10s")
    time.sleep(3)
    fleet.primary.kill()
    fleet.primary.start()
    fleet.primary.set("synchronous_commit", "on")


def lagging_standby_promoted(fleet):
    standby = fleet.new_standby()
    standby.lag()
    fleet.primary.kill()
    standby.promote()
    fleet.lead_to(standby)


def switched_over(fleet):
    standby = fleet.new_standby()
    fleet.primary.stop()
    standby.promote()
    fleet.lead_to(standby, cut=False)


def synchronous_standby_lost(fleet):
    """Commits wait for it, and some waits are cancelled, which is success with a warning. Then it is promoted, without them."""
    standby = fleet.new_standby()
    fleet.primary.set("synchronous_standby_names", "*")
    time.sleep(2)
    standby.stop()
    for _ in range(8):
        fleet.primary.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'mediatoken' AND wait_event = 'SyncRep'")
        time.sleep(0.3)
    fleet.primary.kill()
    standby.start()
    promote_alone(fleet, standby)


def synchronous_standby_promoted(fleet):
    standby = fleet.new_standby()
    fleet.primary.set("synchronous_standby_names", "*")
    time.sleep(3)
    fleet.primary.kill()
    promote_alone(fleet, standby)


def promote_alone(fleet, standby):
    standby.promote()
    standby.set("synchronous_standby_names", "")
    fleet.lead_to(standby)


def returns(fleet, is_killed):
    """The name moves to a standby that lags, and later back to the primary that it left."""
    old, successor = fleet.primary, fleet.new_standby()
    successor.lag()
    if is_killed:
        old.kill()
    successor.promote()
    fleet.lead_to(successor)
    # Until the successor votes.
    time.sleep(FLOOR_MARGIN + 6)
    if is_killed:
        old.start()
    fleet.lead_to(old)
    successor.kill()


def old_primary_restarted(fleet):
    returns(fleet, is_killed=True)


def old_primary_reachable_again(fleet):
    returns(fleet, is_killed=False)


def base_backup_started(fleet):
    """Plainly, without recovery.signal: no timeline begins."""
    backup = fleet.new_server().create_from(fleet.primary)
    time.sleep(LONG)
    fleet.primary.kill()
    fleet.lead_to(backup.start())


def restored_to_a_point_in_time(fleet):
    old, archive = fleet.primary, fleet.folder + "/archive"
    shutil.rmtree(archive, ignore_errors=True)
    os.mkdir(archive)
    os.chmod(archive, 0o777)
    backup = fleet.new_server().create_from(old)
    time.sleep(4)
    target = old.sql("SELECT now()")
    time.sleep(4)
    old.sql("SELECT pg_switch_wal()")
    old.kill()
    # What an archive_command would have copied.
    subprocess.run(["cp", "-a", f"{old.folder}/pg_wal/.", archive], check=True)
    backup.configure(f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{target}'\nrecovery_target_action = promote")
    run("touch", backup.folder / "recovery.signal")
    fleet.lead_to(backup.start())
    # What is copied of it later has no such target.
    backup.configure("restore_command = ''\nrecovery_target_time = ''")


def snapshot_put_back(fleet):
    """Of the volume, of all files in one moment, while the server ran."""
    fleet.primary.tell(signal.SIGSTOP)
    fleet.primary.copy(fleet.folder + "/snapshot")
    fleet.primary.tell(signal.SIGCONT)
    time.sleep(LONG)
    fleet.primary.kill()
    fleet.primary.put_back(fleet.folder + "/snapshot")
    fleet.primary.start()


def cold_copy_put_back(fleet, by_clock=lambda _age: 0):
    """`by_clock`: how far its server's clock is off then, by the copy's age."""
    fleet.primary.stop()
    fleet.primary.copy(fleet.folder + "/copy")
    copied = time.time()
    fleet.primary.start()
    time.sleep(LONG)
    fleet.primary.stop()
    fleet.primary.put_back(fleet.folder + "/copy")
    fleet.set_clock(fleet.primary, by_clock(time.time() - copied))
    fleet.primary.start()


def copy_put_back_where_the_clock_is_behind(fleet):
    """A snapshot of a machine that is woken up, or a new machine: by its clock the copy is warming."""
    cold_copy_put_back(fleet, lambda age: -int(age))
    time.sleep(5)
    fleet.set_clock(fleet.primary, 0)


def copy_put_back_whose_clock_was_ahead(fleet):
    """The server's clock ran fast and is set right; what it noted as maintained is still to come."""
    for seconds in range(3, 24, 3):
        fleet.set_clock(fleet.primary, seconds)
        time.sleep(2.5)
    fleet.set_clock(fleet.primary, 0)
    fleet.settle()
    cold_copy_put_back(fleet)


def dump_restored(fleet, age=LONG):
    dump = run(PROGRAMS / "pg_dump", "-h", fleet.primary.sockets, "-d", "postgres")
    time.sleep(age)
    fleet.change(fleet.dropping + dump)


def warming_dump_restored(fleet):
    """While the hosts' last maintenance of the time of the dump still counts."""
    dump_restored(fleet, 1)


def truncated(fleet):
    fleet.change(f'TRUNCATE "mp3_{fleet.name}".claim; TRUNCATE naive')
    # Until minutes come whose slots were made afterwards.
    time.sleep(65)


def deleted(fleet):
    fleet.change(f'DELETE FROM "mp3_{fleet.name}".claim; DELETE FROM naive')
    time.sleep(65)


def schema_dropped(fleet):
    """And made again, and not by one who says that it is fresh."""
    fleet.change(fleet.dropping + fleet.schema())


def disk_full(fleet):
    """No file grows; at last the write-ahead log cannot, and the server ends."""
    fleet.fill_disk(fleet.primary, True)
    time.sleep(3)
    for _ in range(3):
        fleet.primary.sql("SELECT pg_switch_wal()", check=False)
    time.sleep(3)
    fleet.fill_disk(fleet.primary, False)
    fleet.primary.kill()
    fleet.primary.start()


def locked_by_a_dump(fleet):
    """While minutes pass."""
    with fleet.primary.held_open(f'BEGIN; LOCK TABLE "mp3_{fleet.name}".claim IN ACCESS SHARE MODE;'
                                 f' SELECT count(*) FROM "mp3_{fleet.name}".claim;'):
        high = fleet.high()
        time.sleep(65)
        if fleet.high() <= high:
            raise AssertionError("no minute came while a dump held the table")
        fleet.settle()


def pooled(fleet):
    """By pgbouncer, in transaction mode, which is killed, too."""
    pooler = fleet.new_pooler()
    fleet.wire.target = pooler.socket
    fleet.wire.cut()
    fleet.settle()
    pooler.kill()
    pooler.start()
    time.sleep(5)
    fleet.settle()
    fleet.wire.target = fleet.primary.socket
    pooler.kill()
    fleet.wire.cut()


def connections_cut_in_doubt(fleet):
    """After the question, before or in the middle of its answer."""
    fleet.wire.halves()
    for _ in range(8):
        time.sleep(0.5)
        fleet.wire.cut()
    fleet.wire.held()
    time.sleep(3)
    fleet.wire.whole()
    fleet.wire.cut()


def clocks_apart(fleet):
    """The server's, as far as is allowed and farther; at last it is killed."""
    for seconds in (4, -4, 30, -30):
        fleet.set_clock(fleet.primary, seconds)
        time.sleep(4)
    fleet.set_clock(fleet.primary, 0)
    time.sleep(2)
    fleet.primary.kill()
    fleet.primary.start()


KINDS = [
    killed, backend_killed, restarted, stopped_for_long, killed_without_synchronous_commit, lagging_standby_promoted, switched_over,
    synchronous_standby_lost, synchronous_standby_promoted, old_primary_restarted, old_primary_reachable_again, base_backup_started,
    restored_to_a_point_in_time, snapshot_put_back, cold_copy_put_back, copy_put_back_where_the_clock_is_behind,
    copy_put_back_whose_clock_was_ahead, dump_restored, warming_dump_restored, truncated, deleted, schema_dropped, disk_full,
    locked_by_a_dump, pooled, connections_cut_in_doubt, clocks_apart,
]
#: Those that lose nothing: the usual statement grants nothing twice in them.
HARMLESS = [
    killed, backend_killed, restarted, stopped_for_long, switched_over, synchronous_standby_promoted, disk_full, locked_by_a_dump,
    pooled, connections_cut_in_doubt, clocks_apart,
]
