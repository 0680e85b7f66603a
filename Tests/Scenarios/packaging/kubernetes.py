#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; what must agree in the file; and that the daemon takes its configuration from volumes as a kubelet makes them, as the
user that the file names. What pods share is a fleet, which fleet/ tests; the image is container.py's.
"""
import copy
import json
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/kubernetes")

from containers import run, shown, succeed
from processes import MEDIATOKEN, MEDIATOKEND
from restricted import violations
from scenario import ROOT, check, finish, from_pypi, needs, path, skip
from volumes import Volumes

FOLDER = ROOT / "deploy/kubernetes"
PARTS = ROOT / "Tests/Scenarios/packaging/kubernetes"
VERSIONS = [f"1.{minor}" for minor in range(29, 38)]


def main():
    needs("setpriv", "unshare")
    if os.geteuid() != 0 or run("unshare", "--mount", "true").returncode != 0:
        skip("only root can mount a pod's volumes")
    python = from_pypi("kubernetes", PARTS / "requirements.txt") + "/python"
    objects = json.loads(succeed(python, PARTS / "validate.py", "--manifest", FOLDER / "sidecar.yaml"))
    schemas(objects, python)
    deployment = next(one for one in objects if one["kind"] == "Deployment")
    config, = (one for one in objects if one["kind"] == "ConfigMap")
    spec = deployment["spec"]["template"]["spec"]
    rules(spec)
    agreement(deployment, config)
    held = made_by_readme() | {("ConfigMap", config["metadata"]["name"]): config["data"]}
    volumes(spec, held)
    finish()


# MARK: the file


def schemas(objects, python):
    """Against strict schemas: an unknown member is an error."""
    def judged(objects):
        lines = "\n".join(map(json.dumps, objects))
        return json.loads(succeed(python, PARTS / "validate.py", *VERSIONS, input=lines))

    wrong = judged(objects)
    check(f"the schemas of Kubernetes {VERSIONS[0]} to {VERSIONS[-1]} have nothing against the {len(objects)} objects",
          len(objects) == 3 and not any(wrong), wrong)
    broken = []
    for change in ("replicas: text", "no such member", "no such member of a probe", "a required one is missing"):
        other = copy.deepcopy(objects[-1])
        spec = other["spec"]["template"]["spec"]
        if change == "replicas: text":
            other["spec"]["replicas"] = "three"
        elif change == "no such member":
            spec["initContainers"][0]["securitycontext"] = {}
        elif change == "no such member of a probe":
            spec["initContainers"][0]["readinessProbe"]["timeout"] = 3
        else:
            del other["spec"]["selector"]
        broken.append(other)
    check("the schemas of Kubernetes refuse members that are wrong, unknown or missing", all(len(one) == len(VERSIONS) for one in judged(broken)))


def rules(spec):
    found = list(violations(spec))
    check('the pod keeps the rules of "restricted"', not found, found)
    for part, member, value in [
            ("pod", "hostNetwork", True), ("pod", "hostPID", True), ("pod", "securityContext", {}),
            ("pod", "volumes", [{"name": "a", "hostPath": {"path": "/"}}]), ("container", "ports", [{"hostPort": 80}]),
            ("security", "privileged", True), ("security", "allowPrivilegeEscalation", True), ("security", "runAsUser", 0),
            ("security", "runAsNonRoot", False), ("security", "capabilities", {"drop": ["ALL"], "add": ["SYS_PTRACE"]}),
            ("security", "capabilities", {}), ("security", "seccompProfile", {"type": "Unconfined"}),
            ("security", "procMount", "Unmasked")]:
        other = copy.deepcopy(spec)
        daemon = other["initContainers"][0]
        {"pod": other, "container": daemon, "security": daemon["securityContext"]}[part][member] = value
        check(f'{member}: {value} would break the rules of "restricted"', list(violations(other)))


def container(spec, name):
    return next(one for one in spec["initContainers"] + spec["containers"] if one["name"] == name)


def agreement(deployment, config):
    """What must agree in the file, and no schema knows of."""
    template = deployment["spec"]["template"]
    spec, settings = template["spec"], json.loads(config["data"]["mediatokend.json"])
    daemon, other = container(spec, "mediatokend"), container(spec, "playback")
    check("the deployment's selector finds the pods",
          deployment["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items())
    volumes = {volume["name"] for volume in spec["volumes"]}
    mounted = {mount["name"] for one in (daemon, other) for mount in one["volumeMounts"]}
    check("each volume is mounted, and there are no others", volumes == mounted, volumes ^ mounted)
    check("the back end gets the socket and nothing else, to read",
          [(mount["name"], mount.get("readOnly")) for mount in other["volumeMounts"]] == [("socket", True)])
    check("the daemon is a sidecar that starts first", daemon in spec["initContainers"] and daemon["restartPolicy"] == "Always")
    commands = {kind: daemon[kind]["exec"]["command"] for kind in ("startupProbe", "readinessProbe", "livenessProbe")}
    asks = {kind: [word for word in command if word in ("--ready", "--live")] for kind, command in commands.items()}
    check("only the readiness probe asks whether the daemon is ready, as that is no reason to restart",
          asks == {"startupProbe": ["--live"], "readinessProbe": ["--ready"], "livenessProbe": ["--live"]}, asks)
    check("a probe has an answer before its time is over", all(
        int(command[command.index("--timeout") + 1]) < daemon[kind]["timeoutSeconds"] * 1000 for kind, command in commands.items()))
    check("the probes ask at the socket of the configuration",
          all(settings["socket"]["path"] in command for command in commands.values()))
    check("the pod's grace is longer than the daemon's drain",
          spec["terminationGracePeriodSeconds"] * 1000 > settings["deadlines"]["drainMilliseconds"])
    users = {one["securityContext"]["runAsUser"] for one in (daemon, other)}
    check("the users of the two containers may ask, and no others",
          set(settings["peers"]["allowUIDs"]) == users and len(users) == 2)
    image, version = daemon["image"].split(":")[1], succeed(MEDIATOKEN, "--version").split()[1]
    check("the file names an image of this version", image == version, (image, version))
    check("the replay memory is a fleet's: any number of pods may run", settings["replay"]["address"].startswith("redis:")
          and "localTable" not in settings["replay"]["fleet"])


# MARK: volumes


def made_by_readme():
    """The objects that the README's commands make, out of the files that it names."""
    succeed(MEDIATOKEN, "keys", "generate", "--out", path("keys"))
    with open(path("keys/development.pem"), encoding="ascii") as file:
        files = {"adobe.pem": file.read(), "credentials": "".join(f"{seat} mediatoken {seat:064x}\n" for seat in (1, 2, 3))}
    commands, = shown(FOLDER / "README.md", "Steps")
    made = {("ConfigMap" if kind == "configmap" else "Secret", name): {file: files[file]} for kind, name, file in re.findall(
        r"(?m)^kubectl --namespace playback create (configmap|secret generic) (\S+) --from-file=(\S+)$", commands)}
    check("the README makes what the file does not",
          set(made) == {("ConfigMap", "mediatoken-keys"), ("Secret", "mediatoken-seats")}, made.keys())
    return made


