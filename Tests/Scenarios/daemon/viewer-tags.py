#!/usr/bin/env -S python3 -B
"""Pseudonyms of viewers' accounts: the article SharedAccounts, whose programs are run as they are printed, with a daemon and what it
logs. Which answers and log lines have a tag, and what is a key, is ViewerTagTests.swift's."""

import calendar
import collections
import json
import os
import pathlib
import pwd
import re
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from daemon import Daemon
from scenario import ROOT, check, finish, needs, path, scratch
from tokens import GUID, Signer

needs("jq", "awk", "openssl")
ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/SharedAccounts.md").read_text()
SHELL, PYTHON = (re.findall(rf"(?ms)^```{language}\n(.*?)^```$", ARTICLE) for language in ("sh", "python"))
OTHER_GUID = "0ther-" + GUID
KEY = path("viewer-tag.key")
signer = Signer()


def run(command):
    return subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True).stdout


def printed(number):
    """The words in each line of what a program of the article prints, as it is printed there."""
    return [line.split() for line in run(["bash", "-euc", SHELL[number]]).splitlines()]


check("the article has four programs for the shell and one in Python", (len(SHELL), len(PYTHON)) == (4, 1))
run(["bash", "-euc", SHELL[0].replace("/etc/mediatoken/", path("")).replace("mediatokend:", pwd.getpwuid(os.getuid()).pw_name + ":")])
key = pathlib.Path(KEY).read_text().strip()
with open(path("program.py"), "w") as file:
    file.write(PYTHON[0])
daemon = Daemon(signer, log={"verdicts": "all", "linesPerSecond": 100_000}, viewerTag={"key": KEY, "rotateHours": 744}).start()
# Of one moment, so that midnight is not between them; what makes the tokens of an account distinct is their life.
now = int(time.time() * 1000)
for guid, number in ((GUID, 7), (OTHER_GUID, 5), ("third", 4), ("fourth", 1)):
    tokens = [signer.issue(1, guid=guid, ttl=3_600_000 - life, at=now)[0] for life in range(number)]
    answers = [daemon.ask(token) for token in tokens]
    members = json.loads(answers[0].body)
    check(f"an account starts {number} times", {answer.status for answer in answers} == {200}, members)
    for token in tokens if number in (7, 4) else ():
        daemon.ask(token)
    instant = calendar.timegm(time.strptime(members["issueTime"][:19], "%Y-%m-%dT%H:%M:%S")) * 1000
    tag = run(["python3", "program.py", key, "744", str(instant), "REF30", guid]).strip()
    check(f"the article's program computes the tag of the account that starts {number} times", tag == members["viewerTag"], (tag, members))
shown = "".join(daemon.get(target).body.decode() for target in ("/metrics", "/readyz", "/v1/keys"))
check("the daemon of the article ends with 0", daemon.end() == 0)
with open(path("mediatokend.log"), "w") as file:
    file.write("a line of another program\n" + daemon.said())
starts = collections.Counter(line["viewerTag"] for line in daemon.events("verdict") if "viewerTag" in line)
tags = {number: tag for tag, number in starts.items()}
check("the log of the article's daemon has every start under its tag", sorted(starts.values()) == [1, 4, 5, 7], starts)
check("the article's second program counts starts of accounts with five or more", printed(1) == [["7", tags.get(7)], ["5", tags.get(5)]], printed(1))
check("the article's third program counts tokens that were used again by account", printed(2) == [["7", tags.get(7)], ["4", tags.get(4)]], printed(2))
check("the article's fourth program counts no line as missing when none is", printed(3) == [["0"]], printed(3))
with open(path("mediatokend.log"), "a") as file:
    file.write('{"event":"verdict","suppressedLines":40}\n{"event":"verdict","suppressedLines":2}\n')
check("the article's fourth program adds up the lines that are missing", printed(3) == [["42"]], printed(3))
shown += daemon.said()
check("no account and no key is in what the daemon logs or shows to others",
      len(shown) > 3000 and not any(secret in shown for secret in (GUID, OTHER_GUID, key)))
finish()
