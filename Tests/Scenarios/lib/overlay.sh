# Sourced by what makes a machine, in a mount and a network namespace of its own.

# overlay CHANGES ROOT [BASE]: a copy of this machine, or of the folder BASE, at ROOT, with /proc, /dev, /run, /tmp and a loopback interface of its own. What
# is written there is kept in memory, at CHANGES. Returns 77 where overlays cannot be mounted.
overlay() {
  local changes=$1 root=$2 base=${3:-/} device
  mount --make-rprivate /
  mount -t tmpfs tmpfs "$changes"
  mkdir -p "$changes/upper" "$changes/work" "$root"
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$changes/upper,workdir=$changes/work" "$root" || return 77
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s /proc/self/fd/2 "$root/dev/stderr"
  mkdir "$root/dev/shm"
  mount -t tmpfs tmpfs "$root/dev/shm"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs tmpfs "$root/tmp"
  python3 -c '
import fcntl, socket, struct
# SIOCSIFFLAGS with IFF_UP | IFF_RUNNING (netdevice(7))
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh14x", b"lo", 0x41))'
}
