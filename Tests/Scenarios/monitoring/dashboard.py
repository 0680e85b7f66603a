#!/usr/bin/env -S python3 -B
"""The dashboard of deploy/grafana: the rules that Grafana itself does not keep; names that the article Operations documents; and each
query of each panel, by promtool over the metrics of real daemons: it is sound, and finds series that have what its legend names. The same
daemons export every metric that an alert's rule names."""

import json
import re
import subprocess
import sys
from collections import namedtuple

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../fleet"]

import database_daemon
from daemon import Daemon
from hosts import are_ready, begin, signer
from processes import free_port
from scenario import ROOT, check, finish, needs, path

needs("promtool", "redis-server", "openssl")
ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Operations.md").read_text()
RULES = (ROOT / "deploy/prometheus/mediatoken.rules.yml").read_text()
DASHBOARD = json.loads((ROOT / "deploy/grafana/mediatokend.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
ANNOTATIONS = DASHBOARD["annotations"]["list"]
VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
SELECTOR = '{job="$job", instance=~"$instance"'
METRIC = re.compile(r"\b(?:mediatoken|process)_[a-z_]+|\bALERTS\b|\bup\b(?=\{)")
LABEL = re.compile(r"\{\{\s*(\w+)\s*\}\}")
#: Metrics that no panel has, and why.
LEFT_OUT = {"mediatoken_fleet_node_timeline": "it moves when the node is started, which is shown",
            "mediatoken_fleet_node_refuses_writes": "such a node is down, which is shown, and the log has its words",
            "mediatoken_fleet_clock_set_back_total": "MediaTokenFleetFloorAhead looks at it",
            "mediatoken_fleet_node_database_info": "hosts are compared by MediaTokenFleetSplit",
            "process_virtual_memory_bytes": "what is mapped and not touched costs nothing: resident memory is what is watched"}
#: One target of a panel, or an annotation: `labels` are those that its texts name.
Query = namedtuple("Query", "title expr labels is_instant panel")
QUERIES = [Query(panel["title"], target["expr"], LABEL.findall(target.get("legendFormat", "")), target.get("instant", False), panel)
           for panel in PANELS for target in panel["targets"]]
DRAWN = [Query(one["name"], one["target"]["expr"], LABEL.findall(one["titleFormat"] + one["textFormat"]), False, one)
         for one in ANNOTATIONS]


def sources(value):
    """Everything that names a data source: a file that names the one of one Grafana works in no other."""
    for name, member in value.items() if isinstance(value, dict) else enumerate(value):
        if name == "datasource":
            yield member
        if isinstance(member, (dict, list)):
            yield from sources(member)


def rules():
    for name in ("id", "title"):
        seen = [panel[name] for panel in DASHBOARD["panels"]]
        check(f"no two panels have the same {name}", len(seen) == len(set(seen)), seen)
    short = [panel["title"] for panel in PANELS if len(panel.get("description", "").split()) < 12]
    check("each panel says what it means and what to do", len(PANELS) > 25 and not short, short)
    others = [one for one in sources(DASHBOARD) if one != SOURCE]
    lacking = [one for panel in PANELS for one in [panel, *panel["targets"]] if "datasource" not in one]
    check("every panel and query has the data source that is chosen", not others and not lacking, others + lacking)
    used = {name for text in [query.expr for query in QUERIES + DRAWN] + [str(one["query"]) for one in VARIABLES.values()]
            for name in re.findall(r"\$\{?(\w+)", text) if not name.startswith("__")} | {"datasource"}
    check("each variable is declared, and used", used == set(VARIABLES), used ^ set(VARIABLES))
    elsewhere, unrated, windows = [], [], []
    for query in QUERIES:
        for found in METRIC.finditer(query.expr):
            is_rated = re.search(r"(rate|increase)\($", query.expr[:found.start()]) is not None
            if found[0] != "ALERTS" and not query.expr[found.end():].startswith(SELECTOR):
                elsewhere.append((query.title, found[0]))
            if is_rated != bool(re.search(r"_(total|bucket|sum|count)$", found[0])):
                unrated.append((query.title, found[0]))
        # A stat's window is in its title.
        windows += [(query.title, window) for window in re.findall(r"\[([^\]]*)\]", query.expr)
                    if window not in ("$__rate_interval", "$__range") and window[:-1] not in re.findall(r"\d+", query.title)]
    check("each metric is asked of the daemons that are chosen", not elsewhere, elsewhere)
    check("counters are shown as they grow, and nothing else is", not unrated, unrated)
    check("each window is the one that Grafana chooses", not windows, windows)
    # A range's last value would be shown on, long after the daemon has gone.
    wrong = [query.title for query in QUERIES if query.is_instant != (query.panel["type"] in ("stat", "table"))]
    check("numbers and tables ask for this moment, and graphs for a time", not wrong, wrong)
    # At each point an increase is that of a window which overlaps the next one's; what a comparison leaves out ends long before now.
    wrong = [query.title for query in QUERIES if query.panel["options"].get("legend", {}).get("calcs", []) and (
        "increase(" in query.expr and "sum" in query.panel["options"]["legend"]["calcs"]
        or query.expr.endswith("> 0") and " and " not in query.expr and "lastNotNull" in query.panel["options"]["legend"]["calcs"])]
    check("no legend adds up windows that overlap, or shows an old value as the last one", not wrong, wrong)
    states, = [query for query in QUERIES if query.title == "State of each node"]
    mapping, = states.panel["fieldConfig"]["defaults"]["mappings"]
    found = {state: number for number, state in re.findall(r'(\d) \* mediatoken_fleet_node_state\{[^}]*state="(\w+)"', states.expr)}
    check("the number of each state of a node has its text", found == {one["text"]: number for number, one in mapping["options"].items()}, found)


def names():
    """Against the article, whose table daemon-articles.py holds against the daemon."""
    table = ARTICLE.split("\n## Metrics\n")[1].split("\n## ")[0]
    documented = {name for row in re.findall(r"(?m)^\| (`.*?) \|", table) for name in re.findall(r"`(\w+)", row)}
    used = {re.sub(r"_(bucket|sum|count)$", "", name) for query in QUERIES + DRAWN for name in METRIC.findall(query.expr)} - {"up", "ALERTS"}
    check("the dashboard has every metric that is documented, or a reason here, and no other",
          len(documented) > 40 and documented ^ used == set(LEFT_OUT), documented ^ used)
    alerts = set(re.findall(r"- alert: (\w+)", RULES))
    found = set(re.findall(r"\bMediaToken\w+", "".join(panel["description"] for panel in PANELS)))
    check("the panels lead to each alert's runbook, and to no other", len(alerts) > 10 and alerts == found, alerts ^ found)
    drawn = {severity for query in DRAWN for severity in re.findall(r'alertstate="firing", severity="(\w+)"', query.expr) if query.panel["enable"]}
    check("alerts of every severity are drawn while they fire", drawn == set(re.findall(r"severity: (\w+)", RULES)), drawn)


def pages():
    """The metrics of a daemon with a table, of one of a fleet, and of one on a database: each exports what the others have not."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("issuer.private.pem"), "-out",
                    path("issuer.pem"), "-days", "400", "-subj", "/CN=issuer"], check=True, capture_output=True)
    table = Daemon(signer, "table", keys=[signer.keys, path("issuer.pem")], tcp={"address": "127.0.0.1", "port": free_port()}).start()
    _, one, two = begin()
    check("the daemons whose metrics are shown are ready", are_ready(table, one))
    two.end()
    _, other = database_daemon.begin(signer)
    for daemon in (table, one, other):
        for token in [*signer.issue(1), b"nonsense"]:
            daemon.ask(token)
    found = [daemon.metrics() for daemon in (table, one, other)]
    for kind, daemon in (("a table", table), ("a fleet", one), ("a database", other)):
        said = subprocess.run(["promtool", "check", "metrics"], input=daemon.get("/metrics").body, capture_output=True)
        check(f"promtool takes the metrics of {kind}", said.returncode == 0, said)
        daemon.end()
    date = subprocess.run(f"date -d \"$(openssl x509 -in {path('issuer.pem')} -noout -enddate | cut -d= -f2)\" +%s", shell=True, check=True,
                          capture_output=True, text=True).stdout
    check("the metrics tell a certificate's date to the second", float(date) in [
        value for name, value in found[0].items() if name.startswith("mediatoken_key_not_after_timestamp_seconds{")], date)
    exported = {name.split("{")[0] for page in found for name in page}
    missing = set(re.findall(r"mediatoken_[a-z_]+", RULES)) - exported
    check("the daemons export every metric that an alert's rule names", exported and not missing, missing)
    strange = [[name for name in page if "mediatoken_fleet" in name] for page in found[:1]] + [
        [name for name in found[1] if re.search("node_maintained|grace_seconds", name)]]
    check("a daemon without a fleet has no metrics of one, and a fleet without a database none of one", strange == [[], []], strange)
    return found


def tested(query, expr):
    """The question whether a query finds series, and whether all of them have the labels of its texts; of a variable's, whether any has."""
    labelled = f"({expr})" + "".join(f" unless on ({label}) vector(1)" for label in query.labels)
    return f"count({labelled}) / count({expr})" if query.panel else f"clamp_max(count({labelled}), 1)"


def queries(pages):
    """Over an hour in which every counter of three daemons grows, and another daemon does not answer."""
    lines = [f"  - {{series: 'up{{job=\"mediatokend\", instance=\"{name}\"}}', values: '{value}x240'}}"
             for name, value in (("a", 1), ("b", 1), ("c", 0), ("d", 1))]
    for instance, page in zip("abd", pages):
        for name, value in page.items():
            metric, _, labels = name.rstrip("}").partition("{")
            labels = ", ".join(filter(None, [labels, f'job="mediatokend", instance="{instance}"']))
            is_counter = re.search(r"_(total|count|sum|bucket)$", metric) is not None
            lines.append(f"  - {{series: '{metric}{{{labels}}}', values: '{value!r}+{int(is_counter)}x240'}}")
    choices = [Query(f"the variable ${name}", *re.fullmatch(r"label_values\((.*), (\w+)\)", VARIABLES[name]["query"]["query"]).groups(), True, None)
               for name in ("job", "instance")]
    values = {"job": "mediatokend", "instance": ".*", "__rate_interval": "1m", "__range": "30m"}
    wanted = []
    for query in QUERIES + DRAWN + [choice._replace(labels=[choice.labels]) for choice in choices]:
        expr = re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: values[found[1] or found[2]], query.expr)
        wanted.append((f"{query.title}: {query.expr} finds series that have the labels {query.labels}", tested(query, expr), "{}", 1))
        if query.title == "Ready":
            wanted.append(("a daemon that does not answer is shown as not ready", f"sum by (instance) ({expr}) == 0", '{instance="c"}', 0))
    with open(path("mediatoken.rules.yml"), "w") as rules, open(path("test.yml"), "w") as test:
        rules.write(RULES)
        test.write("rule_files: [mediatoken.rules.yml]\nevaluation_interval: 15s\ntests:\n- interval: 15s\n  input_series:\n" + "\n".join(lines))
        test.write("\n  promql_expr_test: " + json.dumps([
            {"expr": expr, "eval_time": "50m", "exp_samples": [{"labels": labels, "value": value}]} for _, expr, labels, value in wanted]))
    said = subprocess.run(["promtool", "test", "rules", "test.yml"], cwd=path(""), capture_output=True, text=True)
    output = said.stdout + said.stderr
    failed = [text for text, expr, *_ in wanted if json.dumps(expr) in output]
    for text, *_ in wanted:
        check(text, text not in failed, output)
    check("promtool finds nothing wrong besides", said.returncode == 0 or failed, output)


rules()
names()
queries(pages())
finish()
