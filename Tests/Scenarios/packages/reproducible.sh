#!/usr/bin/env bash
# The same sources make the same packages: built once more, in another folder and another environment, they are the same
# bytes. Compiles everything.
set -u -o pipefail
scenario=packages/reproducible.sh
held=0 broken=0
tests=$(cd "$(dirname "$0")/../.." && pwd)
source "$tests/Scenarios/claim.sh"
: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
for program in swift dh dpkg-buildpackage help2man; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
again=$scratch/a-longer-name-than-the-first/again
mkdir "$scratch/home"

(umask 027 && env HOME="$scratch/home" TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 "$tests/build-packages" "$again") \
  >"$scratch/log" 2>&1 || { tail -n 30 "$scratch/log"; exit 1; }

names() { (cd "$1" && ls ./*.deb); }
# Where they differ, which files do.
same() {
  cmp "$1" "$2" && return
  diff <(dpkg-deb --fsys-tarfile "$1" | tar --full-time -tvf -) <(dpkg-deb --fsys-tarfile "$2" | tar --full-time -tvf -) | head -n 10
  for package in "$1" "$2"; do rm -rf "$package.x" && dpkg-deb -R "$package" "$package.x"; done
  diff -rq "$1.x" "$2.x"
  return 1
}
mkdir "$scratch/first"
cp "$MEDIATOKEN_PACKAGES"/*.deb "$scratch/first"
claim "both builds make the same packages" diff <(names "$scratch/first") <(names "$again")
for package in "$scratch/first"/*.deb; do
  claim "$(basename "$package" | sed 's/_.*//') is the same, byte for byte" same "$package" "$again/${package##*/}"
done
echo "$scenario: $held claims hold, $broken do not"
[[ $broken -eq 0 && $held -ge 5 ]]
