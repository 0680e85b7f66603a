"""A real Prometheus with the scrape configuration and the rules of deploy/prometheus; only places and intervals are others."""

import json
import os
import re
import shutil
import urllib.error
import urllib.parse
import urllib.request

from processes import free_port, launch
from scenario import ROOT, path, until

SHIPPED = ROOT / "deploy/prometheus"
#: Between two scrapes, in seconds; 15 as it ships.
INTERVAL = 1


class Prometheus:
    def __init__(self, *ports, name="prometheus"):
        self.folder, self.port = path(name), free_port()
        os.mkdir(self.folder)
        shutil.copy(SHIPPED / "mediatoken.rules.yml", self.folder)
        configuration = (SHIPPED / "prometheus.yml").read_text()
        targets = json.dumps([f"127.0.0.1:{port}" for port in ports])
        for old, new, times in ((": 15s", f": {INTERVAL}s", 2), ('["127.0.0.1:9464"]', targets, 1)):
            if configuration.count(old) != times:
                raise RuntimeError(f"expected {times} times {old} in prometheus.yml")
            configuration = configuration.replace(old, new)
        self.job = re.search(r"job_name: (\w+)", configuration)[1]
        with open(self.folder + "/prometheus.yml", "w") as file:
            file.write(configuration)
        with open(path(name + ".log"), "wb") as log:
            self.process = launch(
                ["prometheus", "--config.file=prometheus.yml", f"--storage.tsdb.path={self.folder}/data", "--log.level=warn",
                 f"--web.listen-address=127.0.0.1:{self.port}"], cwd=self.folder, stdout=log, stderr=log)
        if not until(120, self._is_ready):
            raise RuntimeError(f"Prometheus does not start: {open(path(name + '.log')).read()[-2000:]}")

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=60) as answer:
                return answer.status == 200
        except OSError:
            return False

    def _get(self, target, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{target}?" + urllib.parse.urlencode(parameters, doseq=True)
        try:
            with urllib.request.urlopen(url, timeout=120) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{parameters.get('query')}: {error.read().decode()[:600]}") from error

    def instant(self, query):
        """Series as pairs of labels and values."""
        return [(one["metric"], [float(one["value"][1])]) for one in self._get("query", query=query)["result"]]

    def range(self, query, start, end, step=INTERVAL):
        found = self._get("query_range", query=query, start=start, end=end, step=step)["result"]
        return [(one["metric"], [float(value) for _, value in one["values"]]) for one in found]

    def label_values(self, label, selector, start, end):
        """What Grafana asks for a variable that is label_values(selector, label)."""
        return self._get(f"label/{label}/values", **{"match[]": selector, "start": start, "end": end})
