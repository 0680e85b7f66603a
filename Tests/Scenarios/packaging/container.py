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
from scenario import ROOT, check, count, finish, path, until
from tokens import Signer

README = ROOT / "deploy/container/README.md"
SOCKET = "/run/mediatokend/mediatokend.sock"
USER = 10001


def main():
    containers.enter()
    containers.make_base()
    containers.packages()
    image = building()
    contents(image)
    without_configuration(image)
    signer = configured()
    a_new_table(image, signer)
    one_use(image, signer)
    confined()
    unhealthy()
    finish()


# MARK: the image


def building():
    wrong = containers.build(version="9.9.9")
    check("an image is not built under a version that its packages do not have",
          wrong.returncode != 0 and "expected --build-arg VERSION=, the version of the packages, found: mediatoken" in wrong.stderr,
          wrong.stderr[-500:])
    built = containers.build()
    if not check("the image is built by the README's commands", built.returncode == 0, (built.stdout + built.stderr)[-3000:]):
        finish()
    return containers.image()


def contents(image):
    facts = containers.inspect(image)
    config, version = facts["Config"], image.split(":")[1]
    check("the image's tag is the packages' version", version == succeed(MEDIATOKEN, "--version").split()[1], image)
    check("the image's user is a number, and not root", config["User"] == f"{USER}:{USER}", config["User"])
    check("the image is stopped by SIGTERM", config["StopSignal"] == "SIGTERM", config)
    check("the image's labels have its version and licence",
          (config["Labels"].get("org.opencontainers.image.version"), config["Labels"].get("org.opencontainers.image.licenses"))
          == (version, "Apache-2.0"), config["Labels"])
    check("the image's labels have its base by digest",
          re.fullmatch(re.escape(containers.BASE.split(":")[0]) + "@sha256:[0-9a-f]{64}",
                       config["Labels"].get("org.opencontainers.image.base.name", "")), config["Labels"])
    check("the image's health check asks whether the daemon is ready",
          facts.get("Healthcheck", config.get("Healthcheck"))["Test"] ==
          ["CMD", "/usr/bin/mediatoken", "query", "--socket", SOCKET, "--ready"], facts)
    check("state and socket are volumes of the image",
          set(config["Volumes"]) == {"/var/lib/mediatoken", "/run/mediatokend"}, config["Volumes"])
    check("the image has one layer", len(facts["RootFS"]["Layers"]) == 1, facts["RootFS"])
    count(f"{facts['Size'] / 1e6:.1f} MB")
    check("the image takes less than 90 MB", facts["Size"] < 90e6, facts["Size"])

    root = succeed("podman", "image", "mount", image).strip()
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            whole = os.path.join(folder, name)
            found[whole[len(root):]] = os.lstat(whole)
    files = {name for name, facts in found.items() if stat.S_ISREG(facts.st_mode)}
    links = [name for name, facts in found.items() if stat.S_ISLNK(facts.st_mode)]
    check("no link in the image leads out of it or nowhere",
          not [name for name in links if not os.path.exists(root + os.path.normpath(os.path.join(
              os.path.dirname(name), os.readlink(root + name))))], links)
    executable = {name for name in files if found[name].st_mode & 0o111}
    programs = {name for name in executable if ".so" not in name}
    check("the image's programs are ours", programs == {"/usr/bin/mediatoken", "/usr/sbin/mediatokend"}, programs)
    check("nothing in the image changes users, and nothing can be written by all",
          not [name for name, facts in found.items()
               if facts.st_mode & (stat.S_ISUID | stat.S_ISGID) or facts.st_mode & 0o002 and not stat.S_ISLNK(facts.st_mode)])
    ours = {name: (facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode)) for name, facts in found.items()
            if (facts.st_uid, facts.st_gid) != (0, 0)}
    check("two folders of the image are the daemon's, and everything else is root's",
          ours == {"/var/lib/mediatoken": (USER, USER, 0o700), "/run/mediatokend": (USER, USER, 0o755)}, ours)
    strays = [name for name in files - programs
              if not re.match(r"/etc/(passwd|group|os-release|debian_version|ld\.so\.cache)$"
                              r"|/usr/lib(64|/x86_64-linux-gnu)/[^/]*\.so[^/]*$"
                              r"|/usr/share/doc/[^/]+/(copyright|sbom\.spdx\.json)$|/var/lib/dpkg/status\.d/[^/]+$", name)]
    check("the image has no files except programs, libraries, licences and the list of packages", not strays, strays)
    secret = re.compile(rb"-----BEGIN|/packages/|PRIVATE KEY")
    check("no key, no keystore, no configuration is in the image's files", not [
        name for name in files if ".so" not in name and name not in programs and secret.search(open(root + name, "rb").read())])
    of_packages = {name.split("/")[-1] for name in files if "/status.d/" in name}
    licensed = {name.split("/")[-2] for name in files if name.endswith("/copyright")}
    libraries = {"libc6", "libcurl4", "libssl3", "libxml2", "libstdc++6"}
    check("each package of the image is on the list for scanners, with its licence",
          of_packages == licensed and libraries | {"mediatoken", "mediatokend"} <= {name.removesuffix("t64") for name in of_packages}, of_packages ^ licensed)
    succeed("podman", "image", "unmount", image)


