"""The daemon as its package installs it on the machine of runbooks.sh, with the sample's configuration, and what is asked of it."""

import json
import os
import re
import subprocess
import urllib.request

from alerts import samples
from connection import Connection, Unanswered, Unsent
from scenario import until
from walks import Walks

CONFIGURATION = "/etc/mediatoken/mediatokend.json"
KEYS = "/etc/mediatoken/keys"
TABLE = "/var/lib/mediatoken/replay.table"
SOCKET = "/run/mediatokend/mediatokend.sock"
os.makedirs("/root/walk", exist_ok=True)
os.chdir("/root/walk")


def run(command, *options):
    """Types a text: its exit status and what it printed."""
    result = subprocess.run(["bash", *options, "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, text=True)
    return result.returncode, result.stdout


def sh(command, is_checked=True):
    status, said = run(command)
    if is_checked and status != 0:
        print(f"  {command}: {said[-600:]}")
    return said


def get(target):
    """The body of an answer; an empty text if no answer comes."""
    try:
        with Connection(SOCKET) as connection:
            return connection.get(target).body.decode()
    except (Unsent, Unanswered):
        return ""


def metric(name):
    found = re.search(rf"(?m)^{name} (\S+)$", get("/metrics"))
    return float(found[1]) if found else None


def reason():
    """Why the daemon is not ready, or "ready"; None: no answer."""
    try:
        return json.loads(get("/readyz")).get("reason", "ready")
    except ValueError:
        return None


def tokens(number, key="/put/ours.private.pem", **options):
    more = [text for name, value in options.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    command = ["mediatoken", "issue", "--key", key, "--requestor", "REF30", "--resource", "TNT", "--form", "base64"]
    return subprocess.run(command + (["--count", str(number)] if number > 1 else []) + more, check=True,
                          capture_output=True).stdout


def ask(lines):
    """How many of these tokens are valid; none where there is no answer."""
    try:
        with Connection(SOCKET) as connection:
            return sum(connection.ask(token).status == 200 for token in lines.splitlines())
    except (Unsent, Unanswered):
        return 0


def scraped():
    """What Prometheus gets, as samples; None: no answer."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:9464/metrics", timeout=60) as answer:
            page = answer.read().decode()
    except OSError:
        return None
    return samples(page)


# What every walk begins with.
SETTINGS = json.load(open("/put/mediatokend.sample.json"))
TENANT = SETTINGS["tenants"][0] = {"requestor": "REF30", "resources": ["TNT", "TBS"], "futureToleranceMilliseconds": 0}
SETTINGS["log"] = {"verdicts": "all", "linesPerSecond": 100000}


def configure(**changes):
    with open(CONFIGURATION, "w") as file:
        json.dump({**SETTINGS, **changes}, file, indent=1)


def fresh(**changes):
    """A daemon that is well, with a table that vouches for all tokens."""
    sh("systemctl stop mediatokend-metrics.socket mediatokend; systemctl reset-failed 'mediatokend*'", is_checked=False)
    sh(f"rm -f {TABLE}* {KEYS}/* /root/walk/*.pem; install -m 644 /put/ours.pem {KEYS}/ours.pem")
    configure(**changes)
    sh(f"runuser -u mediatokend -- mediatoken replay create --table {TABLE} --capacity 1000000 --fresh")
    sh("systemctl enable -q mediatokend-metrics.socket; systemctl start mediatokend-metrics.socket mediatokend")
    until(60, lambda: reason() == "ready")


def new_key(name="new"):
    sh(f"mediatoken keys generate --out /root/walk --name {name}")


RULES = "/usr/share/doc/mediatokend/examples/prometheus/mediatoken.rules.yml"
with open(RULES, encoding="utf-8") as file:
    # Where runbook_url says that it is; the package puts it there.
    walks = Walks(re.search(r'runbook_url: "file://(/[^#]*)#', file.read())[1], RULES, scraped, reason, run)
