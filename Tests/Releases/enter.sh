# Called by run, in namespaces of its own: makes the release the root, and runs what is to be tested in it.
#
#   unshare --mount --net --pid --fork --kill-child bash enter.sh RELEASE PLACE STEP...
set -euo pipefail
release=$1 place=$2 root=$2/changes/root
shift 2
source Tests/Scenarios/lib/overlay.sh
overlay "$place/changes" "$root" "$place/root" || { echo "skipped: overlayfs cannot be mounted here"; exit 77; }

# bind FROM TO [ro]
bind() {
  if [[ -d $1 ]]; then mkdir -p "$root$2"; fi
  mount --bind -o "${3:-rw}" "$1" "$root$2"
}
# Where it is on this machine: what is built with it finds the runtime there.
toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
bind "$toolchain" "$toolchain" ro
bind "$PWD" /srv/repository ro
[[ -z ${MEDIATOKEN_PACKAGES:-} ]] || bind "$MEDIATOKEN_PACKAGES" /srv/packages ro
bind "$place/build" /srv/build
bind "$place/results" /srv/results
programs=/srv/build/debug
env -i PATH="/usr/sbin:/usr/bin:/sbin:/bin:$toolchain/bin" HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive JOBS="${JOBS:-2}" \
  MEDIATOKEN_TESTS=MediaTokenTests \
  MEDIATOKEN=$programs/mediatoken MEDIATOKEND=$programs/mediatokend \
  chroot "$root" bash /srv/repository/Tests/Releases/inside "$release" "$@"
