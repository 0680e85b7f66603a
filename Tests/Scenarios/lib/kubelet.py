"""What a kubelet does with a pod, as far as the daemon can see it: volumes with its owners, modes and links; containers with their
users, groups, arguments and mounts, under Podman; probes inside them.

From Kubernetes' sources: secrets and projected volumes are filesystems in memory, whose folder has mode 1777 as the kernel makes
it, with what they hold in a folder named by the time, `..data` as a link to that, and a link for each name
(pkg/volume/util/atomic_writer.go). An emptyDir is a folder with mode 0777, or a filesystem in memory (pkg/volume/emptydir). With
fsGroup everything gets that group, and may be read by it, or read and written in an emptyDir; folders get setgid
(pkg/volume/volume_linux.go).
"""

import os
import shutil
import stat
import time

from containers import run, succeed
from scenario import path, until


class Pod:
    """`objects` are the ConfigMaps and Secrets of its namespace: {(kind, name): {key: text}}."""

    def __init__(self, name, template, objects):
        self.name, self.spec = name, template["spec"]
        self.group = self.spec["securityContext"]["fsGroup"]
        self.objects = objects
        self.folder = path(f"pods/{name}")
        self.volumes = {volume["name"]: volume for volume in self.spec["volumes"]}
        for volume in self.volumes.values():
            self._make(volume)

    # MARK: volumes

    def place(self, name):
        return f"{self.folder}/volumes/{name}"

    def _make(self, volume):
        place = self.place(volume["name"])
        os.makedirs(place)
        os.chmod(place, 0o777)
        if "emptyDir" in volume:
            if volume["emptyDir"].get("medium") == "Memory":
                _mount_memory(place)
            _own(place, self.group, is_read_only=False)
        elif "secret" in volume:
            _mount_memory(place)
            source = volume["secret"]
            self._write(place, self.objects["Secret", source["secretName"]], source.get("defaultMode", 0o644))
        elif "projected" in volume:
            _mount_memory(place)
            self._write(place, self._projected(volume["projected"]), volume["projected"].get("defaultMode", 0o644))
        elif "configMap" in volume:
            source = volume["configMap"]
            self._write(place, self.objects["ConfigMap", source["name"]], source.get("defaultMode", 0o644))
        else:
            raise ValueError(f"expected a kind of volume that is known here, found {volume}")

    def _projected(self, projected):
        held = {}
        for source in projected["sources"]:
            (kind, reference), = source.items()
            held |= self.objects[{"configMap": "ConfigMap", "secret": "Secret"}[kind], reference["name"]]
        return held

    def _write(self, place, held, mode):
        """Writes everything under a new time, and exchanges it as a whole."""
        now = time.time_ns()
        new = time.strftime("..%Y_%m_%d_%H_%M_%S.", time.gmtime(now // 10**9)) + str(now % 10**9)
        os.mkdir(f"{place}/{new}")
        os.chmod(f"{place}/{new}", 0o755)
        for name, text in held.items():
            with open(f"{place}/{new}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{place}/{new}/{name}", mode)
        _own(place, self.group, is_read_only=True)
        old = os.path.lexists(f"{place}/..data") and os.readlink(f"{place}/..data")
        os.symlink(new, f"{place}/..data_tmp")
        os.rename(f"{place}/..data_tmp", f"{place}/..data")
        for name in held:
            if not os.path.islink(f"{place}/{name}"):
                os.symlink(f"..data/{name}", f"{place}/{name}")
        if old:
            shutil.rmtree(f"{place}/{old}")

    def update(self, name):
        """After a change of `objects`, what a kubelet does within about a minute."""
        projected = self.volumes[name]["projected"]
        self._write(self.place(name), self._projected(projected), projected.get("defaultMode", 0o644))

    # MARK: containers

    def container(self, name):
        return next(one for one in self.spec.get("initContainers", []) + self.spec["containers"] if one["name"] == name)

    def words(self, name, image, *options):
        """The command that runs a container, up to its arguments."""
        container = self.container(name)
        security = container["securityContext"]
        words = ["podman", "run", "--network=host", "--no-healthcheck", f"--user={security['runAsUser']}:{security['runAsGroup']}",
                 f"--group-add={self.group}", *options]
        words += [f"--cap-drop={name}" for name in security["capabilities"]["drop"]]
        words += ["--security-opt=no-new-privileges"] if security["allowPrivilegeEscalation"] is False else []
        words += ["--read-only", "--read-only-tmpfs=false"] if security["readOnlyRootFilesystem"] else []
        words += [f"--volume={self.place(mount['name'])}:{mount['mountPath']}" + (":ro" if mount.get("readOnly") else "")
                  for mount in container["volumeMounts"]]
        words += [f"--entrypoint={container['command'][0]}"] if "command" in container else []
        return [*words, image]

    def start(self, name, image):
        """Starts a container with its own arguments, and waits for nothing."""
        container = self.container(name)
        arguments = container.get("command", [])[1:] + container.get("args", [])
        succeed(*self.words(name, image, "--detach", f"--name={self.name}-{name}"), *arguments)

    def probe(self, name, kind):
        """Asks a probe once: whether it succeeds, and what it said. Its command has a limit of its own; how long podman takes to
        run it is not the daemon's."""
        asked = run("podman", "exec", f"{self.name}-{name}", *self.container(name)[kind]["exec"]["command"], timeout=600)
        return asked.returncode == 0, asked.stdout + asked.stderr

    def fails(self, name, kind):
        """Whether a probe fails as often, one time after the other, as it must for something to be done."""
        return not any(self.probe(name, kind)[0] for _ in range(self.container(name)[kind]["failureThreshold"]))

    def becomes(self, name, kind, wanted=True):
        return until(120, lambda: self.probe(name, kind)[0] == wanted)

    def log(self, name):
        said = run("podman", "logs", f"{self.name}-{name}")
        return said.stdout + said.stderr

    def exit_status(self, name):
        """Waits for the end."""
        return int(succeed("podman", "wait", f"{self.name}-{name}", timeout=120))

    def stop(self, name):
        """SIGTERM, and the pod's grace."""
        succeed("podman", "stop", f"--time={self.spec['terminationGracePeriodSeconds']}", f"{self.name}-{name}")
        return self.exit_status(name)


def _mount_memory(place):
    succeed("mount", "-t", "tmpfs", "tmpfs", place)


def _own(place, group, is_read_only):
    for folder, _, files in os.walk(place):
        for name in ["", *files]:
            one = os.path.join(folder, name) if name else folder
            status = os.lstat(one)
            if stat.S_ISLNK(status.st_mode):
                os.lchown(one, -1, group)
                continue
            mode = stat.S_IMODE(status.st_mode) | (0o440 if is_read_only else 0o660)
            mode |= stat.S_ISGID | 0o110 if stat.S_ISDIR(status.st_mode) else 0
            os.chown(one, -1, group)
            os.chmod(one, mode)
