#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; what must agree in the file; and that the daemon takes its configuration. What pods share is a fleet, which fleet/ tests;
the image is container.py's. What the daemon refuses where others may write is cli/trusted-paths.sh's.
"""
import json
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from containers import run, shown, succeed
from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish, from_pypi, path

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
    users = {one["securityContext"]["runAsUser"] for one in (daemon, other)}
    check("the users of the two containers may ask, and no others", set(settings["peers"]["allowUIDs"]) == users and len(users) == 2)
    image, version = daemon["image"].split(":")[1], succeed(MEDIATOKEN, "--version").split()[1]
    check("the file names an image of this version", image == version, (image, version))
    check("the replay memory is a fleet's: any number of pods may run", settings["replay"]["address"].startswith("redis:")
          and "localTable" not in settings["replay"]["fleet"])


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
finish()
