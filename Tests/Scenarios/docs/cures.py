#!/usr/bin/env -S python3 -B
"""What keeps a daemon from starting is said with its cure, and the cure cures it.

The service has a user of its own, as in operation. What `mediatokend --check-config` names is what a start ends with; the command in the message is
typed by root, and after it that step is ok. `mediatokend init` writes what deploy has for each proxy. At the end every sentence in
the sources that says run, move, choose, set or do has been printed here and done, or has its test elsewhere.
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
from sources import files, literals

#: The service's user and group, and another's: no names belong to them.
OURS, OTHER = 47_110, 47_111


#: What messages said to do and was done with success, and all that --check-config printed.
done, printed = [], []


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
    printed.append(said.stdout + said.stderr)
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
    ran = run("bash", "-c", typed) if isinstance(typed, str) else typed()
    found, said = tried()
    is_ok = check(f"{name}: after the cure the step is ok", found.get(step, ("ok",))[0] == "ok" and said.returncode == 0, (typed, ran, found, said.stderr))
    if check(f"{name}: after the cure the daemon starts", starts() == (True, "")) and is_ok:
        done.append(text)


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
    set_up()
    os.chown(KEY, OURS, OURS)
    os.chmod(KEY, 0)
    cured("a key is the service's, and its mode forbids to read", "keys", f"run: chmod u+r {KEY}")
    set_up()
    os.chmod(os.path.dirname(KEY), 0o777)
    cured("others may write the folder of the keys", "keys", f"run: chmod go-w {os.path.dirname(KEY)}")
    set_up()
    with open(path("etc/tag.key"), "w") as file:
        file.write("0" * 63 + "1\n")
    os.chown(path("etc/tag.key"), OURS, OURS)
    os.chmod(path("etc/tag.key"), 0o644)
    configure(viewerTag={"key": path("etc/tag.key"), "rotateHours": 24})
    cured("a secret that others may read", "viewerTag.key", f"run: chmod 0600 {path('etc/tag.key')}, and replace the secrets")
    set_up()
    os.symlink(path("elsewhere"), SOCKET + ".lock")
    cured("a link in the place of the socket's lock", "socket", "remove it, or choose another folder", by=lambda: os.remove(SOCKET + ".lock"))
    set_up()
    open_to_all = os.path.join(scratch, "open-to-all")
    os.mkdir(open_to_all)
    os.chmod(open_to_all, 0o777)
    shutil.copy(KEY, open_to_all)
    configure(keys=[f"{open_to_all}/key.pem"])
    cured("a key in a folder that anyone may write", "keys", "move the file to a folder that only root", by=configure)
    configure(socket={"path": f"{open_to_all}/s"})
    cured("the socket in a folder that anyone may write", "socket", "choose a path in a folder that only root", by=configure)


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
    configure(keys=[f"{other}/closed/key.pem"])
    cured("a key in a folder that is closed to the service", "keys", "put a copy in a folder that user", by=configure)
    configure(replay={"address": f"shared:{other}/closed/table?capacity=100"})
    cured("a table in a folder that is closed to the service", "replay.address", f"choose a path in a folder of user {OURS}'s own", by=configure)
    set_up()
    configure(socket={"path": "/root/s"}, keys=["/root/key.pem"], replay={"address": "shared:/root/table?capacity=100"})
    found, said = tried()
    check("nothing is to be changed of /root", said.returncode == 3 and not re.search("chown|chgrp|chmod", said.stdout), said)
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


def poke(offset, number):
    """Writes a number of the table's header (the article ReplayTableFormat)."""
    with open(TABLE, "r+b") as file:
        file.seek(offset)
        file.write(number.to_bytes(8, "little"))


