#!/usr/bin/env -S python3 -B
"""The image of deploy/container, built and run as its README says, with Debian's podman: what is in it, who it is, where it can
write, and that one use outlives the container.
"""
import os
import re
import signal
import stat
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

import containers
from connection import listens
from containers import run, shown, succeed
from processes import MEDIATOKEN
from scenario import ROOT, check, count, finish, until
from tokens import Signer

README = ROOT / "deploy/container/README.md"
SOCKET = "/run/mediatokend/mediatokend.sock"
USER = 10001


def building():
    wrong = containers.build(version="9.9.9")
    check("an image is not built under a version that its packages do not have",
          wrong.returncode != 0 and "expected --build-arg VERSION=, the version of the packages, found: " in wrong.stderr,
          wrong.stderr[-500:])
    built = containers.build()
    if not check("the image is built by the README's commands", built.returncode == 0, (built.stdout + built.stderr)[-3000:]):
        finish()
    return containers.image()


def settings(image):
    facts = containers.inspect(image)
    config, version, labels = facts["Config"], succeed(MEDIATOKEN, "--version").split()[1], "org.opencontainers.image."
    for what, found, wanted in (
            ("tag and label are the packages' version", (image.split(":")[1], config["Labels"].get(labels + "version")), (version, version)),
            ("label has its licence", config["Labels"].get(labels + "licenses"), "Apache-2.0"),
            ("user is a number, and not root", config["User"], f"{USER}:{USER}"),
            ("end is by SIGTERM", config["StopSignal"], "SIGTERM"),
            ("health check asks whether the daemon is ready", facts.get("Healthcheck", config.get("Healthcheck"))["Test"],
             ["CMD", "/usr/bin/mediatoken", "query", "--socket", SOCKET, "--ready"]),
            ("volumes are state and socket", set(config["Volumes"]), {"/var/lib/mediatoken", "/run/mediatokend"}),
            ("files are one layer", len(facts["RootFS"]["Layers"]), 1)):
        check(f"the image's {what}", found == wanted, found)
    base = config["Labels"].get(labels + "base.name", "")
    check("the image's label has its base by digest", re.fullmatch(re.escape(containers.BASE.split(":")[0]) + "@sha256:[0-9a-f]{64}", base), base)
    count(f"{facts['Size'] / 1e6:.1f} MB")
    check("the image takes less than 90 MB", facts["Size"] < 90e6, facts["Size"])


def contents(image):
    root = succeed("podman", "image", "mount", image).strip()
    found = {os.path.join(folder, name)[len(root):]: os.lstat(os.path.join(folder, name))
             for folder, folders, files in os.walk(root) for name in folders + files}
    files = {name for name, facts in found.items() if stat.S_ISREG(facts.st_mode)}
    links = [name for name, facts in found.items() if stat.S_ISLNK(facts.st_mode)]
    lost = [name for name in links if not os.path.exists(root + os.path.normpath(os.path.join(os.path.dirname(name), os.readlink(root + name))))]
    check("no link in the image leads out of it or nowhere", not lost, lost)
    programs = {name for name in files if found[name].st_mode & 0o111 and ".so" not in name}
    check("the image's programs are ours", programs == {"/usr/bin/mediatoken", "/usr/sbin/mediatokend"}, programs)
    loose = [name for name, facts in found.items()
             if facts.st_mode & (stat.S_ISUID | stat.S_ISGID) or facts.st_mode & 0o002 and name not in links]
    check("nothing in the image changes users, and nothing can be written by all", not loose, loose)
    ours = {name: (facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode)) for name, facts in found.items()
            if (facts.st_uid, facts.st_gid) != (0, 0)}
    check("two folders of the image are the daemon's, and everything else is root's",
          ours == {"/var/lib/mediatoken": (USER, USER, 0o700), "/run/mediatokend": (USER, USER, 0o755)}, ours)
    # So there is no key, no keystore and no configuration either.
    strays = [name for name in files - programs
              if not re.match(r"/etc/(passwd|group|os-release|debian_version|ld\.so\.cache)$"
                              r"|/usr/lib(64|/x86_64-linux-gnu)/[^/]*\.so[^/]*$"
                              r"|/usr/share/doc/[^/]+/(copyright|sbom\.spdx\.json)$|/var/lib/dpkg/status\.d/[^/]+$", name)]
    check("the image has no files except programs, libraries, licences and the list of packages", not strays, strays)
    listed = {name.split("/")[-1] for name in files if "/status.d/" in name}
    licensed = {name.split("/")[-2] for name in files if name.endswith("/copyright")}
    libraries = {"libc6", "libpq5", "libssl3", "libxml2", "libstdc++6"}
    check("each package of the image is on the list for scanners, with its licence", listed == licensed
          and libraries | {"mediatoken", "mediatokend"} <= {name.removesuffix("t64") for name in listed}, listed ^ licensed)
    succeed("podman", "image", "unmount", image)


