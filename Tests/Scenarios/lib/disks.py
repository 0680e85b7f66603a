"""Disks of a scenario's own, which fill up, fail or are frozen: images on loop devices, in a mount namespace that ends with
the scenario, and its mounts and devices with it."""

import fcntl
import os
import struct
import subprocess
import sys

from scenario import needs, path, skip

#: FS_IOC_SHUTDOWN of XFS and ext4, and its mode that writes nothing any more: what both do when their journal fails.
SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, struct.pack("I", 2)
#: FS_IOC_FIEMAP, and what it says about an extent.
FIEMAP, SHARED = 0xC020660B, 0x2000


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def in_a_namespace_of_our_own():
    """Starts the scenario again where mounts are its own; or skips it."""
    needs("unshare", "mkfs.xfs", "mkfs.ext4", "fsfreeze")
    if os.environ.get("MOUNTS_ARE_OURS"):
        return
    if os.geteuid() != 0 or run("unshare", "-m", "true").returncode != 0:
        skip("it needs root that may mount")
    os.environ["MOUNTS_ARE_OURS"] = "yes"
    os.execvp("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, "-B", *sys.argv])


class Disk:
    """A file system of this kind, mounted on a folder."""

    def __init__(self, kind, *options):
        self.image, self.folder = path(f"{kind}.image"), path(kind)
        os.mkdir(self.folder)
        with open(self.image, "wb") as image:
            image.truncate(320 << 20)  # less than 300 MiB are no XFS
        made = run(f"mkfs.{kind}", "-q", *options, self.image)
        if made.returncode != 0 or run("mount", "-o", "loop", self.image, self.folder).returncode != 0:
            skip(f"{kind} cannot be mounted: {made.stderr.strip()}")
        os.chmod(self.folder, 0o700)

    def path(self, name):
        return os.path.join(self.folder, name)

    def fill(self, leaving=0):
        """Leaves no block free, or about so many bytes: with large pieces of which nothing is written, then with small ones."""
        if leaving > 0:
            with open(self.path("slack"), "wb") as slack:
                os.posix_fallocate(slack.fileno(), 0, leaving)
        filler = os.open(self.path("filler"), os.O_CREAT | os.O_WRONLY)
        end, size = os.fstat(filler).st_size, 64 << 20
        while size >= 4096:
            try:
                os.posix_fallocate(filler, end, size)
                end += size
            except OSError:
                size //= 2
        os.lseek(filler, end, os.SEEK_SET)
        try:
            while True:
                os.write(filler, bytes(4096))
        except OSError:
            os.close(filler)
        if leaving > 0:
            os.unlink(self.path("slack"))

    def make_room(self):
        os.unlink(self.path("filler"))

    def shut_down(self):
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.ioctl(folder, SHUTDOWN, NO_LOG_FLUSH)
        os.close(folder)

    def remount(self, options):
        return run("mount", "-o", f"remount,{options}", self.folder).returncode == 0

    def freeze(self):
        subprocess.run(["fsfreeze", "--freeze", self.folder], check=True)

    def thaw(self):
        subprocess.run(["fsfreeze", "--unfreeze", self.folder], check=True)

    def unmount(self):
        subprocess.run(["umount", self.folder], check=True)

    def mount(self, options="loop"):
        subprocess.run(["mount", "-o", options, self.image, self.folder], check=True)


def shares_blocks(name):
    """Whether a block of this file is another file's too."""
    room = bytearray(struct.pack("QQIIII", 0, 2**64 - 1, 1, 0, 1024, 0) + bytes(1024 * 56))
    with open(name, "rb") as file:
        fcntl.ioctl(file, FIEMAP, room)
    extents = struct.unpack_from("I", room, 20)[0]
    return any(struct.unpack_from("I", room, 32 + 56 * extent + 40)[0] & SHARED for extent in range(extents))