#: As the user $3 with the groups $3 and $4: the daemon $5 with the arguments after that, where the pairs of the file $2 are mounted.
POD = """set -e
for part in etc run; do
  mkdir "$1/$part" && mount -t tmpfs tmpfs "$1/$part" && mkdir "$1/$part/upper" "$1/$part/work"
  mount -t overlay overlay -o "lowerdir=/$part,upperdir=$1/$part/upper,workdir=$1/$part/work" "/$part"
done
while read -r from to how; do
  mkdir -p "$to" && mount --bind "$from" "$to" && mount -o "remount,bind,$how" "$to"
done <"$2"
exec timeout 60 setpriv --reuid="$3" --regid="$3" --groups="$4" --no-new-privs "${@:5}"
"""


def daemon(name, spec, held, *options):
    """The daemon in a pod with these volumes: its exit status, and what it said."""
    place, one = path(name), container(spec, "mediatokend")
    os.mkdir(place)
    made = Volumes(f"{place}/volumes", spec, held)
    try:
        with open(f"{place}/mounts", "w", encoding="ascii") as file:
            for mount in one["volumeMounts"]:
                file.write(f"{made.place(mount['name'])} {mount['mountPath']} {'ro' if mount.get('readOnly') else 'rw'}\n")
        ended = run("unshare", "--mount", "bash", "-c", POD, "bash", place, f"{place}/mounts", one["securityContext"]["runAsUser"],
                    spec["securityContext"]["fsGroup"], MEDIATOKEND, *one["args"], *options)
    finally:
        made.unmount()
    return ended.returncode, ended.stdout + ended.stderr


def volumes(spec, held):
    status, said = daemon("taken", spec, held, "--check-config")
    check("the daemon takes the file's configuration, keys and credentials from a kubelet's volumes", status == 0, (status, said))
    for name, where, volume in [
            ("settings", "the folder /etc/mediatoken may be changed", {"configMap": {"name": "mediatoken"}}),
            ("keys", "the folder /etc/mediatoken-keys may be changed", {"configMap": {"name": "mediatoken-keys"}}),
            ("socket", "the folder /run/mediatokend may be changed", {"emptyDir": {}}),
            ("seats", "/etc/mediatoken-seats/credentials", {"secret": {"secretName": "mediatoken-seats", "defaultMode": 0o444}})]:
        other = copy.deepcopy(spec)
        other["volumes"] = [one if one["name"] != name else {"name": name, **volume} for one in other["volumes"]]
        status, said = daemon(f"refused-{name}", other, held)
        check(f"the daemon refuses {name} as {volume}", status == 3 and where in said, (status, said))


main()
