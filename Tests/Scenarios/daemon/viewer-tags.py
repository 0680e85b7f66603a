#!/usr/bin/env -S python3 -B
"""Pseudonyms of viewers' accounts: which answers and log lines have one, who agrees about it, what a reload and a bad key do; and the
article SharedAccounts, whose programs are run as they are printed."""

import calendar
import collections
import hmac
import itertools
import json
import os
import pwd
import re
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from processes import MEDIATOKEND
from scenario import ROOT, check, finish, needs, path, scratch, until
from tokens import GUID, Signer, spellings

needs("jq", "awk", "openssl")
ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/SharedAccounts.md").read_text()
HOURS = 24
JSON = b"Content-Type: application/json\r\n"
LOG = {"verdicts": "all", "linesPerSecond": 100_000}
AUTH = {"tokenHeader": "X-Media-Token", "routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT"}]}
OTHER_GUID = "0ther-" + GUID


def write_key(name, text, mode=0o600):
    with open(path(name + ".new"), "w") as file:
        file.write(text)
    os.chmod(path(name + ".new"), mode)
    os.rename(path(name + ".new"), path(name))
    return path(name)


KEY, SECOND = os.urandom(32).hex(), os.urandom(64).hex()
signer, lives = Signer(), itertools.count()


def settings(key, **more):
    return {"viewerTag": {"key": write_key(*key), "rotateHours": HOURS}, "log": LOG, "auth": AUTH} | more


