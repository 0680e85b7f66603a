#!/usr/bin/env -S python3 -B
"""The dashboard of deploy/grafana, on a real Prometheus that scrapes real daemons to which everything happens.

Each query of each panel is sent as Grafana would send it, and has data, with the labels that its legend names; so do the
annotations when an alert of deploy/prometheus fires. What the dashboard names is what the article Operations documents.
"""

import math
import os
import re
import sys
import time
from contextlib import nullcontext

sys.path[1:1] = [sys.path[0] + "/../" + room for room in ("lib", "daemon", "fleet")]

from dashboard_rules import BREAKAGES, broken
from events import Machines, happen
from grafana import LABEL, Dashboard, alternatives, interpolated, named
from prometheus import INTERVAL, SHIPPED, Prometheus
from processes import free_port
from scenario import ROOT, check, count, finish, needs, until

needs("prometheus", "redis-server", "openssl")
FILE = ROOT / "deploy/grafana/mediatokend.json"
ARTICLE = ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Operations.md"
#: Metrics that no panel has, and why.
LEFT_OUT = {"process_virtual_memory_bytes": "what is mapped and not touched costs nothing: resident memory is what is watched"}
#: What Prometheus itself has.
NOT_OURS = {"up", "ALERTS"}
#: Alerts that fire or may fire after what happens; where a machine has much to do, there is time for the last ones.
EXPECTED = {"MediaToken" + name for name in (
    "ReloadFailed", "Undecided", "LogDropped", "FleetSeatBorn", "CallersWait", "Down", "NotReady", "FleetSeatAway", "ReplayMemoryNew",
    "RefusalsJump")}
#: The time between two points of a graph, in seconds: of a short time, and of a longer one.
STEPS = (INTERVAL, 10 * INTERVAL)
#: Queries that find nothing but zeros although everything happens, and why.
ZEROS = {("Clocks of the seats", "{{instance}} seat {{seat}}"): "one machine has one clock"}
if os.getuid() != 0:
    ZEROS["Callers that failed", "refused"] = "there is no other user who could ask"
#: Texts of values that are not brought about, and why.
UNSEEN = {"State of each seat": {"unborn": "a seat is unborn for a moment, until the first token"}}

dashboard = Dashboard(FILE.read_text())


def form():
    check("the dashboard's file keeps every rule", not broken(dashboard), broken(dashboard))
    counts = len(dashboard.panels), len(dashboard.rows), len(dashboard.queries())
    check("the dashboard has panels, rows and queries", all(found > few for found, few in zip(counts, (25, 4, 40))), counts)
    for name, (change, said) in BREAKAGES.items():
        found = broken(dashboard.changed(change))
        check(f"{name} is found in a broken dashboard", any(said in one for one in found), found)


def names():
    """Against the article, whose table daemon-articles.py holds against the daemon."""
    article = ARTICLE.read_text()
    table = article.split("\n## Metrics\n")[1].split("\n## ")[0]
    documented = {name for row in re.findall(r"(?m)^\| (`.*?) \|", table) for name in re.findall(r"`(\w+)", row)}
    used = dashboard.metrics() - NOT_OURS
    check("the article Operations documents metrics", len(documented) > 40, documented)
    check("the dashboard names no metric that is not documented", used <= documented, used - documented)
    check("each metric that the dashboard leaves out has its reason here",
          documented - used == set(LEFT_OUT), (documented - used) ^ set(LEFT_OUT))
    rules = (SHIPPED / "mediatoken.rules.yml").read_text()
    alerts = set(re.findall(r"- alert: (\w+)", rules))
    texts = "".join(panel["description"] for panel in dashboard.panels)
    found = set(re.findall(r"\bMediaToken\w+", texts))
    check("each alert that a panel names is one of the rules", len(alerts) > 10 and found <= alerts, found - alerts)
    check("a panel leads to each alert's runbook", alerts - found == set(), alerts - found)
    severities = set(re.findall(r"severity: (\w+)", rules))
    drawn = {name for one in dashboard.annotations() for name in re.findall(r'severity="(\w+)"', one.expr)}
    check("alerts of every severity are drawn", severities and severities == drawn, severities ^ drawn)


