#!/usr/bin/env bash
# A file can be trusted only as far as those who may change it: keys, configurations, tables and sockets on a path that others
# may change are refused, and the paths on which secrets are mounted work. Needs root, to act as several users and to mount.
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
# The programs where every user can reach them.
install -d "$work/bin" && install "$MEDIATOKEN" "$MEDIATOKEND" "$work/bin"
MEDIATOKEN=$work/bin/$(basename "$MEDIATOKEN") MEDIATOKEND=$work/bin/$(basename "$MEDIATOKEND")

# listed UID PATH: the user can use the keys there.
listed() { exits 0 as "$1" "$MEDIATOKEN" keys list --keys "$2" >"$work/out" && shows "trusted: yes"; }
# refused UID PATH TEXT: the user cannot, and is told so.
refused() { exits 3 as "$1" "$MEDIATOKEN" keys list --keys "$2" >"$work/out" && says "$3" && equals "$(cat "$work/out")" ""; }
# cured: running the command in the message as root is enough.
cured() { bash -c "$(sed -n 's/.*run: //p' "$work/err")"; }

# A planted key, and a token that it signed.
install -d -m 755 "$work/home"
"$MEDIATOKEN" keys generate --out "$work/home/keys" >/dev/null
planted=$("$MEDIATOKEN" issue --key "$work/home/keys/development.private.pem" --requestor REF30 --resource TNT --issue-time "$now")
chown -R $other_uid "$work/home"
# Links, sticky folders, modes and every cure are TrustedPathTests'; here other users act.
check "a key that another user planted is not trusted by root" exits 3 "$MEDIATOKEN" verify "$planted" --keys "$work/home/keys" "${ours[@]}"
check "the message names the first place that is the other user's, with its cure" \
  says "the folder $work/home may be changed by users other than root: user $other_uid owns it, and its mode is 0755; do this as user $other_uid, or copy the file to a folder that only root may write"
check "a key that another user planted is not trusted by a third user" refused $ours_uid "$work/home/keys" "the folder $work/home may be changed by users other than root and $ours_uid:"
install -m 600 -o $other_uid "$work/home/keys/development.pem" "$work/mine.pem"
check "a key file that may not even be read is refused for its owner" refused $ours_uid "$work/mine.pem" "run: chown $ours_uid $work/mine.pem"
cured_and_listed() { cured && listed $ours_uid "$work/mine.pem"; }
check "the command in that message is enough for the key to be read" cured_and_listed
install -d -m 755 -o $ours_uid "$work/ours" && install -m 600 -o $ours_uid "$work/mine.pem" "$work/ours/key.pem"
check "a user's own key is trusted by that user" listed $ours_uid "$work/ours/key.pem"
check "a user's own key is not trusted by root" refused 0 "$work/ours/key.pem" "do this as user $ours_uid"

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
export work ours_uid other_uid MEDIATOKEN MEDIATOKEND
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
install -d -m 755 -o 65534 "$work/nobodys" && install -o 65534 -m 600 "$work/mine.pem" "$work/nobodys/key.pem"
check "where all users are known, the user nobody is one of them, and reads a key of its own" listed 65534 "$work/nobodys/key.pem"

# The daemon: configuration, keys, table and socket.
install -d -m 755 "$work/mediatoken" && install -d -m 755 -o $ours_uid "$work/var" "$work/socket"
configure() {
  cat >"$work/mediatoken/config.json" <<JSON
{"socket": {"path": "${3:-$work/socket/s}"}, "keys": ["${1:-$work/mine.pem}"],
 "replay": {"address": "shared:${2:-$work/var/table}?capacity=100"}, "tenants": [{"requestor": "REF30"}]}
JSON
}
daemon() {
  exits 3 timeout 60 setpriv --reuid $ours_uid --regid $ours_uid --clear-groups -- "$MEDIATOKEND" --config "$work/mediatoken/config.json" && says "$1"
}
configure
checks() { exits 0 as $ours_uid "$MEDIATOKEND" --check-config --config "$work/mediatoken/config.json" >/dev/null; }
check "root's configuration is read by the service's user" checks
chmod 775 "$work/mediatoken"
check "a configuration in a folder that its group may write is refused with a command" daemon \
  "the folder $work/mediatoken may be changed by users other than root and $ours_uid: user 0 owns it, and its mode is 0775; run: chmod go-w $work/mediatoken"
cured_and_checked() { cured && checks; }
check "the command in the message about such a folder is enough for the configuration to be read" cured_and_checked
configure "$work/home/keys"
check "the daemon takes no key that another user planted" daemon \
  "the folder $work/home may be changed by users other than root and $ours_uid: user $other_uid owns it"
install -d -m 777 "$work/open"
configure "" "$work/open/table"
check "the daemon makes no table in a folder where others may exchange it" daemon "and its mode is 0777; choose a path in a folder that only root and $ours_uid may write"
configure "" "" "$work/open/s"
check "the daemon makes no socket in a folder where others may exchange it" daemon "and its mode is 0777; choose a path in a folder that only root and $ours_uid may write"
check "neither table nor socket was made where others may exchange it" equals "$(ls -A "$work/open")" ""
install -d -m 755 -o $other_uid "$work/his" && install -d -m 755 -o $ours_uid "$work/his/socket"
configure "" "" "$work/his/socket/s"
check "the daemon makes no socket where another user may move the folder away" daemon \
  "the folder $work/his may be changed by users other than root and $ours_uid: user $other_uid owns it"

# Another user's socket in his folder of a sticky one, as a container's /run is: anyone could have made it, unless it was mounted.
install -d -m 1777 "$work/sticky" && install -d -m 755 "$work/sticky/daemon"
python3 -c 'import os, socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1]); os.chmod(sys.argv[1], 0o777)' "$work/sticky/daemon/s"
chown $other_uid "$work/sticky/daemon" "$work/sticky/daemon/s"
queries() { exits 3 "${@:2}" setpriv --reuid $ours_uid --regid $ours_uid --clear-groups -- "$MEDIATOKEN" query --socket "$work/sticky/daemon/s" x && says "$1"; }
mounted() { unshare -m bash -c 'mount --bind "$1" "$1" && mount -o "remount,bind,$2" "$1" && "${@:3}"' - "$work/sticky/daemon" "$@"; }
makeable="the folder $work/sticky/daemon may be changed by users other than root and $ours_uid: user $other_uid owns it, in a sticky folder"
check "mediatoken query asks no daemon where anyone could have made the folder of its socket" queries "$makeable"
check "mediatoken query asks no daemon on a mount that may be written where anyone could have made the folder" queries "$makeable" mounted rw
check "mediatoken query asks a daemon on a read-only mount" queries "cannot reach the daemon at" mounted ro

# Commands that read secrets.
chown $other_uid "$key"
issues() { answers 3 "" issue --key "$key" --requestor REF30 --resource TNT && says "$1"; }
check "mediatoken issue takes no private key of another user" issues \
  "the file $key may be changed by users other than root: user $other_uid owns it"
chown 0 "$key"
pipe() { exits 0 bash -c '"$1" issue --key <(cat "$2") --requestor REF30 --resource TNT' - "$MEDIATOKEN" "$key" >/dev/null; }
check "a key from a pipe of the shell is read" pipe
finish
