#!/usr/bin/env -S python3 -B
"""What keeps a daemon from starting is said with its cure, and the cure cures it.

The service has a user of its own, as in operation. What `mediatokend --check-config` names is what a start ends with; the command in the message is
typed by root, and after it that step is ok. `mediatokend init` writes what deploy has for each proxy.
"""
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN, MEDIATOKEND, free_port, launch
from scenario import ROOT, check, count, finish, needs, scratch, skip, until

#: The service's user and group, and another's: no names belong to them.
OURS, OTHER = 47_110, 47_111


def path(name):
    """In a folder with the name of this software: only there a message may change whose a folder is."""
    return os.path.join(scratch, "mediatokend", name)


CONFIGURATION, KEY, TABLE, SOCKET = (path(name) for name in ("etc/config.json", "etc/keys/key.pem", "state/table", "run/socket"))


def run(*command, user=None, **options):
    who = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **who, **options)


def configure(text=None, **changes):
    whole = {"socket": {"path": SOCKET}, "keys": [os.path.dirname(KEY)], "replay": {"address": f"shared:{TABLE}?capacity=100"},
             "tenants": [{"requestor": "REF30"}]}
    with open(CONFIGURATION, "w") as file:
        file.write(text or json.dumps(whole | changes, indent=1))


def set_up():
    """Folders as an installation has them, without a table."""
    for name in ("etc", "state", "run"):
        shutil.rmtree(path(name), ignore_errors=True)
        os.makedirs(path(name), 0o755)
    shutil.copytree(path("made"), os.path.dirname(KEY))
    for name, mode in (("state", 0o700), ("run", 0o755)):
        os.chown(path(name), OURS, OURS)
        os.chmod(path(name), mode)
    configure()


def tried(**options):
    """{step: (level, text)} of the worst finding of each step, and what was printed."""
    said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS, **options)
    found = {}
    for level, step, text in re.findall(r"^(ok|warning|failed) +([\w.\[\]]+): (.*)$", said.stdout, re.M):
        if level != "ok" or step not in found:
            found[step] = (level, text)
    return found, said


def starts():
    """Whether the daemon starts, and what it says if not."""
    with open(path("log"), "w+") as log:
        daemon = launch([MEDIATOKEND, "--config", CONFIGURATION], user=OURS, group=OURS, extra_groups=[], stdout=subprocess.DEVNULL, stderr=log)

        def said():
            log.seek(0)
            return log.read()
        until(60, lambda: daemon.poll() is not None or '"event":"started"' in said())
        if daemon.poll() is not None:
            return False, said()
        daemon.terminate()
        daemon.wait()
        return True, ""


def command(text):
    """The command in a message, up to what follows it."""
    found = re.search(r"run: (.*?)(?:; |, and |$)", text)
    return found[1] if found else None


def cured(name, step, *parts, by=None):
    """The step fails, the daemon does not start for the same reason, and what the message says to type ends both."""
    found, said = tried()
    level, text = found.get(step, ("", ""))
    holds = level == "failed" and all(part in text for part in parts) and said.returncode == 3
    check(f"{name}: it is a failure, and named", holds, (found, said.stderr))
    began, told = starts()
    check(f"{name}: the daemon does not start, and ends with the same sentence", not began and text and text in told, (text, told))
    typed = by or command(text)
    if not check(f"{name}: the message has the cure", typed, text):
        return
    done = run("bash", "-c", typed) if isinstance(typed, str) else typed()
    found, said = tried()
    check(f"{name}: after the cure the step is ok", found.get(step, ("",))[0] == "ok" and said.returncode == 0, (typed, done, found, said.stderr))
    check(f"{name}: after the cure the daemon starts", starts() == (True, ""))


