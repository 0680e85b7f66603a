"""The machine of a fleet's runbooks. Of that of the article only the places are others; systemctl and journalctl are ours, for
servers and a log without systemd."""

import json
import os
import subprocess
import time

from alerts import samples
from processes import MEDIATOKEN
from scenario import path, scratch


class Machine:
    """`places` are those of the article, and what is there in their stead."""

    def __init__(self, daemon, places=None, **environment):
        self.daemon = daemon
        self.places = {"/etc/mediatoken/mediatokend.json": daemon.file} | (places or {})
        self.environment = os.environ | environment | {"PATH": path("bin") + ":" + os.environ["PATH"]}
        os.mkdir(path("bin"))
        # Nodes may be slow on a busy machine.
        self.program("mediatoken", f'''[[ "$1 $2" =~ ^"replay "(nodes|init)$ ]] && set -- "$@" --timeout 60000
exec {MEDIATOKEN} "$@"
''')
        self.program("runuser", 'shift 3; exec "$@"\n')
        self.program("systemctl", f'[[ $1 != restart ]] || echo "$2" >>{path("orders")}\n')
        self.program("journalctl", f"""unit= pattern=.
while [[ $# -gt 0 ]]; do case $1 in -u) unit=$2; shift ;; -g) pattern=$2; shift ;; esac; shift; done
[[ $unit != mediatokend ]] || grep -E -e "$pattern" {daemon.log} | tail -n 20
""")

    def program(self, name, text):
        place = os.path.join(path("bin"), name)
        with open(place, "w") as file:
            file.write("#!/bin/bash\n" + text)
        os.chmod(place, 0o755)

    def run(self, text, *options):
        for ours, theirs in self.places.items():
            text = text.replace(ours, theirs)
        result = subprocess.run(["bash", *options, "-c", text], cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=self.environment, timeout=600)
        return result.returncode, result.stdout

    def was_told_to_restart(self, unit):
        """Whether that was the last order."""
        with open(path("orders")) as file:
            return file.read().endswith(unit + "\n")

    def page(self):
        """The daemon's metrics as they are now, with times as promtool has them: its clock begins at 0."""
        found = samples(self.daemon.get("/metrics").body.decode())
        return {name: value - int(time.time()) if name.startswith("mediatoken_fleet_node_vouches_from") else value
                for name, value in found.items()}

    def reason(self):
        """Why the daemon is not ready, or "ready"."""
        answer = self.daemon.get("/readyz")
        return "ready" if answer.status == 200 else json.loads(answer.body)["reason"]
