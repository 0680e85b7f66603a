"""Walks through a runbook: provokes the state of its alert, types what the article says, and checks that the rule of the alert, fed
with the daemon's metrics from before, between and after, is silent, fires, and ends."""

import re
import time

from alerts import fires
from scenario import check, until

#: Alerts that only a fleet on a database can have.
OF_A_DATABASE = {"MediaTokenFleetUnmaintained", "MediaTokenFleetWarned", "MediaTokenFleetSplit"}


class Walks:
    """`page` gives the metrics as they are now, `reason` why the daemon is not ready, or "ready", and `run` types a text, with
    options of bash, and gives its exit status and what it printed."""

    def __init__(self, article, rules, page, reason, run):
        with open(article, encoding="utf-8") as file:
            self.article = file.read()
        self.rules, self.page, self.reason, self.run = rules, page, reason, run
        self.walked = set()

    def blocks(self, section):
        """What is to be typed in a section, up to the next heading."""
        text = re.search(rf"(?ms)^###+ {re.escape(section)}\n(.*?)(?=^##|\Z)", self.article)
        return re.findall(r"(?ms)^```sh\n(.*?)^```$", text[1]) if text else []

    def look(self, section, number, *expected):
        """Types a block that only looks, and finds in what it prints what it is there for."""
        _, said = self.run(self.blocks(section)[number])
        for text in expected:
            check(f"{section}: looking shows {text}", re.search(text, said), said[-900:])

    def do(self, section, number=-1):
        """Types a block; everything in it must succeed."""
        status, said = self.run(self.blocks(section)[number], "-e")
        check(f"{section}: the commands of the section can be typed", status == 0, said[-600:])

    def walk(self, alert, provoke, cure, is_well=None, name=None, also=()):
        """`also` are other alerts of the same state."""
        well = self.page()
        provoke()
        bad = self.page()
        cure()
        self.judge(alert, well, bad, is_well, name)
        for other in also:
            self.judge(other, well, bad, is_well)

    def judge(self, alert, well, bad, is_well=None, name=None):
        self.walked.add(alert)
        name = name or alert
        is_well = is_well or (lambda: self.reason() == "ready")
        # A new table vouches for tokens that are issued from a minute on: it is not asked a hundred times a second.
        check(f"{name}: the daemon is well again", until(180, lambda: is_well() or time.sleep(0.2)), self.reason())
        holds, said = fires(self.rules, alert, well, bad, self.page())
        check(f"{name}: the alert fires, and ends", holds, said)
