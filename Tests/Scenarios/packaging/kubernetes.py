#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; what must agree in the file; and that the daemon takes its configuration from volumes as a kubelet makes them, as the
user that the file names. What pods share is a fleet, which fleet/ tests; the image is container.py's. What the daemon refuses where
others may write is cli/trusted-paths.sh's.
"""
import json
import os
import re
import subprocess
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
    succeed(MEDIATOKEN, "keys", "generate", "--out", path("keys"))
    with open(path("keys/development.pem"), encoding="ascii") as file:
        files = {"adobe.pem": file.read(), "credentials": "".join(f"{seat} mediatoken {seat:064x}\n" for seat in (1, 2, 3))}
    commands, = shown(FOLDER / "README.md", "Steps")
    made = {name: {file: files[file]} for name, file in re.findall(
        r"(?m)^kubectl --namespace playback create (?:configmap|secret generic) (\S+) --from-file=(\S+)$", commands)}
    check("the README makes what the file does not", set(made) == {"mediatoken-keys", "mediatoken-seats"}, made.keys())
    return made


def make_volume(place, volume, group, held):
    """As a kubelet does (Kubernetes' pkg/volume/util/atomic_writer.go and pkg/volume/volume_linux.go): a filesystem in memory, whose folder
    has mode 1777 as the kernel makes it; in it a folder named by the time, `..data` as a link to that, and a link for each name. With
    fsGroup everything gets that group, which may read it, or write in an emptyDir; folders get setgid."""
    os.makedirs(place)
    succeed("mount", "-t", "tmpfs", "tmpfs", place)
    source = volume.get("projected") or volume.get("secret")
    if source:
        names = [one["configMap"]["name"] for one in source["sources"]] if "projected" in volume else [source["secretName"]]
        files, new = {name: text for object in names for name, text in held[object].items()}, "..2026_11_23_00_00_00.123456789"
        os.mkdir(f"{place}/{new}")
        os.symlink(new, f"{place}/..data")
        for name, text in files.items():
            with open(f"{place}/{new}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{place}/{new}/{name}", source["defaultMode"] | 0o440)
            os.chown(f"{place}/{new}/{name}", -1, group)
            os.symlink(f"..data/{name}", f"{place}/{name}")
        os.chown(f"{place}/{new}", -1, group)
        os.chmod(f"{place}/{new}", 0o2755)
    os.chown(place, -1, group)
    os.chmod(place, 0o3777)


#: In a namespace of its own, as the user $3 with the groups $3 and $4: the daemon, where the pairs of the file $2 are mounted.
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


def takes_volumes(spec, held):
    daemon, group, volumes = spec["initContainers"][0], spec["securityContext"]["fsGroup"], path("volumes")
    try:
        for volume in spec["volumes"]:
            make_volume(f"{volumes}/{volume['name']}", volume, group, held)
        with open(path("mounts"), "w", encoding="ascii") as file:
            for mount in daemon["volumeMounts"]:
                file.write(f"{volumes}/{mount['name']} {mount['mountPath']} {'ro' if mount.get('readOnly') else 'rw'}\n")
        ended = run("unshare", "--mount", "bash", "-c", POD, "bash", path(""), path("mounts"), daemon["securityContext"]["runAsUser"], group,
                    MEDIATOKEND, *daemon["args"], "--check-config")
    finally:
        for volume in spec["volumes"]:
            subprocess.run(["umount", f"{volumes}/{volume['name']}"], stderr=subprocess.DEVNULL)
    check("the daemon takes the file's configuration, keys and credentials from a kubelet's volumes", ended.returncode == 0, ended)


needs("setpriv", "unshare")
if os.geteuid() != 0 or run("unshare", "--mount", "true").returncode != 0:
    skip("only root can mount a pod's volumes")
python = from_pypi("kubernetes", PARTS / "requirements.txt") + "/python"
judged = json.loads(succeed(python, PARTS / "validate.py", FOLDER / "sidecar.yaml", *VERSIONS))
_, config, deployment = judged["objects"]
check(f"the schemas of Kubernetes {VERSIONS[0]} to {VERSIONS[-1]} have nothing against the objects", not judged["wrong"], judged["wrong"])
restricted(deployment["spec"]["template"]["spec"])
agreement(deployment, config)
takes_volumes(deployment["spec"]["template"]["spec"], made_by_readme() | {config["metadata"]["name"]: config["data"]})
finish()
