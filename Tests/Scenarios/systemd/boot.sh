# Part of systemd.sh: boots systemd as the first process of new namespaces.
#
#   unshare ... bash boot.sh WORK check|boot
set -euo pipefail
[[ $$ -eq 1 ]] || { echo "expected a PID namespace of its own"; exit 1; }
work=$1
mount --make-rprivate /
mount -t tmpfs tmpfs "$work/upper"
mkdir "$work/upper/changes" "$work/upper/scratch"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper/changes,workdir=$work/upper/scratch" "$work/root"
mkdir -p "$work/root/put"
mount --bind "$work/put" "$work/root/put"
cd "$work/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
ln -s /proc/self/fd dev/fd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
# The table refuses an overlay: a mapping of one may not be one memory.
mkdir -p var/lib/mediatoken
mount -t tmpfs tmpfs var/lib/mediatoken
ip link set lo up 2>/dev/null || python3 -c '
import fcntl, socket, struct
# SIOCSIFFLAGS with IFF_UP | IFF_RUNNING (netdevice(7))
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh14x", b"lo", 0x41))'
[[ $2 == boot ]] || exit 0

rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires
# In a container it says that packages may start and stop nothing.
rm -f usr/sbin/policy-rc.d
cat >etc/systemd/system/scenario.service <<'UNIT'
[Service]
Type=oneshot
ExecStart=/bin/bash /put/inside.sh
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