def expected(key, answer, guid, requestor="REF30"):
    """The tag, by the definition and the token's own time."""
    hours = calendar.timegm(time.strptime(answer["issueTime"][:19], "%Y-%m-%dT%H:%M:%S")) // 3600
    message = (hours // HOURS).to_bytes(8, "big") + requestor.encode() + b"\0" + guid.encode()
    return hmac.digest(bytes.fromhex(key), message, "sha256").hex()[:16]


def tokens(number, guid=GUID, **options):
    """Of one account and one moment, so that midnight is not between them; what makes them distinct is their life."""
    options = {"at": int(time.time() * 1000)} | options
    return [signer.issue(1, guid=guid, ttl=3_600_000 - next(lives), **options)[0] for _ in range(number)]


def told(daemon, text, **options):
    with daemon.connect() as connection:
        connection.send(post(text, **options))
        answer = connection.receive()
    return answer, json.loads(answer.body)


def verdicts(daemon, least):
    """The log's lines of verdicts, when there are so many: they are written after the answers."""
    until(60, lambda: len(daemon.events("verdict")) >= least)
    return daemon.events("verdict")


def hosts():
    """Three daemons with memories of their own: two of them with one key."""
    first, second = (Daemon(signer, name, table=name, **settings((name + ".key", KEY + "\n", mode)))
                     for name, mode in (("one", 0o600), ("two", 0o640)))
    third = Daemon(signer, "three", table="three", **settings(("three.key", SECOND)))
    plain = Daemon(signer, "plain", table="plain", log=LOG)
    every = [daemon.start() for daemon in (first, second, third, plain)]
    mine = tokens(3) + tokens(1, age=3_000_000)
    others = tokens(2, guid=OTHER_GUID)
    tags = {}
    for daemon, key in zip(every, (KEY, KEY, SECOND, None)):
        answers = [told(daemon, spellings(text)[index % 3])[1] for index, text in enumerate(mine)]
        check(f"host {daemon.name} plays {len(mine)} tokens of one account", all(answer["use"] == "first" for answer in answers), answers)
        if key is None:
            check("without the setting no answer has a tag", not any("viewerTag" in answer for answer in answers))
            check("and no log line", ["viewerTag" in line for line in verdicts(daemon, len(mine))] == [False] * len(mine))
            continue
        check("each tag is the HMAC that the article defines",
              all(answer["viewerTag"] == expected(key, answer, GUID) for answer in answers), answers)
        lines = {line["token"]: line["viewerTag"] for line in verdicts(daemon, len(mine))}
        check("the log has the same ones", lines == {answer["identity"][:16]: answer["viewerTag"] for answer in answers}, lines)
        other = [told(daemon, text)[1] for text in others]
        check("another account has another", all(answer["viewerTag"] == expected(key, answer, OTHER_GUID) for answer in other))
        tags[daemon.name] = [answer["viewerTag"] for answer in answers + other]
    check("two hosts with one key agree", tags["one"] == tags["two"], tags)
    check("and not with the third", not set(tags["one"]) & set(tags["three"]), tags)
    return first, second, third, plain


def refused(daemon):
    before = len(verdicts(daemon, 6))
    text = tokens(1)[0]
    for what, body, target in (
            ("another resource", text, b"/v1/verify?requestor=REF30&resource=TBS"), ("another requestor", text, b"/v1/verify?requestor=X&resource=TNT"),
            ("a forgery", text.replace(b"TNT", b"TNU"), b"/v1/verify?requestor=REF30&resource=TNT"), ("nonsense", b"x", b"/v1/verify?requestor=REF30&resource=TNT"),
            ("an old one", tokens(1, age=86_400_000)[0], b"/v1/verify?requestor=REF30&resource=TNT")):
        answer, members = told(daemon, body, target=target)
        check(f"{what} has no tag", answer.status == 403 and "viewerTag" not in members, members)
    told(daemon, text)
    answer, members = told(daemon, text)
    check("a token that is used again has none", members["reason"] == "already-used" and "viewerTag" not in members, members)
    lines = verdicts(daemon, before + 7)[before:]
    check("and of seven log lines one has", [("viewerTag" in line) for line in lines].count(True) == 1 and len(lines) == 7, lines)
    question = b'{"requestor":"REF30","resource":"TNT","decision":%b}' % tokens(1, guid=OTHER_GUID, form="decision")[0]
    answer, members = told(daemon, question, target=b"/v1/verify", fields=JSON)
    check("a decision's token has the same", answer.status == 200 and members["viewerTag"] == expected(KEY, members, OTHER_GUID), members)


def proxies(daemon):
    def ask(method, token):
        with daemon.connect() as connection:
            connection.send(b"%b /v1/auth/live/1 HTTP/1.1\r\nHost: localhost\r\nX-Media-Token: %b\r\n\r\n" % (method, token))
            return connection.receive(is_head=method == b"HEAD")
    before = len(verdicts(daemon, 6))
    token = spellings(tokens(1)[0])[1]
    look, answer = ask(b"HEAD", token), ask(b"GET", token)
    unspent, line = verdicts(daemon, before + 2)[before:]
    check("a HEAD has no tag in its log line", look.status == 204 and "viewerTag" not in unspent, unspent)
    check("a proxy's request is played, and its log line has the tag", answer.status == 200 and re.fullmatch("[0-9a-f]{16}", line.get("viewerTag", "")), line)
    check("which no header has, and no body", line["viewerTag"].encode() not in answer.head + answer.body and b"viewer" not in answer.head.lower(), answer.head)


def article():
    """The programs of the article, as they are printed."""
    shell = re.findall(r"(?ms)^```sh\n(.*?)^```$", ARTICLE)
    python = re.findall(r"(?ms)^```python\n(.*?)^```$", ARTICLE)
    check("the article has four programs for the shell and one in Python", (len(shell), len(python)) == (4, 1))

    def run(command):
        return subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True).stdout

    made = shell[0].replace("/etc/mediatoken/", path("")).replace("mediatokend:", pwd.getpwuid(os.getuid()).pw_name + ":")
    run(["bash", "-euc", made])
    daemon = Daemon(signer, "article", table="article", **settings(("unused.key", KEY), viewerTag={"key": path("viewer-tag.key"), "rotateHours": 744})).start()
    check("the key that the article makes is taken", daemon.is_alive())
    for guid, number in ((GUID, 7), (OTHER_GUID, 5), ("third", 4), ("fourth", 1)):
        statuses = set()
        for text in tokens(number, guid=guid):
            answer, members = told(daemon, text)
            statuses.add(answer.status)
            if number in (7, 4):
                told(daemon, text)
        check(f"an account starts {number} times", statuses == {200}, members)
        with open(path("program.py"), "w") as file:
            file.write(python[0])
        instant = calendar.timegm(time.strptime(members["issueTime"][:19], "%Y-%m-%dT%H:%M:%S")) * 1000
        with open(path("viewer-tag.key")) as key:
            printed = run(["python3", "program.py", key.read().strip(), "744", str(instant), "REF30", guid]).strip()
        check("the article's program computes its tag", printed == members["viewerTag"], (printed, members))
    check("the daemon of the article ends with 0", daemon.end() == 0)
    with open(path("mediatokend.log"), "w") as file:
        file.write("a line of another program\n" + daemon.said())
    starts = collections.Counter(line["viewerTag"] for line in daemon.events("verdict") if "viewerTag" in line)
    tags = {number: tag for tag, number in starts.items()}
    check("its log has every start", sorted(starts.values()) == [1, 4, 5, 7], starts)
    printed = [line.split() for line in run(["bash", "-euc", shell[1]]).splitlines()]
    check("it counts starts of accounts with five or more", printed == [["7", tags[7]], ["5", tags[5]]], printed)
    printed = [line.split() for line in run(["bash", "-euc", shell[2]]).splitlines()]
    check("it counts tokens that were used again by account", printed == [["7", tags[7]], ["4", tags[4]]], printed)
    check("and lines that are missing", run(["bash", "-euc", shell[3]]) == "0\n")
    with open(path("mediatokend.log"), "a") as file:
        file.write('{"event":"verdict","suppressedLines":40}\n{"event":"verdict","suppressedLines":2}\n')
    check("which are added up", run(["bash", "-euc", shell[3]]) == "42\n")


