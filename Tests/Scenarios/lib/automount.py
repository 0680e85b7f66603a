"""Runs a command with a folder that is mounted only when it is needed, as systemd's automount units and autofs do. To be run as
root, in a mount namespace of its own:

    unshare --mount python3 -B automount.py PLACE ORIGIN COMMAND...

PLACE becomes an automount point, and ORIGIN is bound there when the kernel asks for it (its Documentation/filesystems/autofs.rst).
The exit status is the command's, or 77 where the kernel has no autofs."""

import ctypes
import fcntl
import os
import select
import struct
import subprocess
import sys

#: _IO(0x93, 0x60): the mount that was asked for is there.
AUTOFS_IOC_READY = 0x9360
MS_BIND = 4096

place, origin, *command = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)


def mount(source, kind, flags, options):
    return libc.mount(source.encode(), place.encode(), kind and kind.encode(), flags, options and options.encode()) == 0


asked, kernel = os.pipe()
# This process group alone sees the folder as it is below.
os.setpgid(0, 0)
if not mount("automount", "autofs", 0, f"fd={kernel},pgrp={os.getpgrp()},minproto=5,maxproto=5,direct"):
    print(f"autofs cannot be mounted: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
    sys.exit(77)
below = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
child = subprocess.Popen(command, process_group=0)
while child.poll() is None:
    if select.select([asked], [], [], 0.05)[0]:
        token = struct.unpack_from("iiI", os.read(asked, 4096))[2]
        if not mount(origin, None, MS_BIND, None):
            sys.exit(f"{origin} cannot be bound: {os.strerror(ctypes.get_errno())}")
        fcntl.ioctl(below, AUTOFS_IOC_READY, token)
sys.exit(child.returncode)