def folders_and_owners():
    set_up()
    os.rmdir(path("state"))
    cured("the table's folder is missing", "replay.address", f"there is no folder {path('state')}", "install -d")
    set_up()
    os.chown(path("state"), 0, 0)
    cured("the table's folder is root's", "replay.address", f"chown {OURS} {path('state')}")
    set_up()
    os.chown(path("state"), OTHER, OTHER)
    os.chmod(path("state"), 0o755)
    cured("the table's folder is another user's", "replay.address", f"chown {OURS} {path('state')}")
    set_up()
    os.chmod(path("state"), 0o500)
    cured("the table's folder is the service's, and its mode forbids to write", "replay.address", f"chmod u+rwx {path('state')}")
    set_up()
    os.mkdir(path("state/own"), 0o700)
    os.chown(path("state/own"), OURS, OURS)
    os.chown(path("state"), 0, 0)
    configure(replay={"address": f"shared:{path('state/own/table')}?capacity=100"})
    cured("a folder above the table's is for root alone", "replay.address", f"chgrp {OURS} {path('state')} && chmod g+rx {path('state')}")
    set_up()
    run(MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "100", user=OURS)
    os.chown(TABLE, 0, 0)
    cured("the table is root's", "replay.address", f"chown {OURS} {TABLE}")
    set_up()
    os.chmod(KEY, 0o600)
    cured("a key is for root alone", "keys", f"chgrp {OURS} {KEY}")
    set_up()
    os.chmod(os.path.dirname(KEY), 0o700)
    cured("the folder of the keys is for root alone", "keys", f"chgrp {OURS} {os.path.dirname(KEY)}")
    set_up()
    os.rmdir(path("run"))
    cured("the socket's folder is missing", "socket", f"there is no folder {path('run')}", "install -d")


def cured_elsewhere(name, step, place, where, rewrite):
    """The step fails in another's folder, the message changes nothing of that, and a folder of the service's own in it, with the path
    that the message has, ends it. Both are typed by root."""
    def by():
        text = tried()[0][step][1]
        run("bash", "-c", command(text), check=True)
        rewrite(re.search(r", and write the path (\S+)$", text)[1])
    before = os.stat(where)
    cured(name, step, f"choose a path in a folder of user {OURS}'s own", place, by=by)
    after = os.stat(where)
    check(f"{name}: the folder is as it was", (before.st_uid, before.st_gid, before.st_mode) == (after.st_uid, after.st_gid, after.st_mode))


def folders_of_others():
    other = os.path.join(scratch, "other")
    os.mkdir(other, 0o755)
    set_up()
    configure(socket={"path": f"{other}/s"})
    cured_elsewhere("the socket in a folder of others", "socket", f"{other}/{OURS}/s", other, lambda new: configure(socket={"path": new}))
    set_up()
    configure(replay={"address": f"shared:{other}/table?capacity=100"})
    cured_elsewhere("the table in a folder of others", "replay.address", f"{other}/{OURS}/table", other,
                    lambda new: configure(replay={"address": f"shared:{new}?capacity=100"}))
    for folder in ("/run", "/", "/etc", "/var/lib"):
        set_up()
        inside = folder.rstrip("/")
        configure(socket={"path": f"{inside}/s"}, replay={"address": f"shared:{inside}/table?capacity=100"})
        found, said = tried()
        check(f"nothing is to be changed of {folder}, and a folder of the service's own is to be made", said.returncode == 3
              and not re.search("chown|chgrp|chmod", said.stdout)
              and all(f"-o {OURS} {inside}/{OURS}, and write the path {inside}/{OURS}/{end}" in found[step][1]
                      for step, end in (("socket", "s"), ("replay.address", "table"))), said)
    set_up()
    os.mkdir(f"{other}/closed", 0o700)
    shutil.copy(KEY, f"{other}/closed/key.pem")
    configure(keys=[f"{other}/closed/key.pem"], replay={"address": f"shared:{other}/closed/table?capacity=100"})
    found, said = tried()
    check("a key in a folder that is closed to the service is to be copied, and a table there to be elsewhere",
          "put a copy in a folder" in found["keys"][1] and "choose a path in a folder" in found["replay.address"][1]
          and not re.search("chown|chgrp|chmod", said.stdout), said)
    shutil.copy(KEY, f"{other}/shadow.pem")
    os.chown(f"{other}/shadow.pem", 0, OTHER)
    os.chmod(f"{other}/shadow.pem", 0o640)
    configure(keys=[f"{other}/shadow.pem"], replay={"address": f"shared:{other}/shadow.pem?capacity=100"})
    found, said = tried()
    check("neither a group nor another's file is taken from its users", "put a copy in a folder" in found["keys"][1]
          and f"choose a path in a folder of user {OURS}'s own" in found["replay.address"][1]
          and not re.search("chown|chgrp|chmod", said.stdout), said)
    set_up()
    for name in ("${RUNTIME_DIRECTORY}", "%t", "~", "$HOME"):
        configure(socket={"path": f"{name}/s"})
        found, said = tried(cwd=path("run"))
        check(f"{name} is named, and no folder of that name is to be made", found["socket"][0] == "failed" and "install" not in said.stdout
              and f"nothing is put in the place of {name} here; write the path itself" in found["socket"][1], said)