def more_tables():
    def made():
        set_up()
        run(MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "100", user=OURS, check=True)

    def away():
        os.rename(TABLE, TABLE + ".old")
    made()
    os.chmod(TABLE, 0o640)
    cured("a group may read the table", "replay.address", f"run: chmod 600 {TABLE}")
    for name, offset, number, words in (("of another version", 8, 99, "stop its users, move it away and create a new one"),
                                        ("that was retired", 16, 2**64 - 1, "the table was retired; move it away and create a new one")):
        made()
        poke(offset, number)
        cured(f"a table {name}", "replay.address", words, by=away)
    made()
    poke(16, 2**64 - 1)
    told = run(MEDIATOKEN, "replay", "info", "--table", TABLE, user=OURS)
    away()
    again = run(MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "100", user=OURS)
    if check("replay info says what to do with a retired table, and it can be done", again.returncode == 0 and "move it away" in told.stdout, (told, again)):
        done.append(told.stdout)
    made()
    grow, size = (MEDIATOKEN, "replay", "grow", "--table", TABLE, "--capacity"), 200
    while (said := run(*grow, str(size), user=OURS)).returncode == 0 and size < 10**6:
        size += 100
    away()
    again = run(MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", str(size), user=OURS)
    if check("a table that has grown as often as it can is to be moved, and a larger one made", again.returncode == 0
             and "stop its users, move it away and create a larger one" in said.stderr, (said, again)):
        done.append(said.stderr)
    create = (MEDIATOKEN, "replay", "create", "--table", TABLE, "--capacity", "100")
    said = run(*create, user=OURS)
    os.rename(TABLE, TABLE + ".older")
    again = run(*create, user=OURS)
    if check("a table that is there is to be moved away first", again.returncode == 0 and "stop its users and move it away first" in said.stderr, said):
        done.append(said.stderr)
    set_up()
    os.utime(path("state"), times=(2_000_000_000, 2_000_000_000))
    cured("the clock is behind the folder", "replay.address", "set the clock first", by=lambda: os.utime(path("state")))
    set_up()
    os.mkdir(path("state/ram"))
    if run("mount", "-t", "ramfs", "ramfs", path("state/ram")).returncode != 0:
        return count("a table on another file system is not tried: nothing can be mounted here")
    os.chown(path("state/ram"), OURS, OURS)
    configure(replay={"address": f"shared:{path('state/ram/table')}?capacity=100"})
    cured("a table on a file system that is not known", "replay.address", "move it to a local disk or tmpfs", by=configure)
    run("umount", path("state/ram"), check=True)


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


#: Settings that do not go together: what is in the file, what the message says about which key, and what is in the file after that was done.
SETTINGS = (
    ("the inspector at the socket's path", {"inspector": SOCKET}, "inspector: this is the path of socket too; choose another",
     {"inspector": path("run/inspector")}),
    ("the inspector at the port of tcp", {"inspector": "127.0.0.1:8099", "tcp": {"address": "127.0.0.1", "port": 8099}},
     "inspector: this is the port of tcp too; choose another", {"inspector": path("run/inspector")}),
    ("one header for two things", {"auth": {"tokenHeader": "X-A", "requestorHeader": "x-a", "resourceHeader": "X-C"}},
     "auth.requestorHeader: another setting has this header already; choose another",
     {"auth": {"tokenHeader": "X-A", "requestorHeader": "X-B", "resourceHeader": "X-C"}}),
    ("a header of HTTP's own", {"requestIDHeader": "Host"}, "requestIDHeader: HTTP itself uses this header; choose another",
     {"requestIDHeader": "X-Request-ID"}),
    ("no header for the method", {"auth": {"tokenHeader": "X-A", "uriHeader": "X-Original-URI", "resourceHeader": "X-C"}},
     "auth.methodHeader: uriHeader needs X-Original-Method or X-Forwarded-Method here, set by the proxy to the viewer's method",
     {"auth": {"tokenHeader": "X-A", "uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "resourceHeader": "X-C"}}),
    ("a key is missing", {"viewerTag": {"key": "/nowhere"}},
     'viewerTag.rotateHours: this key is missing; add it like this: "rotateHours": 1 (for how long an account keeps', {}),
    ("text for a list", {"keys": "KEYS"}, 'keys: expected an array, found a string; write it like this: "keys": ["a path"]', {"keys": ["KEYS"]}),
    ("text for a number", {"threads": "1"}, 'threads: expected a whole number from 1 to 64, found a string; write it like this: "threads": 1',
     {"threads": 1}),
    ("a misspelled key", {"deadline": {}}, "deadline: unknown key; did you mean deadlines? the keys here are socket, ", {"deadlines": {}}),
    ("an object for a list of objects", {"tenants": {"requestor": "REF30"}},
     """tenants: expected an array, found an object; write it like this: "tenants": [{"requestor": "a requestor's id"}]""",
     {"tenants": [{"requestor": "REF30"}]}),
)


def settings():
    set_up()
    for name, wrong, words, right in SETTINGS:
        wrong, right = (json.loads(json.dumps(one).replace("KEYS", os.path.dirname(KEY))) for one in (wrong, right))
        configure(**wrong)
        said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS)
        named = check(f"{name}: it is named", said.returncode == 3 and words in said.stderr, said)
        configure(**right)
        if check(f"{name}: after what the message says the daemon starts", starts() == (True, "")) and named:
            done.append(said.stderr)


def cookies():
    """A partitioned cookie needs sameSite, which the message says; and a key of nginx has no CR."""
    for name, mode, content in (("etc/es.key", 0o600, None), ("etc/link.key", 0o600, "x" * 43 + "\r\n")):
        made = run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256").stdout if content is None else content
        with open(path(name), "w", newline="") as file:
            file.write(made)
        os.chown(path(name), OURS, OURS)
        os.chmod(path(name), mode)

    def handed_over(handover):
        configure(auth={"tokenHeader": "X-A", "routes": [{"prefix": "/live", "resource": "TNT", "handover": handover}]})
    secret = {"format": "nginx-secure-link", "key": path("etc/link.key"), "lifeSeconds": 60, "path": "/live/"}
    handed_over(secret)
    text = tried()[1].stderr
    cured("a key of nginx with CR LF", "auth.routes[0].handover.key", "run on this file and on nginx's own: sed -i",
          by=lambda: run("bash", "-c", re.search("sed -i .* FILE", text)[0].replace("FILE", path("etc/link.key")), check=True))
    cookie = {"partitioned": True}
    token = {"format": "jwt-es256", "key": path("etc/es.key"), "lifeSeconds": 60, "path": "/live/", "cookie": cookie}
    handed_over(token)
    said = run(MEDIATOKEND, "--check-config", "--config", CONFIGURATION, user=OURS)
    check("a partitioned cookie: it is named", "partitioned: a partitioned cookie is for pages of other sites; set sameSite to None with it"
          in said.stderr, said)
    cookie["sameSite"] = "None"
    handed_over(token)
    if check("a partitioned cookie: with sameSite the daemon starts", starts() == (True, "")):
        done.append(said.stderr)


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
    made = run(MEDIATOKEN, "keys", "generate", "--out", folder, "--name", "both")
    check("the folder that keys generate has written to is a folder of keys", made.returncode == 0 and starts() == (True, ""), tried())
    shutil.rmtree(folder)
    made = run(MEDIATOKEN, "keys", "generate", "--out", folder)
    typed = re.search("^next: (.*)$", made.stdout, re.M)[1].replace("mediatoken ", MEDIATOKEN + " ")
    said = run("bash", "-c", typed.replace(f"{folder}/development.pem", folder))
    check("what keys generate says next is valid with its folder as well", said.stdout.startswith("VALID_TOKEN") and starts() == (True, ""), (typed, said))
    shutil.copy(path("made.private.pem"), f"{folder}/key.pem")
    os.chmod(f"{folder}/key.pem", 0o644)

    def by():
        text = tried()[0]["keys"][1]
        return run("bash", "-c", re.search(r"in a folder of keys, move it out as well: (.*)\)$", text)[1], check=True)
    cured("a private key is in the folder of keys", "keys", "found a private key, which a verifier does not need", by=by)
    check("the private key is kept", os.path.exists(path("etc/key.pem")))


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


def questions():
    """What callers of a daemon are told."""
    set_up()
    daemon = launch([MEDIATOKEND, "--config", CONFIGURATION], user=OURS, group=OURS, extra_groups=[], stderr=subprocess.DEVNULL)
    until(60, lambda: os.path.exists(SOCKET))

    def answer(*headers):
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(SOCKET)
            link.sendall("\r\n".join(("POST /v1/verify?requestor=REF30&resource=TNT HTTP/1.1", "Host: d", "Content-Type: text/plain",
                                      "Connection: close", *headers)).encode())
            return b"".join(iter(lambda: link.recv(65536), b"")).decode()
    said = answer("Transfer-Encoding: chunked", "", "1\r\nx\r\n0\r\n\r\n")
    again = answer("Content-Length: 1", "", "x")
    if check("a body in chunks is to have a length, and with one there is a verdict", "or set Content-Length yourself" in said
             and "INVALID_TOKEN_FORMAT" in again, (said, again)):
        done.append(said)
    os.remove(TABLE)
    ask = (MEDIATOKEN, "query", "--socket", SOCKET, "--ready")
    until(60, lambda: "retired" in run(*ask, user=OURS).stdout)
    said = run(*ask, user=OURS).stdout
    daemon.terminate()
    daemon.wait()
    if check("a table that was deleted is told so, and the daemon can be restarted", "put none back, and restart the daemon" in said
             and starts() == (True, ""), said):
        done.append(said)
    sticky = os.path.join(scratch, "sticky")
    os.mkdir(sticky)
    os.chmod(sticky, 0o1777)

    def asked(folder):
        os.mkdir(folder)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"{folder}/s")
        os.chmod(f"{folder}/s", 0o777)
        for place in (folder, f"{folder}/s"):
            os.chown(place, OTHER, OTHER)
        return run(MEDIATOKEN, "query", "--socket", f"{folder}/s", "--live", user=OURS).stderr
    said, again = asked(f"{sticky}/daemon"), asked(path("daemon"))
    if check("a socket in a folder that anyone could have made is to be moved to one of its service's", "move the socket to a folder that only" in said
             and "may be changed" not in again and "does not answer" in again, (said, again)):
        done.append(said)


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
    done.append(said.stdout)


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
    told = said.stderr
    said = run(*cure.split(": ")[1].replace("…", "").split(), MEDIATOKEN, *table, "200")
    check("what follows those words uses the table", said.returncode == 0, said)
    done.append(told)
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
    configure(replay={"address": "none:"})
    if check("as root that can be done", run(MEDIATOKEND, "--check-config", "--user", "games", "--config", CONFIGURATION).returncode in (0, 3)):
        done.append(said.stderr)
    set_up()
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
        lines = re.findall("^map:( .*)", said.stdout, re.M)
        shipped = {"nginx": "nginx/mediatoken.conf", "caddy": "caddy/segments.conf"}.get(proxy)
        check(f"init prints the lines of {proxy}'s own file for these routes", bool(shipped) == bool(lines) and (not shipped or
              f"map $media_plain_path $media_scope {{{''.join(line.replace('   ', chr(10) + '  ') for line in lines[1:])}\n}}"
              in (ROOT / "deploy" / shipped).read_text()), lines)
    said = run(MEDIATOKEND, "init", *names, "--proxy", "nginx", "--out", path("nginx.json"))
    check("init overwrites nothing, and says so", said.returncode == 3 and "nothing is overwritten" in said.stderr, said)
    os.rename(path("nginx.json"), path("nginx.json.old"))
    again = run(MEDIATOKEND, "init", *names, "--proxy", "nginx", "--out", path("nginx.json"))
    if check("what is there was moved away, and init writes", again.returncode == 0, again):
        done.append(said.stderr)
    near = subprocess.run([MEDIATOKEND, "init", *names, "--keys", "keys", "--out", "near.json"], cwd=scratch, capture_output=True, text=True)
    with open(os.path.join(scratch, "near.json")) as file:
        check("a path of keys is written from the root", near.returncode == 0 and json.load(file)["keys"] == [os.path.join(scratch, "keys")], near)
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


#: Cures that cannot be done here, each by words of its sentence: the test that has them, and words in it; or why no test does.
ELSEWHERE = {
    "set both clocks": ("ReplayMemoryTests/Fleet/Redis/ClockJumpTests.swift", "set both clocks"),
    "run mediatoken replay init, or restart this process": ("ReplayMemoryTests/Fleet/Redis/ClockJumpTests.swift", ".clockWasAhead"),
    "refused; set noeviction": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "allkeys-lru"),
    "set appendonly no": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "the append-only file"),
    "run it again if you still vouch": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "lost its data since"),
    "repair them and run this again": ("Scenarios/fleet/initialisation.sh", "repair them and run this again"),
    "set fsync on": ("Scenarios/fleet/postgres.py", "votes again when they are undone"),
    "full_page_writes is off": ("Scenarios/fleet/postgres.py", "full_page_writes"),
    "of an earlier version, and what is used": ("Scenarios/postgres/earlier-schema.py", "end all hosts, run mediatoken replay schema"),
    "set this machine's clock if it is wrong": ("Scenarios/monitoring/table_walks.py", 'walks.do("clock-behind")'),
    "run mediatoken replay nodes to see": ("Scenarios/monitoring/fleet-runbooks.py", "MediaTokenFleetNodeAway"),
    "run mediatoken replay info or mediatoken replay nodes": "a code's sentence in C, for all that a memory can lack",
    "to MEDIATOKEN_MVPDS_LISTED": ("Scenarios/library/misuse.c", "MEDIATOKEN_MVPDS_LISTED"),
    "set NTP up": "no test sets up NTP on the machine that it runs on",
    "do this as user": ("Scenarios/cli/trusted-paths.sh", "do this as user"),
}

