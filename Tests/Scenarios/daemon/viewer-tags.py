#!/usr/bin/env -S python3 -B
"""Pseudonyms of viewers' accounts: the article SharedAccounts, whose programs are run as they are printed, with a daemon and what it
logs. Which answers and log lines have a tag, and what is a key, is ViewerTagTests.swift's."""

import calendar
import collections
import itertools
import json
import os
import pathlib
import pwd
import re
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from connection import post
from daemon import Daemon
from scenario import ROOT, check, finish, needs, path, scratch
from tokens import GUID, Signer

needs("jq", "awk", "openssl")
ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/SharedAccounts.md").read_text()
LOG = {"verdicts": "all", "linesPerSecond": 100_000}
OTHER_GUID = "0ther-" + GUID


signer, lives = Signer(), itertools.count()
KEY = path("viewer-tag.key")


def tokens(number, guid=GUID, **options):
    """Of one account and one moment, so that midnight is not between them; what makes them distinct is their life."""
    options = {"at": int(time.time() * 1000)} | options
    return [signer.issue(1, guid=guid, ttl=3_600_000 - next(lives), **options)[0] for _ in range(number)]


def told(daemon, text, **options):
    with daemon.connect() as connection:
        connection.send(post(text, **options))
        answer = connection.receive()
    return answer, json.loads(answer.body)


def article():
    """The programs of the article, as they are printed."""
    shell = re.findall(r"(?ms)^```sh\n(.*?)^```$", ARTICLE)
    python = re.findall(r"(?ms)^```python\n(.*?)^```$", ARTICLE)
    check("the article has four programs for the shell and one in Python", (len(shell), len(python)) == (4, 1))

    def run(command):
        return subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True).stdout

    made = shell[0].replace("/etc/mediatoken/", path("")).replace("mediatokend:", pwd.getpwuid(os.getuid()).pw_name + ":")
    run(["bash", "-euc", made])
    daemon = Daemon(signer, log=LOG, viewerTag={"key": KEY, "rotateHours": 744}).start()
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
        key = pathlib.Path(KEY).read_text().strip()
        printed = run(["python3", "program.py", key, "744", str(instant), "REF30", guid]).strip()
        check("the article's program computes its tag", printed == members["viewerTag"], (printed, members))
    pages = "".join(daemon.get(target).body.decode() for target in ("/metrics", "/readyz", "/v1/keys"))
    check("the daemon of the article ends with 0", daemon.end() == 0)
    with open(path("mediatokend.log"), "w") as file:
        file.write("a line of another program\n" + daemon.said())
    starts = collections.Counter(line["viewerTag"] for line in daemon.events("verdict") if "viewerTag" in line)
    tags = {number: tag for tag, number in starts.items()}
    check("the log of the article's daemon has every start under its tag", sorted(starts.values()) == [1, 4, 5, 7], starts)
    printed = [line.split() for line in run(["bash", "-euc", shell[1]]).splitlines()]
    check("the article's second program counts starts of accounts with five or more", printed == [["7", tags[7]], ["5", tags[5]]], printed)
    printed = [line.split() for line in run(["bash", "-euc", shell[2]]).splitlines()]
    check("the article's third program counts tokens that were used again by account", printed == [["7", tags[7]], ["4", tags[4]]], printed)
    check("the article's fourth program counts no line as missing when none is", run(["bash", "-euc", shell[3]]) == "0\n")
    with open(path("mediatokend.log"), "a") as file:
        file.write('{"event":"verdict","suppressedLines":40}\n{"event":"verdict","suppressedLines":2}\n')
    check("the article's fourth program adds up the lines that are missing", run(["bash", "-euc", shell[3]]) == "42\n")
    return pages + daemon.said()


def main():
    said = article()
    check("no account and no key is in what the daemon logs or shows to others",
          len(said) > 3000 and not any(secret in said for secret in (GUID, OTHER_GUID, pathlib.Path(KEY).read_text().strip())))
    finish()


main()
