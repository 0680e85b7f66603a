"""The rules that the dashboard's file keeps. Each is a function that yields what breaks it."""

import re

from grafana import LABEL, METRIC

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
KINDS = {"stat", "state-timeline", "table", "timeseries"}
#: Those of Grafana that are used here; dashboard-schema.py holds them against all that there are.
UNITS = {"bytes", "cps", "dtdurations", "none", "percentunit", "reqps", "s", "short"}
WIDTH = 24
COUNTER = re.compile(r"_(total|bucket|sum|count)$")
SELECTOR = '{job="$job", instance=~"$instance"'


def numbers(dashboard):
    seen = [panel["id"] for panel in dashboard.json["panels"]]
    yield from (f"id {one} is there twice" for one in set(seen) if seen.count(one) > 1)
    yield from (f"{one!r} is no id" for one in seen if not isinstance(one, int) or one < 1)
    titles = [panel["title"] for panel in dashboard.json["panels"]]
    yield from (f"title {one} is there twice" for one in set(titles) if titles.count(one) > 1)


def places(dashboard):
    taken = {}
    for panel in dashboard.json["panels"]:
        place = panel["gridPos"]
        if place["x"] < 0 or place["y"] < 0 or place["w"] < 1 or place["h"] < 1 or place["x"] + place["w"] > WIDTH:
            yield f"{panel['title']} is beyond the grid"
        columns, lines = (range(place[at], place[at] + place[size]) for at, size in ("xw", "yh"))
        for cell in ((x, y) for x in columns for y in lines):
            if taken.setdefault(cell, panel["title"]) != panel["title"]:
                yield f"{panel['title']} is on {taken[cell]}"
                break


def words(dashboard):
    for panel in dashboard.panels:
        text = panel.get("description", "")
        if len(text.split()) < 12 or not text.endswith("."):
            yield f"{panel['title']} does not say what it means and what to do"
        if not panel["title"]:
            yield f"panel {panel['id']} has no title"


def units(dashboard):
    for panel in dashboard.panels:
        if panel["type"] not in KINDS:
            yield f"{panel['title']} is a {panel['type']}"
        unit = panel["fieldConfig"]["defaults"].get("unit")
        if unit not in UNITS:
            yield f"{panel['title']} has the unit {unit}"


def sources(dashboard, value=None, place="dashboard"):
    """A file that names the data source of one Grafana works in no other."""
    value = dashboard.json if value is None else value
    for name, member in value.items() if isinstance(value, dict) else enumerate(value):
        if name == "datasource" and member != DATASOURCE:
            yield f"{place} has the data source {member}"
        elif isinstance(member, (dict, list)):
            yield from sources(dashboard, member, f"{place}.{name}")
    if value is dashboard.json:
        asking = [*dashboard.panels, *dashboard.json["annotations"]["list"]]
        for one in asking + [target for panel in dashboard.panels for target in panel["targets"]]:
            if "datasource" not in one:
                yield f"{one.get('title', one.get('expr', one.get('name')))} has no data source"


def variables(dashboard):
    declared = dashboard.variables
    if declared["datasource"]["type"] != "datasource" or declared["datasource"]["query"] != "prometheus":
        yield "there is no variable for the data source"
    used = {name for query in dashboard.queries() + dashboard.annotations() for name in re.findall(r"\$\{?(\w+)", query.expr)}
    used |= {name for one in declared.values() for name in re.findall(r"\$\{?(\w+)", str(one["query"]))} | {"datasource"}
    yield from (f"${name} is not declared" for name in used - set(declared) if not name.startswith("__"))
    yield from (f"${name} is not used" for name in set(declared) - used)


def queries(dashboard):
    for query in dashboard.queries():
        for found in METRIC.finditer(query.expr):
            if found[0] != "ALERTS" and not query.expr[found.end():].startswith(SELECTOR):
                yield f"{query.title}: {found[0]} is not asked of the daemons that are chosen"
            is_rated = re.search(r"(rate|increase)\($", query.expr[:found.start()]) is not None
            if is_rated != bool(COUNTER.search(found[0])):
                yield f"{query.title}: {found[0]} is {'no counter' if is_rated else 'a counter'}"
        for window in re.findall(r"\[([^\]]*)\]", query.expr):
            # A stat's, whose title says it.
            if window not in ("$__rate_interval", "$__range") and not (query.is_instant and window[:-1] in re.findall(r"\d+", query.title)):
                yield f"{query.title}: the window is {window}"
        # A range's last value would be shown on, long after the daemon has gone.
        if query.is_instant != (query.panel["type"] in ("stat", "table")):
            yield f"{query.title}: a {query.panel['type']} with{'' if query.is_instant else 'out'} instant"
        if not query.legend and query.panel["type"] != "table":
            yield f"{query.title}: a query has no legend"
    for panel in dashboard.panels:
        names = [target["refId"] for target in panel["targets"]]
        if not names or len(names) != len(set(names)):
            yield f"{panel['title']}: its queries are {names}"


