#!/usr/bin/env -S python3 -B
"""What deploy/grafana ships is what Grafana reads: the dashboard by the schema that Grafana's makers publish, because no Grafana
can be had as a package of Debian; the files for its provisioning by what they name."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from scenario import ROOT, check, finish, from_pypi, path, skip

try:
    import yaml
except ImportError as error:
    skip(f"python3-yaml is missing: {error}")

HERE = ROOT / "Tests/Scenarios/monitoring/schema"
SHIPPED = ROOT / "deploy/grafana"
EXAMPLES = "/usr/share/doc/mediatokend/examples/"
ARTICLE = ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Operations.md"
PROGRAMS = from_pypi("grafana-schema", HERE / "requirements.txt")

dashboard = json.loads((SHIPPED / "mediatokend.json").read_text())
judged = subprocess.run([f"{PROGRAMS}/python", "-B", HERE / "judge.py", SHIPPED / "mediatokend.json"], capture_output=True, text=True)
check("the dashboard has no members and no units but those of Grafana's schema", judged.returncode == 0, judged.stdout + judged.stderr)
check("the dashboard's schema is of the version that Grafana 11.6 and later write", dashboard["schemaVersion"] == 41, dashboard["schemaVersion"])

# --- provisioning, by what the article says to type ---

section = ARTICLE.read_text().split("\n## Dashboard\n")[1].split("\n## ")[0]
commands, = re.findall(r"(?ms)^```sh\n(.*?)^```$", section)
for kind in ("dashboards", "datasources"):
    os.makedirs(path(f"etc/grafana/provisioning/{kind}"))
typed = commands.replace(EXAMPLES, f"{ROOT}/deploy/").replace("/etc/grafana", path("etc/grafana"))
result = subprocess.run(["bash", "-euc", f"systemctl() {{ echo \"$*\"; }}\n{typed}"], capture_output=True, text=True)
said = result.returncode, result.stdout
check("the commands of the article Operations install the files of Grafana", said == (0, "restart grafana-server\n"), result)
for kind, name in (("dashboards", "dashboards.yml"), ("datasources", "datasource.yml")):
    with open(path(f"etc/grafana/provisioning/{kind}/mediatokend.yml")) as file:
        check(f"{name} is where Grafana reads {kind}, and says so", file.read() == (SHIPPED / name).read_text()
              and f"/etc/grafana/provisioning/{kind}/mediatokend.yml" in (SHIPPED / name).read_text())

provider, = yaml.safe_load((SHIPPED / "dashboards.yml").read_text())["providers"]
packaged = [EXAMPLES + line.removeprefix("deploy/") for line in (ROOT / "debian/mediatokend.examples").read_text().split()]
check("Grafana reads dashboards from files, in a folder that the package has among its examples",
      provider["type"] == "file" and provider["options"]["path"] in packaged, provider)
source, = yaml.safe_load((SHIPPED / "datasource.yml").read_text())["datasources"]
scraped = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())["global"]
check("the data source is of the kind that the dashboard asks for, and knows how often Prometheus scrapes",
      source["type"] == dashboard["templating"]["list"][0]["query"]
      and source["jsonData"]["timeInterval"] == scraped["scrape_interval"], source)
finish()