def without_configuration(image):
    started = run("podman", "run", "--rm", "--read-only", "--network=none", image)
    check("without a configuration the container does not start, and says so",
          started.returncode == 3 and "/etc/mediatoken/mediatokend.json: cannot be opened" in started.stderr, started.stderr)


# MARK: the daemon in it


def configured():
    """What the operator has in /etc/mediatoken: the sample of the package, a key and its fingerprint."""
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


def start(image):
    started = command(0, image)
    print(started.stderr, end="")
    return started.returncode == 0 and until(60, lambda: listens(SOCKET))


def health():
    return run("podman", "healthcheck", "run", "mediatokend").returncode


def ask(token, user=12345, group=USER):
    """A question of a process of the host: the exit status, and the first line of the answer."""
    asked = run("setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", MEDIATOKEN, "query", "--socket", SOCKET,
                "--timeout", "60000", "--resource", "TNT", "-", input=token.decode())
    return asked.returncode, asked.stdout.split("\n")[0]


def a_new_table(image, signer):
    # It vouches for nothing while the checks run.
    configure(signer, future_tolerance=600_000)
    check("the container starts by the README's commands", start(image), run("podman", "logs", "mediatokend").stderr)
    check("the health check fails while the daemon is not ready", health() == 1)
    said = run("podman", "exec", "mediatokend", "mediatoken", "query", "--socket", SOCKET, "--timeout", "60000", "--ready")
    check("query --ready in the container says why the daemon is not ready",
          (said.returncode, said.stdout.split("\n")[:2]) == (1, ["not-ready", "reason: replay-memory-new"]), said.stdout)
    asked = ask(*signer.issue(1))
    check("with a new table nothing plays", asked == (1, "TOKEN_PREDATES_REPLAY_MEMORY"), asked)
    succeed("podman", "rm", "--force", "mediatokend")
    succeed("podman", "volume", "rm", "mediatoken-state")
    configure(signer)
    check("a table is made by the README's command", command(1, image).returncode == 0)


def one_use(image, signer):
    first, second, third = signer.issue(3)
    check("the container starts with the table of the README's command", start(image))
    check("the container is healthy with the table of the README's command", until(60, lambda: health() == 0))
    check("a token plays, asked from outside by a member of the group", ask(first) == (0, "VALID_TOKEN"))
    check("a token that played is refused the second time, asked from outside", ask(first) == (1, "TOKEN_REPLAYED"))
    check("a user out of the group may not ask", ask(second, group=12345) == (3, ""), ask(second, group=12345))
    another_container(image, second)
    for_runbooks()

    # After the usual ten seconds it would be killed.
    succeed("podman", "stop", "--time=600", "mediatokend")
    facts = containers.inspect("mediatokend")["State"]
    check("SIGTERM ends the container with 0", facts["ExitCode"] == 0 and not facts["OOMKilled"], facts)
    check("at SIGTERM the daemon says that it stopped, and takes its socket away",
          '"event":"stopped"' in run("podman", "logs", "mediatokend").stderr
          and not os.path.exists(SOCKET))
    check("another container starts in place of one that ended", start(image))
    check("a container in place of one that ended is healthy", until(60, lambda: health() == 0))
    check("in a container in place of one that ended what was used stays used",
          [ask(token)[1] for token in (first, second)] == ["TOKEN_REPLAYED"] * 2)
    check("in a container in place of one that ended what was not used plays", ask(third) == (0, "VALID_TOKEN"))
    succeed("podman", "kill", "--signal=KILL", "mediatokend")
    fourth, = signer.issue(1)
    check("after SIGKILL the next container starts", start(image) and until(60, lambda: health() == 0))
    check("after SIGKILL nothing plays twice", [ask(token)[1] for token in (first, second, third, fourth, fourth)]
          == ["TOKEN_REPLAYED"] * 3 + ["VALID_TOKEN", "TOKEN_REPLAYED"])


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
              changed.returncode != 0 and os.listdir("/run/mediatokend")
              and os.path.exists(SOCKET) and not os.path.exists(f"{SOCKET}.new"), changed.stderr)
        if not os.path.exists(SOCKET) and os.path.exists(f"{SOCKET}.old"):
            os.rename(f"{SOCKET}.old", SOCKET)