def tables():
    set_up()
    with open(TABLE, "wb") as file:
        file.write(b"garbage" * 1000)
    os.chown(TABLE, OURS, OURS)
    os.chmod(TABLE, 0o600)
    cured("another file is in the table's place", "replay.address", "it is not a replay table", f"mv {TABLE} {TABLE}.old")
    set_up()
    check("the daemon makes its table", starts() == (True, ""))
    configure(tenants=[{"requestor": "REF30", "maxTTLMilliseconds": 7_200_000}])
    cured("a longer life than the table was made for", "replay.address", "maxTTL of at most 3600000 ms", f"mv {TABLE} {TABLE}.old")


def configurations():
    set_up()
    text = json.dumps({"socket": {"path": SOCKET}}, indent=1)
    for comment in ("// why", "/* why */", "# why"):
        configure(text.replace("{\n", f"{{\n {comment}\n", 1))
        said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS)
        check(f"a comment in JSON is called one: {comment}", said.returncode == 3 and not said.stdout
              and f"mediatokend: {CONFIGURATION}: line 2: not JSON: there is a comment, which JSON does not have; remove it\n" == said.stderr, said)
    configure(keys=["keys/key.pem"])
    found, said = tried(cwd="/")
    check("a path without a root says where it is looked for, and what to write",
          found["keys"][0] == "failed" and "it is looked for in /: a path that begins with / is the same from everywhere" in said.stdout, said)
    found, said = tried(cwd=path("etc"))
    check("a path without a root that leads to a key here is a warning, as a service is started elsewhere",
          found["keys"] [0] == "warning" and path("etc") in found["keys"][1] and said.returncode == 0
          and said.stdout.endswith("\nthe daemon can start, with warnings\n"), said)


def places_of_the_start():
    """Where it is started, and how its paths were written."""
    set_up()
    os.chmod(CONFIGURATION, 0o644)
    said = run("bash", "-c", '"$0" --check-config --config <(cat "$1")', MEDIATOKEND, CONFIGURATION)
    check("a configuration from <(…) is told to be written to a file", said.returncode == 3
          and said.stderr.endswith("; a descriptor, as of <(…), is closed at the start; write a file, and give its path\n"), said)
    for scheme in ("unix:", "unix://"):
        configure(socket={"path": scheme + SOCKET})
        said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS)
        written = re.search(r"it begins with (\S+), which is no part of a path; write the path alone: (\S+)$", said.stderr.strip())
        check(f"{scheme} in front of the socket's path is told to be left out", said.returncode == 3 and written
              and written.groups() == (scheme, SOCKET), said)
        configure(socket={"path": written[2]})
        check(f"without {scheme} the daemon starts", starts() == (True, ""))
    configure(socket={"path": "http://127.0.0.1:80"})
    said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS)
    check("an address is told to be no path", said.returncode == 3 and "it is an address and not the path of a UNIX socket" in said.stderr, said)
    configure(replay={"address": "none:"})
    without = ("unshare", "--mount", "bash", "-c", 'mount -t tmpfs none /proc && exec "$@"', "bash")
    said = run(*without, MEDIATOKEN, "--version")
    if "mount" in said.stderr:
        return count("a root without /proc is not tried: nothing can be mounted here")
    check("without /proc the command line takes its arguments", said.returncode == 0 and said.stdout == run(MEDIATOKEN, "--version").stdout, said)
    said = run(*without, "setpriv", "--reuid", str(OURS), "--clear-groups", "--", MEDIATOKEND, "--check-config", "--config", CONFIGURATION)
    check("without /proc the daemon takes its arguments", said.returncode == 0 and "the daemon can start" in said.stdout, said)


