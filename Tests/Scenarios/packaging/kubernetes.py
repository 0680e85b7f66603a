#!/usr/bin/env -S python3 -B
"""deploy/kubernetes without a cluster: its objects against Kubernetes' schemas and the rules of the Pod Security Standard
"restricted"; then its containers, run with what a kubelet would give them, three real seats, and a token that plays once in all pods.
"""
import copy
import hashlib
import json
import os
import re
import secrets
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/kubernetes")

import containers
from containers import run, succeed
from kubelet import Pod
from processes import MEDIATOKEN, launch
from restricted import violations
from scenario import ROOT, check, count, finish, from_pypi, needs, path, until
from seats import Link
from tokens import Signer

FOLDER = ROOT / "deploy/kubernetes"
PARTS = ROOT / "Tests/Scenarios/packaging/kubernetes"
SOCKET = "/run/mediatokend/mediatokend.sock"
#: How long a token lives, in milliseconds.
LIFE = 420_000
VERSIONS = [f"1.{minor}" for minor in range(29, 38)]


def main():
    needs("redis-server", "setpriv")
    containers.enter()
    python = from_pypi("kubernetes", PARTS / "requirements.txt") + "/python"
    objects = json.loads(succeed(python, PARTS / "validate.py", "--manifest", FOLDER / "sidecar.yaml"))
    schemas(objects, python)
    deployment = next(one for one in objects if one["kind"] == "Deployment")
    config, = (one for one in objects if one["kind"] == "ConfigMap")
    rules(deployment["spec"]["template"]["spec"])
    agreement(deployment, config)

    containers.make_base()
    containers.packages()
    built = containers.build()
    if not check("the image is built", built.returncode == 0, (built.stdout + built.stderr)[-3000:]):
        finish()
    image = containers.image()
    check("the file names an image of this version",
          container(deployment["spec"]["template"]["spec"], "mediatokend")["image"].split(":")[1] == image.split(":")[1])
    containers.leave_network()
    settings = json.loads(config["data"]["mediatokend.json"])
    processes, credentials = seats(settings)
    signer = Strong("first")
    held = made_by_readme(signer, credentials) | {("ConfigMap", config["metadata"]["name"]): config["data"]}
    template = deployment["spec"]["template"]
    refusals(template, held, image)
    playing(template, held, image, signer, processes)
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
    check("and would: of members that are wrong, unknown or missing", all(len(one) == len(VERSIONS) for one in judged(broken)))


def rules(spec):
    found = list(violations(spec))
    check('it keeps the rules of "restricted"', not found, found)
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
        check(f"{member}: {value} would break them", list(violations(other)))


def container(spec, name):
    return next(one for one in spec["initContainers"] + spec["containers"] if one["name"] == name)