def for_runbooks():
    """What the README says in place of systemd's commands."""
    metrics, = re.findall(r"`(curl [^`]*/metrics)`", README.read_text())
    said = run("bash", "-c", metrics)
    check("the README's command prints the container's metrics",
          "\nmediatoken_ready 1\n" in said.stdout, said.stdout[:500] + said.stderr)
    info, = re.findall(r"`(podman exec mediatokend mediatoken replay info [^`]*)`", README.read_text())
    said = run("bash", "-c", info.replace("\n", " "))
    check("the README's command prints what the container's table holds",
          said.returncode == 0 and "vouchesFrom" in said.stdout, said.stdout + said.stderr)
    succeed("podman", "restart", "mediatokend")
    check("the container can be restarted", until(60, lambda: health() == 0), run("podman", "logs", "mediatokend").stderr)


# MARK: what it may do

#: As a user, in a process's own view of its files: every folder, device and file that can be written or made there.
PROBE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
pid, user = sys.argv[1], int(sys.argv[2])
root = os.open(f"/proc/{pid}/root", os.O_RDONLY)
if libc.setns(os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY), 0) != 0:
    sys.exit("setns failed")
os.fchdir(root); os.chroot("."); os.setgroups([]); os.setresgid(user, user, user); os.setresuid(user, user, user)
for folder, folders, files in os.walk("/", onerror=lambda error: None):
    if folder.startswith(("/proc", "/sys")) and folder not in ("/proc", "/sys", "/sys/fs/cgroup"):
        continue
    name = os.path.join(folder, "probe")
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(name)
        print(folder)
    except OSError:
        pass
    for file in files:
        if not folder.startswith(("/proc", "/sys", "/dev")) and os.access(os.path.join(folder, file), os.W_OK, effective_ids=True):
            print(os.path.join(folder, file))
"""


def confined():
    pid = containers.inspect("mediatokend")["State"]["Pid"]
    with open(f"/proc/{pid}/status") as file:
        status = dict(re.findall(r"(?m)^(\w+):\t(.*)$", file.read()))
    check("the daemon in the container runs as the image's user alone",
          [status[name].split() for name in ("Uid", "Gid")] == [[str(USER)] * 4] * 2, status)
    check("the daemon in the container is in no other group", set(status["Groups"].split()) <= {str(USER)}, status["Groups"])
    check("the daemon in the container has no capability",
          {status[f"Cap{name}"] for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}, status)
    check("the daemon in the container can get no capability, and may use few system calls",
          (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status)
    with open(f"/proc/{pid}/net/dev") as file:
        check("the daemon in the container has no network", re.findall(r"(?m)^\s*(\w+):", file.read()) == ["lo"])
    written = set(succeed(sys.executable, "-c", PROBE, pid, USER).split())
    ours = {"/var/lib/mediatoken", "/var/lib/mediatoken/replay.table", "/run/mediatokend", SOCKET, f"{SOCKET}.lock"}
    # Message queues are memory of its own, and end with it.
    check("the daemon in the container can write its two volumes and nothing else",
          ours <= written <= ours | {"/dev/mqueue"}, written ^ ours)
    written = set(succeed(sys.executable, "-c", PROBE, pid, 12345).split())
    check("no other user can write anything in the container", written <= {"/dev/mqueue"}, written)


def unhealthy():
    pid = containers.inspect("mediatokend")["State"]["Pid"]
    os.kill(pid, signal.SIGSTOP)
    check("a daemon that does not answer is not healthy", health() == 1)
    os.kill(pid, signal.SIGCONT)
    check("a daemon that answers again is healthy", until(60, lambda: health() == 0))
    os.kill(pid, signal.SIGTERM)
    check("SIGTERM ends the container whose daemon had hung",
          until(60, lambda: not containers.inspect("mediatokend")["State"]["Running"]))
    check("a container that has ended is not healthy", health() != 0)


main()