def sums(dashboard):
    """At each point an increase is that of a window which overlaps the next one's: their sum counts an event several times."""
    for panel in dashboard.panels:
        if any("increase(" in target["expr"] for target in panel["targets"]) \
                and "sum" in panel["options"].get("legend", {}).get("calcs", []):
            yield f"{panel['title']} adds up windows that overlap"


def currents(dashboard):
    """What a comparison leaves out at the end of a range has its last value from long before, which would be shown as the current one."""
    for panel in dashboard.panels:
        if "lastNotNull" not in panel["options"].get("legend", {}).get("calcs", []):
            continue
        for target in panel["targets"]:
            if re.search(r"> 0$", target["expr"]) and " and " not in target["expr"]:
                yield f"{panel['title']} shows an old value as the last one"


def annotations(dashboard):
    shown = dashboard.annotations()
    for query in shown:
        if not query.expr.startswith("ALERTS{") or 'alertstate="firing"' not in query.expr or not query.panel["enable"]:
            yield f"{query.title} does not show alerts that fire"
        # What only some alerts have would be printed as its name.
        if not {*LABEL.findall(query.panel["titleFormat"] + query.panel["textFormat"])} <= {"alertname", "instance"}:
            yield f"{query.title} names labels that not every alert has"
    if not shown:
        yield "no alert is drawn"


RULES = (numbers, places, words, units, sources, variables, queries, sums, currents, annotations)


def broken(dashboard):
    return [what for rule in RULES for what in rule(dashboard)]


def _panel(json, number=0, kind=None):
    return [panel for panel in json["panels"] if panel["type"] != "row" and kind in (None, panel["type"])][number]


def _expr(json, old, new):
    target = next(one for panel in json["panels"] for one in panel.get("targets", ()) if old in one["expr"])
    target["expr"] = target["expr"].replace(old, new)


#: Changes of a sound file, each of which breaks one of the rules, with what has to be said.
BREAKAGES = {
    "an id twice": (lambda json: _panel(json).update(id=_panel(json, 1)["id"]), "twice"),
    "a title twice": (lambda json: _panel(json).update(title=_panel(json, 1)["title"]), "twice"),
    "a panel on another": (lambda json: _panel(json, 1)["gridPos"].update(x=1), "is on"),
    "a panel beyond the grid": (lambda json: _panel(json)["gridPos"].update(w=25), "beyond the grid"),
    "no description": (lambda json: _panel(json).pop("description"), "does not say"),
    "an unknown unit": (lambda json: _panel(json)["fieldConfig"]["defaults"].update(unit="seconds"), "the unit seconds"),
    "no unit": (lambda json: _panel(json)["fieldConfig"]["defaults"].pop("unit"), "the unit None"),
    "another kind of panel": (lambda json: _panel(json).update(type="graph"), "is a graph"),
    "a data source's uid": (lambda json: _panel(json)["targets"][0].update(datasource={"type": "prometheus", "uid": "P1"}), "'P1'"),
    "a data source's name": (lambda json: _panel(json).update(datasource="Prometheus"), "Prometheus"),
    "no data source": (lambda json: _panel(json).pop("datasource"), "no data source"),
    "an unknown variable": (lambda json: _expr(json, "$job", "$cluster"), "$cluster is not declared"),
    "an unused variable": (lambda json: json["templating"]["list"].append({"name": "more", "query": ""}), "$more is not used"),
    "all daemons": (lambda json: _expr(json, ', instance=~"$instance"', ""), "that are chosen"),
    "a counter as it is": (lambda json: _expr(json, "rate(process_cpu_seconds_total", "(process_cpu_seconds_total"), "a counter"),
    "the rate of a gauge": (lambda json: _expr(json, "process_resident_memory", "rate(process_resident_memory"), "no counter"),
    "a window of its own": (lambda json: _expr(json, "[$__rate_interval]", "[1m]"), "the window is 1m"),
    "a stat of a range": (lambda json: _panel(json, kind="stat")["targets"][0].update(instant=False), "without instant"),
    "a graph of an instant": (lambda json: _panel(json, kind="timeseries")["targets"][0].update(instant=True), "with instant"),
    "no legend": (lambda json: _panel(json, kind="timeseries")["targets"][0].update(legendFormat=""), "no legend"),
    "a sum of windows": (lambda json: next(panel for panel in json["panels"] if panel["title"] == "Log lines dropped")
                         ["options"]["legend"].update(calcs=["sum"]), "overlap"),
    "a rate that ends": (lambda json: next(panel for panel in json["panels"] if panel["title"] == "Answers by status")["targets"][0].update(
        expr='sum by (code) (rate(mediatoken_http_responses_total{job="$job", instance=~"$instance"}[$__rate_interval])) > 0'), "an old value"),
    "no query": (lambda json: _panel(json)["targets"].clear(), "its queries are"),
    "a name twice": (lambda json: _panel(json)["targets"].append(_panel(json)["targets"][0]), "its queries are"),
    "pending alerts": (lambda json: json["annotations"]["list"][0]["target"].update(expr='ALERTS{severity="page"}'), "that fire"),
    "a label of some alerts": (lambda json: json["annotations"]["list"][0].update(textFormat="{{seat}}"), "not every alert"),
}