def configured():
    """What the operator has in /etc/mediatoken: a key; the sample of the package, with its fingerprint, follows."""
    signer = Signer()
    for folder in ("/etc/mediatoken", "/run/mediatokend"):
        os.makedirs(folder, exist_ok=True)
        succeed("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", folder)
    os.mkdir("/etc/mediatoken/keys")
    succeed("install", "-m", "644", signer.keys, "/etc/mediatoken/keys/ours.pem")
    return signer


def configure(signer, future_tolerance=60_000):
    sample = (ROOT / "deploy/mediatokend.sample.json").read_text()
    with open("/etc/mediatoken/mediatokend.json", "w", encoding="utf-8") as file:
        file.write(sample.replace('"allowRSA1024": []', f'"allowRSA1024": ["{signer.fingerprint}"]')
                   .replace('"futureToleranceMilliseconds": 60000', f'"futureToleranceMilliseconds": {future_tolerance}'))


def command(number, image):
    """A block of the README's section "Run", as it is written."""
    return run("bash", "-euo", "pipefail", "-c", f"version={image.split(':')[1]}\n{shown(README, 'Run')[number]}")


def starts(what, image):
    started = command(0, image)
    check(f"{what} the container starts by the README's commands", started.returncode == 0 and until(60, lambda: listens(SOCKET)),
          started.stderr + run("podman", "logs", "mediatokend").stderr)


def health():
    return run("podman", "healthcheck", "run", "mediatokend").returncode


def asks(what, wanted, *tokens, group=USER):
    """A process of the host asks: the first line of each answer."""
    asked = [run("setpriv", "--reuid=12345", f"--regid={group}", "--clear-groups", MEDIATOKEN, "query", "--socket", SOCKET,
                 "--timeout", "60000", "--resource", "TNT", "-", input=token.decode()).stdout.split("\n")[0] for token in tokens]
    check(what, asked == wanted, asked)


def a_new_table(image, signer):
    # It vouches for nothing while the checks run.
    configure(signer, future_tolerance=600_000)
    starts("with a new table", image)
    check("the health check fails while the daemon is not ready", health() == 1)
    said = run("podman", "exec", "mediatokend", "mediatoken", "query", "--socket", SOCKET, "--timeout", "60000", "--ready")
    check("query --ready in the container says why the daemon is not ready",
          (said.returncode, said.stdout.split("\n")[:2]) == (1, ["not-ready", "reason: replay-memory-new"]), said.stdout)
    succeed("podman", "rm", "--force", "mediatokend")
    succeed("podman", "volume", "rm", "mediatoken-state")
    configure(signer)
    check("a table is made by the README's command", command(1, image).returncode == 0)


def one_use(image, signer):
    first, second, third, fourth = signer.issue(4)
    starts("with the table of the README's command", image)
    check("the container is healthy with the table of the README's command", until(60, lambda: health() == 0))
    asks("a token plays once, asked from outside by a member of the group", ["VALID_TOKEN", "TOKEN_REPLAYED"], first, first)
    asks("a user out of the group may not ask", [""], second, group=12345)
    another_container(image, second)
    for_runbooks()

    # After the usual ten seconds it would be killed.
    succeed("podman", "stop", "--time=600", "mediatokend")
    facts = containers.inspect("mediatokend")["State"]
    check("SIGTERM ends the container with 0", facts["ExitCode"] == 0 and not facts["OOMKilled"] and not os.path.exists(SOCKET), facts)
    starts("in place of one that ended", image)
    asks("in a container in place of one that ended what was used stays used, and what was not plays",
         ["TOKEN_REPLAYED", "TOKEN_REPLAYED", "VALID_TOKEN"], first, second, third)
    succeed("podman", "kill", "--signal=KILL", "mediatokend")
    starts("after SIGKILL", image)
    asks("after SIGKILL nothing plays twice", ["TOKEN_REPLAYED", "TOKEN_REPLAYED", "TOKEN_REPLAYED", "VALID_TOKEN", "TOKEN_REPLAYED"],
         first, second, third, fourth, fourth)


