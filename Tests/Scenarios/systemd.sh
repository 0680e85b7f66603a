#!/usr/bin/env bash
# The units under a real systemd, with their whole sandbox: it boots in namespaces of its own, on an overlay of this
# machine's root, and nothing of it is left on the machine. The programs are built as deploy/install builds them.
set -euo pipefail
cannot() { echo "$1"; exit 77; }
[[ $(id -u) -eq 0 ]] || cannot "not root: no namespaces to boot systemd in"
for program in unshare runuser useradd curl python3 /lib/systemd/systemd; do
  command -v "$program" >/dev/null || cannot "$program is missing"
done
repository=$(cd "$(dirname "$0")/../.." && pwd)
scenarios=$repository/Tests/Scenarios
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/root" "$work/upper" "$work/put"
apart=(unshare --mount bash "$scenarios/systemd/apart.sh" "$work")
"${apart[@]}" check >"$work/check.txt" 2>&1 ||
  cannot "no namespaces to boot systemd in: $(tail -n 1 "$work/check.txt")"

DESTDIR=$work/built PREFIX=/usr "$repository/deploy/install" >"$work/build.txt" 2>&1 || { cat "$work/build.txt"; exit 1; }
mkdir "$work/put/programs" "$work/put/cli"
cp "$work/built/usr/bin/mediatoken" "$work/built/usr/sbin/mediatokend" "$work/put/programs"
cp -r "$repository/deploy" "$work/put/deploy"
cp "$scenarios/cli/common.sh" "$work/put/cli"
cp "$scenarios/claim.sh" "$scenarios/systemd/inside.sh" "$work/put"
"$work/put/programs/mediatoken" keys generate --out "$work/put" --name ours >/dev/null

status=0
"${apart[@]}" boot >"$work/console.txt" 2>&1 || status=$?
grep -v '^Powering off' "$work/put/out.txt" 2>/dev/null || true
# The last line counts the claims, and only a scenario that came to its end writes it.
grep -qE '^systemd\.sh: [1-9][0-9]* claims hold, 0 do not$' "$work/put/out.txt" 2>/dev/null || {
  tail -n 20 "$work/console.txt"
  echo "systemd.sh: failed; systemd ended with $status"
  exit 1
}
