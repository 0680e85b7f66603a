# Called by booted.sh: runs boot.sh in namespaces and in a control group of its own, and takes the group away again.
#
#   unshare --mount bash apart.sh WORK try|boot [SCENARIO]
set -euo pipefail
work=$1
mkdir -p "$work/groups"
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$work/groups"
home=$work/groups$(sed -n 's/^0:://p' /proc/self/cgroup)
group=$work/groups/systemd-scenario-$$
mkdir "$group"
echo $$ >"$group/cgroup.procs"
status=0
# unshare holds SIGTERM back while it waits; if it dies its child is killed, and with it the PID namespace.
timeout --signal=KILL "${LIMIT_SECONDS:-3600}" unshare --kill-child --mount --pid --fork --net --ipc --uts --cgroup \
  bash "${BASH_SOURCE%/*}/boot.sh" "$@" || status=$?
echo $$ >"$home/cgroup.procs"
for _ in $(seq 50); do
  find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
  [[ -d $group ]] || break
  sleep 0.1
done
exit "$status"