class Wall:
    """The dashboard in front of a Prometheus, from a moment on."""

    def __init__(self, prometheus):
        self.prometheus, self.begun = prometheus, time.time()

    def _sent(self, query, step, instances):
        instance = alternatives(instances) if instances else dashboard.variables["instance"]["allValue"]
        return interpolated(query.expr, step, INTERVAL, time.time() - self.begun, job=self.prometheus.job, instance=instance)

    def series(self, query, instances=None, step=INTERVAL, end=None):
        return self.prometheus.range(self._sent(query, step, instances), self.begun, end or time.time(), step)

    def now(self, query):
        return self.prometheus.instant(self._sent(query, INTERVAL, None))

    def sees(self, expr, event=nullcontext, *arguments):
        """Whether Prometheus has an answer after an event, or while it lasts: what a busy machine misses happens again."""
        def is_seen():
            with event(*arguments):
                return until(20, lambda: self.prometheus.instant(expr))
        check(f"Prometheus sees {expr}", until(120, is_seen))

    def has_data(self, query):
        """Whether it is more than zeros."""
        return any(is_something(values) for step in STEPS for _, values in self.series(query, step=step))

    def unseen(self, query):
        """Texts of values that it has not had, and values without a text."""
        texts = {value: one["text"] for mapping in query.panel["fieldConfig"]["defaults"]["mappings"]
                 for value, one in mapping["options"].items()}
        values = {f"{value:g}" for _, values in self.series(query) for value in values} if texts else set()
        return {texts.get(value, value) for value in texts.keys() ^ values} - UNSEEN.get(query.title, {}).keys()

    def lacks(self, query):
        is_zero = (query.title, query.legend) in ZEROS
        return self.has_data(query) == is_zero or bool(self.unseen(query))


def is_something(values):
    return any(math.isfinite(value) and value != 0 for value in values)


def brief(series):
    return [(labels, min(values), max(values)) for labels, values in series]


def silence(wall):
    for query in dashboard.annotations():
        found = wall.now(query)
        # Votes may come too late on a busy machine, and the counter says so: then it has to fire.
        if wall.prometheus.instant("mediatoken_undecided_total > 0"):
            found = [(labels, values) for labels, values in found if labels["alertname"] != "MediaTokenUndecided"]
        check(f"{query.title}: nothing is drawn while all is well", not found, found)


def drawn(wall):
    for query in dashboard.annotations():
        check(f"{query.title}: something is drawn when an alert fires", until(120, lambda: wall.now(query)))
        found = wall.series(query)
        fired = {labels["alertname"] for labels, _ in found}
        count(f"{query.title}: {', '.join(sorted(fired))}")
        check(f"{query.title}: no alert fires that is not expected", fired <= EXPECTED, fired - EXPECTED)
        needed = LABEL.findall(query.panel["titleFormat"] + query.panel["textFormat"])
        lacking = [labels for labels, _ in found if not labels.keys() >= set(needed)]
        check(f"{query.title}: alerts have the labels of the annotation's text", needed and not lacking, lacking)