def another_container(image, token):
    """A caller in a container, with the options of the README."""
    options = re.findall(r"`(--(?:group-add|volume)=[^`]*)`", README.read_text())
    check("the README says what a caller's container gets", len(options) == 2, options)
    begun = ["podman", "run", "--rm", "--interactive", "--network=none", *options]
    asked = run(*begun, "--read-only", "--user=12345:12345", "--entrypoint=/usr/bin/mediatoken", image,
                "query", "--socket", SOCKET, "--timeout", "60000", "--resource", "TNT", "-", input=token.decode())
    check("another container may ask", asked.stdout.startswith("VALID_TOKEN\n"), asked.stdout + asked.stderr)
    # As root, with a shell: what would answer other callers in the daemon's place.
    for what in (f"mv {SOCKET} {SOCKET}.old", f"rm -f {SOCKET}", f"touch {SOCKET}.new"):
        changed = run(*begun, containers.BASE, "sh", "-c", what)
        check(f"another container can exchange nothing at the socket: {what}",
              changed.returncode != 0 and os.path.exists(SOCKET) and not os.path.exists(f"{SOCKET}.new"), changed.stderr)


def for_runbooks():
    """What the README says in place of systemd's commands."""
    for what, pattern, wanted in (("the container's metrics", r"`(curl [^`]*/metrics)`", "\nmediatoken_ready 1\n"),
                                  ("what its table holds", r"`(podman exec mediatokend mediatoken replay info [^`]*)`", "vouchesFrom")):
        written, = re.findall(pattern, README.read_text())
        said = run("bash", "-c", written.replace("\n", " "))
        check(f"the README's command prints {what}", said.returncode == 0 and wanted in said.stdout, said.stdout[:500] + said.stderr)
    succeed("podman", "restart", "mediatokend")
    check("the container can be restarted", until(60, lambda: health() == 0), run("podman", "logs", "mediatokend").stderr)


def confined():
    pid = containers.inspect("mediatokend")["State"]["Pid"]
    with open(f"/proc/{pid}/status") as file:
        status = dict(re.findall(r"(?m)^(\w+):\t(.*)$", file.read()))
    check("the daemon in the container runs as the image's user alone", [status[name].split() for name in ("Uid", "Gid")]
          == [[str(USER)] * 4] * 2 and set(status["Groups"].split()) <= {str(USER)}, status)
    check("the daemon in the container has no capability, can get none, and may use few system calls",
          {status[f"Cap{name}"] for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
          and (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status)
    with open(f"/proc/{pid}/net/dev") as file:
        check("the daemon in the container has no network", re.findall(r"(?m)^\s*(\w+):", file.read()) == ["lo"])
    with open(f"/proc/{pid}/mountinfo") as file:
        mounts = [line.split() for line in file]
    written = {fields[4]: fields[fields.index("-") + 1] for fields in mounts if "rw" in fields[5].split(",")}
    others = {place: kind for place, kind in written.items() if kind not in ("proc", "sysfs", "devpts", "mqueue", "cgroup2")
              and not place.startswith("/proc/") and place not in ("/var/lib/mediatoken", "/run/mediatokend")}
    devices = {place for place in others if place.startswith("/dev/") and stat.S_ISCHR(os.stat(f"/proc/{pid}/root{place}").st_mode)}
    check("the daemon in the container can write its two volumes and nothing else that is kept",
          {"/var/lib/mediatoken", "/run/mediatokend"} <= set(written) and set(others) - devices <= {"/dev"}
          and stat.S_IMODE(os.stat(f"/proc/{pid}/root/dev").st_mode) == 0o755, written)


def unhealthy():
    pid = containers.inspect("mediatokend")["State"]["Pid"]
    os.kill(pid, signal.SIGSTOP)
    check("a daemon that does not answer is not healthy", health() == 1)
    os.kill(pid, signal.SIGCONT)
    check("a daemon that answers again is healthy", until(60, lambda: health() == 0))


containers.enter()
containers.make_base()
containers.packages()
image = building()
settings(image)
contents(image)
started = run("podman", "run", "--rm", "--read-only", "--network=none", image)
check("without a configuration the container does not start, and says so",
      started.returncode == 3 and "/etc/mediatoken/mediatokend.json: cannot be opened" in started.stderr, started.stderr)
signer = configured()
a_new_table(image, signer)
one_use(image, signer)
confined()
unhealthy()
finish()
