# Called by apart.sh: boots systemd as the first process of new namespaces.
#
#   unshare ... bash boot.sh WORK try
#   unshare ... bash boot.sh WORK boot SCENARIO
set -euo pipefail
[[ $$ -eq 1 ]] || { echo "expected a PID namespace of its own"; exit 1; }
work=$1
source "${BASH_SOURCE%/*}/overlay.sh"
overlay "$work/upper" "$work/root"
# The table refuses an overlay: a mapping of one may not be one memory.
mkdir -p "$work/root/put" "$work/root/var/lib/mediatoken"
mount -t tmpfs -o mode=755 tmpfs "$work/root/var/lib/mediatoken"
mount --bind "$work/put" "$work/root/put"
cd "$work/root"
mount -t sysfs sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mkdir dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
[[ $2 == boot ]] || exit 0

rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires
# In a container it says that packages may start and stop nothing.
rm -f usr/sbin/policy-rc.d
cat >etc/systemd/system/scenario.service <<UNIT
[Service]
Type=oneshot
Environment=INSIDE=yes MEDIATOKEN=/usr/bin/mediatoken MEDIATOKEND=/usr/sbin/mediatokend
Environment=DEBIAN_FRONTEND=noninteractive HOME=/root
ExecStart=/bin/bash /put/Scenarios/$3
StandardOutput=append:/put/out.txt
# In a PID namespace this ends the namespace.
ExecStopPost=/bin/systemctl --force --force poweroff
UNIT
# Not chroot: in one no user namespace can be made, which units may ask for. And what systemd mounts for a service in a
# namespace of its own, such as credentials, must be seen in others.
pivot_root . .
umount -l .
cd /
mount --make-rshared /
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=scenario.service --log-target=console --show-status=0
