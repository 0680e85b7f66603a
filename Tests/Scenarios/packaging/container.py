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
    check("its tag is the packages' version", version == succeed(MEDIATOKEN, "--version").split()[1], image)
    check("it is a user, by number, who is not root", config["User"] == f"{USER}:{USER}", config["User"])
    check("it is stopped by SIGTERM", config["StopSignal"] == "SIGTERM", config)
    check("its labels have its version and licence",
          (config["Labels"].get("org.opencontainers.image.version"), config["Labels"].get("org.opencontainers.image.licenses"))
          == (version, "Apache-2.0"), config["Labels"])
    check("and its base by digest", re.fullmatch(re.escape(containers.BASE.split(":")[0]) + "@sha256:[0-9a-f]{64}",
                                                 config["Labels"].get("org.opencontainers.image.base.name", "")), config["Labels"])
    check("its health check asks whether it is ready", facts.get("Healthcheck", config.get("Healthcheck"))["Test"] ==
          ["CMD", "/usr/bin/mediatoken", "query", "--socket", SOCKET, "--ready"], facts)
    check("state and socket are volumes", set(config["Volumes"]) == {"/var/lib/mediatoken", "/run/mediatokend"}, config["Volumes"])
    check("it has one layer", len(facts["RootFS"]["Layers"]) == 1, facts["RootFS"])
    count(f"{facts['Size'] / 1e6:.1f} MB")
    check("it takes less than 90 MB", facts["Size"] < 90e6, facts["Size"])

    root = succeed("podman", "image", "mount", image).strip()
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            whole = os.path.join(folder, name)
            found[whole[len(root):]] = os.lstat(whole)
    files = {name for name, facts in found.items() if stat.S_ISREG(facts.st_mode)}
    links = [name for name, facts in found.items() if stat.S_ISLNK(facts.st_mode)]
    check("no link leads out of it or nowhere",
          not [name for name in links if not os.path.exists(root + os.path.normpath(os.path.join(
              os.path.dirname(name), os.readlink(root + name))))], links)
    executable = {name for name in files if found[name].st_mode & 0o111}
    programs = {name for name in executable if ".so" not in name}
    check("its programs are ours", programs == {"/usr/bin/mediatoken", "/usr/sbin/mediatokend"}, programs)
    check("nothing changes users, and nothing can be written by all",
          not [name for name, facts in found.items()
               if facts.st_mode & (stat.S_ISUID | stat.S_ISGID) or facts.st_mode & 0o002 and not stat.S_ISLNK(facts.st_mode)])
    ours = {name: (facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode)) for name, facts in found.items()
            if (facts.st_uid, facts.st_gid) != (0, 0)}
    check("two folders are the daemon's, and everything else is root's",
          ours == {"/var/lib/mediatoken": (USER, USER, 0o700), "/run/mediatokend": (USER, USER, 0o755)}, ours)
    strays = [name for name in files - programs
              if not re.match(r"/etc/(passwd|group|os-release|debian_version|ld\.so\.cache)$"
                              r"|/usr/lib(64|/x86_64-linux-gnu)/[^/]*\.so[^/]*$"
                              r"|/usr/share/doc/[^/]+/(copyright|sbom\.spdx\.json)$|/var/lib/dpkg/status\.d/[^/]+$", name)]
    check("it has no file but libraries, licences and the list of packages", not strays, strays)
    secret = re.compile(rb"-----BEGIN|/packages/|PRIVATE KEY")
    check("no key, no keystore, no configuration is in its files", not [
        name for name in files if ".so" not in name and name not in programs and secret.search(open(root + name, "rb").read())])
    of_packages = {name.split("/")[-1] for name in files if "/status.d/" in name}
    licensed = {name.split("/")[-2] for name in files if name.endswith("/copyright")}
    libraries = {"libc6", "libcurl4", "libssl3", "libxml2", "libstdc++6"}
    check("each package is on the list for scanners, with its licence",
          of_packages == licensed and libraries | {"mediatoken", "mediatokend"} <= {name.removesuffix("t64") for name in of_packages}, of_packages ^ licensed)
    succeed("podman", "image", "unmount", image)


