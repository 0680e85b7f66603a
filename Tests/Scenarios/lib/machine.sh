# Runs COMMAND on a machine of its own, an overlay of this one without a systemd: the repository is in /srv/repository, the
# packages in /srv/packages, and what COMMAND leaves ends with it. Exit status 77 where overlays cannot be mounted.
#
#   unshare --mount --net --pid --fork --kill-child bash machine.sh WORK PACKAGES REPOSITORY COMMAND...
set -euo pipefail
work=$1 packages=$2 repository=$3 root=$1/root
shift 3
source "${BASH_SOURCE%/*}/overlay.sh"
overlay "$work" "$root"
mkdir -p "$root/srv/repository" "$root/srv/packages"
mount --bind -o ro "$repository" "$root/srv/repository"
mount --bind -o ro "$packages" "$root/srv/packages"
find "$root/var/log" -type f -delete
status=0
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive ON_ITS_MACHINE=yes chroot "$root" "$@" ||
  status=$?
exit "$status"
