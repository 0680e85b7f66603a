"""What Grafana makes of a dashboard's file: panels, their queries with the variables replaced, and the legends of series."""

import copy
import json
import re
from collections import namedtuple

#: One target of a panel, or an annotation: `legend` is a template, `is_instant` whether only the last moment is asked for.
Query = namedtuple("Query", "title legend expr is_instant panel")

METRIC = re.compile(r"\b(?:mediatoken|process)_[a-z_]+|\bALERTS\b|\bup\b(?=\{)")
LABEL = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Dashboard:
    def __init__(self, text):
        self.json = json.loads(text)

    def changed(self, change):
        """Another one, with this change."""
        other = copy.deepcopy(self)
        change(other.json)
        return other

    @property
    def rows(self):
        return [panel for panel in self.json["panels"] if panel["type"] == "row"]

    @property
    def panels(self):
        return [panel for panel in self.json["panels"] if panel["type"] != "row"]

    @property
    def variables(self):
        return {variable["name"]: variable for variable in self.json["templating"]["list"]}

    def queries(self):
        return [Query(panel["title"], target.get("legendFormat", ""), target["expr"], target.get("instant", False), panel)
                for panel in self.panels for target in panel["targets"]]

    def annotations(self):
        return [Query(one["name"], one["titleFormat"], one["target"]["expr"], False, one) for one in self.json["annotations"]["list"]]

    def metrics(self):
        """Those that any query names, without what a histogram's series add."""
        names = {name for query in self.queries() + self.annotations() for name in METRIC.findall(query.expr)}
        return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names}


def rate_interval(step, scrape):
    """$__rate_interval in seconds: https://grafana.com/docs/grafana/latest/datasources/prometheus/template-variables/"""
    return max(step + scrape, 4 * scrape)


def alternatives(values):
    """A variable of several values inside a regular expression inside a string of PromQL."""
    escaped = [re.sub(r"[$^*{}\[\]'+?.()|\\]", lambda found: "\\\\" + found[0], value) for value in values]
    return escaped[0] if len(escaped) == 1 else f"({'|'.join(escaped)})"


def interpolated(expr, step, scrape, seconds, **variables):
    """The query as it is sent over so many seconds, with these values of the dashboard's own variables."""
    values = variables | {"__rate_interval": f"{rate_interval(step, scrape)}s", "__interval": f"{step}s", "__range": f"{max(1, round(seconds))}s"}
    return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: values[found[1] or found[2]], expr)


def named(legend, labels):
    """The name of a series in the legend; a label that it does not have stays its own name, as in Grafana."""
    return LABEL.sub(lambda found: labels.get(found[1], found[1]), legend)