def private_keys():
    set_up()
    folder = os.path.dirname(KEY)
    shutil.copy(path("made.private.pem"), f"{folder}/key.private.pem")
    os.chmod(f"{folder}/key.private.pem", 0o644)

    def by():
        text = tried()[0]["keys"][1]
        return run("bash", "-c", re.search(r"in a folder of keys, move it out as well: (.*)\)$", text)[1], check=True)
    cured("a private key is in the folder of keys", "keys", "found a private key, which a verifier does not need", by=by)
    check("the private key is kept", os.path.exists(path("etc/key.private.pem")))


def listeners():
    set_up()
    port = free_port()
    configure(tcp={"address": "127.0.0.1", "port": port})
    program = "import socket, time; s = socket.socket(); s.setsockopt(1, 2, 1); s.bind(('127.0.0.1', %d)); s.listen(); time.sleep(600)" % port
    other = launch(["/usr/bin/python3", "-c", program])
    until(60, lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)

    def stop():
        other.kill()
        return other.wait()
    found, said = tried()
    check("a port that root's process has is one in use, by root", found["tcp"][0] == "warning" and "a process of root" in found["tcp"][1], said)
    stop()
    other = launch(["/usr/bin/python3", "-c", program], user=OURS, group=OURS, extra_groups=[])
    until(60, lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
    cured("a port is in use", "tcp", f"in use by process {other.pid} (python3", by=stop)
    daemon = launch([MEDIATOKEND, "--config", CONFIGURATION], user=OURS, group=OURS, extra_groups=[], stderr=subprocess.DEVNULL)
    until(60, lambda: os.path.exists(SOCKET))
    found, said = tried()
    check("what a running daemon has is as good as free", said.returncode == 0 and all(
        found[step] == ("ok", text) for step, text in (
            ("socket", f"a daemon serves it: process {daemon.pid} (mediatokend)"), ("tcp", f"it is served: process {daemon.pid} (mediatokend)"))), said)
    daemon.terminate()
    daemon.wait()


#: As root in a namespace of its own, where /etc is a copy: the user games is the service, and the socket is for www-data.
GROUP = """set -e
mkdir "$1/copy" && mount -t tmpfs tmpfs "$1/copy" && mkdir "$1/copy/upper" "$1/copy/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/copy/upper,workdir=$1/copy/work" /etc
chown games: "$1/state" "$1/run"
said=$("$2" --check-config --user games --config "$3") && exit 9
echo "$said"
eval "$(sed -n 's/^failed  socket: .*run: \\(.*\\); then .*/\\1/p' <<<"$said")"
"$2" --check-config --user games --config "$3"
"""


def groups():
    set_up()
    configure(socket={"path": SOCKET, "group": "www-data"})
    said = run("unshare", "--mount", "bash", "-c", GROUP, "bash", path(""), MEDIATOKEND, CONFIGURATION)
    if "mount" in said.stderr:
        return count("a group without the service's user is not tried: nothing can be mounted here")
    check("a socket for a group without the service's user is named, and after the command in the message it is given to the group",
          said.returncode == 0 and "may give the socket only to a group that it is in; run: usermod -aG www-data games; then start it again" in said.stdout
          and re.search("\nthe daemon can start(, with warnings)?\n$", said.stdout), said)


def as_root():
    set_up()
    said = run(MEDIATOKEND, "--check-config", "--user", "root", "--config", CONFIGURATION)
    cure = f"do this as that user: setpriv --reuid {OURS} --clear-groups -- …"
    check("root is told to be the service's user, and not to take its folder away or to copy its table",
          said.returncode == 3 and cure in said.stdout and not re.search("chown|copy", said.stdout + said.stderr), said)
    table = ("replay", "grow", "--table", TABLE, "--capacity")
    run(MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "100", user=OURS)
    said = run(MEDIATOKEN, *table, "200")
    check("root is told so at the service's table, too", said.returncode == 3 and cure in said.stderr, said)
    said = run(*cure.split(": ")[1].replace("…", "").split(), MEDIATOKEN, *table, "200")
    check("what follows those words uses the table", said.returncode == 0, said)
    shutil.chown(path("state"), "games")
    shutil.chown(TABLE, "games")
    said = run(MEDIATOKEN, *table, "400")
    typed = re.search("(runuser -u games --) …$", said.stderr.strip())
    check("a user who has a name is named", typed and run(*typed[1].split(), MEDIATOKEN, *table, "400").returncode == 0, said)
    set_up()
    before = sorted(os.listdir(path("state")))
    tried()
    check("a start that is tried makes no table", sorted(os.listdir(path("state"))) == before == [], os.listdir(path("state")))
    said = run(MEDIATOKEND, "--check-config", "--user", "root", "--config", CONFIGURATION, user=OURS)
    check("only root becomes another user", said.returncode == 3 and "do this as root" in said.stderr, said)
    said = run(MEDIATOKEND, "--user", "root", "--config", CONFIGURATION)
    check("--user goes with --check-config alone", said.returncode == 2 and "--check-config" in said.stderr, said)
    check("a start that is tried leaves nothing at the socket", os.listdir(path("run")) == [], os.listdir(path("run")))


def first_configuration():
    names = ("--requestor", "REF30", "--resource", "TNT", "--resource", "TBS")
    for proxy in ("nginx", "caddy", "haproxy", "envoy"):
        out = path(f"{proxy}.json")
        said = run(MEDIATOKEND, "init", *names, "--proxy", proxy, "--out", out)
        with open(out) as file, open(ROOT / f"deploy/{proxy}/mediatokend.json") as sample:
            check(f"init writes what deploy has for {proxy}, and says what comes next", said.returncode == 0
                  and json.load(file) == json.load(sample) and f"next: mediatokend --check-config --config " in said.stdout, said)
    said = run(MEDIATOKEND, "init", *names, "--proxy", "nginx", "--out", path("nginx.json"))
    check("init overwrites nothing, and says so", said.returncode == 3 and "nothing is overwritten" in said.stderr, said)
    set_up()
    made = run(MEDIATOKEND, "init", *names, "--proxy", "nginx", "--handover-key", path("etc/handover.key"), "--keys", os.path.dirname(KEY),
               "--out", path("mine.json"))
    with open(path("etc/handover.key")) as file:
        key = file.read()
    check("init makes the key of the credentials, for its owner and group", made.returncode == 0 and re.fullmatch("[0-9a-f]{64}\n", key)
          and stat.S_IMODE(os.stat(path("etc/handover.key")).st_mode) == 0o640 and key.strip() not in made.stdout, made.stdout)
    os.chown(path("etc/handover.key"), 0, OURS)
    with open(path("mine.json")) as file:
        written = json.load(file)
    configure(json.dumps(written | {"socket": {"path": SOCKET}, "replay": {"address": f"shared:{TABLE}?capacity=100"}}))
    check("a daemon starts with what init wrote", starts() == (True, ""), tried())


if os.geteuid() != 0:
    skip("it needs root, for files of other users")
needs("/usr/bin/python3")
os.chmod(scratch, 0o755)
os.mkdir(path(""), 0o755)
# The checkout's folders may be closed to other users.
MEDIATOKEN, MEDIATOKEND = (shutil.copy(program, path(os.path.basename(program))) for program in (MEDIATOKEN, MEDIATOKEND))
run(MEDIATOKEN, "keys", "generate", "--out", path("made"), "--name", "key")
os.rename(path("made/key.private.pem"), path("made.private.pem"))
folders_and_owners()
folders_of_others()
tables()
configurations()
places_of_the_start()
private_keys()
listeners()
groups()
as_root()
first_configuration()
finish()
