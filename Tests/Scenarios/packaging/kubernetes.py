#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; what must agree in the file; and that the daemon takes its configuration as the user that the file
names. What pods share is a fleet, which fleet/ tests; the image is container.py's. What the daemon refuses where
others may write is cli/trusted-paths.sh's.
"""
import json
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from containers import run, shown, succeed
from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish, from_pypi, needs, path, skip

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


def made_by_readme():
    """The objects that the README's commands make, out of the files that it names."""
    succeed(MEDIATOKEN, "keys", "generate", "--out", path("made"))
    with open(path("made/development.pem"), encoding="ascii") as file:
        files = {"adobe.pem": file.read(), "credentials": "".join(f"{seat} mediatoken {seat:064x}\n" for seat in (1, 2, 3))}
    commands, = shown(FOLDER / "README.md", "Steps")
    made = {name: {file: files[file]} for name, file in re.findall(
        r"(?m)^kubectl --namespace playback create (?:configmap|secret generic) (\S+) --from-file=(\S+)$", commands)}
    check("the README makes what the file does not", set(made) == {"mediatoken-keys", "mediatoken-seats"}, made.keys())
    return made


def is_taken(spec, held):
    """By the container's user, with the modes and groups of the volumes' files; cli/trusted-paths.sh's is how a kubelet mounts them."""
    daemon, group, text = spec["initContainers"][0], spec["securityContext"]["fsGroup"], held.pop("mediatoken")["mediatokend.json"]
    os.chmod(path(""), 0o711)
    for volume in spec["volumes"]:
        os.mkdir(path(volume["name"]), 0o750 if "emptyDir" in volume else 0o755)
        os.chown(path(volume["name"]), daemon["securityContext"]["runAsUser"] if "emptyDir" in volume else 0, group)
        source = volume.get("secret") or volume.get("projected") or {}
        name = source.get("secretName") or next((one["configMap"]["name"] for one in source.get("sources", ())), None)
        for file, content in held.get(name, {}).items():
            with open(f"{path(volume['name'])}/{file}", "w", encoding="utf-8") as written:
                written.write(content)
            os.chmod(written.name, source["defaultMode"] | 0o440)
            os.chown(written.name, -1, group)
    # The longest first: one is how the others begin.
    for mount in sorted(daemon["volumeMounts"], key=lambda mount: mount["mountPath"], reverse=True):
        text = text.replace(f'"{mount["mountPath"]}', f'"{path(mount["name"])}')
    with open(path("mediatokend.json"), "w", encoding="utf-8") as file:
        file.write(text)
    ended = run("setpriv", f"--reuid={daemon['securityContext']['runAsUser']}", f"--regid={group}", "--clear-groups", MEDIATOKEND,
                "--config", path("mediatokend.json"), "--check-config")
    check("the daemon takes the file's configuration, keys and credentials as the container's user", ended.returncode == 0 and path("") in text, ended)


needs("setpriv")
if os.geteuid() != 0:
    skip("only root can become the container's user")
python = from_pypi("kubernetes", PARTS / "requirements.txt") + "/python"
judged = json.loads(succeed(python, PARTS / "validate.py", FOLDER / "sidecar.yaml", *VERSIONS))
_, config, deployment = judged["objects"]
check(f"the schemas of Kubernetes {VERSIONS[0]} to {VERSIONS[-1]} have nothing against the objects", not judged["wrong"], judged["wrong"])
restricted(deployment["spec"]["template"]["spec"])
agreement(deployment, config)
is_taken(deployment["spec"]["template"]["spec"], made_by_readme() | {config["metadata"]["name"]: config["data"]})
finish()
