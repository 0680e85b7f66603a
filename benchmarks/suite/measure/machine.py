"""Where and when: what a reader needs to judge the figures."""

import datetime
import multiprocessing
import os
import pathlib
import platform
import shutil
import subprocess
import time

PAUSE_SECONDS = 10


def describe():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "processor": processor, "processors": len(os.sched_getaffinity(0)),
        "virtual": any("hypervisor" in line for line in lines if line.startswith("flags")),
        "system": platform.freedesktop_os_release()["PRETTY_NAME"], "kernel": platform.release().partition("-")[0],
        "load at the start": os.getloadavg()[0], "pauses": pauses(),
        "versions": {
            "mediatoken": git(), "swift": first_line("swift", "--version"),
            **{name: package(name) for name in ("libssl3", "libxml2", "libmicrohttpd12", "libjansson4", "redis-server", "munge",
                                                "haproxy", "nginx", "libnginx-mod-http-js")},
        },
    }


def pauses():
    """How often, in ten seconds of all processors being busy, the host or the kernel kept one from us for more than a millisecond:
    the number of times, and the longest in nanoseconds. No program can answer in such a time."""
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as busy:
        found = [gap for gaps in busy.map(gaps_on, sorted(os.sched_getaffinity(0)), chunksize=1) for gap in gaps]
    return {"seconds": PAUSE_SECONDS, "count": len(found), "longest": max(found, default=0)}


def gaps_on(processor):
    os.sched_setaffinity(0, {processor})
    last, gaps = time.monotonic_ns(), []
    end = last + PAUSE_SECONDS * 1_000_000_000
    while last < end:
        now = time.monotonic_ns()
        if now - last > 1_000_000:
            gaps.append(now - last)
        last = now
    return gaps


def git():
    """The commit, and whether the tree differs from it."""
    return first_line("git", "describe", "--always", "--dirty") or "not a checkout"


def package(name):
    """The version of an installed Debian package, or nothing. Since Debian 13 some have t64 at the end of their names."""
    show = ("dpkg-query", "--show", "--showformat=${Version}")
    return first_line(*show, name) or first_line(*show, name + "t64")


def first_line(*command):
    if shutil.which(command[0]) is None:
        return ""
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return found.stdout.splitlines()[0] if found.returncode == 0 and found.stdout else ""
