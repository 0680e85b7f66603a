#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; what must agree in the file; and that the daemon takes its configuration. What pods share is a fleet, which fleet/ tests;
the image is container.py's. What the daemon refuses where others may write is in doors/others.txt.
"""
import json
import os
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from containers import run, shown, succeed
from processes import MEDIATOKEN, MEDIATOKEND, launch
from scenario import ROOT, check, finish, from_pypi, needs, path, until
from tokens import Signer

FOLDER = ROOT / "deploy/kubernetes"
PARTS = ROOT / "Tests/Scenarios/packaging/kubernetes"
VERSIONS = [f"1.{minor}" for minor in range(29, 38)]


def restricted(spec):
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/, for what the file has."""
    pod, containers = spec["securityContext"], spec["initContainers"] + spec["containers"]
    check("the pod is in no namespace of its node", not {"hostNetwork", "hostPID", "hostIPC", "sysctls"} & (spec.keys() | pod.keys()), spec.keys())
    check("the pod is not root, and has the runtime's filter of system calls",
          (pod["runAsNonRoot"], pod["seccompProfile"]) == (True, {"type": "RuntimeDefault"}), pod)
    kinds = {kind for volume in spec["volumes"] for kind in volume} - {"name"}
    # A plain configMap or emptyDir is a folder on the node's disk with mode 0777, which the daemon refuses.
    in_memory = all(volume["emptyDir"].get("medium") == "Memory" for volume in spec["volumes"] if "emptyDir" in volume)
    check("the pod's volumes are of its own, and in memory", kinds == {"projected", "secret", "emptyDir"} and in_memory, spec["volumes"])
    for one in containers:
        own = dict(one["securityContext"])
        user = own.pop("runAsUser"), own.pop("runAsGroup")
        check(f"the container {one['name']} is not root, can become nothing else, and has no capability and no port",
              own == {"readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
              and min(user) > 0 and "ports" not in one, one)


def agreement(deployment, config):
    """What must agree in the file, and no schema knows of."""
    template = deployment["spec"]["template"]
    spec, settings = template["spec"], json.loads(config["data"]["mediatokend.json"])
    (daemon,), (other,) = spec["initContainers"], spec["containers"]
    check("the deployment's selector finds the pods",
          deployment["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items())
    volumes = {volume["name"] for volume in spec["volumes"]}
    mounted = {mount["name"] for one in (daemon, other) for mount in one["volumeMounts"]}
    check("each volume is mounted, and there are no others", volumes == mounted, volumes ^ mounted)
    check("the back end gets the socket and nothing else, to read",
          [(mount["name"], mount.get("readOnly")) for mount in other["volumeMounts"]] == [("socket", True)])
    check("the daemon is a sidecar that starts first", (daemon["name"], daemon["restartPolicy"]) == ("mediatokend", "Always"), daemon)
    socket = ["/usr/bin/mediatoken", "query", "--socket", settings["socket"]["path"]]
    for kind, asks in (("startupProbe", "--live"), ("readinessProbe", "--ready"), ("livenessProbe", "--live")):
        command = daemon[kind]["exec"]["command"]
        check(f"the {kind} asks {asks} at the socket of the configuration, and has an answer before its time is over",
              command[:5] == [*socket, asks] and int(command[command.index("--timeout") + 1]) < daemon[kind]["timeoutSeconds"] * 1000, command)
    check("the pod's grace is longer than the daemon's drain",
          spec["terminationGracePeriodSeconds"] * 1000 > settings["deadlines"]["drainMilliseconds"])
    image, version = daemon["image"].split(":")[1], succeed(MEDIATOKEN, "--version").split()[1]
    check("the file names an image of this version", image == version, (image, version))
    check("the replay memory is a fleet's: any number of pods may run", settings["replay"]["address"].startswith("redis:")
          and "localTable" not in settings["replay"]["fleet"])


def who_may_ask(deployment, config):
    """As the kubelet starts the containers: each with the group of the pod's volumes besides its own. And a user without it."""
    if os.geteuid() != 0:
        return
    needs("curl")
    spec, socket = deployment["spec"]["template"]["spec"], path("socket/s")
    group, signer = spec["securityContext"]["fsGroup"], Signer()
    os.mkdir(path("socket"))
    os.chown(path("socket"), 0, group)
    os.chmod(path("socket"), 0o3777)
    os.chmod(path(""), 0o711)
    with open(path("socket.json"), "w", encoding="utf-8") as file:
        json.dump({"socket": json.loads(config["data"]["mediatokend.json"])["socket"] | {"path": socket}, "keys": [signer.keys],
                   "allowRSA1024": [signer.fingerprint], "replay": {"address": "none:"}, "tenants": [{"requestor": "REF30"}]}, file)
    daemon, other = [{"user": one["runAsUser"], "group": one["runAsGroup"], "extra_groups": [group], "cwd": "/"}
                     for one in (container["securityContext"] for container in spec["initContainers"] + spec["containers"])]

    def connects(who):
        return subprocess.run(["curl", "-s", "--unix-socket", socket, "http://localhost/livez"], capture_output=True, **who).returncode == 0

    process = launch([MEDIATOKEND, "--config", path("socket.json")], **daemon)
    check("the daemon makes its socket in the pod's volume", until(60, lambda: os.path.exists(socket)))
    live = [MEDIATOKEN, "query", "--socket", socket, "--live", "--timeout", "60000"]
    check("the daemon may ask itself, for its probes", until(60, lambda: subprocess.run(live, capture_output=True, **daemon).returncode == 0))
    check("the back end may connect", connects(other))
    check("a user without the pod's group may not", not connects(other | {"extra_groups": []}))
    process.terminate()
    check("the daemon stops as it should", process.wait(timeout=60) == 0)


def is_taken(config):
    """Where nothing of a pod is: what the README makes and what is mounted is all that the daemon misses. The rights of a secret that a
    kubelet mounts are cli/trusted-paths.sh's."""
    with open(path("mediatokend.json"), "w", encoding="utf-8") as file:
        file.write(config["data"]["mediatokend.json"])
    said = run(MEDIATOKEND, "--check-config", "--config", path("mediatokend.json"))
    missed = sorted(set(re.findall(r"(?m)^failed +(\S+): .*(?:/etc/mediatoken|/run/mediatokend)", said.stdout)))
    failed = sorted(set(re.findall(r"(?m)^failed +(\S+):", said.stdout)))
    check("the daemon takes the file's configuration, and misses only what is mounted",
          said.returncode == 3 and failed == missed != [], said)
    commands, = shown(FOLDER / "README.md", "Steps")
    made = re.findall(r"(?m)^kubectl --namespace playback create (?:configmap|secret generic) (\S+) --from-file=", commands)
    check("the README makes what the file does not", set(made) == {"mediatoken-keys", "mediatoken-nodes"}, made)


python = from_pypi("kubernetes", PARTS / "requirements.txt") + "/python"
judged = json.loads(succeed(python, PARTS / "validate.py", FOLDER / "sidecar.yaml", *VERSIONS))
_, config, deployment = judged["objects"]
check(f"the schemas of Kubernetes {VERSIONS[0]} to {VERSIONS[-1]} have nothing against the objects", not judged["wrong"], judged["wrong"])
restricted(deployment["spec"]["template"]["spec"])
agreement(deployment, config)
is_taken(config)
who_may_ask(deployment, config)
finish()