def without_configuration(image):
    started = run("podman", "run", "--rm", "--read-only", "--network=none", image)
    check("without a configuration it does not start, and says so",
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
    check("it starts by the README's commands", start(image), run("podman", "logs", "mediatokend").stderr)
    check("its health check fails while it is not ready", health() == 1)
    said = run("podman", "exec", "mediatokend", "mediatoken", "query", "--socket", SOCKET, "--timeout", "60000", "--ready")
    check("and says why",
          (said.returncode, said.stdout.split("\n")[:2]) == (1, ["not-ready", "reason: replay-memory-new"]), said.stdout)
    asked = ask(*signer.issue(1))
    check("nothing plays", asked == (1, "TOKEN_PREDATES_REPLAY_MEMORY"), asked)
    succeed("podman", "rm", "--force", "mediatokend")
    succeed("podman", "volume", "rm", "mediatoken-state")
    configure(signer)
    check("a table is made by the README's command", command(1, image).returncode == 0)


def one_use(image, signer):
    first, second, third = signer.issue(3)
    check("it starts with that table", start(image))
    check("and is healthy", until(60, lambda: health() == 0))
    check("a token plays, asked from outside by a member of the group", ask(first) == (0, "VALID_TOKEN"))
    check("once", ask(first) == (1, "TOKEN_REPLAYED"))
    check("others may not ask", ask(second, group=12345) == (3, ""), ask(second, group=12345))
    another_container(image, second)
    for_runbooks()

    # After the usual ten seconds it would be killed.
    succeed("podman", "stop", "--time=600", "mediatokend")
    facts = containers.inspect("mediatokend")["State"]
    check("SIGTERM ends it well", facts["ExitCode"] == 0 and not facts["OOMKilled"], facts)
    check("it says so, and takes its socket away", '"event":"stopped"' in run("podman", "logs", "mediatokend").stderr
          and not os.path.exists(SOCKET))
    check("another container starts in its place", start(image))
    check("which is healthy", until(60, lambda: health() == 0))
    check("what was used stays used", [ask(token)[1] for token in (first, second)] == ["TOKEN_REPLAYED"] * 2)
    check("and what was not plays", ask(third) == (0, "VALID_TOKEN"))
    succeed("podman", "kill", "--signal=KILL", "mediatokend")
    fourth, = signer.issue(1)
    check("after SIGKILL the next one starts", start(image) and until(60, lambda: health() == 0))
    check("and nothing plays twice", [ask(token)[1] for token in (first, second, third, fourth, fourth)]
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
        check(f"and can exchange nothing there: {what}", changed.returncode != 0 and os.listdir("/run/mediatokend")
              and os.path.exists(SOCKET) and not os.path.exists(f"{SOCKET}.new"), changed.stderr)
        if not os.path.exists(SOCKET) and os.path.exists(f"{SOCKET}.old"):
            os.rename(f"{SOCKET}.old", SOCKET)


def for_runbooks():
    """What the README says in place of systemd's commands."""
    metrics, = re.findall(r"`(curl [^`]*/metrics)`", README.read_text())
    said = run("bash", "-c", metrics)
    check("its metrics can be asked for", "\nmediatoken_ready 1\n" in said.stdout, said.stdout[:500] + said.stderr)
    info, = re.findall(r"`(podman exec mediatokend mediatoken replay info [^`]*)`", README.read_text())
    said = run("bash", "-c", info.replace("\n", " "))
    check("and what its table holds", said.returncode == 0 and "vouchesFrom" in said.stdout, said.stdout + said.stderr)
    succeed("podman", "restart", "mediatokend")
    check("it can be restarted", until(60, lambda: health() == 0), run("podman", "logs", "mediatokend").stderr)


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
    check("it runs as that user alone", [status[name].split() for name in ("Uid", "Gid")] == [[str(USER)] * 4] * 2, status)
    check("in no other group", set(status["Groups"].split()) <= {str(USER)}, status["Groups"])
    check("without a capability", {status[f"Cap{name}"] for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}, status)
    check("can get none, and may use few system calls", (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status)
    with open(f"/proc/{pid}/net/dev") as file:
        check("it has no network", re.findall(r"(?m)^\s*(\w+):", file.read()) == ["lo"])
    written = set(succeed(sys.executable, "-c", PROBE, pid, USER).split())
    ours = {"/var/lib/mediatoken", "/var/lib/mediatoken/replay.table", "/run/mediatokend", SOCKET, f"{SOCKET}.lock"}
    # Message queues are memory of its own, and end with it.
    check("it can write its two volumes and nothing else", ours <= written <= ours | {"/dev/mqueue"}, written ^ ours)
    written = set(succeed(sys.executable, "-c", PROBE, pid, 12345).split())
    check("and no other user can write anything there", written <= {"/dev/mqueue"}, written)


def unhealthy():
    pid = containers.inspect("mediatokend")["State"]["Pid"]
    os.kill(pid, signal.SIGSTOP)
    check("a daemon that does not answer is not healthy", health() == 1)
    os.kill(pid, signal.SIGCONT)
    check("it is when it answers again", until(60, lambda: health() == 0))
    os.kill(pid, signal.SIGTERM)
    check("it ends", until(60, lambda: not containers.inspect("mediatokend")["State"]["Running"]))
    check("and what has ended is not healthy", health() != 0)


main()