def agreement(deployment, config):
    """What must agree in the file, and no schema knows of."""
    template = deployment["spec"]["template"]
    spec, settings = template["spec"], json.loads(config["data"]["mediatokend.json"])
    daemon, other = container(spec, "mediatokend"), container(spec, "playback")
    check("the selector finds the pods",
          deployment["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items())
    volumes = {volume["name"] for volume in spec["volumes"]}
    mounted = {mount["name"] for one in (daemon, other) for mount in one["volumeMounts"]}
    check("each volume is mounted, and there are no others", volumes == mounted, volumes ^ mounted)
    check("the back end gets the socket and nothing else, to read",
          [(mount["name"], mount.get("readOnly")) for mount in other["volumeMounts"]] == [("socket", True)])
    check("the daemon is a sidecar that starts first", daemon in spec["initContainers"] and daemon["restartPolicy"] == "Always")
    commands = {kind: daemon[kind]["exec"]["command"] for kind in ("startupProbe", "readinessProbe", "livenessProbe")}
    asks = {kind: [word for word in command if word in ("--ready", "--live")] for kind, command in commands.items()}
    check("only readiness asks whether it is ready, as that is no reason to restart",
          asks == {"startupProbe": ["--live"], "readinessProbe": ["--ready"], "livenessProbe": ["--live"]}, asks)
    check("a probe has an answer before its time is over", all(
        int(command[command.index("--timeout") + 1]) < daemon[kind]["timeoutSeconds"] * 1000 for kind, command in commands.items()))
    check("they ask at the socket of the configuration",
          all(settings["socket"]["path"] in command for command in commands.values()))
    check("the grace is longer than the drain",
          spec["terminationGracePeriodSeconds"] * 1000 > settings["deadlines"]["drainMilliseconds"])
    users = {one["securityContext"]["runAsUser"] for one in (daemon, other)}
    check("the two users may ask, and no others", set(settings["peers"]["allowUIDs"]) == users and len(users) == 2)
    check("the replay memory is a fleet's: any number of pods may run", settings["replay"]["address"].startswith("redis:")
          and "localTable" not in settings["replay"]["fleet"])


# MARK: what is outside of the pods


class Strong(Signer):
    """A key of 2048 bits, which needs no consent."""

    def __init__(self, name):
        folder = path(name)
        succeed(MEDIATOKEN, "keys", "generate", "--out", folder)
        self.private, self.keys = folder + "/development.private.pem", folder + "/development.pem"


def seats(settings):
    """The seats that the configuration names, as deploy/redis has them; and the lines of their credentials."""
    address, lines, processes = settings["replay"]["address"], [], []
    fleet, places = re.fullmatch(r"redis:(.+)@(.+)", address).groups()
    for number, place in enumerate(places.split(","), 1):
        name, port = place.split(":")
        host, password = f"127.0.1.{number}", secrets.token_hex(32)
        with open("/etc/hosts", "a", encoding="ascii") as file:
            file.write(f"{host} {name}\n")
        text = (ROOT / "deploy/redis/users.acl").read_text()
        text = text.replace("FLEET", fleet).replace("SHA256", hashlib.sha256(password.encode()).hexdigest())
        with open(path(f"seat{number}.acl"), "w", encoding="ascii") as file:
            file.write(text)
        os.mkdir(path(f"seat{number}"))
        processes.append(launch(
            ["redis-server", ROOT / "deploy/redis/seat.conf", "--bind", host, "--port", port,
             "--aclfile", path(f"seat{number}.acl"), "--dir", path(f"seat{number}")], stdout=subprocess.DEVNULL))
        lines.append(f"{number} mediatoken {password}\n")
        if not until(60, lambda: is_up((host, int(port)))):
            raise RuntimeError(f"{name} does not start")
    credentials = path("credentials")
    with open(credentials, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.writelines(lines)
    founding = (MEDIATOKEN, "replay", "found", "--replay", address, "--fleet-credentials", credentials, "--fresh",
                "--max-ttl", settings["tenants"][0]["maxTTLMilliseconds"], "--timeout", 60000)
    if not until(60, lambda: run(*founding).returncode == 0):
        raise RuntimeError(run(*founding).stdout)
    return processes, credentials


def is_up(address):
    try:
        with Link(address):
            return True
    except OSError:
        return False


def made_by_readme(signer, credentials):
    """The objects that the README's commands make, out of the files that it names."""
    files = {"adobe.pem": signer.keys, "credentials": credentials}
    commands, = containers.shown(FOLDER / "README.md", "Steps")
    made = {}
    for kind, name, file in re.findall(
            r"(?m)^kubectl --namespace playback create (configmap|secret generic) (\S+) --from-file=(\S+)$", commands):
        with open(files[file], encoding="ascii") as content:
            made["ConfigMap" if kind == "configmap" else "Secret", name] = {file: content.read()}
    check("the README makes what the file does not",
          set(made) == {("ConfigMap", "mediatoken-keys"), ("Secret", "mediatoken-seats")}, made.keys())
    return made


# MARK: pods


def refusals(template, held, image):
    """What the comments say that the daemon does not take."""
    def changed(name, number, **volume):
        other = copy.deepcopy(template)
        volumes = other["spec"]["volumes"]
        volumes[:] = [one if one["name"] != name else {"name": name, **volume} for one in volumes]
        pod = Pod(f"refused-{number}", other, held)
        pod.start("mediatokend", image)
        return pod.exit_status("mediatokend"), pod.log("mediatokend")

    for number, (name, place, volume) in enumerate([
            ("settings", "the folder /etc/mediatoken may be changed", {"configMap": {"name": "mediatoken"}}),
            ("keys", "the folder /etc/mediatoken-keys may be changed", {"configMap": {"name": "mediatoken-keys"}}),
            ("socket", "the folder /run/mediatokend may be changed", {"emptyDir": {}}),
            ("seats", "/etc/mediatoken-seats/credentials", {"secret": {"secretName": "mediatoken-seats", "defaultMode": 0o444}})]):
        status, said = changed(name, number, **volume)
        check(f"{name} as {volume} would be refused", status == 3 and place in said, (status, said))


def playing(template, held, image, signer, processes):
    pods = [Pod(name, template, held) for name in ("one", "two")]
    for pod in pods:
        pod.start("mediatokend", image)
        if not check(f"pod {pod.name}: the startup probe succeeds",
                     pod.becomes("mediatokend", "startupProbe"), pod.log("mediatokend")):
            finish()
        check(f"pod {pod.name}: it is ready", pod.becomes("mediatokend", "readinessProbe"), pod.log("mediatokend"))
        check(f"pod {pod.name}: it is alive", pod.becomes("mediatokend", "livenessProbe"))
    first = pods[0]
    for _ in range(5):
        used, end = fresh(first, image, signer)
        if not check("a token plays, asked by the back end's container", used is not None, first.log("mediatokend")):
            finish()
        said = [verdict(pod, image, used) for pod in pods]
        if not came_too_late(said, end):
            break
    check("once in that pod", said[0] == "TOKEN_REPLAYED", said)
    check("and in the other", said[1] == "TOKEN_REPLAYED", said)
    asked = ask(first, image, used, "--user=10003:10003")
    check("another user in the group may not ask", asked.returncode == 3, asked.stdout + asked.stderr)
    written = run(*first.words("playback", image, "--rm", "--entrypoint=/usr/bin/mediatoken"), "replay", "create",
                  "--table", "/run/mediatokend/table", "--capacity", "1000", "--fresh")
    check("the back end can put nothing next to the socket",
          written.returncode != 0 and "mounted read-only" in written.stderr, written.stderr)

    with open(f"/proc/{containers.inspect('one-mediatokend')['State']['Pid']}/status", encoding="ascii") as file:
        most = int(re.search(r"VmHWM:\s+(\d+)", file.read())[1])
    count(f"the daemon has taken {most / 1024:.0f} MiB")
    check("it takes less memory than the pod asks for",
          most < 1024 * int(first.container("mediatokend")["resources"]["requests"]["memory"].removesuffix("Mi")), most)
    again = first
    for name in ("three", "four", "five"):
        used, end = fresh(again, image, signer)
        check("a token plays in a pod that ends", used is not None, again.log("mediatokend"))
        check("SIGTERM ends it well", again.stop("mediatokend") == 0)
        again = Pod(name, template, held)
        again.start("mediatokend", image)
        check("a new pod is ready", again.becomes("mediatokend", "readinessProbe"), again.log("mediatokend"))
        said = used and verdict(again, image, used)
        if not came_too_late([said], end):
            break
    check("what was used stays used, in a pod that keeps nothing", said == "TOKEN_REPLAYED", said)

    other = Strong("next")
    check("a token under a key that is not trusted does not play", fresh(again, image, other, tries=1)[0] is None)
    with open(other.keys, encoding="ascii") as file:
        held["ConfigMap", "mediatoken-keys"]["next.pem"] = file.read()
    again.update("keys")
    check("it plays when its key is in the ConfigMap, without a restart",
          until(600, lambda: fresh(again, image, other, tries=1)[0] is not None), again.log("mediatokend"))

    for process in processes[:2]:
        process.kill()
        process.wait()
    check("without a majority of the seats it is not ready", again.becomes("mediatokend", "readinessProbe", wanted=False))
    check("and says why", until(120, lambda: "seats-missing" in again.probe("mediatokend", "readinessProbe")[1]))
    check("but alive, so that no one restarts it", not again.fails("mediatokend", "livenessProbe"))
    check("and nothing plays", fresh(again, image, signer, tries=1)[0] is None)


def ask(pod, image, token, *options):
    """A question of the back end's container: its user and mounts, and the command line in place of its program."""
    words = pod.words("playback", image, "--rm", "--interactive", "--entrypoint=/usr/bin/mediatoken", *options)
    return run(*words, "query", "--socket", SOCKET, "--timeout", "60000", "--resource", "TNT", "-", input=token.decode())


def verdict(pod, image, token):
    """The verdict, asked again while the seats are too slow to give one."""
    said = []

    def is_said():
        said.append(ask(pod, image, token).stdout.split("\n")[0])
        return said[-1] != ""

    until(120, is_said)
    return said[-1]


def fresh(pod, image, signer, tries=20):
    """A token that has just played, and when its life ends; it is the longest that the file allows. A claim that a busy machine
    holds back for too long uses a token up and grants nothing."""
    for _ in range(tries):
        end = time.time() + LIFE / 1000
        token, = signer.issue(1, ttl=LIFE)
        if ask(pod, image, token).stdout.startswith("VALID_TOKEN\n"):
            return token, end
    return None, None


def came_too_late(said, end):
    """Whether verdicts about a token that has played are right, but one says nothing of that: a busy machine took the token's whole
    life to give it."""
    return end is not None and time.time() > end and "TOKEN_EXPIRED" in said and set(said) <= {"TOKEN_REPLAYED", "TOKEN_EXPIRED"}


main()
