# Sourced by scenarios that need a real systemd: it boots in namespaces of its own, on an overlay of this machine's root, and
# nothing of it is left on the machine.
#
# What is in $put is /put inside; the packages are in /put/packages. `boot NAME` runs /put/inside.sh in there and ends the
# scenario, whose last line must be NAME's count of claims.
set -euo pipefail
cannot() { echo "$1"; exit 77; }
: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
[[ $(id -u) -eq 0 ]] || cannot "not root: no namespaces to boot systemd in"
for program in unshare runuser useradd curl python3 dpkg /lib/systemd/systemd; do
  command -v "$program" >/dev/null || cannot "$program is missing"
done
compgen -G "$MEDIATOKEN_PACKAGES/mediatokend_*.deb" >/dev/null || cannot "there are no packages in $MEDIATOKEN_PACKAGES"
scenarios=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
repository=$(cd "$scenarios/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
put=$work/put
mkdir -p "$work/root" "$work/upper" "$put/cli" "$put/packages"
apart=(unshare --mount bash "$scenarios/systemd/apart.sh" "$work")
"${apart[@]}" check >"$work/check.txt" 2>&1 ||
  cannot "no namespaces to boot systemd in: $(tail -n 1 "$work/check.txt")"
cp "$MEDIATOKEN_PACKAGES"/*.deb "$put/packages"
cp "$scenarios/cli/common.sh" "$put/cli"
cp "$scenarios/claim.sh" "$put"
# A key to sign with, and the one to trust.
mkdir "$work/unpacked"
dpkg-deb -x "$put"/packages/mediatoken_*.deb "$work/unpacked"
"$work/unpacked/usr/bin/mediatoken" keys generate --out "$put" --name ours >/dev/null

boot() {
  local status=0
  "${apart[@]}" boot >"$work/console.txt" 2>&1 || status=$?
  grep -v '^Powering off' "$put/out.txt" 2>/dev/null || true
  # The last line counts the claims, and only a scenario that came to its end writes it.
  grep -qE "^$1: [1-9][0-9]* claims hold, 0 do not\$" "$put/out.txt" 2>/dev/null || {
    tail -n 20 "$work/console.txt"
    echo "$1: failed; systemd ended with $status"
    exit 1
  }
}
