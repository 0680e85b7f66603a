# Part of the proxies' scenarios: runs COMMAND on a machine of its own, an overlay of this one with the Debian packages
# installed, /dev, /run, /tmp and a loopback interface of its own. What it leaves ends with it.
#
#   unshare --mount --net --pid --fork --kill-child bash machine.sh WORK PACKAGES REPOSITORY COMMAND...
set -eu -o pipefail
work=$1 packages=$2 repository=$3 root=$1/root
shift 3
mount --make-rprivate /
mount -t tmpfs tmpfs "$work"
mkdir "$work/changes" "$work/scratch" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/changes,workdir=$work/scratch" "$root" || exit 77
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mkdir "$root/dev/shm"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
# The table refuses an overlay: a mapping of one may not be one memory.
mkdir -p "$root/var/lib/mediatoken" "$root/srv/repository" "$root/srv/packages"
mount -t tmpfs -o mode=755 tmpfs "$root/var/lib/mediatoken"
mount --bind -o ro "$repository" "$root/srv/repository"
mount --bind -o ro "$packages" "$root/srv/packages"
find "$root/var/log" -type f -delete
python3 -c '
import fcntl, socket, struct
# SIOCSIFFLAGS with IFF_UP | IFF_RUNNING (netdevice(7))
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh14x", b"lo", 0x41))'
enter=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot "$root")
"${enter[@]}" sh -c 'dpkg -i /srv/packages/mediatoken_*.deb /srv/packages/mediatokend_*.deb' >"$work/dpkg.txt" 2>&1 ||
  { cat "$work/dpkg.txt"; exit 1; }
status=0
"${enter[@]}" env ON_ITS_MACHINE=yes "$@" || status=$?
exit "$status"
