"""The volumes that a kubelet makes for a pod, as far as the daemon can see them: owners, modes and links.

From Kubernetes' sources: secrets and projected volumes are filesystems in memory, whose folder has mode 1777 as the kernel makes
it, with what they hold in a folder named by the time, `..data` as a link to that, and a link for each name
(pkg/volume/util/atomic_writer.go). An emptyDir is a folder with mode 0777, or a filesystem in memory (pkg/volume/emptydir). With
fsGroup everything gets that group, and may be read by it, or read and written in an emptyDir; folders get setgid
(pkg/volume/volume_linux.go).
"""

import os
import stat
import time

from containers import run, succeed


class Volumes:
    """`objects` are the ConfigMaps and Secrets of its namespace: {(kind, name): {key: text}}."""

    def __init__(self, folder, spec, objects):
        self.folder, self.group, self.objects = folder, spec["securityContext"]["fsGroup"], objects
        self.mounted = []
        for volume in spec["volumes"]:
            self._make(volume)

    def place(self, name):
        return f"{self.folder}/{name}"

    def _make(self, volume):
        place = self.place(volume["name"])
        os.makedirs(place)
        os.chmod(place, 0o777)
        if "emptyDir" in volume:
            if volume["emptyDir"].get("medium") == "Memory":
                self._mount_memory(place)
            _own(place, self.group, is_read_only=False)
        elif "secret" in volume:
            self._mount_memory(place)
            source = volume["secret"]
            self._write(place, self.objects["Secret", source["secretName"]], source.get("defaultMode", 0o644))
        elif "projected" in volume:
            self._mount_memory(place)
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
        """Writes everything under the time, and links to it."""
        now = time.time_ns()
        new = time.strftime("..%Y_%m_%d_%H_%M_%S.", time.gmtime(now // 10**9)) + str(now % 10**9)
        os.mkdir(f"{place}/{new}")
        os.chmod(f"{place}/{new}", 0o755)
        for name, text in held.items():
            with open(f"{place}/{new}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{place}/{new}/{name}", mode)
        _own(place, self.group, is_read_only=True)
        os.symlink(new, f"{place}/..data")
        for name in held:
            os.symlink(f"..data/{name}", f"{place}/{name}")

    def _mount_memory(self, place):
        succeed("mount", "-t", "tmpfs", "tmpfs", place)
        self.mounted.append(place)

    def unmount(self):
        for place in self.mounted:
            run("umount", place)


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
