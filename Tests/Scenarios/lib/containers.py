"""Containers, on a machine that may have no systemd and no registry: Debian's podman with a storage of its own, in namespaces of
mounts and processes that end with the scenario. /etc and /run are overlays, so that what is put there ends with it too.

Base images are made by mmdebstrap from the machine's own apt sources. Containers get no control group of their own: the hierarchy
of a test machine may be one that crun does not take.
"""

import glob
import json
import os
import pathlib
import platform
import re
import shlex
import signal
import subprocess
import sys

from scenario import NAME, ROOT, needs, path, scratch, skip

#: The release of the machine, whose sources of packages the base is made from.
RELEASE = platform.freedesktop_os_release().get("VERSION_CODENAME", "sid")
BASE = f"localhost/base:{RELEASE}"
_INSIDE = "MEDIATOKEN_SCENARIO_INSIDE"


def run(*command, input=None, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, input=input, **options)


def succeed(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-3000:]
        raise RuntimeError(f"{shlex.join(map(str, command))[:200]}: exit status {done.returncode}: {said}")
    return done.stdout


def enter():
    """Starts the scenario once more in namespaces of its own; returns in there, where mounts are private."""
    needs("podman", "crun", "mmdebstrap", "unshare", "setpriv", "dpkg-deb")
    if os.geteuid() != 0:
        skip("only root can make these containers")
    if not os.environ.get("MEDIATOKEN_PACKAGES"):
        sys.exit("expected the folder of the packages in MEDIATOKEN_PACKAGES")
    if os.environ.get(_INSIDE) != NAME:
        sys.exit(_start_inside())
    # Podman's storage is here too: memory would take a gigabyte.
    for folder in ("/etc", "/run"):
        upper, work = (path(f"{part}{folder.replace('/', '-')}") for part in ("upper", "work"))
        os.makedirs(upper)
        os.makedirs(work)
        _mount("overlay", folder, "-o", f"lowerdir={folder},upperdir={upper},workdir={work}")
    # Podman's locks are here, by the ids of processes, which are others in the namespace of another scenario.
    _mount("tmpfs", "/dev/shm")
    if succeed("stat", "-f", "-c", "%T", "/sys/fs/cgroup").strip() != "cgroup2fs":
        _mount("cgroup2", "/sys/fs/cgroup")
    _configure()
    can = run("podman", "info")
    if can.returncode != 0:
        skip(f"podman cannot run here: {can.stderr.strip()}")


def _mount(kind, place, *options):
    mounted = run("mount", "-t", kind, *options, kind, place)
    if mounted.returncode != 0:
        skip(f"{kind} cannot be mounted here: {mounted.stderr.strip()}")


def _start_inside():
    """Its exit status. However we end, everything in there ends first: our folder, in which its folder is, can then be removed."""
    namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    can = run(*namespaces, "true")
    if can.returncode != 0:
        skip(f"namespaces cannot be made here: {can.stderr.strip()}")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    # SIGKILL, of which we hear nothing, ends it by the kernel.
    inside = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *namespaces, sys.executable, "-B", *sys.argv],
                              env=os.environ | {_INSIDE: NAME, "TMPDIR": scratch})
    try:
        return inside.wait()
    finally:
        # unshare waits for its first process, which ends after all others in there.
        for first in run("ps", "-o", "pid=", "--ppid", inside.pid).stdout.split():
            os.kill(int(first), signal.SIGKILL)
        inside.wait()


def _configure():
    place = pathlib.Path(path("podman"))
    place.mkdir()
    (place / "storage.conf").write_text(
        f'[storage]\ndriver = "overlay"\ngraphroot = "{place}/storage"\nrunroot = "{place}/run"\n')
    (place / "containers.conf").write_text(
        '[containers]\ncgroups = "disabled"\nlog_driver = "k8s-file"\n'
        f'[engine]\nruntime = "crun"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\ntmp_dir = "{place}/tmp"\n')
    # There may be no systemd, whose timers would run the health checks: the scenario runs them.
    os.environ |= {"CONTAINERS_CONF": f"{place}/containers.conf", "CONTAINERS_STORAGE_CONF": f"{place}/storage.conf",
                   "DISABLE_HC_SYSTEMD": "true"}


def make_base():
    """A small Debian with apt, as the images of registries are, and nothing but what the machine's sources have."""
    sources = [name for name in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*.list")),
                                 *sorted(glob.glob("/etc/apt/sources.list.d/*.sources"))]
               if os.path.exists(name) and re.search(r"(?m)^(deb |Types:.*\bdeb\b)", pathlib.Path(name).read_text())]
    archive = path("base.tar")
    made = run("mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", RELEASE, archive, *sources)
    if made.returncode != 0:
        raise RuntimeError(f"mmdebstrap: {made.stderr[-3000:]}")
    succeed("podman", "import", "--quiet", archive, BASE)
    os.remove(archive)


def shown(document, heading, language="sh"):
    """The code blocks of a section of a document."""
    section = re.split(r"(?m)^## ", pathlib.Path(document).read_text())
    text = next(part for part in section if part.startswith(heading + "\n"))
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


def packages():
    """A checkout in which `.build/packages` are the packages that are tested: what the documents call it."""
    place = pathlib.Path(path("checkout"))
    (place / ".build").mkdir(parents=True)
    (place / "deploy").symlink_to(ROOT / "deploy")
    (place / ".build/packages").symlink_to(os.environ["MEDIATOKEN_PACKAGES"])
    return place


def build(version=None):
    """Builds the image as its README says, with this machine's base; the last line of what went wrong is in the result."""
    command = shown(ROOT / "deploy/container/README.md", "Build")[0]
    if version:
        command = re.sub(r"(?m)^version=.*$", f"version={version}", command)
    # The base, which is here, and the network of the machine: what belongs to where it is built, not to how.
    command = re.sub(r"(?m)^podman pull .*\n", "", command).replace("docker.io/library/debian:bookworm-slim", BASE)
    command = command.replace("podman build ", "podman build --isolation=chroot --network=host ")
    return run("bash", "-euo", "pipefail", "-c", command, cwd=path("checkout"))


def image():
    """The name of the image that was built."""
    names = [name for name in succeed("podman", "images", "--format", "{{.Repository}}:{{.Tag}}").split()
             if name.startswith("localhost/mediatokend:")]
    if len(names) != 1:
        raise RuntimeError(f"expected one image of the daemon, found {names}")
    return names[0]


def inspect(name):
    return json.loads(succeed("podman", "inspect", name))[0]
