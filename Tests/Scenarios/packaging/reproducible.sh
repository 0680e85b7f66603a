#!/usr/bin/env bash
# The same sources make the same packages: built once more, in another folder and another environment, they are the same
# bytes. Compiles everything.
source "$(dirname "$0")/../lib/scenario.sh"
: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
needs swift dh dpkg-buildpackage
again=$work/a-longer-name-than-the-first/again
mkdir "$work/home"

(umask 027 && env HOME="$work/home" TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 "$repository/Tests/build-packages" "$again") \
  >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }

names() { (cd "$1" && ls ./*.deb); }
# Where they differ, which files do.
same() {
  cmp "$1" "$2" && return
  diff <(dpkg-deb --fsys-tarfile "$1" | tar --full-time -tvf -) <(dpkg-deb --fsys-tarfile "$2" | tar --full-time -tvf -) | head -n 10
  for package in "$1" "$2"; do rm -rf "$package.x" && dpkg-deb -R "$package" "$package.x"; done
  diff -rq "$1.x" "$2.x"
  return 1
}
mkdir "$work/first"
cp "$MEDIATOKEN_PACKAGES"/*.deb "$work/first"
check "both builds make the same packages" diff <(names "$work/first") <(names "$again")
for package in "$work/first"/*.deb; do
  check "$(basename "$package" | sed 's/_.*//') is the same, byte for byte" same "$package" "$again/${package##*/}"
done
# Their names, and four packages.
[[ $held -ge 5 ]]
finish
