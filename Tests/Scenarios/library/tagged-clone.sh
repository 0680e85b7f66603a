#!/usr/bin/env bash
# A Swift package that names a repository and a version gets the newest tag of it, from a clone that has the tags of a release.
source "$(dirname "$0")/../lib/scenario.sh"
needs swift git
git() { command git -c safe.directory='*' -c user.name=release -c user.email=release@example.invalid "$@"; }
git -C "$repository" rev-parse --git-dir >/dev/null 2>&1 || skip "not a checkout"
check "the repository is cloned" quietly git clone --quiet --bare "$repository" "$work/mediatoken"
for tag in $(git -C "$work/mediatoken" tag); do git -C "$work/mediatoken" tag --delete "$tag" >/dev/null; done
mkdir -p "$work/program/Sources/program"
echo 'import MediaToken' >"$work/program/Sources/program/main.swift"
cat >"$work/program/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "program",
  dependencies: [.package(url: "file://$work/mediatoken", from: "3.1.0")],
  targets: [.executableTarget(name: "program", dependencies: [.product(name: "MediaToken", package: "mediatoken")])])
END
# resolves: what SwiftPM takes, in folders of its own.
resolves() {
  rm -rf "$work/program/.build" "$work/program/Package.resolved" "$work/swiftpm"
  quietly swift package --package-path "$work/program" --cache-path "$work/swiftpm/cache" --config-path "$work/swiftpm/config" \
    --security-path "$work/swiftpm/security" resolve
}
version() { sed -n 's/.*"version" : "\(.*\)".*/\1/p' "$work/program/Package.resolved"; }
check "without a tag no version is found" exits 1 resolves
# As the list of a release in CONTRIBUTING has it.
git -C "$work/mediatoken" tag v3.1.0
git -C "$work/mediatoken" tag v3.9.1
git -C "$work/mediatoken" tag clients/go/v3.9.2
check "with the tags of releases one is found" resolves
check "from: \"3.1.0\" takes the newest version with the same first number" equals "$(version)" 3.9.1
check "the version that was taken has the products that README names" \
  grep -q '\.library(name: "MediaToken"' "$work/program/.build/checkouts/mediatoken/Package.swift"
# SwiftPM builds no version of a package that has them.
check "no target has unsafe flags" exits 1 grep -q 'unsafeFlags' "$repository/Package.swift"
finish
