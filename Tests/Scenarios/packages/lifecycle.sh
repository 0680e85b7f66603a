#!/usr/bin/env bash
# The packages' life under a real systemd: installed, upgraded while the daemon runs and while it cannot start, removed,
# installed again, purged.
source "$(dirname "$0")/../systemd/booted.sh"
# later VERSION: the packages once more, as a later version.
later() {
  local file tree
  mkdir "$put/$1"
  for file in "$put"/packages/mediatoken{,d}_*.deb; do
    tree=$work/$1-$(basename "$file" .deb)
    dpkg-deb -R "$file" "$tree"
    sed -i -E "s/^Version: .*/Version: $1/; s/^(Depends: .*mediatoken \(= )[^)]*/\1$1/" "$tree/DEBIAN/control"
    dpkg-deb --root-owner-group -Znone -b "$tree" "$put/$1" >/dev/null
  done
}
later 1000.1
later 1000.2
later 1000.3
cp "$scenarios/packages/inside.sh" "$put"
boot lifecycle.sh