#: What a sentence says to do: at its beginning, or after a mark.
CURE = re.compile("(?:^|[;:,(…] ?|and |or )(run|move|choose|set|do this as)\\b")


def modes():
    """Owner, group and mode of folders that are not the daemon's."""
    folders = ("/", "/etc", "/run", "/root", "/tmp", "/usr", "/var", "/var/lib", scratch)
    return {folder: (status.st_uid, status.st_gid, status.st_mode) for folder in folders if (status := os.stat(folder))}


def folders_stay():
    check("no folder of others has another owner, group or mode", modes() == before, (before, modes()))
    changed = re.findall(r"\b(?:chown|chgrp|chmod)(?: -\S+)? \S+ ([^\s;,]+)", "\n".join(printed))
    check("no message changes those of anything but the daemon's own", changed and all(one.startswith(path("")) for one in changed), set(changed))


def every_cure():
    """No sentence is left: a new one is walked here, or has its place above."""
    left, used = [], set()
    for file in (file for file in files(ROOT / "Sources") if file.suffix == ".swift"):
        for parts in literals(file.read_text()):
            sentence = "…".join(parts)
            if not (CURE.search(sentence) and " " in sentence.strip()):
                continue
            pattern = re.compile(".*".join(re.escape(part.strip()) for part in parts), re.S)
            elsewhere = [words for words in ELSEWHERE if words in sentence]
            used.update(elsewhere)
            if not elsewhere and not any(pattern.search(text) for text in done):
                left.append(f"{file.name}: {sentence}")
    check("every sentence that says what to do was done", not left, left)
    missing = [words for words, where in ELSEWHERE.items() if words not in used
               or not isinstance(where, str) and where[1] not in (ROOT / "Tests" / where[0]).read_text()]
    check("each of the others has its test", not missing, missing)


if os.geteuid() != 0:
    skip("it needs root, for files of other users")
needs("/usr/bin/python3")
os.chmod(scratch, 0o755)
os.mkdir(path(""), 0o755)
# The checkout's folders may be closed to other users.
MEDIATOKEN, MEDIATOKEND = (shutil.copy(program, path(os.path.basename(program))) for program in (MEDIATOKEN, MEDIATOKEND))
run(MEDIATOKEN, "keys", "generate", "--out", path("made"), "--name", "key")
os.rename(path("made/key.private.pem"), path("made.private.pem"))
before = modes()
folders_and_owners()
folders_of_others()
tables()
more_tables()
configurations()
settings()
cookies()
places_of_the_start()
private_keys()
listeners()
questions()
groups()
as_root()
first_configuration()
folders_stay()
every_cure()
finish()