def panels(wall):
    for query in dashboard.queries():
        name = f"{query.title}: {query.legend}" if query.legend else query.title
        found = wall.series(query)
        is_zero = (query.title, query.legend) in ZEROS
        if not check(f"{name}: there is data", found and wall.has_data(query) != is_zero, brief(found)):
            continue
        if query.is_instant:
            check(f"{name}: there is data at this moment too", wall.now(query))
        lost = [labels for labels, _ in found if not all(labels.get(label) for label in LABEL.findall(query.legend))]
        check(f"{name}: the series have the labels of the legend", not lost, lost)
        if query.panel["fieldConfig"]["defaults"]["mappings"]:
            check(f"{name}: each value has its text, and each text is seen", not wall.unseen(query), wall.unseen(query))
        one = next((labels["instance"] for labels, values in found if "instance" in labels and is_something(values)), None)
        if one:
            alone = wall.series(query, [one])
            check(f"{name}: one daemon can be chosen", alone and {labels["instance"] for labels, _ in alone} == {one}, brief(alone))
            two = wall.series(query, [one, "other:1"])
            check(f"{name}: several daemons can be chosen", two and {labels["instance"] for labels, _ in two} == {one}, brief(two))
    for panel in dashboard.panels:
        if panel["type"] != "table":
            called = [named(query.legend, labels) for query in dashboard.queries() if query.panel is panel
                      for labels, _ in wall.series(query)]
            check(f"{panel['title']}: no two series have the same name", len(called) == len(set(called)), sorted(called))


def variables(wall, ports):
    """What can be chosen is what there is."""
    for name, expected in (("job", {wall.prometheus.job}), ("instance", {f"127.0.0.1:{port}" for port in ports})):
        variable = dashboard.variables[name]
        selector, label = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]["query"]).groups()
        selector = selector.replace("$job", wall.prometheus.job)
        found = set(wall.prometheus.label_values(label, selector, wall.begun, time.time()))
        check(f"the variable ${name} can be each that there is", found == expected, found)


def unanswered():
    """Where a daemon has never answered there is nothing but `up` and alerts: it can be chosen, and the first panels say so."""
    port = free_port()
    wall = Wall(Prometheus(port, name="unanswered"))
    waits = 'ALERTS{alertname="MediaTokenDown"}'
    check("an alert waits for a daemon that never answered", until(120, lambda: wall.prometheus.instant(waits)))
    variables(wall, [port])
    shown = {query.title: wall.now(query) for query in dashboard.queries()}
    check("a daemon that never answered is shown as not ready", [values for _, values in shown["Ready"]] == [[0]], shown["Ready"])
    why = shown["Why no token is played"]
    check("a daemon that never answered is shown as why no token is played",
          [labels.get("reason") for labels, _ in why] == ["no answer"], why)


def states(wall):
    """What a number of a panel means is what the metric says."""
    seats = next(query for query in dashboard.queries() if query.title == "State of each seat")
    mapping, = seats.panel["fieldConfig"]["defaults"]["mappings"]
    names = {one["text"]: value for value, one in mapping["options"].items()}
    # What is scraped between two questions is in neither of them.
    end = time.time() - 10 * INTERVAL
    for state, value in names.items():
        found = wall.prometheus.range(f'mediatoken_fleet_seat_state{{state="{state}"}} == 1', wall.begun, end)
        shown = {(labels["instance"], labels["seat"]): values for labels, values in wall.series(seats, end=end)}
        check(f"a seat that is {state} is shown so as often as Prometheus saw it", all(
            shown[labels["instance"], labels["seat"]].count(float(value)) == len(values) for labels, values in found), brief(found))
    check("each state of a seat has its number in the panel", len(names) == 5 and {"voting", "down"} <= set(names), names)


form()
names()
machines = Machines()
check("all daemons are ready", machines.start())
prometheus = Prometheus(*machines.ports())
wall = Wall(prometheus)
check("Prometheus scrapes every daemon", until(120, lambda: len(prometheus.instant("mediatoken_ready == 1")) == len(machines.all)))
silence(wall)
with machines.loads():
    playing = 'rate(mediatoken_verdicts_total{verdict="VALID_TOKEN"}[10s]) > 0'
    check("two daemons and more play tokens of callers", until(120, lambda: len(prometheus.instant(playing)) >= 2))
    silence(wall)
    happen(machines, wall.sees)
    until(60, lambda: not any(map(wall.lacks, dashboard.queries())))
    drawn(wall)
    panels(wall)
variables(wall, machines.ports())
states(wall)
unanswered()
for daemon in machines.all:
    if daemon.is_alive():
        daemon.end()
finish()
