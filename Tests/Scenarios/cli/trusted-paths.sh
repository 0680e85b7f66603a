#!/usr/bin/env bash
# The paths on which secrets are mounted work, and a user namespace makes no one the owner. What others may change is refused, says
# doors/others.txt. Needs root, to act as several users and to mount.
source "$(dirname "$0")/../lib/scenario.sh"
if [[ $(id -u) -ne 0 ]] || ! unshare -m mount --version >/dev/null 2>&1; then
  skip "root that may mount is missing"
fi
source "$scenarios/lib/tokens.sh"
chmod 755 "$work" && chmod 644 "$work"/keys/*.pem
# Two users of no account: one who runs the service, and another one.
ours_uid=54321
other_uid=54322
as() { local uid=$1; shift; setpriv --reuid "$uid" --regid "$uid" --clear-groups -- "$@"; }
# The program where every user can reach it.
install -d "$work/bin" && install "$MEDIATOKEN" "$work/bin"
MEDIATOKEN=$work/bin/$(basename "$MEDIATOKEN")

# listed UID PATH: the user can use the keys there.
listed() { exits 0 as "$1" "$MEDIATOKEN" keys list --keys "$2" >"$work/out" && shows "trusted: yes"; }
install -d "$work/home" && cp -r "$work/keys" "$work/home/keys" && chown -R $other_uid "$work/home"

# Kubernetes mounts a secret as a tmpfs of mode 1777, read-only in the container; each key is a link to ..data, and ..data is
# a link to the generation, which is exchanged by a rename.
cat >"$work/kubernetes" <<'SH'
set -e
mkdir -p "$work/kubelet" "$work/secret"
mount -t tmpfs -o mode=1777 tmpfs "$work/kubelet"
generation() {
  mkdir "$work/kubelet/..$1" && cp "$2" "$work/kubelet/..$1/key.pem" && chmod 644 "$work/kubelet/..$1/key.pem"
  ln -s "..$1" "$work/kubelet/..data_tmp" && mv -T "$work/kubelet/..data_tmp" "$work/kubelet/..data"
}
generation 2026_11_01 "$work/keys/development.pem"
ln -s ..data/key.pem "$work/kubelet/key.pem"
mount --bind "$work/kubelet" "$work/secret"
mount -o remount,bind,ro "$work/secret"
list() { as "$ours_uid" "$MEDIATOKEN" keys list --keys "$1" | sed -n 's/^fingerprint: //p'; }
for place in "$work/secret" "$work/secret/key.pem" "$work/secret/..data/key.pem"; do list "$place"; done
! as "$ours_uid" "$MEDIATOKEN" keys list --keys "$work/kubelet" 2>/dev/null
generation 2026_11_02 "$work/weak/development.pem"
rm -r "$work/kubelet/..2026_11_01"
as "$ours_uid" "$MEDIATOKEN" keys list --keys "$work/secret" --allow-rsa-1024 any | sed -n 's/^fingerprint: //p'
SH
export work ours_uid MEDIATOKEN
export -f as
first=$("$MEDIATOKEN" keys list "${trust[@]}" | sed -n 's/^fingerprint: //p')
kubernetes=$(unshare -m bash "$work/kubernetes") || kubernetes="failed after: $kubernetes"
check "a secret that Kubernetes mounts is read by folder and by file, and after an exchange" \
  equals "$kubernetes" "$(printf '%s\n' "$first" "$first" "$first" "$weak_fingerprint")"

# What is mounted when it is needed (systemd.automount(5)): by folder, by file, and where the way goes on below.
mkdir -p "$work/automount/below" && cp "$work/keys/development.pem" "$work/automount/key.pem" && cp "$work/automount/key.pem" "$work/automount/below"
automounted() {
  mkdir -p "$work/on-demand"
  unshare -m python3 -B "$scenarios/lib/automount.py" "$work/on-demand" "$work/automount" \
    "$MEDIATOKEN" keys list --keys "$1" | sed -n 's/^fingerprint: //p'
  return "${PIPESTATUS[0]}"
}
for place in "$work/on-demand" "$work/on-demand/key.pem" "$work/on-demand/below/key.pem"; do
  status=0
  found=$(automounted "$place") || status=$?
  [[ $status -ne 77 ]] || { echo "skipped: nothing can be mounted on demand here"; break; }
  check "a key that is mounted on demand is read: ${place#"$work/"}" equals "$found" "$first"
done

# systemd keeps credentials in a ramfs of the service's own, whose files belong to the service's user or to root, who may
# read them by an access control list (systemd.exec(5), CREDENTIALS_DIRECTORY).
cat >"$work/credentials" <<'SH'
set -e
mkdir -p "$work/run" && mount -t ramfs -o mode=755 ramfs "$work/run"
install -d -m 500 -o "$ours_uid" "$work/run/unit"
install -m 400 -o "$ours_uid" "$work/keys/development.pem" "$work/run/unit/adobe.pem"
mount --bind "$work/run/unit" "$work/run/unit" && mount -o remount,bind,ro "$work/run/unit"
export CREDENTIALS_DIRECTORY=$work/run/unit
as "$ours_uid" bash -c '"$MEDIATOKEN" keys list --keys "$CREDENTIALS_DIRECTORY/adobe.pem"' | sed -n 's/^fingerprint: //p'
SH
check "credentials are read as systemd gives them to a service" equals "$(unshare -m bash "$work/credentials")" "$first"

# In a user namespace a user who is not mapped is 65534, and a process that looks without being mapped itself is that too.
mapped() { exits 3 unshare --user --map-root-user "$MEDIATOKEN" keys list --keys "$work/home/keys" >"$work/out" && says "$1"; }
check "a key of a user whom a container does not know is not trusted, and the message says so" \
  mapped "user 65534 (or a user that this container does not know) owns it"
unmapped() { exits 3 unshare --user "$MEDIATOKEN" keys list --keys "$work/home/keys" >"$work/out" && says "$1"; }
check "a user whom the container does not know is not taken for the owner of /" \
  unmapped "the folder / may be changed by users other than root and 65534: user 65534"
install -d -m 755 -o 65534 "$work/nobodys" && install -o 65534 -m 600 "$work/keys/development.pem" "$work/nobodys/key.pem"
check "where all users are known, the user nobody is one of them, and reads a key of its own" listed 65534 "$work/nobodys/key.pem"
finish