def reloads(daemon):
    """Another key without a signal, other settings with one, and none."""
    def has_tag(key):
        answer, members = told(daemon, tokens(1)[0])
        return answer.status == 200 and members.get("viewerTag") == (key and expected(key, members, GUID))

    def reload(**change):
        before = len(daemon.events("reloaded"))
        daemon.configure(**change)
        daemon.tell(signal.SIGHUP)
        return until(60, lambda: len(daemon.events("reloaded")) > before)

    write_key("one.key", SECOND)
    check("another key is taken without a signal", until(60, lambda: len(daemon.events("reloaded")) > 0))
    check("and makes other tags", has_tag(SECOND))
    write_key("one.key", KEY)
    good = daemon.settings["viewerTag"]
    check("the first key is taken back", until(60, lambda: has_tag(KEY)))
    wrong = []
    for what, change in bad_keys(good).items():
        before = len(daemon.events("reload-failed"))
        daemon.configure(viewerTag=change)
        daemon.tell(signal.SIGHUP)
        if not until(60, lambda: len(daemon.events("reload-failed")) > before):
            wrong.append((what, "was taken"))
        elif "viewerTag" not in daemon.events("reload-failed")[-1]["message"]:
            wrong.append((what, daemon.events("reload-failed")[-1]))
    check("a bad key or setting is not taken", not wrong, wrong)
    check("and the old key serves on", has_tag(KEY))
    check("the good one is taken again, and other hours", reload(viewerTag=good) and reload(viewerTag=good | {"rotateHours": 1}))
    del daemon.settings["viewerTag"]
    check("and a configuration without tags", reload())
    check("whose answers have none", has_tag(None))


def bad_keys(good):
    os.makedirs(path("open"), exist_ok=True)
    os.chmod(path("open"), 0o777)
    with open(path("open/key"), "w") as file:
        file.write(KEY)
    os.chmod(path("open/key"), 0o600)
    changes = {f"a file of mode {mode:o}": {"key": write_key(f"mode{mode:o}.key", KEY, mode)} for mode in (0o644, 0o660, 0o666, 0o604)}
    changes |= {name: {"key": write_key(f"text{index}.key", text)} for index, (name, text) in enumerate((
        ("no digit", ""), ("31 bytes", KEY[:62]), ("65 bytes", SECOND + "00"), ("an odd digit", KEY + "0"), ("two lines", KEY + "\n" + KEY),
        ("a letter", KEY[:-1] + "g"), ("a PEM", open(signer.private).read())))}
    changes |= {"no file": {"key": path("nowhere.key")}, "a folder": {"key": scratch}, "a device": {"key": "/dev/zero"}, "an open folder": {"key": path("open/key")}}
    changes |= {"no key": {"key": None}, "an empty path": {"key": ""}, "no hours": {"rotateHours": None}, "too many": {"rotateHours": 745},
                "none": {"rotateHours": 0}, "text": {"rotateHours": "24"}, "half": {"rotateHours": 0.5}, "an unknown member": {"secret": KEY}}
    return {name: {member: value for member, value in (good | change).items() if value is not None} for name, change in changes.items()}


def starts():
    victim = Daemon(signer, "victim", table="victim", **settings(("good.key", KEY)))
    wrong, said = {}, ""
    changes = bad_keys(victim.settings["viewerTag"])
    for what, change in changes.items():
        victim.configure(viewerTag=change)
        for flags in ([], ["--check-config"]):
            ended = subprocess.run([MEDIATOKEND, *flags, "--config", victim.file], capture_output=True, text=True, timeout=600)
            said += ended.stderr
            if ended.returncode != 3 or len(ended.stderr.splitlines()) != 1 or victim.file not in ended.stderr or "viewerTag" not in ended.stderr:
                wrong[what] = ended
    check(f"{len(changes)} bad keys and settings: exit 3 and one line that names file and setting", not wrong and len(changes) > 20, wrong)
    return said


def main():
    daemons = hosts()
    refused(daemons[0])
    proxies(daemons[1])
    article()
    reloads(daemons[0])
    said = starts()
    pages = "".join(daemon.get(target).body.decode() for daemon in daemons for target in ("/metrics", "/readyz", "/v1/keys"))
    everything = pages + said + "".join(daemon.said() for daemon in daemons)
    check("no account and no key is in anything that was logged or shown to others",
          not any(secret in everything for secret in (GUID, OTHER_GUID, KEY, SECOND)) and len(everything) > 10_000)
    check("every daemon ends with 0", [daemon.end() for daemon in daemons] == [0] * len(daemons))
    finish()


main()
